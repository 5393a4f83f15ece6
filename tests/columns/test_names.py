"""What column names mean, in eleven languages and many spellings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.columns.evidence.names import Names
from sfumato.columns.lexicon import Hipaa, meaning
from sfumato.columns.lexicon.vocabulary import ROLES, vocabulary
from sfumato.columns.profile import ColumnProfile
from sfumato.packaged_data import packaged_files, packaged_lists, packaged_yaml
from sfumato.schema import Role
from sfumato.tables.engine import Kind

LEXICON = "sfumato.columns.lexicon"
CONCEPTS = {
    "personal name": """
        patient_name PatientName last_nm voornaam Nachname prénom sobrenome επώνυμο onomateponymo
        apellido1 환자명 seongmyeong name.family INVNAM mother_name huisarts_naam naam Vorname_Kind nome_familia
    """,
    "telephone": """
        tel2 phoneNumber PT_PHONE telefoonnummer Handynr téléphone telemóvel κινητό tilefono
        telefono_movil 휴대폰번호 ar_tilefonou
    """,
    "e-mail address": """
        email E-Mail emailAddr e-mailadres courriel correio_eletronico correo 이메일 participant_email
    """,
    "national number": """
        ssn bsn BSN_nr num_secu NIR nif dni ΑΜΚΑ amka 주민등록번호 Steuer-ID
    """,
    "medical record number": """
        mrn MedRecNum NHSNumber Fallnr num_dossier historia_clinica 차트번호 hospital_number
    """,
    "subject identifier": """
        USUBJID pat_id patientid subject_no PatNo record_id Probandennummer id_paciente
        person_source_value cod_paciente
    """,
    "health plan number": """
        health_plan_id policy_nr id_poliza zorgverzekering_nr num_tarjeta_sanitaria
    """,
    "certificate or licence number": """
        carta_conducao permis_conduire nr_rijbewijs
    """,
    "photograph": """
        face_photo_file portrait_path patientfoto
    """,
    "device identifier": """
        numero_serie_appareil apparaat_serienummer device_serial_no
    """,
    "coordinates": """
        coordenadas_domicilio longitude_residencia latitude_domicile longitud_domicilio
    """,
    "date of birth": """
        dob gebdat DM__BRTHDTC Geb.-Datum date_naissance dataNascimento ημ_γέννησης fec_nac 생년월일
        Patient.birthDate
    """,
    "date of an event": """
        AESTDTC visit_dt admission_date datum_opname Entlassungsdatum data_alta hiv_test_date 입원일
        consent_date date_of_consent date_collected ημ_εμβολιασμού 채취일
    """,
    "postcode": """
        zip zipCode postcode plz code_postal Τ.Κ. codigo_postal 우편번호 address.postalCode plz_wohnort cp_domicilio
    """,
    "street address": """
        address2 adres Straße morada διεύθυνση dieuthinsi 주소 homeAddress
    """,
    "city": """
        city woonplaats Wohnort ville concelho πόλη municipio city_of_birth
    """,
    "age": """
        age leeftijd Alter idade ηλικία edad 나이 t1_age 수술시나이
    """,
    "sex or gender": """
        sex Geslacht Geschlecht sexo φύλο 성별 gender_concept_id gender_source_value
    """,
    "diagnosis": """
        diagnosis icd10_code Hauptdiagnose διάγνωση 진단명 AETERM
    """,
    "medication": """
        drug_name name_of_drug naam_medicijn onoma_farmakou nombre_medicamento 약품명
    """,
    "hospital or site": """
        hospital_name SITEID ziekenhuis nom_hopital 병원명 hospital_phone clinic_email
    """,
}

NOT_PERSONAL = """
    address_book_version phone_model email_count has_email postal_code_count
    age_group_label_version order_number batch_no visit_number kit_number lot_number
    invoice_no product_name file_name email_opt_in address_type ssn_verified
    surname_length date_of_birth_known number_of_phones patient_count photo_count name_change_flag
    bestelnummer Auftragsnr num_commande numero_pedido arithmos_paraggelias 주문번호 expiry_date
    export_date emailadres_bekend mobile_app_version account_type email_template_id
    zip_file city_tier nombre_archivo_zip Dateiname_zip firmware_ver postcodetabel_versie ekdosi_logismikou_tk
    Patientenzahl num_pacientes αριθμός_ασθενών Leitliniendatum data_calibracao PLZ_Liste_Stand foo_order_nr
