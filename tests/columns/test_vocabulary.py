"""The English vocabulary of health, care and life, class by class, with what only looks like it."""

from __future__ import annotations

import pytest

from sfumato.columns.evidence.names import Names
from sfumato.columns.lexicon import meaning
from sfumato.columns.lexicon.vocabulary import listed_phrases
from sfumato.columns.profile import ColumnProfile
from sfumato.schema import Role
from sfumato.tables.engine import Kind

# A class for each file of the lexicon: names that are plainly of it.
SENSITIVE = {
    "laboratory": """
        serum_ferritin hgb_gdl MCHC aptt_sec inr_result NTproBNP ft4 anti_ccp ca125 urine_protein ct_value blood_culture
        CSF_glucose alkphos crp_mgl hscrp_bl vitd25 cd4_count base_excess egfr_w12 ddimer_max organism_name
    """,
    "vital signs": "sbp_baseline diastolic_bp_2 resp_rate spo2_min bodyTempC pulse_rate icp_max peep_day1",
    "symptoms": "dyspnoea night_sweats chest_tightness shortness_of_breath low_back_pain nausea_day3 pruritus_yn",
    "diseases": """
        hx_of_epilepsy has_asthma history_of_stroke ever_malaria copd_flag heartFailure crohns_disease gout
        family_history_of_cancer comorbidity_count admitting_dx rheumatoid_arthritis lyme_disease
    """,
    "oncology": "gleason_sum ajcc_stage nodes_positive her2_ihc figo_stage ecog_ps tumour_location ki67 breslow",
    "mental health": "suicidal_ideation bipolar_dx panic_attacks ptsd_symptoms cognitive_decline adhd_type",
    "medication": "ramipril_mg on_statin beta_blocker insulin_dose rx_days_supply vaccine_doses antibiotic_given",
    "procedures": "cabg_before hip_replacement intubated_24h dialysis_type transfusion_units anaesthesia_type",
    "reproductive": "gravida parity apgar_10 birthweight_g mode_of_delivery  menopause_status ivf_cycle",
    "imaging and function": "lvef_percent qtc_ms fev1_fvc st_depression ct_chest_findings grip_strength eeg_result",
    "behaviour": "pack_years drinks_per_week sleep_hours step_count vegetable_intake physical_activity cannabis_use",
    "scores": "qsofa apache_iv nihss_24h phq2 eq5d_vas mmse_total charlson_index barthel_discharge whodas",
    "course": "time_to_relapse length_of_stay readmitted_30d survival_months icu_los number_outpatient num_procedures",
    "money": "household_income total_charges out_of_pocket claim_amount poverty_level",
    "body": "weight_kg height_in waist_cm bmi_category head_circumference body_fat_pct muac wt ht_cm",
    "genetics": "brca_status apoe_genotype variant_allele_frequency hla_b27_typing tp53_mut karyotype",
    "injury": "fracture_site burn_tbsa injury_mechanism domestic_violence road_traffic_accident",
}
QUASI = {
    "care": "payer_name insurance_type ward_code room_number first_careunit specialty bed_id department_id",
    "social": """
        household_size residence_type work_type veteran_status years_of_schooling marital_status ethnic_background white
        language_spoken_at_home migration_status hh_size is_hispanic number_of_children urban_rural
    """,
    "dates": """
        admittime dischtime edregtime charttime enrolment_date icu_intime collected_on discharged_at start_dt chart_date
        date_of_biopsy relapse_date surgery_dt created_at hospitalAdmitOffset
    """,
    "age": "age_at_menarche age_first_dose maternal_age AgeAtOnset surgery_age patientage",
    "appearance": "eye_colour hair_color tattoos",
}
PLAIN = {
    "units": "dose_units glucose_unit lab_uom weight_unit temp_units",
    "ranges": "reference_range_low normal_range uln ref_range_upper",
    "processing": "form_complete etl_timestamp row_hash source_file is_active qc_flag software_version",
    "survey": "sampling_weight survey_wave stratum replicate_weight_3",
}
# Words that mislead. By themselves they say nothing; what stands beside them may.
SILENT = """
    status type code value description flag class category group source change order level_2 score_type_x
    field_3 priority warning support report image stockage passage postage generate deliver design
"""
FAINT = "na k cl ca mg st ed us cp t3 temp score level rate pt"
SAID_OF_PEOPLE = [
    ("smoking_status", Role.SENSITIVE), ("er_status", Role.SENSITIVE), ("cancer_type", Role.SENSITIVE),
    ("drug_type", Role.SENSITIVE), ("admission_type", Role.SENSITIVE), ("discharge_location", Role.SENSITIVE),
    ("disease_severity", Role.SENSITIVE), ("insurance_status", Role.QUASI), ("work_type", Role.QUASI),
    ("housing_type", Role.QUASI), ("state_of_health", Role.SENSITIVE), ("menopausal_state", Role.SENSITIVE),
    ("payer", Role.QUASI), ("biopsy_site", Role.SENSITIVE), ("tumour_tissue_site", Role.SENSITIVE),
    ("drug_flag", Role.SENSITIVE), ("n_visits", Role.SENSITIVE), ("exam_count", Role.SENSITIVE),
    ("email_opt_in", Role.NON_SENSITIVE), ("phone_model", Role.NON_SENSITIVE), ("patient_count", Role.NON_SENSITIVE),
    ("condition_type_concept_id", Role.NON_SENSITIVE), ("encounter_reference", Role.DIRECT),
    ("allergy_id", Role.DIRECT), ("booking_id", Role.DIRECT), ("labresultoffset", Role.SENSITIVE),
]  # fmt: skip


