"""The plan of a release, followed again on the original: whether the same comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sfumato.canonical import sha256_of
from sfumato.errors import SecretError, SfumatoError
from sfumato.hierarchies.build import hierarchy_of, read_hierarchies
from sfumato.hierarchies.builders.from_file import read_hierarchy
from sfumato.hierarchies.column_hierarchy import column_hierarchies
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.plans.apply import AppliedPlan, write_release
from sfumato.plans.blocks.level_labels import FILES
from sfumato.plans.draft import Draft
from sfumato.plans.kept_files import KeptFile, salt_beside
from sfumato.plans.made_columns import with_made_columns
from sfumato.plans.plan import FollowedPlan, Plan
from sfumato.plans.provenance import recorded
from sfumato.plans.step_interface import Resources
from sfumato.progress import Tell
from sfumato.project.file import Project
from sfumato.proof.package.claims import at, claim, claims, names_at, unchecked
from sfumato.proof.package.folder import ReleaseEvidence
from sfumato.proof.package.read_again import READINGS, ReleaseCheck
from sfumato.schema import Role
from sfumato.secrets import Secrets
from sfumato.show.documents.verified import Claim
from sfumato.tables.engine import Engine, listed, quoted
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions
from sfumato.temporary import scratch
from sfumato.utility.catalogue import chosen_models
from sfumato.utility.losses import Losses
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.pairing import Pairing

ORIGINAL, COMPARISON, KEPT = "original", "comparison", "kept"
LACKING = "It is not in the evidence."
DECIDED = "what steps decided by looking at the data"
UNFOLLOWED = "The plan needs files of the evidence, and some of them are not there as they were."
COMPARED = ("records", "suppressed", "classes", "changes", "columns", "total", "models")


@dataclass(frozen=True)
class Original:
    """The table that a release was made of, and what is needed to read and to treat it as then."""

    data: str | Path
    project: Project | None = None
    hierarchies: str | Path | None = None
    secrets: Mapping[str, str | Path] | Secrets = field(default_factory=dict)
    options: ReadOptions | None = None
    engine: Engine | None = None

    @property
    def known_secrets(self) -> Secrets:
        """Secrets and the key: beside the project or the data, never in the package; and what lacks is not made."""
        beside = Path(self.project.path if self.project else self.data).parent
        return replace(Secrets.of(self.secrets, folder=beside), lasting=True)

    @property
    def orders(self) -> dict[str, tuple[str, ...]]:
        """The orders of ordinal values that the project file knows."""
        return {a.name: a.order for a in self.project.attributes if a.order} if self.project else {}

    def read(self) -> Extract:
        """The table, read as the project file says."""
        options = self.options or ReadOptions()
        return load(
            self.data,
            options.completed_by(self.project.read_options()) if self.project else options,
            self.engine,
            watch=True,
        )


def claims_with_original(check: ReleaseCheck, original: Original) -> list[Claim]:
    """Every claim that takes the original: the input, the bytes of the release, and what was lost."""
    package, tell = check.package, check.tell
    if package.plan is None:
        return [claim(ORIGINAL, "the plan can be followed", "yes", "there is no plan that can be read")]
    tell("Reading the original")
    extract = with_made_columns(original.read(), package.plan, names_at(package.anonymisation, "quasi_identifiers"))
    kept = list(_kept(package))
    checked = [_input(package, extract), *kept]
    if not all(one.agrees for one in kept):
        return [*checked, unchecked(ORIGINAL, f"the plan on the original gives {package.released}", "yes", UNFOLLOWED)]
    lacking = package.plan.not_followed(original.known_secrets)
    if lacking is not None:
        return [*checked, unchecked(ORIGINAL, f"the plan on the original gives {package.released}", "yes", lacking)]
    try:
        followed = _followed(package, package.plan, extract, original, tell)
        with scratch() as folder:
            applied = write_release(followed, folder / package.released, _files(original), tell=tell)
        checked += _release(package, applied, followed, _searched(package, followed, original))
        return [*checked, *_persons(check, followed), *_compared(package, followed, extract, original, tell)]
    except SecretError:
        raise
    except SfumatoError as error:
        return [*checked, claim(ORIGINAL, "the plan can be followed on the original", "yes", str(error))]


def _files(original: Original) -> list[Path]:
    return [Path(original.data)] if Path(original.data).is_file() else []


def _input(package: ReleaseEvidence, extract: Extract) -> Claim:
    said, state = at(package.provenance, "input", "sha256"), extract.state
    if said is None or state is None or state.sha256 is None:
        why = "No hash of it was recorded." if said is None else "This is not one file, so it has no hash."
        return unchecked(ORIGINAL, "SHA-256 of the original", said, why)
    return claim(ORIGINAL, "SHA-256 of the original", said, state.sha256)


def _kept(package: ReleaseEvidence) -> Iterator[Claim]:
    """The files that stay with the steward: whether they are what the plan was made with."""
    for name, said in package.kept().items():
        located = KeptFile(name, said).located((package.folder,))
        yield claim(KEPT, name, said, located[1]) if located else unchecked(KEPT, name, said, LACKING)


def _followed(package: ReleaseEvidence, plan: Plan, extract: Extract, original: Original, tell: Tell) -> FollowedPlan:
    if original.project:
        roles = {a.name: a.role for a in original.project.attributes}
    else:
        quasi, sensitive = (
            names_at(package.anonymisation, "quasi_identifiers"),
            names_at(package.assessment, "sensitive"),
        )
        roles = {**dict.fromkeys(quasi, Role.QUASI), **dict.fromkeys(sensitive, Role.SENSITIVE)}
    plan = replace(plan, kept=(package.folder,))
    before = Draft.of(extract, subject=plan.subject, roles=roles)
    after, settled = plan.settle(before, original.known_secrets, tell)
    return FollowedPlan(plan, settled, extract.name, before, after, state=extract.state)


def _searched(package: ReleaseEvidence, followed: FollowedPlan, original: Original) -> int:
    """How many records the search began with: those that the steps before it left."""
    said = at(package.anonymisation, "steps_before")
    steps = followed.plan.steps[: said if isinstance(said, int) and said >= 0 else 0]
    return replace(followed.plan, steps=steps).apply(followed.before, original.known_secrets).count()


def _release(package: ReleaseEvidence, applied: AppliedPlan, followed: FollowedPlan, searched: int) -> list[Claim]:
    """The bytes of the release, and all that the record of how it came about says."""
    name, made, record = str(package.released), applied.provenance, package.provenance
    records = made["input"]["records"]
    there = sha256_of(package.data) if package.data.is_file() else "not there"
    left_out = searched - made["output"]["records"]
    return [
        claim(ORIGINAL, f"the plan on the original gives {name}", there, made["output"]["sha256"]),
        claim(ORIGINAL, "records of the original", at(record, "input", "records"), records),
        claim(ORIGINAL, "records that were searched", at(package.anonymisation, "records"), searched),
        claim(ORIGINAL, "records left out", at(package.anonymisation, "suppressed"), left_out),
        *claims(ORIGINAL, at(record, "output"), made["output"], "output"),
        *(claim(ORIGINAL, key, "as recorded", _same(record, made, key)) for key in ("draws", "secrets", "notes")),
        claim(ORIGINAL, DECIDED, "as recorded", _decided(package, followed.plan, followed.settled)),
    ]


def _decided(package: ReleaseEvidence, plan: Plan, settled: Plan) -> str:
    """Whether the steps decided the same again. What they decided may hold values, so it is not shown."""
    said = at(package.provenance, "settled") or at(package.provenance, "plan", "steps")
    kept = [located for file in package.kept().items() if (located := KeptFile(*file).located((package.folder,)))]
    listing = settled.listing({}, (lambda: salt_beside(kept[0][0])) if kept else bytes)
    stated = (replace(s, transformation=t) for s, (t, _) in zip(settled.steps, listing, strict=True))
    steps = list(zip(map(recorded, stated), map(recorded, plan.steps), strict=True))
    # Of steps before a search what they decided is not recorded.
    same = isinstance(said, list) and len(said) == len(steps) and all(map(_among, said, steps))
    return "as recorded" if same else "something else"


def _among(step: Any, known: tuple[Any, ...]) -> bool:
    return step in known


def _same(record: Any, made: dict[str, Any], key: str) -> str:
    """Whether a part of the record comes out the same again. It may hold parameters of steps, so it is not shown."""
    return "as recorded" if at(record, key) == made[key] else "something else"


def _persons(check: ReleaseCheck, followed: FollowedPlan) -> Iterator[Claim]:
    """The readings where persons are counted whom the release does not name."""
    subject, after = at(check.package.assessment, "subject"), followed.after
    if subject is None or subject in after.names:
        return
    if subject not in after.table.columns:
        yield unchecked(READINGS, "readings by person", "as in assessment.json", "The plan replaces the subject.")
        return
    names = listed(quoted(name) for name in (*after.names, subject))
    yield from check.readings(after.engine.view(f"SELECT {names} FROM {after.table}"), subject=subject)


def _compared(
    package: ReleaseEvidence, followed: FollowedPlan, extract: Extract, original: Original, tell: Tell
) -> Iterator[Claim]:
    """Every figure of the comparison, records paired by their number in the original."""
    if package.comparison is None:
        return
    tell("Comparing with the original")
    before, after = followed.before, followed.after
    names = names_at(package.comparison, "quasi_identifiers")
    known = names_at(package.anonymisation, "quasi_identifiers")
    table = before.compared_table()
    there = [name for name in known if name in table.columns and name in after.names]
    yield claim(COMPARISON, "compared columns", names, there)
    if names != there or not names:
        return
    placed, unlike = _hierarchies(package, names, extract, original)
    if unlike:
        why = "Its hierarchy is not the one that was used: give it with --hierarchies or --project."
        yield from (unchecked(COMPARISON, f"figures of {name}", "as in comparison.json", why) for name in unlike)
        return
    released = after.counted_table(numbered=True)
    compared = Comparison.of(Pairing.of(table, released, names=names, hierarchies=placed, key=before.row))
    anew = Losses.of(compared, chosen_models(), tell=tell).document()
    for key in COMPARED:
        yield from claims(COMPARISON, at(package.comparison, key), anew[key], key)


def _hierarchies(
    package: ReleaseEvidence, names: list[str], extract: Extract, original: Original
) -> tuple[dict[str, Hierarchy], list[str]]:
    """The hierarchies by which labels were placed, and the columns whose hierarchy is not known any more."""
    placed = [name for name in names if at(package.comparison, "changes", name, "height") is not None]
    if not placed:
        return {}, []
    project = original.project
    bins = {a.name: a.bins for a in project.attributes if a.bins} if project else {}
    stored = {a.name: a.hierarchy for a in project.attributes if a.hierarchy} if project else {}
    folder = original.hierarchies or (project.anonymise.get("hierarchies") if project else None)
    given = {
        **read_hierarchies(stored, placed),
        **read_hierarchies(folder, placed),
        **_planned(package, extract, original),
    }
    columns = column_hierarchies(extract, placed, given, bins)
    recorded_as = {name: at(package.anonymisation, "hierarchies", name) for name in placed}
    unlike = [name for name in placed if _differs(columns[name].document(), recorded_as[name])]
    return {name: column.hierarchy for name, column in columns.items()}, unlike


def _planned(package: ReleaseEvidence, extract: Extract, original: Original) -> dict[str, Hierarchy]:
    """The hierarchies that the steps of the plan name: files that are kept, or how they are built."""
    resources = Resources("", package.folder, original.known_secrets)
    steps = [step.transformation.settings() for step in package.plan.steps] if package.plan else []
    named = {step["column"]: step["hierarchy"] for step in steps if step.get("hierarchy") and "column" in step}
    hierarchies = {}
    for column, stated in named.items():
        given = resources.located(stated)
        given = given["path"] if isinstance(given, Mapping) and given["kind"] == "from_file" else given
        if isinstance(given, Mapping):
            beside = {key: str(package.folder / given[key]) for key in FILES if isinstance(given.get(key), str)}
            parameters = {key: value for key, value in {**given, **beside}.items() if key != "kind"}
            hierarchies[column] = hierarchy_of(extract, column, given["kind"], parameters, unknown="top")
        else:
            hierarchies[column] = read_hierarchy(package.folder / str(given))
    return hierarchies


def _differs(hierarchy: dict[str, Any], said: Any) -> bool:
    return any(hierarchy[key] != at(said, key) for key in ("height", "labels"))
