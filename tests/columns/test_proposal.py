"""One proposal out of many findings."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.columns.evidence.dictionary import Dictionary
from sfumato.columns.evidence.keys import Keys
from sfumato.columns.evidence.names import Names
from sfumato.columns.evidence.values import Values
from sfumato.columns.evidence_interface import Finding
from sfumato.columns.lexicon import Hipaa
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.proposal import UNDECIDED, propose
from sfumato.schema import Role
from sfumato.tables.engine import Kind

TELEPHONES = [f"06{(i * 7919 + 12345678) % 10**8:08d}" for i in range(60)]
EMAILS = [f"p{i}@example.org" for i in range(60)]


def judged(name, values, kind=Kind.TEXT, identifier=None):
    counts = Counter(map(str, values))
    once = sum(n == 1 for n in counts.values())
    profile = ColumnProfile(name, kind, len(values), 0, len(counts), once, 0.0, 0, tuple(counts), identifier=identifier)
    found = [evidence.of(profile) for evidence in (Names(), Values(), Keys(), Dictionary())]
    role, _, hipaa = propose([finding for finding in found if finding])
    return role, hipaa


@pytest.mark.parametrize(
    ("name", "values", "role", "hipaa"),
    [
        ("order_number", TELEPHONES, Role.NON_SENSITIVE, None),
        ("order_number", [f"555-{i:03d}-{1000 + i}" for i in range(60)], None, None),  # telephones, one for each record
        ("order_number", EMAILS, Role.DIRECT, Hipaa.EMAIL),
        ("contact", EMAILS, Role.DIRECT, Hipaa.EMAIL),
        ("contact", TELEPHONES, Role.DIRECT, Hipaa.TELEPHONE),
        ("telephone", ["yes", "no"] * 30, Role.NON_SENSITIVE, None),
        ("telephone", EMAILS, Role.DIRECT, Hipaa.EMAIL),
        ("drug_name", ["Metformin", "Insulin", "Lisinopril"] * 20, Role.SENSITIVE, None),
        ("drug_name", [f"Drug {chr(65 + i % 26)}{chr(65 + i // 26)}" for i in range(60)], Role.SENSITIVE, None),
        ("city", [f"Town {chr(65 + i % 26)}{chr(97 + i // 26)}" for i in range(60)], Role.QUASI, Hipaa.PLACES),
        ("row_number", list(range(1, 61)), Role.NON_SENSITIVE, None),
        ("v1", list(range(1, 61)), Role.DIRECT, Hipaa.OTHER),
        ("v1", [f"S{i:03d}" for i in range(60)], Role.DIRECT, Hipaa.OTHER),
        ("dob", [f"19{30 + i}-03-05" for i in range(60)], Role.QUASI, Hipaa.DATES),
        ("expiry_date", [f"20{20 + i % 9}-03-05" for i in range(60)], Role.NON_SENSITIVE, None),
        ("age", [40 + i for i in range(55)], Role.QUASI, Hipaa.AGES),
        ("age", [20 + i for i in range(55)], Role.QUASI, None),
        ("v2", ["A", "B"] * 30, None, None),
        ("field_3", [f"555-{i:03d}-{1000 + i}" for i in range(60)], Role.DIRECT, Hipaa.TELEPHONE),
        ("Unnamed: 4", [f"{name} Smith" for name in ("Emma", "Jan", "Maria", "Klaus")] * 20, Role.DIRECT, Hipaa.NAMES),
        ("Unnamed: 0", list(range(60)), Role.NON_SENSITIVE, None),
        ("ordernr_depot", [f"020-{6000000 + 7919 * i}" for i in range(30)] * 9, Role.NON_SENSITIVE, None),
        ("namelist_version", ["8.0.57", "8.2.30", "2.3.30", "4.6.40", "7.4.63"] * 20, Role.NON_SENSITIVE, None),
        ("cod_postal_residencia", [f"15{100 + i}" for i in range(60)], Role.QUASI, Hipaa.PLACES),
    ],
)
def test_names_and_values_agree_or_the_plainer_one_wins(name, values, role, hipaa):
    assert judged(name, values) == (role, hipaa)


def test_a_mark_in_the_dictionary_makes_a_neutral_column_direct_and_leaves_a_birth_date_quasi():
    assert judged("v1", ["A", "B"] * 30, identifier=True) == (Role.DIRECT, Hipaa.OTHER)
    assert judged("dob", ["1980-03-05", "1981-04-06"], identifier=True) == (Role.QUASI, Hipaa.DATES)


def test_a_mark_in_the_dictionary_outweighs_a_name_that_says_not_personal():
    assert judged("order_number", ["A1", "B2"] * 30) == (Role.NON_SENSITIVE, None)
    assert judged("order_number", ["A1", "B2"] * 30, identifier=True) == (Role.DIRECT, Hipaa.OTHER)


def finding(role, weight, hipaa=None):
    return Finding("method", role, None, "A sentence.", weight, hipaa)


def test_where_nothing_is_found_nothing_is_proposed():
    assert propose([]) == (None, 0.0, None)


def test_weak_support_leaves_a_column_undecided_and_keeps_what_may_be_on_the_list_of_hipaa():
    weak = UNDECIDED - 0.01
    assert propose([finding(Role.NON_SENSITIVE, weak)]) == (None, 0.0, None)
    assert propose([finding(Role.QUASI, weak, "dates")]) == (None, 0.0, "dates")
    assert propose([finding(Role.QUASI, weak), finding(Role.QUASI, weak)])[0] is Role.QUASI


def test_statistics_never_decide():
    assert propose([finding(Role.DIRECT, 0.0, "names")]) == (None, 0.0, None)


def test_findings_that_agree_strengthen_each_other():
    role, sure, hipaa = propose([finding(Role.QUASI, 0.5), finding(Role.QUASI, 0.5, "dates")])
    assert (role, sure, hipaa) == (Role.QUASI, 0.75, "dates")


def test_an_item_of_the_hipaa_list_goes_before_any_other_number_whatever_their_weights():
    findings = [finding(Role.DIRECT, 0.9, Hipaa.OTHER), finding(Role.DIRECT, 0.6, Hipaa.RECORD)]
    assert propose(findings)[2] == Hipaa.RECORD
    assert propose(findings[:1])[2] == Hipaa.OTHER


def test_what_a_data_dictionary_marks_is_not_harmless_however_much_says_so():
    harmless = [finding(Role.NON_SENSITIVE, 0.9), finding(Role.NON_SENSITIVE, 0.9)]
    mark = Finding("dictionary", Role.DIRECT, None, "It is marked.", 0.88)
    assert propose([*harmless, mark])[0] is Role.DIRECT
    assert propose([*harmless, finding(Role.DIRECT, 0.88)])[0] is None


def test_of_equal_claims_the_earlier_question_is_answered():
    both = [finding(role, 0.5) for role in (Role.NON_SENSITIVE, Role.SENSITIVE, Role.QUASI, Role.DIRECT)]
    assert propose(both)[0] is Role.DIRECT
    assert propose(both[:3])[0] is Role.QUASI


FINDINGS = st.lists(
    st.builds(finding, st.sampled_from([None, *Role]), st.floats(0, 1), st.sampled_from([None, "names", "dates"]))
)


@given(FINDINGS)
def test_sureness_lies_between_0_and_1_and_the_order_does_not_matter(findings):
    role, sure, _ = propose(findings)
    assert 0.0 <= sure <= 1.0
    assert propose(findings[::-1])[0] is role


@given(FINDINGS)
def test_one_more_finding_for_the_proposed_role_leaves_it_proposed(findings):
    role, *_ = propose(findings)
    assert propose([*findings, finding(role, 0.5)])[0] is role


def test_one_finding_alone_is_never_sure_that_a_column_is_harmless():
    technical = Finding("names", Role.NON_SENSITIVE, None, "The name says unit.", weight=0.95)
    shown = Finding("values", Role.NON_SENSITIVE, 1.0, "All values are units.", weight=0.8)
    assert propose([technical])[1] == 0.75
    assert propose([technical, shown])[1] > 0.9


def test_what_plainly_identifies_is_not_called_harmless_by_a_name():
    technical = Finding("names", Role.NON_SENSITIVE, None, "The name says upload.", weight=0.95)
    identifying = Finding("values", Role.DIRECT, 1.0, "Looks like e-mail addresses.", weight=0.85)
    assert propose([technical, identifying])[0] is None
