"""Codes of diseases, drugs, procedures and tests are known by their values, and not by accident."""

import random

import pytest

from sfumato.columns.evidence.values import Values
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.recognisers import recognisers
from sfumato.columns.recognisers.snomed_ct import verhoeff
from sfumato.schema import Role
from sfumato.tables.engine import Kind


def column(values, name="v12", records=200, label=None):
    different = tuple(dict.fromkeys(values))
    return ColumnProfile(name, Kind.TEXT, records, 0, len(different), 0, 0.0, 0, different, label=label)


def told(values, name="v12", label=None):
    """What is told of such a column: its role and what it is taken for; nothing where nothing is told."""
    finding = Values().of(column(values.split("|"), name, label=label))
    return (finding.role, finding.sentence.rpartition(": ")[2].rstrip(".")) if finding else (None, "")


CODES = {
    "ICD-9 codes": [
        ("diag_1", "250.83|276|648|8|V57|414|428|398|434|157|E909|518|999"),
        ("icd9_code", "4019|25000|0389|V5861|42731|5849|486|E8788"),
        ("ICD9_DGNS_CD_1", "4019|25000|2724|41401|7295|78650|V5869"),
        ("v12", "401.9|V58.61|250.00|E888.9|786.50|427.31"),
    ],
    "ICD-10 codes": [
        ("v12", "E11.9|I10|J45.0|C50.9|J44.1|G40.3"),
        ("v12", "E119|I10|J450|C509|Z9501|S72001A"),
        ("hauptdiagnose", "E11.90 G|I10.90|F32.1 V|M16.1 G R|C50.9"),
        ("v12", "C50.9|C61.9|C34.1|C18.7|C44.3"),
        ("Diagnosis", "A41|B20|C50|I10"),
    ],
    "ICD-10-PCS codes": [("v12", "0DTJ4ZZ|02100Z9|5A1955Z|30233N1|0W9G3ZZ|4A023N7|0HBT0ZZ|B2111ZZ")],
    "ICD-O morphologies": [("v12", "8140/3|8500/3|8070/2|9680/3")],
    "SNOMED CT codes, length and check digit right": [
        ("v12", "44054006|38341003|195967001|254837009|13645005|84757009|230690007|414916001|34000006|37796009"),
        ("REASONCODE", "44054006.0|38341003.0|195967001.0"),
        ("CODE", "449411000124106|442571000124108|160968000|22298006"),
    ],
    "LOINC codes, check digit right": [
        ("v12", "2345-7|718-7|2160-0|4548-4|2093-3|6690-2"),
        ("loinc", "2345-7|718-7"),
    ],
    "ATC codes": [("v12", "A10BA02|C09AA05|C10AA05|B01AA03|R03AC02|N06AB06"), ("v12", "A10B|C09A|C10A|N06AB")],
    "RxNorm codes": [("rxcui", "860975|314076|197361")],
    "codes of vaccines": [("cvx", "140|113|33|8")],
    "CPT or HCPCS codes": [
        ("CPT_code", "99213|99214|36415|80053"),
        ("HCPCS_CD_1", "99213|G0008|J1885|A0428"),
        ("v12", "99213|G0008|J1885|A0428|80053|0001F"),
    ],
    "MedDRA codes": [("AEPTCD", "10019211|10028813|10016558"), ("AESOCCD", "10007541.0|10017947.0")],
    "NDC codes": [
        ("v12", "0002-8215-01|0378-0221-10|50090-1234-0|63304-827-90"),
        ("ndc", "00002821501|00378022110|63304082790"),
    ],
    "diagnosis related groups": [
        ("drg_code", "470|871|291|65"),
        ("drg", "F62B|I47C|G67C"),
        ("APR DRG Code", "560|640"),
    ],
    "OPS codes": [("v12", "5-820.00|8-930|9-401.00|5-511.11|1-632.0")],
    "CCAM codes": [("code_acte", "HHFA001|YYYY600|DEQP003"), ("v12", "HHFA001|NFKA007|DEQP003|ZCQH001|BFGA004")],
    "PZN codes, check digit right": [("pzn", "01234562|04114918|02889118|10161448|06399316")],
    "numbers of drug products": [("gsn", "004490|016599|006549")],
    "terms of an ontology of diseases or phenotypes": [
        ("v12", "HP:0001250|HP:0001263|HP:0000252"),
        ("v12", "ORPHA:558|ORPHA:98896|ORPHA:355"),
        ("v12", "OMIM:154700|#219700|MONDO:0007947"),
    ],
    "numbers of rare diseases": [("omim", "154700|219700|143100")],
    "genetic variants": [
        ("v12", "rs429358|rs7412|rs1801133"),
        ("v12", "c.68_69del|c.5266dup|p.Gly12Asp|p.Phe508del"),
        ("hgvsp", "p.V600E|p.G12D|p.R175H|p.E545K"),
        ("v12", "chr7:140453136|chr12:25398284|chr17:7577120"),
        ("hla", "A*02:01|HLA-B*57:01|DRB1*15:01"),
        ("cyp2d6", "*1/*4|*1/*1|*2/*41"),
    ],
    "genotypes": [("rs1801133", "CC|CT|TT"), ("snp_7", "A/G|G/G|A/A")],
    "stages of tumours": [
        ("v12", "T2N0M0|T1cN1M0|T3N2M1"),
        ("T_stage", "T1|T2|T3|T4"),
        ("v12", "Stage IIA|Stage IIIB|Stage IV|Stage I"),
        ("v12", "IIA|IIB|IIIA|IIIC|IV|I"),
        ("pN", "N0|N1mi|N2a|NX"),
    ],
    "blood groups": [("v12", "A+|O-|AB+|B+"), ("Blood Type", "A|B|AB|O"), ("v12", "O Rh+|A Rh-|AB Rh+")],
    "blood pressures": [("v12", "120/80|135/85|118/76|142/90"), ("bp", "120/80|99/61")],
    "visual acuities": [("va_right", "6/6|6/9|6/60|CF"), ("v12", "20/20|20/40|20/200|HM")],
    "measurements with their unit": [("v12", "5.4 mmol/L|6.1 mmol/L|<0.5 mg/dL"), ("v12", "170 cm|65 kg|182 cm")],
    "flags of results": [("v12", "S|I|R")],
    "strengths or doses of drugs": [("prod_strength", "500 MG|10 mg/ml|100mg tablet"), ("v12", "5 mg|10 mg|250 mcg")],
}


