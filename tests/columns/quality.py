"""How well a classifier of columns does on labelled ones, and the page that says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from .labelled.column import LabelledColumn

Verdict = tuple[str | None, str | None]  # a role, and the item of the HIPAA list if there is one
Classify = Callable[[list[LabelledColumn]], list[Verdict]]
LANGUAGES = {
    "en": "English", "nl": "Dutch", "de": "German", "fr": "French",
    "pt": "Portuguese", "el": "Greek", "es": "Spanish", "ko": "Korean",
    "it": "Italian", "pl": "Polish", "sv": "Swedish",
}  # fmt: skip


@dataclass(frozen=True)
class Rates:
    """What was found, what was found wrongly, and what was missed."""

    found: int
    wrong: int
    missed: int

    @classmethod
    def of(cls, pairs: Iterable[tuple[bool, bool]]) -> Rates:
        """The rates of pairs of what was wanted and what was got."""
        counted = list(pairs)
        return cls(counted.count((True, True)), counted.count((False, True)), counted.count((True, False)))

    @property
    def precision(self) -> float:
        r"""Of what was said to be one, the share that is: found / (found + wrong); 1 where nothing was said."""
        return self.found / (self.found + self.wrong) if self.found + self.wrong else 1.0

    @property
    def recall(self) -> float:
        r"""Of what is one, the share that was said to be: found / (found + missed); 1 where there is none."""
        return self.found / (self.found + self.missed) if self.found + self.missed else 1.0


@dataclass(frozen=True)
class Miss:
    """A column taken for a direct identifier or not, or for one of the HIPAA list or not, against its label."""

    name: str
    wanted: str
    got: str
    language: str


@dataclass(frozen=True)
class LanguageQuality:
    """The columns of one language."""

    language: str
    columns: int
    direct: Rates
    hipaa: Rates


@dataclass(frozen=True)
class Quality:
    """How a classifier did. `roles_right` counts all four roles, of which the borders are soft."""

    columns: int
    direct: Rates
    hipaa: Rates
    roles_right: float
    languages: tuple[LanguageQuality, ...]
    misses: tuple[Miss, ...]


def measured(columns: Sequence[LabelledColumn], classify: Classify) -> Quality:
    """What a classifier gets right of labelled columns."""
    verdicts = classify(list(columns))
    if len(verdicts) != len(columns):
        raise ValueError(
            f"{len(columns)} columns were given and {len(verdicts)} verdicts came back; one each is needed."
        )
    judged = list(zip(columns, verdicts, strict=True))
    languages = dict.fromkeys(column.language for column in columns)
    return Quality(
        columns=len(judged),
        direct=direct_rates(judged),
        hipaa=hipaa_rates(judged),
        roles_right=sum(column.role == role for column, (role, _) in judged) / max(len(judged), 1),
        languages=tuple(of_language(language, judged) for language in languages),
        misses=tuple(miss(column, verdict) for column, verdict in judged if not agrees(column, verdict)),
    )


def of_language(language: str, judged: Sequence[tuple[LabelledColumn, Verdict]]) -> LanguageQuality:
    own = [(column, verdict) for column, verdict in judged if column.language == language]
    return LanguageQuality(language, len(own), direct_rates(own), hipaa_rates(own))


def direct_rates(judged: Iterable[tuple[LabelledColumn, Verdict]]) -> Rates:
    return Rates.of((column.role == "direct", verdict[0] == "direct") for column, verdict in judged)


def hipaa_rates(judged: Iterable[tuple[LabelledColumn, Verdict]]) -> Rates:
    return Rates.of((column.hipaa is not None, verdict[1] is not None) for column, verdict in judged)


def agrees(column: LabelledColumn, verdict: Verdict) -> bool:
    """Whether both scored questions are answered as the label does."""
    role, hipaa = verdict
    return (column.role == "direct") == (role == "direct") and (column.hipaa is None) == (hipaa is None)


def miss(column: LabelledColumn, verdict: Verdict) -> Miss:
    return Miss(column.name, in_words((column.role, column.hipaa)), in_words(verdict), column.language)


def in_words(verdict: Verdict) -> str:
    role, hipaa = verdict
    return f"{role or 'no role'}; {hipaa or 'not on the list'}"


def as_markdown(development: Quality, held_out: Quality) -> str:
    """The body of `docs/detection-quality.md`: what was measured, the numbers, and every miss by name."""
    sections = (OPENING, overall(development, held_out), by_language(development, held_out), NOTES)
    return "\n\n".join((*sections, missed("Development", development), missed("Held out", held_out))) + "\n"


def overall(development: Quality, held_out: Quality) -> str:
    return table(
        ("Question", "Columns", "Development", "Held out"),
        (
            ("Direct identifier: precision", precision(development.direct), precision(held_out.direct)),
            ("Direct identifier: recall", share(development.direct.recall), share(held_out.direct.recall)),
            ("On the HIPAA list: precision", precision(development.hipaa), precision(held_out.hipaa)),
            ("On the HIPAA list: recall", share(development.hipaa.recall), share(held_out.hipaa.recall)),
            ("Role as labelled (soft)", share(development.roles_right), share(held_out.roles_right)),
        ),
        f"{development.columns} + {held_out.columns}",
    )


def precision(rates: Rates) -> str:
    """The precision in words; a dash where nothing was said to be one, so that silence does not look good."""
    return share(rates.precision) if rates.found + rates.wrong else "–"


def by_language(development: Quality, held_out: Quality) -> str:
    rows = []
    for name, quality in (("development", development), ("held out", held_out)):
        for own in quality.languages:
            direct, hipaa = ((precision(rates), share(rates.recall)) for rates in (own.direct, own.hipaa))
            rows.append((LANGUAGES.get(own.language, own.language), name, str(own.columns), *direct, *hipaa))
    headings = ("Language", "Part", "Columns", "Direct: precision", "recall", "HIPAA: precision", "recall")
    return "## By language\n\n" + table(headings, sorted(rows))


def missed(part: str, quality: Quality) -> str:
    if not quality.misses:
        return f"## {part}: misses\n\nNone."
    rows = [(f"`{m.name}`", LANGUAGES.get(m.language, m.language), m.wanted, m.got) for m in quality.misses]
    return f"## {part}: misses ({len(rows)})\n\n" + table(("Column", "Language", "Label", "Sfumato"), rows)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], everywhere: str | None = None) -> str:
    """A table; `everywhere` is put into the second column of every row."""
    filled = [(row[0], everywhere, *row[1:]) if everywhere else row for row in rows]
    lines = (headings, ["---"] * len(headings), *filled)
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def share(rate: float) -> str:
    return f"{rate:.1%}".replace("%", " %")


OPENING = """\
# How well columns are recognised

Sfumato proposes what a column is from its name and its values. This page says how often the proposal is right. The
columns are made up for the purpose, with the names and the dirt of real hospital extracts in eleven languages, and
were labelled without a look at the detectors; but those in Italian, Polish and Swedish by who wrote the lists of names
in these languages. Two of five are held out, to judge only: the misses of the others were
used to improve the detectors, so the numbers to believe are those held out. Both parts share how values are made.

*Precision*: of the columns that Sfumato calls direct (or on the HIPAA list), how many are. *Recall*: of those that
are, how many Sfumato finds. A column that is missed is the graver error: it may be published.

## Overall"""
NOTES = """\
The borders between quasi-identifying, sensitive and non-sensitive are a matter of judgement; the role as labelled is
shown and not a goal. Free-text notes are direct, because they may hold names, and not an item of the HIPAA list. More
than a quarter of the columns are decoys: names that sound like an identifier (`email_opt_in`, `name_of_drug`) or
values that look like one (order numbers shaped like telephone numbers)."""
