"""Values and names of columns as nine languages of Europe write them, shortened and without accents."""

from __future__ import annotations

import random

import pytest

from sfumato.columns.lexicon import Hipaa, meaning
from sfumato.columns.recognisers.calendar import read_date
from sfumato.columns.recognisers.family_name import FamilyName
from sfumato.columns.recognisers.forms import flags
from sfumato.columns.recognisers.given_name import GivenName
from sfumato.columns.recognisers.national_number import NationalNumber
from sfumato.columns.recognisers.postal_code import PostalCode
from sfumato.columns.recognisers.street_address import StreetAddress
from sfumato.columns.recognisers.telephone import Telephone
from sfumato.schema import Role

from .labelled import national_numbers
from .test_values import column

DATES = {
    "12 mars 2020": (2020, 3, 12),
    "3. Mai 2019": (2019, 5, 3),
    "15 sty 2021": (2021, 1, 15),
    "7 października 2019": (2019, 10, 7),
    "12 III 2020": (2020, 3, 12),
    "1 giugno 1977": (1977, 6, 1),
    "martedì 3 marzo 2020": (2020, 3, 3),
    "5 maj 2018": (2018, 5, 5),
    "fredag 5 oktober 2018": (2018, 10, 5),
    "14 de março de 1999": (1999, 3, 14),
    "lunes, 2 de enero de 2012": (2012, 1, 2),
    "Παρασκευή 3 Μαρτίου 2017": (2017, 3, 3),
    "8 août 2003": (2003, 8, 8),
    "2020-03-12 14h30": (2020, 3, 12),
    "2187-05-04 11:20:00": (2187, 5, 4),
    "04/05/2243": (2243, 5, 4),
}


@pytest.mark.parametrize(("text", "date"), DATES.items())
def test_a_date_is_read_in_any_of_the_languages_and_up_to_2300(text, date):
    assert read_date(text) == date


@pytest.mark.parametrize(
    "text", ["2301-01-01", "lunes martes", "12 mars", "3 sex 4", "maggio", "12 IIII 2020", "gen 5"]
)
def test_what_only_holds_a_word_of_a_date_is_none(text):
    assert read_date(text) is None


@pytest.mark.parametrize(
    "said",
    ["ja nein", "sì no", "oui non", "tak nie", "ναι όχι", "ja nej", "sim não", "Sí No", "ja nee unbekannt", "1 2 9"],
)
def test_yes_and_no_are_flags_in_every_language(said):
    assert flags(column(said.split() * 20))


def test_words_that_are_no_answer_are_no_flags():
    assert not flags(column(["ja", "Jan"]))
    assert not flags(column(["tak", "pacjent"]))


SHAPES = {
    StreetAddress: ["ul. Długa 12/4", "Via Garibaldi 5", "Storgatan 14B", "Calle Mayor 3", "Cra 45 # 26-85",
                    "Piazza Dante 1", "Rua das Flores, 25", "Λεωφ. Κηφισίας 40", "Birkavägen 3", "al. Jerozolimskie 5"],
    PostalCode: ["00-950", "30-001 Kraków", "114 55", "SE-114 55", "1250-096", "01310-100", "PL-00950", "104 31"],
    Telephone: ["600 123 456", "070-123 45 67", "347 1234567", "(11) 91234-5678", "210 1234567", "600-123-456"],
}  # fmt: skip


@pytest.mark.parametrize(("recogniser", "value"), [(r, value) for r, values in SHAPES.items() for value in values])
def test_a_value_has_the_shape_of_its_country(recogniser, value):
    assert recogniser().matches(value)


@pytest.mark.parametrize(
    ("recogniser", "value"),
    [
        (StreetAddress, "grupa 3"),
        (StreetAddress, "stadio 2"),
        (PostalCode, "12-34"),
        (Telephone, "12 34"),
        (Telephone, "1-2-3"),
    ],
)
def test_a_value_that_only_looks_alike_has_not(recogniser, value):
    assert not recogniser().matches(value)


def numbers(make, n=60):
    draw = random.Random(3)
    return [make(draw, "") for _ in range(n)]


MADE = [
    national_numbers.pesel, national_numbers.codice_fiscale, national_numbers.personnummer, national_numbers.cpf,
    national_numbers.cns, national_numbers.rut, national_numbers.nir, national_numbers.nif_spain, national_numbers.amka,
]  # fmt: skip


NEXT = dict(zip("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", "1234567890BCDEFGHIJKLMNOPQRSTUVWXYZA", strict=True))


@pytest.mark.parametrize("make", MADE)
def test_national_numbers_are_known_by_their_check_digits(make):
    assert NationalNumber().share(numbers(make)) >= 0.9  # Spaniards and foreigners have numbers of two sorts


@pytest.mark.parametrize("make", MADE)
def test_numbers_whose_check_digit_is_wrong_are_not(make):
    assert NationalNumber().share([number[:-1] + NEXT[number[-1]] for number in numbers(make)]) < 0.9


def test_frequent_names_of_italy_poland_and_sweden_are_known():
    assert GivenName().share(["Giuseppe", "Małgorzata", "Björn", "Grażyna", "Håkan", "Chiara", "Łukasz"]) >= 0.8
    assert FamilyName().share(
        ["Rossi", "Esposito", "Wiśniewski", "Zielińska", "Lindqvist", "Åkesson", "Kowalczyk", "Dąbrowska", "Conti"]
    ) >= 0.8  # fmt: skip
    assert (
        FamilyName().share(["Svenska", "Engelska", "Arabiska", "Finska", "Spanska", "Tyska", "Polska", "Ryska"]) < 0.2
    )


