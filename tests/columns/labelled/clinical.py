"""Codes, measurements, notes and the data management columns of clinical tables."""

from __future__ import annotations

from random import Random

from .drawing import Maker, filled, listed

ICD_10 = (
    "E11.9|I10|J45.0|C50.9|J44.1|G40.3|I63.9|E66.0|K50.9|F32.1|F20.0|B20|N18.4|M16.1|Z95.0|O80|S72.0|H25.9|R07.4|A41.9"
)
ATC = "A10BA02|C09AA05|C10AA05|B01AA03|R03AC02|N06AB06|A10AE04|J01CA04|N02BE01|A02BC01"
SNOMED = "44054006|38341003|195967001|254837009|13645005|84757009|230690007|414916001|34000006|37796009"
NDC = "0002-8215-01|0378-0221-10|50090-1234-0|0093-7146-56|63304-827-90|0071-0155-23"
LOINC = "2345-7|718-7|2160-0|4548-4|2093-3|6690-2|777-3|1742-6"
GENES = "BRCA1|BRCA2|TP53|KRAS|EGFR|CFTR|APOE|HFE"
VARIANTS = "c.68_69del|c.5266dup|p.Gly12Asp|ε3/ε4|wild type|p.Phe508del"
ORGANISMS = "Escherichia coli|Staphylococcus aureus|Klebsiella pneumoniae|Candida albicans|no growth"
EPONYMS = "Glasgow|Hamilton|Beck|Apgar|Edinburgh|Barthel|Norton|Karnofsky"
PHONES = "iPhone 12|Galaxy S21|Pixel 6|Redmi Note 10|Nokia 3310|iPhone SE"
SCANNERS = "Philips Ingenia 3T|Siemens Skyra|GE Discovery|Siemens Prisma"
ARCHIVES = "export_site1.zip|images_batch2.zip|crf_v3.zip|labs.zip"
SYSTEMS = "http://loinc.org|http://snomed.info/sct|http://unitsofmeasure.org|http://hl7.org/fhir/sid/icd-10"
TESTS = "Cholesterol|Glucose|HbA1c|Creatinine|Sodium|Ferritin|TSH"
PROTOCOLS = "Protocol A|Protocol B rev. 2|SOP-014|SOP-021 (draft)"
DEPARTMENTS = "CARD|NEUR|ORTH|ONC|PED"

NOTES = {
    "en": "Patient reports chest pain since yesterday.|No known allergies.|Lives with her husband, retired.|"
    "Advised to reduce salt and return in two weeks.|Mother was called and will bring medication.|"
    "Wound looks clean, no fever.|Seen by the physiotherapist, walks with a frame.|"
    "Anxious about the upcoming operation.",
    "nl": "Patiënt meldt pijn op de borst sinds gisteren.|Geen allergieën bekend.|Woont samen met echtgenote.|"
    "Advies: minder zout, controle over twee weken.|Dochter gebeld, komt vanavond langs.|Wond rustig, geen koorts.|"
    "Ziet op tegen de operatie.",
    "de": "Patient klagt über Brustschmerzen seit gestern.|Keine Allergien bekannt.|Lebt mit der Ehefrau zusammen.|"
    "Kontrolle in zwei Wochen empfohlen.|Tochter wurde angerufen.|Wunde reizlos, kein Fieber.|"
    "Hat Angst vor der Operation.",
    "fr": "Le patient se plaint de douleurs thoraciques depuis hier.|Pas d'allergie connue.|Vit avec son épouse.|"
    "Revoir dans quinze jours, réduire le sel.|La fille a été appelée.|Plaie propre, pas de fièvre.|"
    "Anxieux avant l'intervention.",
    "pt": "Doente refere dor torácica desde ontem.|Sem alergias conhecidas.|Vive com a esposa.|"
    "Reavaliar dentro de duas semanas, reduzir o sal.|A filha foi contactada.|Ferida limpa, sem febre.|"
    "Ansioso com a cirurgia.",
    "es": "El paciente refiere dolor torácico desde ayer.|Sin alergias conocidas.|Vive con su esposa.|"
    "Revisión en dos semanas, reducir la sal.|Se llamó a la hija.|Herida limpia, sin fiebre.|"
    "Nervioso por la operación.",
    "el": "Ο ασθενής αναφέρει πόνο στο στήθος από χθες.|Χωρίς γνωστές αλλεργίες.|Ζει με τη σύζυγό του.|"
    "Επανέλεγχος σε δύο εβδομάδες.|Ενημερώθηκε η κόρη τηλεφωνικά.|Τραύμα καθαρό, απύρετος.|"
    "Ανησυχεί για το χειρουργείο.",
    "ko": "어제부터 흉통을 호소함.|알려진 알레르기 없음.|배우자와 함께 거주함.|2주 후 재방문 권고, 저염식 교육함.|"
    "딸에게 전화로 설명함.|상처 깨끗하고 발열 없음.|수술에 대해 불안해함.",
    "it": (
        "Il paziente riferisce dolore toracico da ieri.|Nessuna allergia nota.|Vive con la moglie.|"
        "Controllo tra due settimane, ridurre il sale.|La figlia è stata contattata.|Ferita pulita, non febbre.|"
        "È in ansia per l'intervento."
    ),
    "pl": (
        "Pacjent zgłasza ból w klatce piersiowej od wczoraj.|Alergii nie podaje.|Mieszka z żoną.|"
        "Kontrola za dwa tygodnie, ograniczyć sól.|Córka została poinformowana telefonicznie.|"
        "Rana czysta, bez gorączki.|Obawia się operacji."
    ),
    "sv": (
        "Patienten uppger bröstsmärta sedan igår.|Inga kända allergier.|Bor med sin hustru.|"
        "Återbesök om två veckor, minska saltet.|Dottern har informerats per telefon.|Såret rent, ingen feber.|"
        "Orolig inför operationen."
    ),
}


