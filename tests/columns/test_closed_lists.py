"""Values that are words of a list: what people are, what care they had, and what is only technical."""

from importlib.resources import files

import pytest

from sfumato.columns.recognisers.clinical_text import medical_word
from sfumato.columns.recognisers.closed_list import listed
from sfumato.columns.recognisers.drugs import drug_name
from sfumato.schema import Role

from .test_code_systems import told

WORDS = {
    (Role.QUASI, "sex or gender"): [
        "Male|Female",
        "männlich|weiblich|divers",
        "homme|femme",
        "F|M",
        "M|F|U",
        "Γυναίκα|Άνδρας",
    ],
    (Role.QUASI, "races or ethnic groups"): [
        "WHITE|BLACK OR AFRICAN AMERICAN|ASIAN|UNKNOWN",
        "Caucasian|AfricanAmerican|?|Other|Hispanic|Asian",
        "Non-Hispanic White|Non-Hispanic Black|Mexican American",
        "Branca|Parda|Preta|Indígena",
    ],
    (Role.QUASI, "marital states"): [
        "Married|Single|Divorced",
        "ledig|verheiratet|verwitwet",
        "soltero|casado",
        "Never-married|Widowed",
    ],
    (Role.QUASI, "religions"): [
        "CATHOLIC|JEWISH|PROTESTANT QUAKER|NOT SPECIFIED",
        "evangelisch|katholisch|konfessionslos",
    ],
    (Role.QUASI, "languages"): ["English|Spanish|Haitian Creole", "Deutsch|Türkisch|Arabisch"],
    (Role.QUASI, "health insurances"): ["Medicare|Medicaid|Private|Self Pay", "GKV|PKV|Selbstzahler"],
    (Role.QUASI, "levels of education"): ["High School|Bachelor|Master|PhD", "Abitur|Realschule|Hauptschule"],
    (Role.QUASI, "occupations or states of work"): [
        "Employed|Unemployed|Retired|Student",
        "Private Sector|Self-employed|Govt_job|children",
    ],
    (Role.QUASI, "titles of people"): ["Mr.|Mrs.|Ms."],
    (Role.QUASI, "countries"): ["Germany|France|Austria|Syria", "USA|Canada|Mexico", "Deutschland|Türkei|Polen"],
    (Role.QUASI, "states, provinces or regions"): [
        "Nebraska|Iowa|Ohio",
        "Bayern|Hessen|Saarland",
        "Urban|Rural",
        "Northeast|Midwest|South|West|Alaska",
    ],
    (Role.QUASI, "names of months"): ["January|February|March|May", "Januar|Februar|März|Mai"],
    (Role.QUASI, "medical specialties or departments"): [
        "Cardiology|Neurology|General Practice",
        "Innere Medizin|Chirurgie|Urologie",
    ],
    (Role.QUASI, "names of hospitals or practices"): [
        "St. Mary's Hospital|City Clinic|Mercy Medical Center",
        "Klinikum Süd|Universitätsklinikum Bonn|Krankenhaus Nord",
    ],
    (Role.SENSITIVE, "severities or grades"): [
        "MILD|MODERATE|SEVERE",
        "leicht|mittelschwer|schwer",
        "Grade 1|Grade 2|Grade 3",
        "Minor|Moderate|Major|Extreme",
    ],
    (Role.SENSITIVE, "results of tests"): [
        "Positive|Negative",
        "DETECTED|NOT DETECTED|Inconclusive",
        "positiv|negativ",
        "Reactive|Nonreactive",
    ],
    (Role.SENSITIVE, "flags of results"): ["Normal|Abnormal", "NORMAL|HIGH|LOW|ABNORMAL", "HH|LL|High"],
    (Role.SENSITIVE, "outcomes"): [
        "Died|Recovered",
        "Alive|Dead",
        "FATAL|RECOVERED/RESOLVED|NOT RECOVERED/NOT RESOLVED",
        "Fallecido|Recuperado",
    ],
    (Role.SENSITIVE, "kinds of stays or dispositions"): [
        "inpatient|outpatient|emergency",
        "ELECTIVE|EMERGENCY|NEWBORN|URGENT",
        "HOME|SNF|HOSPICE",
    ],
    (Role.SENSITIVE, "routes of administration"): ["ORAL|TOPICAL|INTRAVENOUS", "IV|PO|SUBCUTANEOUS"],
    (Role.SENSITIVE, "dose forms"): ["TABLET|CAPSULE|OINTMENT"],
    (Role.SENSITIVE, "frequencies of doses"): ["QD|BID|PRN|TID", "once daily|twice daily"],
    (Role.SENSITIVE, "use of tobacco, alcohol or drugs"): [
        "never smoked|formerly smoked|smokes|Unknown",
        "Nichtraucher|Raucher",
    ],
    (Role.SENSITIVE, "parts of the body"): [
        "scalp|back|trunk|lower extremity",
        "palms/soles|oral/genital|head/neck",
    ],
    (Role.SENSITIVE, "specimens"): ["SERUM|URINE|PLASMA", "Blut|Urin|Liquor"],
    (Role.SENSITIVE, "imaging modalities"): ["CT|PET|SPECT"],
    (Role.SENSITIVE, "names of tests or measurements"): [
        "Glucose|Hemoglobin|Sodium|Creatinine",
        "Kalium|Kreatinin|Natrium",
    ],
    (Role.SENSITIVE, "names of drugs"): [
        "ramipril|metoprolol succinate|ASPIRIN|Insulin glargine",
        "prasugrel 10 MG Oral Tablet|Jolivette 28 Day Pack|Acetaminophen 325 MG Oral Tablet",
        "Paracetamol|Ibuprofen|Placebo",
        "Omeprazol|Metformina|Amoxicilina",
    ],
    (Role.SENSITIVE, "clinical texts"): [
        "Essential hypertension (disorder)|Fracture of clavicle|Acute bronchitis (disorder)",
        "CARDIAC DISORDERS|NERVOUS SYSTEM DISORDERS|GENERAL DISORDERS",
        "Chronic Kidney Disease|Heart Failure|Essential Hypertension",
        "Herzinfarkt|Lungenentzündung|Hüftfraktur|Depression",
        "Diabète|Hypertension artérielle|Asthme",
        "Diabetes mellitus|Hipertensión arterial|Asma bronquial",
        "Appendectomy|Colonoscopy|Hysterectomy|Mammography",
        "Διαβήτης|Υπέρταση|Άσθμα",
        "고혈압|당뇨병|고지혈증|위염|천식|심부전",
    ],
    (Role.SENSITIVE, "organisms that infect"): [
        "ESCHERICHIA COLI|STAPHYLOCOCCUS AUREUS|KLEBSIELLA PNEUMONIAE|CANDIDA ALBICANS"
    ],
    (Role.SENSITIVE, "vaccines"): ["MMR|DTaP|Td (adult)  5 Lf tetanus toxoid|IPV|varicella|Hep B  adult"],
    (Role.NON_SENSITIVE, "units of measurement"): ["mg/dL|mmol/L|10*9/L|%", "YEARS|MONTHS", "mmHg|/min|kg"],
    (Role.NON_SENSITIVE, "names of code systems"): ["SNOMED-CT|RxNorm|Unknown", "ICD-9-CM|ICD-10-CM", "LOINC|SNOMED"],
    (Role.NON_SENSITIVE, "visits or epochs of a study"): [
        "SCREENING|TREATMENT|FOLLOW-UP",
        "BASELINE|SCREENING 1|RETRIEVAL",
    ],
}