@pytest.mark.parametrize(("what", "name", "values"), [(k, *pair) for k, pairs in CODES.items() for pair in pairs])
def test_codes_are_known_and_sensitive(what, name, values):
    assert told(values, name) == (Role.SENSITIVE, what)


ACCIDENTS = {
    "measurements": ("v12", "250.1|131.0|98.6|401.9|112.5|140.2"),
    "bare digits": ("v12", "250|401|486|599|038|272"),
    "numbers under a name of an identifier": ("condition_occurrence_id", "4019|25000|2724|41401|7295|78650"),
    "counts under a name of procedures": ("num_procedures", "99213|99214|36415|80053"),
    "rooms": ("v12", "A12|A13|B12|B14"),
    "subjects": ("subject", "S001|S002|S003|S004"),
    "points in time": ("v12", "T1|T2|T3|T4"),
    "marks at school": ("v12", "A+|A-|B+|B-|C+"),
    "groups of a trial": ("v12", "A|B"),
    "classes": ("v12", "I|II|III"),
    "numbers of subjects that begin as MedDRA does": ("subjid", "10012345|10012346|10012347|10012348"),
    "order numbers with a hyphen": ("v12", "1001-3|1002-3|1003-3|1004-3|1005-3|1006-3"),
    "three numbers with a right check digit": ("v12", "22298006|38341003|44054006"),
    "versions": ("v12", "1.2|1.3|2.0"),
    "years": ("diagnosed_year", "1999|2003|2011|2017"),
    "durations": ("disease_duration_days", "250|401|486|599|538|272"),
    "yes and no": ("v12", "Y|N"),
    "clients with a prefix": ("v12", "CL_1001|CL_1002|HP_001|MP_17"),
    "customers with a letter": ("v12", "C1000234|C1000235|C1000236"),
    "ages and durations with their unit": ("v12", "45 years|3 months|12 days|61 years"),
    "scores of games": ("v12", "2/3|1/4|0/5|3/3"),
    "months of a year": ("v12", "01/20|02/20|12/19|11/19"),
    "bases that are no genotypes": ("v12", "AC|GT|CA|TA|TC|CG|GA"),
}


@pytest.mark.parametrize("what", ACCIDENTS)
def test_what_only_resembles_a_code_is_none(what):
    name, values = ACCIDENTS[what]
    role, _ = told(values, name)
    assert role is not Role.SENSITIVE


@pytest.mark.parametrize("length", range(6, 13))
@pytest.mark.parametrize("seed", range(10))
def test_whole_numbers_are_no_codes_by_accident(length, seed):
    draw = random.Random(seed)
    values = [str(draw.randrange(10 ** (length - 1), 10**length)) for _ in range(40)]
    for name in ("v12", "code", "amount"):
        assert told("|".join(values), name)[0] is not Role.SENSITIVE


def test_rounded_amounts_are_no_codes():
    assert told("|".join(str(1000 * i) for i in range(100, 200)), "code")[0] is not Role.SENSITIVE


def test_every_single_wrong_digit_is_found():
    right = "195967001"
    wrong = [right[:i] + d + right[i + 1 :] for i in range(9) for d in "0123456789" if d != right[i]]
    assert verhoeff(right)
    assert not any(map(verhoeff, wrong))


def test_rooms_are_hardly_variants():
    finding = Values().of(column(["R101A", "R102A", "G204C", "R301D"]))
    assert finding is None or finding.weight < 0.5


def test_a_label_is_as_good_as_a_name():
    values = "4019|25000|0389|42731|5849|486"
    assert told(values, "v12")[0] is None
    assert told(values, "v12", label="Principal ICD-9 diagnosis")[0] is Role.SENSITIVE


@pytest.mark.parametrize(
    "make",
    [
        lambda r: str(r.randrange(10**9)),
        lambda r: f"{r.random():.6f}",
        lambda r: "".join(r.choice("abcdefgh ") for _ in range(30)),
        lambda r: f"{r.getrandbits(128):032x}",
    ],
)
def test_what_is_no_code_of_any_system_is_not_called_sensitive(make):
    draw = random.Random(1)
    finding = Values().of(column(tuple(make(draw) for _ in range(500))))
    assert finding is None or finding.role is not Role.SENSITIVE


def test_every_recogniser_says_what_it_is():
    concepts = [recogniser.concept for recogniser in recognisers() if recogniser.role is Role.SENSITIVE]
    assert len(set(concepts)) == len(concepts) >= 40
