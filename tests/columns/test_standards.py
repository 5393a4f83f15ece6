"""Standards known by their sets of columns."""

from collections import Counter
from importlib.resources import files

import pytest

from sfumato.columns.evidence.standards import Standards
from sfumato.columns.lexicon import Hipaa
from sfumato.columns.standards import standards
from sfumato.packaged_data import packaged_yaml
from sfumato.schema import Role

from .columns_beside import column_of, table_of

PACKAGE = "sfumato.columns.standards"
AE = "STUDYID DOMAIN USUBJID AESEQ AETERM AELLTCD AEDECOD AESEV AESTDTC AEENDY"
SC = "STUDYID DOMAIN USUBJID SCSEQ SCTESTCD SCTEST SCORRES SCORRESU SCDTC"
LB = "studyid usubjid lbseq lbtestcd lbtest lborres lborresu lbstresn lbornrlo lbnrind lbdtc visitnum"
TS = "STUDYID DOMAIN TSSEQ TSPARMCD TSPARM TSVAL"
SUPP = "STUDYID RDOMAIN USUBJID IDVAR IDVARVAL QNAM QLABEL QVAL QORIG QEVAL"
ADSL = "STUDYID USUBJID SUBJID SITEID AGE AGEU AGEGR1 SEX RACE TRT01P TRT01PN TRTSDT SAFFL BMIBL EOSSTT"
ADLB = "USUBJID TRTA PARAMCD PARAM AVAL BASE CHG AVISIT AVISITN ADT ADY ABLFL ANL01FL ANRIND"
PERSON = "person_id gender_concept_id year_of_birth race_concept_id gender_source_value location_id provider_id"
MEASUREMENT = "measurement_id person_id measurement_concept_id measurement_date measurement_type_concept_id " \
    "operator_concept_id value_as_number unit_concept_id range_low"  # fmt: skip
FACTS = "ENCOUNTER_NUM PATIENT_NUM CONCEPT_CD PROVIDER_ID START_DATE MODIFIER_CD VALTYPE_CD TVAL_CHAR NVAL_NUM UNITS_CD"
DIAGNOSIS = "DIAGNOSISID PATID ENCOUNTERID ENC_TYPE ADMIT_DATE PROVIDERID DX DX_TYPE DX_SOURCE PDX RAW_DX"
INPATIENT = "DESYNPUF_ID CLM_ID SEGMENT CLM_FROM_DT PRVDR_NUM CLM_PMT_AMT AT_PHYSN_NPI ICD9_DGNS_CD_1 ICD9_DGNS_CD_10"
OBSERVATION = "resourceType id meta.lastUpdated subject.reference code.coding[0].system code.coding[0].code " \
    "valueQuantity.value valueQuantity.unit effectiveDateTime"  # fmt: skip
PATIENT = "Patient.id Patient.identifier.0.value Patient.name.0.family Patient.birthDate Patient.gender"


def said(names, name, values=(), **held):
    columns = dict.fromkeys(names.split(), ()) | {name: values} | held
    return Standards().of(column_of(name, values), table_of(columns))