@pytest.mark.parametrize(("verdict", "values"), [(k, values) for k, several in WORDS.items() for values in several])
def test_words_of_a_list_say_what_a_column_is_without_a_name(verdict, values):
    assert told(values) == verdict


NOTHING = {
    "yes and no": "Yes|No",
    "yes, no and unknown": "Y|N|U",
    "high and low, of anything": "High|Medium|Low",
    "colours": "red|green|blue|yellow",
    "states of an order": "Completed|Pending|Cancelled",
    "parts of anything": "Head|Back|Face|Foot",
    "sides": "Left|Right",
    "answers": "Strongly agree|Agree|Disagree",
    "letters": "S|M|D|W",
    "sizes": "S|M|L|XL",
    "directions": "North|South|East|West",
    "towns": "San Diego|Den Haag|Porto|Athens|Saint Louis",
    "subjects at school": "Geography|Photography|Philosophy|Economics",
    "words that end like drugs": "April|Hospital|Machine|Final",
    "one country's name alone, which is a person's": "Jordan|Emma|Lukas|Maria",
    "states of a record that are units as well": "D|C|CL",
    "single letters that are units": "g|l|m|s",
    "trends": "Up|Down|No|Steady",
    "arms": "Arm A|Arm B",
}


@pytest.mark.parametrize("what", NOTHING)
def test_words_that_mean_many_things_say_little(what):
    role, _ = told(NOTHING[what])
    assert role in (None, Role.DIRECT)


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("marital", "S|M|D|W", Role.QUASI),
        ("state", "AL|CA|TX|NY", Role.QUASI),
        ("state", "Healthy|Infected by virus", Role.SENSITIVE),
        ("state_of_health", "Died|Recovered", Role.SENSITIVE),
        ("country", "DE|FR|AT", Role.QUASI),
        ("flag", "H|L|N", Role.SENSITIVE),
        ("valueuom", "mg|cm", Role.NON_SENSITIVE),
        ("modality_code", "DX|CR|US", Role.SENSITIVE),
        ("v12", "DX|CR|US", None),
        ("country", "USA", Role.QUASI),
        ("DOMAIN", "CM", None),
        ("smoking_status", "current|former|never", Role.SENSITIVE),
        ("v12", "current|former|never", None),
    ],
)
def test_a_name_decides_what_abbreviations_mean(name, values, role):
    assert told(values, name)[0] is role


def test_drugs_are_known_by_their_stems():
    drugs = (
        "aspirin Ramipril atorvastatin pembrolizumab IMATINIB cefuroxime sitagliptin ondansetron amoxicillin "
        "doxycycline citalopram lorazepam lidocaine remdesivir semaglutide metformin"
    )
    assert [word for word in drugs.split() if not drug_name(word)] == []


def test_ordinary_words_are_no_drugs():
    ordinary = (
        "April hospital machine status base case final school control vitamin glucose sodium protocol cholesterol "
        "creatinine disease Berlin Ukraine personal insurance weight albumin"
    )
    assert [word for word in ordinary.split() if drug_name(word)] == []


def test_medical_endings_do_not_take_ordinary_words():
    ordinary = "oklahoma diploma geography photography program analysis liguria academia sympathy roma dose rose"
    assert [word for word in ordinary.split() if medical_word(word)] == []


def test_no_word_of_several_meanings_is_missing_from_its_list():
    """What is listed under `also` must be a word of the list, else it does nothing."""
    folder = files("sfumato.columns.recognisers") / "lists"
    for file in (path.name.removesuffix(".yaml") for path in folder.iterdir()):
        assert listed(file, "also") <= listed(file), file
