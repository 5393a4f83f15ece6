"""What a column's name and the columns beside say of drugs, genes and codes."""

import pytest

from sfumato.columns.code_pairs import PairName, code_pairs
from sfumato.columns.evidence.code_and_text import CodeAndText
from sfumato.columns.evidence.drug_names import DrugNames
from sfumato.columns.evidence.gene_names import GeneNames
from sfumato.columns.evidence.values import Values
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.recognisers.genes import gene_symbol
from sfumato.columns.surroundings import Surroundings
from sfumato.schema import Role
from sfumato.tables.engine import Kind

from .test_code_systems import told


def column(name, known=5):
    return ColumnProfile(name, Kind.TEXT, 100, 0, known, 0, 0.0, 0, tuple(f"x{i}" for i in range(known)))


@pytest.mark.parametrize(
    "name",
    ["metformin", "glyburide-metformin", "Insulin", "aspirin_use", "on_warfarin", "ATORVASTATIN", "dose_tacrolimus_mg",
     "prior.rituximab", "beta_blocker_metoprolol", "vitaminD_supplement_cholecalciferol"],
)  # fmt: skip
def test_a_column_named_after_a_drug_is_sensitive(name):
    finding = DrugNames().of(column(name))
    assert finding is not None
    assert finding.role is Role.SENSITIVE


@pytest.mark.parametrize(
    "name",
    ["April", "status", "hospital", "baseline", "metformin_start_date", "insulin_id", "control", "machine", "case",
     "personal", "date_of_chemotherapy", "weight", "protocol", "statistic", "combination", "omega"],
)  # fmt: skip
def test_a_column_named_otherwise_is_none_of_a_drug(name):
    assert DrugNames().of(column(name)) is None


def test_a_name_that_only_holds_a_drug_says_less():
    whole, partly = (DrugNames().of(column(name)) for name in ("metformin_dose", "reason_metformin_stopped"))
    assert whole.weight > 0.8 > partly.weight > 0.5


PANEL = tuple(
    map(column, ["mlh1", "brca2", "kmt2d", "notch1", "runx1", "tp53", "pik3ca", "gata3", "met", "itch", "zzq9"])
)


@pytest.mark.parametrize("name", ["brca2_mut", "TP53", "KRAS_status", "EGFR mutation", "pik3r2", "or6a2_mut"])
def test_a_column_named_after_a_gene_is_sensitive(name):
    finding = GeneNames().of(column(name))
    assert finding is not None
    assert finding.role is Role.SENSITIVE


@pytest.mark.parametrize("name", ["met", "cat", "visit1", "q12", "age", "star", "week2", "vld1", "col1", "tp2", "med1"])
def test_a_usual_word_is_no_gene(name):
    assert GeneNames().of(column(name)) is None


def test_a_word_that_is_a_gene_as_well_is_one_among_genes():
    beside = Surroundings(columns=PANEL)
    assert GeneNames().of(column("met"), beside).role is Role.SENSITIVE
    assert GeneNames().of(column("zzq9"), beside) is None
    assert GeneNames().of(column("age"), beside) is None


def test_what_has_the_form_of_a_symbol_is_one_in_a_panel():
    many = (*PANEL, *map(column, ["egfr", "kras", "braf", "idh1", "pten", "rb1", "stk11", "nras"]))
    beside = Surroundings(columns=many)
    assert GeneNames().of(column("zzq9"), beside).role is Role.SENSITIVE
    assert GeneNames().of(column("cohort"), beside) is None


@pytest.mark.parametrize("values", ["BRCA1|TP53|KRAS|EGFR", "MLH1|MSH2|MSH6|PMS2|EPCAM", "CYP2D6|CYP2C19|SLCO1B1"])
def test_symbols_of_genes_are_known_by_values(values):
    assert told(values) == (Role.SENSITIVE, "symbols of genes")


@pytest.mark.parametrize("values", ["MET|CAT|MAX|REST", "Q1|Q2|Q3|Q4", "A1|A2|B1", "COVID19|H1N1", "TP1|TP2|TP3|TP4"])
def test_short_codes_are_no_genes(values):
    assert told(values)[1] != "symbols of genes"


def test_no_symbol_is_an_ordinary_word_with_a_number():
    ordinary = "visit1 week12 day7 item3 arm2 dose1 q10 v5 grade3 stage4 score2 part1"
    assert not any(map(gene_symbol, ordinary.split()))


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("CODE", "DESCRIPTION"),
        ("REASONCODE", "REASONDESCRIPTION"),
        ("BODYSITE_CODE", "BODYSITE_DESCRIPTION"),
        ("AEPTCD", "AEPT"),
        ("drg", "drg_desc"),
        ("diag1", "diag1_desc"),
        ("icd_code", "icd_name"),
        ("procedure_code_2", "procedure_text_2"),
        ("OPS_Code", "OPS_Bezeichnung"),
        ("code_acte", "libelle_acte"),
        ("cod_diagnostico", "desc_diagnostico"),
        ("codigo_procedimiento", "nombre_procedimiento"),
        ("Diagnosis Code", "Diagnosis Description"),
        ("test_code", "test_display"),
        ("REACTION1", "DESCRIPTION1"),
    ],
)
def test_a_code_takes_the_role_of_its_text_and_a_text_that_of_its_code(code, text):
    columns = (column("x"), column(code), column(text))
    for one, other in ((code, text), (text, code)):
        beside = Surroundings(columns=columns, roles={other: Role.SENSITIVE})
        finding = CodeAndText().of(column(one), beside)
        assert finding is not None
        assert finding.role is Role.SENSITIVE


@pytest.mark.parametrize(
    ("one", "other", "known"),
    [
        ("hospital_code", "diagnosis_description", 5),
        ("ORGANIZATION", "NAME", 5),
        ("CODE", "DESCRIPTION", 40),
        ("code_system", "description", 5),
        ("diag1_code", "diag2_desc", 5),
    ],
)
def test_columns_of_different_things_are_no_pair(one, other, known):
    beside = Surroundings(columns=(column(one), column(other, known)), roles={one: Role.SENSITIVE})
    assert CodeAndText().of(column(other, known), beside) is None


def test_a_partner_that_is_harmless_or_unknown_decides_nothing():
    columns = (column("code"), column("description"))
    for role in (None, Role.NON_SENSITIVE, Role.DIRECT):
        assert CodeAndText().of(columns[0], Surroundings(columns=columns, roles={"description": role})) is None


def test_a_text_that_people_wrote_is_direct_before_it_is_about_health():
    notes = tuple(f"Came with acute pneumonia and fever on day {i}. Improved with antibiotics." for i in range(40))
    written = ColumnProfile("description", Kind.TEXT, 40, 0, 40, 40, 40.0, 0, notes)
    beside = Surroundings(columns=(column("code", 40), written), roles={"code": Role.SENSITIVE})
    assert CodeAndText().of(written, beside) is None
    found_in_values = Values().of(written, beside)
    assert found_in_values is None or found_in_values.weight <= 0.5


def test_ten_thousand_columns_are_paired_at_once():
    columns = tuple(column(f"v{i}_{sort}") for i in range(5000) for sort in ("code", "desc"))
    pairs = code_pairs(columns)
    assert pairs["v17_code"] == ("v17_desc",)
    assert len(pairs) == 10000
    assert PairName.of("v17_code").stem == "v"