@pytest.mark.parametrize(
    ("names", "name", "role"),
    [
        (AE, "AELLTCD", Role.SENSITIVE),
        (AE, "AESEV", Role.SENSITIVE),
        (AE, "AESEQ", Role.NON_SENSITIVE),
        (AE, "AESTDTC", Role.QUASI),
        (AE, "USUBJID", Role.DIRECT),
        (LB, "lborres", Role.SENSITIVE),
        (LB, "lborresu", Role.NON_SENSITIVE),
        (LB, "lbornrlo", Role.NON_SENSITIVE),
        (LB, "lbnrind", Role.SENSITIVE),
        (SC, "SCORRES", Role.QUASI),
        (SC, "SCTESTCD", Role.NON_SENSITIVE),
        (TS, "TSVAL", Role.NON_SENSITIVE),
        (SUPP, "QNAM", Role.NON_SENSITIVE),
        (ADSL, "AGEU", Role.NON_SENSITIVE),
        (ADSL, "TRT01PN", Role.SENSITIVE),
        (ADSL, "TRTSDT", Role.QUASI),
        (ADSL, "SAFFL", Role.NON_SENSITIVE),
        (ADLB, "AVAL", Role.SENSITIVE),
        (ADLB, "AVISITN", Role.NON_SENSITIVE),
        (PERSON, "race_concept_id", Role.QUASI),
        (MEASUREMENT, "measurement_id", Role.DIRECT),
        (MEASUREMENT, "measurement_type_concept_id", Role.NON_SENSITIVE),
        (MEASUREMENT, "operator_concept_id", Role.NON_SENSITIVE),
        (MEASUREMENT, "value_as_number", Role.SENSITIVE),
        (FACTS, "NVAL_NUM", Role.SENSITIVE),
        (FACTS, "VALTYPE_CD", Role.NON_SENSITIVE),
        (FACTS, "PATIENT_NUM", Role.DIRECT),
        (DIAGNOSIS, "DX", Role.SENSITIVE),
        (DIAGNOSIS, "RAW_DX", Role.SENSITIVE),
        (DIAGNOSIS, "DX_TYPE", Role.NON_SENSITIVE),
        (INPATIENT, "ICD9_DGNS_CD_10", Role.SENSITIVE),
        (INPATIENT, "SEGMENT", Role.NON_SENSITIVE),
        (INPATIENT, "AT_PHYSN_NPI", Role.QUASI),
        (OBSERVATION, "code.coding[0].code", Role.SENSITIVE),
        (OBSERVATION, "code.coding[0].system", Role.NON_SENSITIVE),
        (OBSERVATION, "valueQuantity.value", Role.SENSITIVE),
        (OBSERVATION, "subject.reference", Role.DIRECT),
        (PATIENT, "Patient.birthDate", Role.QUASI),
        (PATIENT, "Patient.name.0.family", Role.DIRECT),
        ("record_id redcap_event_name q1 q2 q3 q4 q5", "redcap_event_name", Role.NON_SENSITIVE),
    ],
)
def test_a_variable_is_what_its_standard_says(names, name, role):
    finding = said(names, name)
    assert finding.role is role
    assert finding.weight >= 0.68


@pytest.mark.parametrize(
    ("names", "name"),
    [
        ("id age sex weight height", "age"),
        ("USUBJID town income pet car house", "USUBJID"),
        ("name city state zip quantity", "quantity"),
        ("source confidence result unit", "result"),
        ("STR BN GNN SEGMENT", "SEGMENT"),
        ("record_id q1 q2", "q1"),
        ("person_id name city zip", "name"),
        ("id name gender birthdate status language", "status"),
        ("AETERM CMTRT LBTEST", "CMTRT"),
    ],
    ids=["no standard", "one telling among others", "plain words of OMOP", "plain words of Sentinel", "short words",
         "REDCap without its columns", "a name beside a key of OMOP", "plain words of FHIR", "three domains at once"],
)  # fmt: skip
def test_a_table_with_few_columns_of_a_standard_or_none_that_tells_is_not_written_in_it(names, name):
    assert said(names, name) is None


def test_a_column_that_a_study_added_is_not_said_to_be_of_the_standard():
    assert said(f"{AE} FAVOURITE", "FAVOURITE") is None


def test_the_domain_is_what_its_column_holds():
    names = "STUDYID DOMAIN USUBJID SEQ TEST"
    assert said(f"{names} QSTEST QSORRES SCORRES SCTEST", "SCORRES", DOMAIN=["SC", "SC"]).role is Role.QUASI


def test_an_identifier_of_yes_and_no_weighs_half_and_a_date_of_years_is_on_no_list():
    assert said(PERSON, "person_id", ["yes", "no", "no"]).weight < 0.5 < said(PERSON, "person_id").weight
    assert said(AE, "AESTDTC", ["2011", "2012"]).hipaa is None
    assert said(AE, "AESTDTC", ["2011-03-04", "2012-05-06"]).hipaa is Hipaa.DATES


@pytest.mark.parametrize("file", sorted(f.name for f in files(PACKAGE).iterdir() if f.name.endswith(".yaml")))
def test_no_variable_of_a_standard_stands_in_two_of_its_lists(file):
    content = packaged_yaml(PACKAGE, file)["variables"]
    lists = [*content.pop("usually", {}).values(), *content.values()]
    counted = Counter(name for names in lists for name in names.casefold().split())
    assert [name for name, times in counted.items() if times > 1] == []


def test_every_standard_has_the_columns_that_tell_it_among_its_variables():
    for standard in standards():
        assert [name for name in standard.telling if name not in standard.variables and "*" not in name] == []