def notes(draw: Random, language: str, rows: int) -> list[object]:
    """Free text of one to five sentences and a number or two, so that hardly two are alike."""
    sentences = listed(NOTES[language])
    return [note(draw, sentences) for _ in range(rows)]


def note(draw: Random, sentences: tuple[str, ...]) -> str:
    chosen = draw.sample(sentences, draw.randint(1, 5))
    return " ".join([*chosen, f"RR {draw.randint(100, 180)}/{draw.randint(55, 100)}, T {draw.uniform(36, 39):.1f}."])


def codes(text: str, *, dotless: bool = False) -> Maker:
    """Codes of one list, which every language shares; if so asked, in one column of four without their dots."""

    def column(draw: Random, language: str, rows: int) -> list[object]:
        choices, plain = listed(text), dotless and draw.random() < 0.25
        drawn = [draw.choice(choices) for _ in range(rows)]
        return [code.replace(".", "") for code in drawn] if plain else list(drawn)

    return column


def measured(middle: float, spread: float, decimals: int = 1) -> Maker:
    """Measurements round a middle; in one column of five as text with a decimal comma."""

    def column(draw: Random, language: str, rows: int) -> list[object]:
        values = [round(abs(draw.gauss(middle, spread)), decimals) for _ in range(rows)]
        if decimals == 0:
            return [int(value) for value in values]
        comma = language != "en" and draw.random() < 0.2
        return [str(value).replace(".", ",") for value in values] if comma else list(values)

    return column


def counts(draw: Random, language: str, rows: int) -> list[object]:
    """How often something happened: mostly seldom."""
    return [min(int(draw.expovariate(0.5)), 20) for _ in range(rows)]


def items(draw: Random, language: str, rows: int) -> list[object]:
    """Answers on a scale from 1 to 5."""
    return [draw.randint(1, 5) for _ in range(rows)]


def flags(draw: Random, language: str, rows: int) -> list[object]:
    """A statement that holds or not, as booleans or as 0 and 1."""
    kind, share = draw.choice((bool, int)), draw.uniform(0.2, 0.8)
    return [kind(draw.random() < share) for _ in range(rows)]


def versions(draw: Random, language: str, rows: int) -> list[object]:
    """Versions of software or forms."""
    template = draw.choice(("%.#", "v%.#.#", "%.#.##", "202#.%"))
    issued = [filled(draw, template) for _ in range(5)]
    return [draw.choice(issued) for _ in range(rows)]


def builds(draw: Random, language: str, rows: int) -> list[object]:
    """Versions in four parts, which look like network addresses."""
    issued = [filled(draw, "1#.%.#.1##") for _ in range(6)]
    return [draw.choice(issued) for _ in range(rows)]


def batches(draw: Random, language: str, rows: int) -> list[object]:
    """Batch numbers of reagents: eight for the whole table."""
    template = draw.choice(("LOT2#%@##", "B-######", "@@####", "%#####"))
    issued = [filled(draw, template) for _ in range(8)]
    return [draw.choice(issued) for _ in range(rows)]


def visit_numbers(draw: Random, language: str, rows: int) -> list[object]:
    form = draw.choice(("{}", "V{}", "Visit {}")) if language == "en" else "{}"
    drawn = [form.format(draw.randint(1, 8)) for _ in range(rows)]
    return [int(value) for value in drawn] if form == "{}" else list(drawn)


def sequences(draw: Random, language: str, rows: int) -> list[object]:
    """The number of a record within its subject, as in CDISC."""
    values: list[object] = []
    while len(values) < rows:
        values.extend(range(1, draw.randint(2, 9)))
    return values[:rows]


def image_coordinates(draw: Random, language: str, rows: int) -> list[object]:
    """Millimetres in a brain atlas."""
    return [round(draw.uniform(-70, 70), 1) for _ in range(rows)]