"""


@pytest.mark.parametrize(("concept", "name"), [(c, name) for c, names in CONCEPTS.items() for name in names.split()])
def test_a_name_means_its_concept(concept, name):
    said = meaning(name)
    assert said is not None
    assert said.concept.name == concept


@pytest.mark.parametrize("name", NOT_PERSONAL.split())
def test_a_name_with_a_personal_word_is_not_always_personal(name):
    said = meaning(name)
    assert said is not None
    assert not said.concept.identifying
    assert said.concept.role is Role.NON_SENSITIVE


@pytest.mark.parametrize(
    "name", ["v12", "x", "q3", "foo", "contact", "capacity", "therapist", "fluid", "mandate", "42"]
)
def test_a_name_that_says_nothing_has_no_meaning(name):
    said = meaning(name)
    assert said is None or not said.concept.identifying


@pytest.mark.parametrize(
    "name", ["field_3", "Column 7", "veld_3", "colonne8", "στήλη_2", "컬럼5", "campo", "Spalte 12"]
)
def test_a_name_that_a_program_gave_says_nothing(name):
    assert meaning(name) is None


SHORTENED = {
    "date of birth": "fec_nac FchNac dt_nasc dat_nasc fecha_nacim dte_naiss geb_dat im_genn",
    "date of an event": "Anfragedatum operationsdatum_2 data_alta data_de_qualquer_coisa fec_ing dt_inic_sint",
    "postcode": "cod_post cod_postal",
    "diagnosis": "diagnosticos diagnost patologie",
    "city": "ID_MUNICIP municip",
}


@pytest.mark.parametrize(("concept", "name"), [(c, name) for c, names in SHORTENED.items() for name in names.split()])
def test_a_shortened_or_inflected_name_means_its_concept(concept, name):
    assert meaning(name).concept.name == concept


@pytest.mark.parametrize("name", ["data_source", "data_entry", "data", "drivers", "reaction1", "mailing_sent", "dat_a"])
def test_a_word_that_only_begins_like_another_is_no_identifier(name):
    said = meaning(name)
    assert said is None or not said.concept.identifying


def test_a_word_that_only_looks_like_a_compound_of_short_words_is_not_known():
    assert meaning("pinaka") is None or not meaning("pinaka").concept.identifying


def test_every_hipaa_item_but_the_ages_has_names_and_every_entry_has_a_guideline():
    entries = [*vocabulary().entries.values(), *vocabulary().endings.values()]
    concepts = {concept for entry in entries for concept in (entry.concept, entry.alone) if concept}
    assert {concept.hipaa for concept in concepts if concept.hipaa} == set(Hipaa) - {Hipaa.AGES}
    assert {entry.guideline for entry in entries} == {"HIPAA", "SDTM", "OMOP", "FHIR", "REDCap", "common"}


def test_a_language_names_only_concepts_and_places_of_the_grammar_that_there_are():
    concepts = {item["concept"] for role in ROLES for item in packaged_lists(LEXICON, role)}
    tags = set(packaged_yaml(LEXICON, "grammar.yaml"))
    for language in packaged_files(LEXICON, "languages"):
        assert {*language["names"], *language["alone"]} <= concepts
        assert set(language.get("grammar", {})) <= tags


def column(name, values, kind=Kind.TEXT, label=None):
    return ColumnProfile(name, kind, len(values), 0, len(set(values)), 0, 0.0, 0, tuple(dict.fromkeys(values)), label)


@pytest.mark.parametrize(
    ("name", "values", "role", "hipaa"),
    [
        ("telephone", ["0612345678", "0201234567", "0301112223"] * 5, Role.DIRECT, Hipaa.TELEPHONE),
        ("telephone", ["yes", "no"] * 20, Role.NON_SENSITIVE, None),
        ("date_of_death", ["yes", "no"] * 20, None, None),
        ("email", ["3", "0", "12", "7"] * 5, None, None),
        ("dob", ["1980-01-31", "1975-06-02"], Role.QUASI, Hipaa.DATES),
        ("dob", ["1980", "1975"], Role.QUASI, None),
        ("dob", ["1980-01-01", "1975-01-01"], Role.QUASI, None),
        ("STUDYID", ["ABC-1"] * 30, None, None),
        ("name", ["Metformin", "Lisinopril", "Insulin"] * 20, None, None),
        ("comments", ["none", "ok"] * 20, None, None),
        ("telefone_cidade", ["912345678", "961234567", "931112223"] * 5, Role.DIRECT, Hipaa.TELEPHONE),
        ("telefone_cidade", ["Porto", "Lisboa", "Braga"] * 5, Role.QUASI, Hipaa.PLACES),
        ("dob_year", ["1980", "1975"], Role.QUASI, None),
        ("ID_MUNICIP", ["350950", "355030", "330455"] * 5, Role.QUASI, None),
    ],
)
def test_a_name_is_believed_as_far_as_the_values_allow(name, values, role, hipaa):
    finding = Names().of(column(name, values))
    assert (finding.role, finding.hipaa) == (role, hipaa)


def test_a_label_speaks_where_the_name_is_silent():
    finding = Names().of(column("v12", ["Jan Jansen", "Piet Peters"], label="Full name of the patient"))
    assert (finding.role, finding.hipaa) == (Role.DIRECT, Hipaa.NAMES)


@given(st.text(max_size=300))
def test_any_text_may_be_a_name(name):
    meaning(name)
    Names().of(column(name, ["a", "b"]))


@pytest.mark.parametrize(
    "name", ["", " ", "_", "😀📞", "a" * 10_000, "tel_" * 2_500, "전" * 10_000, "\x00\n", "ß" * 50]
)
def test_strange_names_do_not_raise(name):
    meaning(name)


@given(st.sampled_from(["date_of_birth", "first_name", "postal_code", "ip_address", "phone_number"]), st.data())
def test_the_spelling_of_a_name_does_not_matter(name, data):
    words = name.split("_")
    spelt = data.draw(
        st.sampled_from(
            [
                name.upper(),
                " ".join(words),
                ".".join(words),
                "-".join(words),
                "".join(words),
                "".join(map(str.title, words)),
                words[0] + "".join(map(str.title, words[1:])),
                f"DM__{name}",
                f"pat_{name}",
                f"t1_{name}",
                f"{name}2",
            ]
        )
    )
    assert meaning(spelt).concept == meaning(name).concept


@pytest.mark.parametrize("name", ["pesel_of_operated", "ssn_surgery_patient", "personnummer_operation"])
def test_a_national_number_leads_its_name(name):
    assert meaning(name).concept.name == "national number"
