"""Plans: steps, conditions and the files that they name."""

from __future__ import annotations

from pathlib import Path

from tests.hostile.case import MARK, Case, Place

STEPS: dict[str, tuple[str, str]] = {
    "unknown": ("A step that is none.", "explode: {columns: [age]}"),
    "dunder": ("A step with a name of Python.", "__init__: {}"),
    "module": ("A step with the name of a module.", "sfumato.cli: {}"),
    "null": ("A step of nothing.", "drop:"),
    "text": ("A step of a text.", "drop: age"),
    "number": ("A step of a number.", "drop: 5"),
    "two-in-one": ("Two steps in one.", "{drop: {columns: [age]}, keep: {columns: [age]}}"),
    "no-columns": ("No columns.", "drop: {columns: []}"),
    "columns-text": ("Columns that are a text.", "drop: {columns: age}"),
    "columns-numbers": ("Columns that are numbers.", "drop: {columns: [1, .nan, null]}"),
    "columns-nested": ("Columns in lists.", "drop: {columns: [[age]]}"),
    "columns-twice": ("A column twice.", "drop: {columns: [age, age]}"),
    "drop-all": ("All columns dropped.", "drop: {columns: [age, sex, name, dx, cost]}"),
    "column-sql": ("A column whose name is SQL.", "drop: {columns: [\"x\\\"); DROP TABLE d; --\"]}"),
    "column-terminal": ("A column whose name moves a cursor.", 'drop: {columns: ["\\e[2J"]}'),
    "unknown-key": ("A key that is none.", "drop: {colums: [age]}"),
    "key-number": ("A key that is a number.", "drop: {5: [age]}"),
    "round-zero": ("Rounding to nothing.", "round_to: {column: age, nearest: 0}"),
    "round-small": ("Rounding to less than there is.", "round_to: {column: age, nearest: 1e-400}"),
    "round-nan": ("Rounding to no number.", "round_to: {column: age, nearest: .nan}"),
    "round-minus": ("Rounding to a negative number.", "round_to: {column: age, nearest: -5}"),
    "top-nan": ("A top that is no number.", "top_code: {column: age, at: .nan}"),
    "top-infinite": ("A top without end.", "top_code: {column: age, at: .inf}"),
    "top-huge": ("A top of four hundred digits.", f"top_code: {{column: age, at: {'9' * 400}}}"),
    "top-sql": ("A top with SQL.", "top_code: {column: age, at: '1); DROP TABLE d; --'}"),
    "top-list": ("A top that is a list.", "top_code: {column: age, at: [1]}"),
    "noise-infinite": ("Noise without end.", "add_noise: {column: age, range: [-.inf, .inf]}"),
    "noise-huge": ("Noise of 1e400.", "add_noise: {column: age, range: [-1e400, 1e400]}"),
    "noise-turned": ("Noise from above to below.", "add_noise: {column: age, range: [3, -3]}"),
    "noise-three": ("Noise of three ends.", "add_noise: {column: age, range: [1, 2, 3]}"),
    "micro-huge": ("Groups of 1e99.", "microaggregate: {columns: [age], k: 1e99}"),
    "micro-minus": ("Groups of -1.", "microaggregate: {columns: [age], k: -1}"),
    "micro-digits": ("Groups of four hundred digits.", f"microaggregate: {{columns: [age], k: {'9' * 400}}}"),
    "rare-huge": ("Everything is rare.", "merge_rare: {column: dx, fewer_than: 1e99, into: rest}"),
    "rare-digits": ("Everything is rarer.", f"merge_rare: {{column: dx, fewer_than: {'9' * 400}, into: rest}}"),
    "mask-huge": ("A mask of 1e99 letters.", "mask: {column: dx, keep: 1e99}"),
    "mask-letters": ("A mask of a thousand million letters.", "mask: {column: dx, keep: 1000000000}"),
    "pseudonym-long": ("Pseudonyms of a thousand million letters.", "pseudonymise: {columns: [name], secret: study, format: digits, length: 1000000000}"),
    "pseudonym-format": ("Pseudonyms in a form that is none.", "pseudonymise: {columns: [name], secret: study, format: '%n'}"),
    "secret-path": ("A secret whose name leads out.", "pseudonymise: {columns: [name], secret: ../../x}"),
    "recode-null": ("Values that become nothing.", "recode: {column: dx, mapping: {null: a, a: null}, otherwise: x}"),
    "recode-list": ("A list for a mapping.", "recode: {column: dx, mapping: [a, b]}"),
    "recode-nested": ("A mapping in a mapping.", "recode: {column: dx, mapping: {a: {b: c}}, otherwise: x}"),
    "recode-large": ("Ten thousand values.", "recode: {column: dx, mapping: {" + ", ".join(f"v{i}: g" for i in range(10_000)) + "}, otherwise: x}"),
    "recode-formula": ("Labels that a spreadsheet would run.", "recode: {column: dx, mapping: {a: \"=cmd|' /C calc'!A0\"}, otherwise: '@SUM(1)'}"),
    "recode-sql": ("Labels with SQL.", "recode: {column: dx, mapping: {\"a'); DROP TABLE d; --\": \"x\\\"'\"}, otherwise: $$}"),
    "where-sql": ("A condition with SQL.", "suppress_records: {where: {column: dx, equals: \"' OR '1'='1\"}}"),
    "where-text": ("A condition that is SQL alone.", "suppress_records: {where: 'age > 5; DROP TABLE d'}"),
    "where-nan": ("A condition with no number.", "suppress_records: {where: {column: cost, below: .nan}}"),
    "where-huge": ("A condition with four hundred digits.", f"suppress_records: {{where: {{column: cost, below: {'9' * 400}}}}}"),
    "where-power": ("A condition with 1e400.", "suppress_records: {where: {column: cost, at_least: 1e400}}"),
    "where-day": ("A condition with a day of no calendar.", "suppress_records: {where: {column: cost, at_least: '2026-02-30'}}"),
    "where-list": ("A condition that is a list.", "suppress_records: {where: [1]}"),
    "where-deep": ("Conditions in each other.", "suppress_records: {where: " + "{not: " * 400 + "{column: age, missing: true}" + "}" * 400 + "}"),
    "where-deeper": ("Conditions in each other, without end.", "suppress_records: {where: " + "{not: " * 5000),
    "where-wide": ("Three thousand conditions.", "suppress_records: {where: {any: [" + ", ".join(f"{{column: dx, equals: v{i}}}" for i in range(3000)) + "]}}"),
    "where-wide-all": ("A thousand conditions that all hold.", "suppress_records: {where: {all: [" + ", ".join(f"{{column: dx, not_equals: v{i}}}" for i in range(1000)) + "]}}"),
    "pattern-slow": ("A pattern that takes others for ever.", "suppress_records: {where: {column: name, matches: '(a+)+(b|c)*$'}}"),
    "pattern-large": ("A pattern of a thousand times a thousand.", "suppress_records: {where: {column: name, matches: '(a{1000}){1000}'}}"),
    "pattern-large-nested": ("A pattern of repetitions in repetitions.", "suppress_records: {where: {column: name, matches: '((((a{99}){99}){99}){99}){99}'}}"),
    "pattern-huge-count": ("A pattern with a count beyond all.", "suppress_records: {where: {column: name, matches: 'a{99999999999}'}}"),
    "pattern-open": ("A pattern that breaks off.", "suppress_records: {where: {column: name, matches: '(a'}}"),
    "pattern-behind": ("A pattern that looks behind.", "suppress_records: {where: {column: name, matches: '(?<=a)b'}}"),
    "pattern-nul": ("A pattern with NUL.", 'suppress_records: {where: {column: name, matches: "a\\0b"}}'),
    "pattern-deep": ("A pattern of ten thousand brackets.", f"suppress_records: {{where: {{column: name, matches: '{'(' * 10_000 + ')' * 10_000}'}}}}"),
    "hierarchy-out": ("A hierarchy of somebody else.", "generalise: {column: age, level: 1, hierarchy: ../neighbour/levels.csv}"),
    "hierarchy-absolute": ("A hierarchy elsewhere.", "generalise: {column: age, level: 1, hierarchy: /etc/passwd}"),
    "hierarchy-device": ("A hierarchy that never ends.", "generalise: {column: age, level: 1, hierarchy: /dev/zero}"),
    "hierarchy-kind": ("A kind of hierarchy that is none.", "generalise: {column: age, level: 1, hierarchy: {kind: ../x}}"),
    "hierarchy-width": ("Intervals without width.", "generalise: {column: cost, level: 1, hierarchy: {kind: intervals, width: 0}}"),
    "hierarchy-width-nan": ("Intervals of no number.", "generalise: {column: cost, level: 1, hierarchy: {kind: intervals, width: .nan}}"),
    "hierarchy-width-small": ("Intervals of nothing.", "generalise: {column: cost, level: 1, hierarchy: {kind: intervals, width: 1e-300}}"),
    "hierarchy-quantiles": ("Too many quantiles.", "generalise: {column: cost, level: 1, hierarchy: {kind: quantiles, count: 1000000000}}"),
    "hierarchy-levels": ("A level beyond all.", f"generalise: {{column: age, level: {10**30}, hierarchy: {{kind: ages}}}}"),
    "hierarchy-tree-cycle": ("A tree whose branches are each other's.", "generalise: {column: dx, level: 1, hierarchy: {kind: tree, parents: {a: b, b: a}}}"),
    "hierarchy-groups-nested": ("Groups of groups.", "generalise: {column: dx, level: 1, hierarchy: {kind: groups, groups: {a: {b: {c: [d]}}}}}"),
    "hierarchy-mask-count": ("A mask of many letters.", "generalise: {column: dx, level: 1, hierarchy: {kind: masks, keep: [1000000000]}}"),
    "vault-out": ("A vault in somebody else's folder.", "tokenise: {column: name, vault: ../neighbour/evil.vault, secret: study}"),
    "vault-over": ("A vault that takes the place of somebody else's file.", "tokenise: {column: name, vault: ../neighbour/victim.csv, secret: study}"),
    "vault-absolute": ("A vault elsewhere.", "tokenise: {column: name, vault: /tmp/evil.vault, secret: study}"),
    "merge-name": ("A merged column that takes the place of another.", "merge_columns: {columns: [age, sex], into: dx}"),
    "merge-format": ("A merged column in a form of Python.", "merge_columns: {columns: [age, sex], into: x, separator: '{0.__class__}'}"),
    "dates-unit": ("A unit that is none.", "truncate_dates: {columns: [dx], to: eon}"),
    "shift-huge": ("A shift of a thousand million years.", "shift_dates: {columns: [dx], secret: study, days: 999999999999}"),
    "locally": ("Rules that are none.", "generalise_locally: {hierarchies: {age: 5}, rules: [1, {age: [1]}]}"),
    "tuples": ("Tuples of different lengths.", "recode_tuples: {columns: [age, sex], mapping: [{from: [1], to: [1, 2, 3]}]}"),
    "matrix": ("Chances above one and below none.", "post_randomise: {column: sex, matrix: {F: {F: 2, M: -1}, M: {F: .nan, M: 1}}}"),
    "matrix-list": ("A matrix of lists.", "post_randomise: {column: sex, matrix: [[1, 0], [0, 1]]}"),
    "swap-huge": ("Ranks further apart than there are.", "swap_ranks: {columns: [age], percent: 1e99}"),
    "id-twice": ("Two steps with one name.", "{drop: {columns: [name]}, id: x}\n  - {drop: {columns: [dx]}, id: x}"),
    "id-terminal": ("A step whose name moves a cursor.", '{drop: {columns: [nothing]}, id: "\\e[2J"}'),
    "thousand": ("A thousand steps.", "\n  - ".join(["round_to: {column: cost, nearest: 5}"] * 1000)),
    "tag": ("A tag that would run something.", "drop: !!python/object/apply:os.system ['touch evil']"),
}  # fmt: skip
TEXTS: dict[str, tuple[str, str | bytes]] = {
    "empty": ("An empty file.", b""),
    "rubbish": ("Rubbish.", bytes(range(256)) * 3),
    "nothing": ("No steps.", "steps: []\n"),
    "steps-text": ("Steps that are a text.", "steps: drop\n"),
    "steps-of-lists": ("Steps that are lists.", "steps: [[drop]]\n"),
    "seed-list": ("A seed that is a list.", "seed: [1]\nsteps: [{drop: {columns: [name]}}]\n"),
    "seed-long": ("A seed of a megabyte.", f"seed: {'x' * (1 << 20)}\nsteps: [{{drop: {{columns: [name]}}}}]\n"),
    "subject-map": ("A subject that is a mapping.", "subject: {a: 1}\nsteps: [{drop: {columns: [name]}}]\n"),
    "description": ("A description that moves a cursor.", 'description: "\\e[2J\\u202e"\nsteps: [{drop: {columns: [name]}}]\n'),
    "json": ("A plan in JSON.", '{"steps": [{"drop": {"columns": ["name"]}}]}'),
    "aliases": ("Aliases.", "steps:\n  - &a {drop: {columns: [name]}}\n  - *a\n"),
}  # fmt: skip
SLOW = {"thousand"}  # each step is a statement of its own
KNOWN = {
    "unknown": "explode", "column-terminal": "no column", "hierarchy-out": "leads out", "hierarchy-absolute": "leads out",
    "vault-out": "leads out", "vault-over": "leads out", "vault-absolute": "leads out", "tag": "plan.yaml, line", "aliases": "plan.yaml, line",
    "empty": "plan.yaml", "rubbish": "plan.yaml", "nothing": "steps", "where-deep": "", "where-text": "condition", "round-zero": "", "round-nan": "",
    "top-nan": "", "top-infinite": "", "micro-minus": "", "micro-huge": "", "noise-infinite": "", "noise-turned": "", "hierarchy-width": "",
    "hierarchy-width-nan": "", "hierarchy-tree-cycle": "", "pattern-open": "regular expression", "pattern-behind": "plain", "matrix": "",
}  # fmt: skip


def _case(name: str, what: str, content: str | bytes) -> Case:
    def make(place: Place) -> Path:
        place.put("study.txt", f"a secret of the tests {MARK}").chmod(0o600)
        return place.put("plan.yaml", content)

    return Case(f"plan-{name}", what, "plan", make, refused=KNOWN.get(name), heavy=name in SLOW, may_write=(".vault",))


CASES = [
    *(_case(name, what, f"steps:\n  - {step}\n") for name, (what, step) in STEPS.items()),
    *(_case(f"file-{name}" if name == "tag" else name, what, content) for name, (what, content) in TEXTS.items()),
]
