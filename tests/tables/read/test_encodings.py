"""Encodings, told apart by what words look like: small tables of words and names written for this."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from sfumato.tables.load import load
from sfumato.tables.read.language_letters import likely_encoding
from sfumato.tables.source import ReadOptions

WORDS = {
    "german": "Müller Jäger Schröder Groß Weiß Köln Düsseldorf Österreich Geschäft Krankenhäuser Größe Männlich "
    "Übergewicht Prüfung Straße Fußweg Händler Löffel nächste Schlüssel früh später",
    "french": "Élève François Lefèvre Hôpital Médecin âgé née décès Noël garçon Hélène Besançon sévère prénom "
    "fièvre Bérénice où être août cœur",
    "spanish": "Muñoz García Peña José Ramón España niño años corazón Córdoba médico diagnóstico Ángel Íñigo Núñez "
    "después teléfono clínica pingüino mañana",
    "italian": "Niccolò città perché età università più così Forlì sanità lunedì qualità età gravità è attività né "
    "metà virtù papà caffè",
    "portuguese": "João Conceição coração São Gonçalves não irmão diagnóstico médico saúde avô função injeção mãe "
    "Açores Luís você pão também três",
    "swedish": "Åsa Björn Göteborg Malmö läkare sjukhus ålder kön någon söndag Östersund Älvsjö hjärta vård böja "
    "träd år kvinnlig",
    "danish": "Søren Jørgen Ærø Århus sygdom alder køn læge hjerte blå børn søster mænd ærlig året først næste gård",
    "finnish": "Äijälä Jyväskylä Hämeenlinna lääkäri sydän ikä syntymäaika mies nainen päivä työ hyvä ystävä "
    "sairaala käynti Pöyry",
    "icelandic": "Þórður Guðmundsdóttir Jón Ægir sjúkrahús læknir aldur kyn hjarta maður þú það fæðing við Ísland "
    "Ólafur",
    "polish": "Łukasz Wójcik Kraków Łódź Gdańsk Józef Małgorzata Wiśniewska pacjent płeć mężczyzna wątroba źle żona "
    "śmierć Zieliński ćwiczenia Częstochowa",
    "czech": "Dvořák Černý Novák Jiří Tomáš Plzeň České Budějovice pohlaví muž žena věk srdce štítná Růžena "
    "těhotenství nemocnice lékař příjmení",
    "slovak": "Ľubomír Košice Žilina Štefan Ján Kováčová pohlavie dĺžka vŕba lekár nemocnica vek žena môj srdce päť "
    "deň Trenčín",
    "hungarian": "Győr Székesfehérvár Nagy Sándor László Zoltán Erzsébet nő férfi születés kórház gyógyszer szív tüdő "
    "hőmérséklet őszi",
    "romanian": "Ştefan Bucureşti Iaşi Braşov Mureş bărbat femeie vârstă inimă boală Înainte fără şi în ţară",
    "croatian": "Šime Željko Ćosić Đurđica Čakovec muško žensko bolnica liječnik šećer Križevci građanin život dječak",
    "slovenian": "Žiga Črnomelj Škofja moški ženska zdravnik bolnišnica češnja življenje Šmarje srčni",
    "turkish": "Şükrü Çağlar İstanbul Yıldız Öztürk kadın erkek yaş doğum hastalığı kalp böbrek şeker akciğer Gülşen "
    "Işık çocuk",
    "lithuanian": "Šiauliai Žemaitė Jonas vyras moteris amžius širdis liga gydytojas ligoninė Čepaitis ąžuolas kūnas į "
    "vėžys Panevėžys",
    "latvian": "Jānis Bērziņš Rīga Liepāja vīrietis sieviete vecums sirds slimnīca ārsts Ķekava ģimene žurnāls "
    "Ļaudona cukurs",
    "estonian": "Jõgeva Tõnu Pärnu Jüri mees naine vanus süda haigla arst Võru õde rõõm töö küsimus",
    "russian": "Иванов Петров Москва мужской женский возраст сердце больница врач диабет Екатерина Сергей пол "
    "диагноз гипертония",
    "ukrainian": "Шевченко Київ Їжакевич стать вік лікарня серце хвороба Євген діагноз жінка чоловік Олексій",
    "bulgarian": "Георги Пловдив София мъж жена възраст болница лекар сърце диагноза Димитър България",
    "greek": "Παπαδόπουλος Αθήνα Γιώργος άνδρας γυναίκα ηλικία νοσοκομείο καρδιά διαβήτης Ελένη Θεσσαλονίκη γιατρός",
}
WESTERN = ("german", "french", "spanish", "italian", "portuguese", "swedish", "danish", "finnish", "icelandic")
CENTRAL = ("polish", "czech", "slovak", "hungarian", "croatian", "slovenian")
PAGES = {
    **dict.fromkeys(WESTERN, ("cp1252", "cp850", "mac-roman", "iso-8859-15")),
    **dict.fromkeys(CENTRAL, ("cp1250", "iso-8859-2", "cp852")),
    "romanian": ("cp1250", "iso-8859-2"),
    "turkish": ("cp1254", "iso-8859-9"),
    **dict.fromkeys(("lithuanian", "latvian", "estonian"), ("cp1257", "iso-8859-13")),
    "russian": ("cp1251", "koi8-r", "cp866", "iso-8859-5"),
    "ukrainian": ("cp1251", "koi8-u"),
    "bulgarian": ("cp1251",),
    "greek": ("cp1253", "iso-8859-7"),
}


def tables(size: int) -> Iterator[tuple[str, bytes]]:
    """Tables of a few names in every language and code page that can write them."""
    for language, words in WORDS.items():
        for seed in range(3):
            some = random.Random(f"{language}{size}{seed}").sample(words.split(), size)
            text = "id;name;age\n" + "".join(f"{i};{word};{20 + i}\n" for i, word in enumerate(some))
            for page in PAGES[language]:
                try:
                    written = text.encode(page)
                except UnicodeEncodeError:
                    continue
                if not written.isascii():
                    yield text, written


def read(written: bytes) -> str:
    likely = likely_encoding(written)
    try:
        return written.decode(likely.name) if likely else ""
    except UnicodeDecodeError:
        return ""


def test_eight_names_tell_every_code_page() -> None:
    assert [text for text, written in tables(8) if read(written) != text] == []


def test_three_names_tell_nineteen_code_pages_of_twenty() -> None:
    right = [read(written) == text for text, written in tables(3)]
    assert sum(right) / len(right) >= 0.94


@pytest.mark.parametrize("encoding", ["cp1250", "iso-8859-2", "cp852"])
def test_a_polish_file_is_read_and_the_note_names_the_encoding(tmp_path: Path, encoding: str) -> None:
    text = "id,name\n" + "".join(f"{i},{word}\n" for i, word in enumerate(WORDS["polish"].split()))
    (tmp_path / "a.csv").write_bytes(text.encode(encoding))
    extract = load(str(tmp_path / "a.csv"))
    names = extract.table.engine.fetch(f"SELECT name FROM {extract.table} ORDER BY id")
    assert [name for (name,) in names] == WORDS["polish"].split()
    assert any(f"in the encoding {encoding}" in note and "--encoding" in note for note in extract.notes)


def test_where_two_encodings_are_nearly_as_likely_the_note_names_both(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("id,name\n1,Jäger\n".encode("mac-roman"))
    (note,) = load(str(tmp_path / "a.csv")).notes
    assert "nearly as likely, and gives other letters" in note
    told = load(str(tmp_path / "a.csv"), ReadOptions(encoding="mac-roman"))
    assert told.table.engine.fetch(f"SELECT name FROM {told.table}") == [("Jäger",)]
    assert told.notes == ()


def test_words_of_no_language_here_are_left_to_their_bytes() -> None:
    assert likely_encoding("患者は東京の病院で診察を受けました".encode("shift-jis")) is None