def cases(table):
    return [(kind, name) for kind, names in table.items() for name in names.split()]


@pytest.mark.parametrize(("kind", "name"), cases(SENSITIVE))
def test_a_name_of_health_behaviour_or_money_is_sensitive(kind, name):
    said = meaning(name)
    assert said is not None
    assert said.concept.role is Role.SENSITIVE
    assert said.sure >= 0.65


@pytest.mark.parametrize(("kind", "name"), cases(QUASI))
def test_a_name_of_what_others_know_is_a_quasi_identifier(kind, name):
    said = meaning(name)
    assert said is not None
    assert said.concept.role is Role.QUASI
    assert said.sure >= 0.65


@pytest.mark.parametrize(("kind", "name"), cases(PLAIN))
def test_a_name_of_how_data_are_written_is_technical(kind, name):
    said = meaning(name)
    assert said is not None
    assert said.concept.role is Role.NON_SENSITIVE


@pytest.mark.parametrize("name", SILENT.split())
def test_a_word_that_may_be_of_anything_claims_nothing(name):
    said = meaning(name)
    assert said is None or said.sure < 0.5


@pytest.mark.parametrize("name", FAINT.split())
def test_a_short_word_with_several_meanings_only_tips(name):
    said = meaning(name)
    assert said is not None
    assert said.sure < 0.5


@pytest.mark.parametrize(("name", "role"), SAID_OF_PEOPLE)
def test_what_is_said_of_a_persons_health_or_life_is_still_of_that_person(name, role):
    said = meaning(name)
    assert said is not None
    assert said.concept.role is role


# S4, section 3: the direct identifiers of the 20 tables of the National Cancer Center. Who gave care is known to others
# as well, so a code of them is a quasi-identifier here; what must not happen is that one counts as harmless.
OF_PATIENTS = ("patient name", "town-level address", "patient identification number")
OF_STAFF = (
    "doctor ID", "doctor name", "therapist ID", "therapist name", "anesthesiologist ID", "anesthesiologist name",
    "initial keyboarder", "final amender",
)  # fmt: skip
# S3, table 8: what an attacker may know besides age and gender.
PATHOLOGIES = ("Cancer", "Cerebrovascular", "Diabetes", "Kidney", "Liver", "Lung", "Heart", "Smoking", "Obesity")


@pytest.mark.parametrize("name", OF_PATIENTS)
def test_the_identifiers_of_patients_in_s4_are_direct(name):
    assert meaning(name).concept.role is Role.DIRECT


@pytest.mark.parametrize("name", OF_STAFF)
def test_the_identifiers_of_staff_in_s4_are_direct_or_quasi(name):
    said = meaning(name)
    assert said.concept.role is (Role.DIRECT if name.endswith("name") else Role.QUASI)
    assert said.sure >= 0.65


@pytest.mark.parametrize("name", PATHOLOGIES)
@pytest.mark.parametrize("form", ["{}", "{}_disease", "has_{}", "{} yn"])
def test_the_pathologies_of_s3_are_sensitive(form, name):
    said = meaning(form.format(name))
    assert said.concept.role is Role.SENSITIVE
    assert said.sure >= 0.65


def profile(name, values):
    return ColumnProfile(name, Kind.TEXT, len(values), 0, len(set(values)), 0, 0.0, 0, tuple(dict.fromkeys(values)))


def test_the_id_of_something_clinical_is_a_key_where_it_differs_and_a_code_where_it_recurs():
    unique = Names().of(profile("allergy_id", [f"A{number}" for number in range(40)]))
    shared = Names().of(profile("allergy_id", ["A1", "A2", "A3", "A4"] * 10))
    assert (unique.role, shared.role) == (Role.DIRECT, Role.SENSITIVE)


def test_a_plain_identifier_of_another_form_is_still_one_where_its_values_differ():
    unlike = Names().of(profile("social_security_number", [f"x{chr(97 + n)}{chr(97 + n % 7)}" for n in range(20)]))
    assert (unlike.role, unlike.weight) == (Role.DIRECT, 0.6)


def test_a_chest_pain_of_four_kinds_is_no_postcode():
    assert Names().of(profile("cp", ["0", "1", "2", "3"] * 9)).role is Role.SENSITIVE
    assert Names().of(profile("cp", ["1100", "4500", "2780", "3000"] * 9)).role is Role.QUASI


def test_no_phrase_is_empty_and_the_lists_are_large():
    listed = listed_phrases()
    assert all(phrase for phrase, *_ in listed)
    assert sum(concept.role is Role.SENSITIVE for _, concept, *_ in listed) > 5000


@pytest.mark.parametrize(
    "name", ["Aadhaar No", "voter_id", "NRIC", "cnic", "national_id_number", "uhid", "OPD No", "hosp_no", "mbi", "phn"]
)
def test_numbers_that_countries_and_hospitals_give_are_of_one_person(name):
    assert meaning(name).concept.role is Role.DIRECT


@pytest.mark.parametrize(
    "name", ["pancreas", "tinnitus", "urine", "final_dx", "nicotine", "kit_no", "order_no", "file_name"]
)
def test_what_only_begins_like_such_a_number_is_none(name):
    assert meaning(name).concept.role is not Role.DIRECT
