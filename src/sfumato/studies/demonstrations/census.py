"""A made-up census, in the layout of the census table of the anonymisation literature: nine columns.

Who is older is likelier to have been married, and to be widowed; who was born abroad is of another race more often, and
has been to school for longer or for shorter; the occupation follows the education, the employer the occupation; what
people earn follows age, education, occupation and whether they are married. The frequencies are our own: plausible,
and not those of any country or year.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sfumato.chance import Chance

Row = dict[str, object]

ROWS = 30_162  # as many as the table of the literature has
AGES = {17: 5.0, 20: 11, 25: 13, 30: 13, 35: 14, 40: 12, 45: 11, 50: 8, 55: 6, 60: 4, 65: 2, 70: 1.2, 80: 0.3}
COUNTRIES = {
    "United-States": 900.0, "Mexico": 22, "Philippines": 8, "Canada": 6, "India": 6, "Germany": 5, "Cuba": 5,
    "El-Salvador": 4, "England": 4, "China": 4, "Jamaica": 4, "Italy": 3, "Vietnam": 3, "Guatemala": 3, "Japan": 3,
    "Poland": 3, "Colombia": 3, "Haiti": 2, "Portugal": 2, "Iran": 2, "Taiwan": 2, "Greece": 1.5, "Ecuador": 1.5,
    "Peru": 1.5, "France": 1.5, "Ireland": 1.2, "Thailand": 1, "Cambodia": 1, "Yugoslavia": 1, "Hungary": 0.8,
    "Scotland": 0.6,
}  # fmt: skip
ASIA = {"Philippines", "India", "China", "Vietnam", "Japan", "Iran", "Taiwan", "Thailand", "Cambodia"}
CARIBBEAN = {"Jamaica", "Haiti"}
RACES = {"White": 86.0, "Black": 10, "Asian-Pac-Islander": 1.5, "Amer-Indian-Eskimo": 1, "Other": 0.8}
SCHOOLS = {  # years at school, and how common it is to have ended there
    "Preschool": (0, 0.2), "1st-4th": (3, 0.5), "5th-6th": (6, 1), "7th-8th": (8, 2), "9th": (9, 1.6),
    "10th": (10, 2.8), "11th": (11, 3.5), "12th": (12, 1.3), "HS-grad": (12, 32), "Some-college": (13, 22),
    "Assoc-voc": (14, 4.4), "Assoc-acdm": (14, 3.4), "Bachelors": (16, 17), "Masters": (18, 5.5),
    "Prof-school": (19, 1.8), "Doctorate": (20, 1.3),
}  # fmt: skip
OCCUPATIONS = {  # years at school that are usual in it, how common it is, and how many of a hundred there are men
    "Prof-specialty": (17, 14, 62), "Exec-managerial": (15, 13, 71), "Adm-clerical": (13, 12, 33),
    "Sales": (13, 11, 65), "Craft-repair": (11, 13, 94), "Other-service": (11, 10, 45),
    "Machine-op-inspct": (11, 6, 72), "Transport-moving": (11, 5, 94), "Handlers-cleaners": (10, 4, 88),
    "Farming-fishing": (10, 3, 93), "Tech-support": (14, 3, 62), "Protective-serv": (13, 2, 87),
    "Priv-house-serv": (8, 0.5, 6), "Armed-Forces": (13, 0.03, 95),
}  # fmt: skip
EMPLOYERS = {
    "Private": 74.0, "Self-emp-not-inc": 8, "Local-gov": 7, "State-gov": 4, "Self-emp-inc": 3.5, "Federal-gov": 3.2,
    "Without-pay": 0.05,
}  # fmt: skip
PUBLIC = {"Local-gov", "State-gov", "Federal-gov"}
OWN = {"Self-emp-not-inc", "Self-emp-inc"}


def census(rows: int = ROWS, seed: int = 1994) -> Iterator[Row]:
    """One row for each made-up person."""
    chance = Chance.of(seed)
    for _ in range(rows):
        yield _person(chance)


def _person(chance: Chance) -> Row:
    sex = "Male" if chance.happens(0.67) else "Female"
    begins = chance.one_of(AGES)
    age = begins + chance.whole(0, 2 if begins == 17 else 9 if begins >= 70 else 4)
    country = chance.one_of(COUNTRIES)
    school = _school(chance, age, country)
    years = SCHOOLS[school][0]
    married = _marital_status(chance, age, sex)
    occupation = _occupation(chance, years, sex)
    employer = _employer(chance, occupation, age)
    return {
        "sex": sex,
        "age": age,
        "race": _race(chance, country),
        "marital-status": married,
        "education": school,
        "native-country": country,
        "workclass": employer,
        "occupation": occupation,
        "salary-class": ">50K" if chance.happens(_earns(age, years, married, occupation)) else "<=50K",
    }


def _race(chance: Chance, country: str) -> str:
    """Those of a country are mostly, and not always, of one race."""
    if country in ASIA and chance.happens(0.9):
        return "Asian-Pac-Islander"
    if country in CARIBBEAN and chance.happens(0.9):
        return "Black"
    return chance.one_of(RACES)


def _school(chance: Chance, age: int, country: str) -> str:
    """The young are not through yet; of those who came from abroad more have little or much of it."""
    abroad = country != "United-States"
    most = 11 + (age - 17) if age < 23 else 20
    return chance.one_of({
        name: common * (2.5 if abroad and (years < 9 or years > 16) else 1)
        for name, (years, common) in SCHOOLS.items() if years <= most
    })  # fmt: skip


def _marital_status(chance: Chance, age: int, sex: str) -> str:
    since = max(age - 20, 0)
    once = min(since / 16, 0.93)  # the share of those who have ever been married
    if not chance.happens(once):
        return "Never-married"
    return chance.one_of({
        "Married-civ-spouse": 75.0 if sex == "Male" else 42,
        "Divorced": 8 + 0.35 * since,
        "Separated": 3.5,
        "Married-spouse-absent": 1.5,
        "Widowed": (0.015 if sex == "Male" else 0.05) * since**1.5 / 4,
        "Married-AF-spouse": 0.1,
    })  # fmt: skip


def _occupation(chance: Chance, years: int, sex: str) -> str:
    return chance.one_of(_suited(years, sex))


def _suited(years: int, sex: str) -> Mapping[str, float]:
    """How likely each occupation is: half as likely for every two years too much or too little of school."""
    return {
        name: common * 0.5 ** (abs(usual - years) / 2) * (men if sex == "Male" else 100 - men)
        for name, (usual, common, men) in OCCUPATIONS.items()
    }


def _employer(chance: Chance, occupation: str, age: int) -> str:
    if occupation == "Armed-Forces":
        return "Federal-gov"
    public = {"Protective-serv": 14.0, "Prof-specialty": 2.2, "Adm-clerical": 1.6}.get(occupation, 0.5)
    own = {"Farming-fishing": 6.0, "Exec-managerial": 1.6, "Sales": 1.3}.get(occupation, 0.8) * (0.4 + age / 60)
    return chance.one_of({
        name: common * (public if name in PUBLIC else own if name in OWN else 1) for name, common in EMPLOYERS.items()
    })  # fmt: skip


def _earns(age: int, years: int, married: str, occupation: str) -> float:
    """The probability of earning more than 50,000 a year."""
    settled = min(max(age - 20, 0), 25) / 25
    trade = {"Exec-managerial": 0.16, "Prof-specialty": 0.13, "Tech-support": 0.06, "Sales": 0.05}.get(occupation, 0)
    together = 0.3 if married == "Married-civ-spouse" else 0.0
    return min(max((together + trade + 0.045 * (years - 12)) * settled, 0.01), 0.9)
