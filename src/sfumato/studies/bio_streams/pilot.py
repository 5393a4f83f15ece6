"""A made-up pilot: children of a clinic for obesity, who never lived, as domain files of BIO-STREAMS.

Every number is drawn from a seeded generator, so the same seed gives the same bytes.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from sfumato.chance import Chance
from sfumato.errors import OutputError

Row = dict[str, object]

VISITS = {1: "BASELINE", 2: "MONTH 6", 3: "MONTH 12"}
ATTENDANCE = {1: 1.0, 2: 0.7, 3: 0.45}
COUNTRY = "Country of Permanent Address"
DISTRICT = "District of Permanent Address"
SEED = 125
CONFIGURATION = "pilot_config.yaml"  # what the risk service is asked of the pilot
RELEASE = "release.yaml"  # the project file that releases what the study combined


@dataclass(frozen=True)
class Child:
    """One made-up child."""

    subject: str
    sex: str
    age: int
    country: str
    district: str | None
    height: float
    weight: float | None
    bmi: float | None
    laboratory: tuple[Row, ...]


def write_pilot(
    root: str | Path, pilot: str = "PENTELI", children: int = 633, seed: int = SEED, *, overwrite: bool = False
) -> Path:
    """Write a made-up pilot below a root folder, with a project file, and choose it in `.env`; the folder of the pilot.

    A folder that holds other data is left alone, unless it may be overwritten: `OutputError`. A configuration that
    somebody has changed stays as well.
    """
    folder = Path(root) / "pilot_report" / pilot
    files = {f"{domain}.csv": text for domain, text in pilot_files(pilot, children, seed).items()}
    try:
        if not overwrite:
            _require_ours(folder, files)
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8", newline="")
        for name, text in (("config.yaml", _text(CONFIGURATION)), (RELEASE, _text(RELEASE))):
            if overwrite or not (folder / name).exists():
                (folder / name).write_text(text, encoding="utf-8", newline="")
        _choose(Path(root) / ".env", pilot)
    except OSError as error:
        raise OutputError(f"{folder} could not be written ({type(error).__name__}).") from None
    return folder


def _text(name: str) -> str:
    """A file beside this module."""
    return (resources.files(__package__) / name).read_text(encoding="utf-8")


def pilot_files(pilot: str, children: int, seed: int) -> dict[str, str]:
    """The text of each domain file."""
    chance = Chance.of(seed)
    drawn = [_child(chance, f"BST-{pilot}-{number:04d}", number) for number in range(1, children + 1)]
    rows = {"DM": _demographics, "SC": _characteristics, "VS": _vital_signs, "LB": _laboratory}
    return {domain: _csv(domain, drawn, of) for domain, of in rows.items()}


def _child(chance: Chance, subject: str, number: int) -> Child:
    sex = "F" if chance.happens(0.49) else "M"
    age = _age(chance)
    grown = 78 + 6.1 * age + (3.5 if sex == "M" and age > 12 else 0)
    height = round(chance.normal(grown, 6.0), 1)
    bmi = round(max(chance.normal(*_usual_bmi(sex, age)), 12.5), 1)
    if number == 200:
        bmi = 41.7  # beyond the last bin, as the heaviest child would be
    weighed = not chance.happens(0.045 if age >= 12 else 0.003)  # adolescents refuse
    return Child(
        subject, sex, age,
        country="Cyprus" if chance.happens(0.002) else "Greece",
        district=_district(chance, age),
        height=height,
        weight=round(bmi * (height / 100) ** 2, 1) if weighed else None,
        bmi=bmi if weighed else None,
        laboratory=tuple(_results(chance, number, sex, bmi)),
    )  # fmt: skip


def _age(chance: Chance) -> int:
    group = chance.random.random()
    if group < 0.009:
        return chance.whole(3, 5)
    return chance.whole(6, 11) if group < 0.56 else chance.whole(12, 17)


def _usual_bmi(sex: str, age: int) -> tuple[float, float]:
    """Mean and deviation: it grows with age."""
    return 21.6 + 0.42 * (age - 6) + (0.4 if sex == "M" else 0), 2.5


def _district(chance: Chance, age: int) -> str | None:
    """Not asked for in some families of young children."""
    if chance.happens(0.002 if age >= 12 else 0.03):
        return None
    return "Rural" if chance.happens(0.045) else "Urban"


def _results(chance: Chance, number: int, sex: str, bmi: float) -> Iterator[Row]:
    """Laboratory results of up to three visits. One child in fifty never came to the laboratory."""
    if chance.happens(0.02):
        return
    usual = {
        "CHOL": 160 + 4.0 * (bmi - 24) + (4 if sex == "F" else 0) + chance.normal(0, 45),
        "HDL": 51 - 0.9 * (bmi - 24) + chance.normal(0, 8),
        "GLUC": 87 + 0.5 * (bmi - 24) + chance.normal(0, 7),
    }
    never = chance.happens(0.08)
    for visit in VISITS:
        if chance.happens(ATTENDANCE[visit]):
            yield from _visit(chance, visit, usual, number, never=never)


def _visit(chance: Chance, visit: int, usual: dict[str, float], number: int, *, never: bool) -> Iterator[Row]:
    cholesterol = max(round(usual["CHOL"] + chance.normal(0, 8)), 52)
    if number == 100:
        cholesterol = 24  # outside every bin, as a slip of the keyboard would be
    hdl = max(round(usual["HDL"] + chance.normal(0, 2)), 20)
    ldl = max(round(0.8 * (cholesterol - hdl) + chance.normal(0, 6)), 10)
    glucose = max(round(usual["GLUC"] + chance.normal(0, 4)), 55)
    not_done = never or chance.happens(0.02)
    values = (("CHOL", "Cholesterol", None if not_done else cholesterol), ("HDL", "HDL Cholesterol", hdl),
              ("LDL", "LDL Cholesterol", ldl), ("GLUC", "Glucose", glucose))  # fmt: skip
    for code, name, value in values:
        yield {"LBTESTCD": code, "LBTEST": name, "VISITNUM": visit, "value": value}


def _demographics(child: Child) -> Iterator[Row]:
    yield {"SUBJID": child.subject[-4:], "SITEID": "01", "AGE": child.age, "AGEU": "YEARS", "SEX": child.sex}


def _characteristics(child: Child) -> Iterator[Row]:
    tests = (("COUNTRY", COUNTRY, child.country), ("DISTRICT", DISTRICT, child.district))
    for sequence, (code, name, value) in enumerate(tests, start=1):
        yield {"SCSEQ": sequence, "SCTESTCD": code, "SCTEST": name, "SCORRES": value, "SCSTRESC": value}


def _vital_signs(child: Child) -> Iterator[Row]:
    yield {"VSSEQ": 1, "HEIGHT": child.height, "WEIGHT": child.weight, "BMI": child.bmi}


def _laboratory(child: Child) -> Iterator[Row]:
    for sequence, result in enumerate(child.laboratory, start=1):
        value, visit = result["value"], result["VISITNUM"]
        yield {
            "LBSEQ": sequence, "LBTESTCD": result["LBTESTCD"], "LBTEST": result["LBTEST"],
            "LBORRES": value, "LBORRESU": "mg/dL", "LBSTRESC": value, "LBSTRESN": value, "LBSTRESU": "mg/dL",
            "LBSTAT": "NOT DONE" if value is None else None,
            "LBBLFL": "Y" if visit == 1 and value is not None else None,
            "VISITNUM": visit, "VISIT": VISITS[int(str(visit))],
        }  # fmt: skip


def _csv(domain: str, children: list[Child], of: Callable[[Child], Iterator[Row]]) -> str:
    common = [({"STUDYID": "BIO-STREAMS", "DOMAIN": domain, "USUBJID": c.subject}, c) for c in children]
    rows = [keys | row for keys, child in common for row in of(child)]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else ["USUBJID"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _require_ours(folder: Path, files: dict[str, str]) -> None:
    """Never write over somebody's data: what is there must be what would be written."""
    for path in sorted(folder.glob("*.csv")):
        if path.name not in files or path.read_bytes() != files[path.name].encode():
            raise OutputError(f"{folder} holds other data ({path.name}). Choose another folder, or use --force.")


def _choose(path: Path, pilot: str) -> None:
    """Set the pilot in `.env` and leave its other lines as they are."""
    kept = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    lines = [line for line in kept if not line.startswith("BIOSTREAMS_PILOT=")]
    path.write_text("\n".join([*lines, f"BIOSTREAMS_PILOT={pilot}", ""]), encoding="utf-8", newline="")