# Classes of names, not names that were seen: each is a usual abbreviation of its language.
ROLES = {
    Role.DIRECT: """
        nr_pesel NR_PESEL_PACJENTA cod_fisc codice_fiscale CF pers_nr personnr num_secu nss dni cpf nu_cpf rut curp
        cedula nhc num_hc sns n_utente amka ar_mitroou KVNR fall_nr pat_nr journalnr imie nazwisko Imię_i_nazwisko
        cognome förnamn efternamn imie_matki nm_paciente nombre_paciente tel_kom cellulare mobilnr adres_zamieszkania
        indirizzo gatuadress nr_tel telefono_casa correo_e id_pacjenta cod_paziente num_cartella numero_nosologico
        id_ricovero nr_ksiegi_glownej uwagi anteckningar osservazioni kommentar_arzt nu_notific
    """,
    Role.QUASI: """
        geb_dat fec_nac dt_nasc data_ur data_nasc data_di_nascita fodelsedatum im_gennisis data_przyjecia data_wypisu
        data_ricovero data_dimissione inskrivningsdatum utskrivningsdatum DT_NOTIFIC DT_SIN_PRI FECHA_DEF FECHA_SINTOMAS
        Meldedatum Anfragedatum opnamedatum cod_postal kod_poczt kod_pocztowy plz CAP postnr gmina powiat wojewodztwo
        kommun lan hemkommun comune provincia_residenza ID_MUNICIP CO_MUN_RES SG_UF ENTIDAD_RES bairro Landkreis
        plec PLEC sesso kon CS_SEXO wiek eta alder NU_IDADE_N edad_anios stan_cywilny stato_civile civilstand
        wyksztalcenie titolo_studio utbildning CS_ESCOL_N zawod professione yrke obywatelstwo cittadinanza CS_RACA
        szpital oddzial reparto ospedale avdelning sjukhus rok_ur anno_nascita fodelsear data_zgonu dt_obito
    """,
    Role.SENSITIVE: """
        rozpoznanie rozpoznanie_glowne diagnosi_principale huvuddiagnos choroby_wspolistniejace INTUBADO NEUMONIA EPOC
        FEBRE TOSSE DISPNEIA goraczka febbre feber kaszel hosta UTI VACINA szczepienie vaccinato CLASSI_FIN
        leki farmaco lakemedel dawka palenie fumatore rokare alkohol cisnienie_skurczowe pressione_sistolica
        blodtryck waga wzrost peso altezza vikt langd ciaza gravidanza gravid CS_GESTANT wynik_badania referto provsvar
        hemoglobina glicemia koszt costo_totale kostnad dochod reddito inkomst powiklania complicanze OBESIDAD
        TABAQUISMO Familienanamnese Nebenwirkungen nierziekte hjartsjukdom przyczyna_zgonu causa_di_morte
    """,
}


@pytest.mark.parametrize(("role", "name"), [(role, name) for role, names in ROLES.items() for name in names.split()])
def test_a_name_of_a_hospital_of_that_country_has_its_role(role, name):
    assert meaning(name).concept.role is role


GREEK = {
    "date of an event": "hm_noshleias im_nosilias hmeromhnia_eisagwghs hmer_eksodou",
    "sex or gender": "fylo filo",
    "medication": "farmakeutikh_agwgh farmako",
    "diagnosis": "diagnwsh ypertash upertash",
    "personal name": "onomatepwnumo",
}


@pytest.mark.parametrize(("concept", "name"), [(c, name) for c, names in GREEK.items() for name in names.split()])
def test_greek_is_read_however_it_is_written_in_latin_letters(concept, name):
    assert meaning(name).concept.name == concept


JOINED = {
    "DIAGPRIN": "diagnosis",
    "FECNACIM": "date of birth",
    "codpost": "postcode",
    "TIPALTA": "ordered or planned care",
}


@pytest.mark.parametrize(("name", "concept"), JOINED.items())
def test_shortened_words_without_anything_between_them_are_read(name, concept):
    assert meaning(name).concept.name == concept


PLAIN = """
    nr_zamowienia numero_ordine ordernummer versione_modulo wersja_formularza utgangsdatum data_scadenza data_waznosci
    jednostka unita_di_misura lp nr_wiersza numero_riga radnummer data_export numero_lotto nr_partii rumsnummer
"""


@pytest.mark.parametrize("name", PLAIN.split())
def test_a_name_of_a_thing_or_of_processing_is_nobodys(name):
    said = meaning(name)
    assert said is None or said.concept.role is Role.NON_SENSITIVE


@pytest.mark.parametrize("name", ["data_ricovero", "ricovero_data", "data_di_qualcosa", "data_przyjecia", "data_alta"])
def test_data_before_what_happens_is_a_date(name):
    assert meaning(name).concept.hipaa is Hipaa.DATES


@pytest.mark.parametrize("name", ["data_source", "data_quality", "test_data", "data_file", "raw_data"])
def test_data_is_no_date_in_english(name):
    said = meaning(name)
    assert said is None or said.concept.hipaa is None
