"""Texts: every word that is ours stands in the catalogue, and every language says all of it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from string import Formatter

import pytest

from sfumato.workbench import catalogue as texts

FOLDER = Path(texts.__file__).parent
ENGLISH = texts.catalogue("en").texts
OTHERS = [language for language in texts.LANGUAGES if language != "en"]
TEMPLATES = sorted((FOLDER / "templates").glob("*.html"))
OURS = {"Sfumato", "·", "–"}  # names and signs that are the same in every language


def own(language: str) -> dict[str, str]:
    """What a language says itself."""
    return texts._read(language)


def places(text: str) -> set[str]:
    """The names of the values that stand in a text."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_says_everything_that_english_says_and_nothing_else(language):
    assert set(own(language)) == set(ENGLISH)


@pytest.mark.parametrize("language", OTHERS)
def test_a_translated_text_has_the_same_values_in_it(language):
    said = own(language)
    assert {name for name, text in ENGLISH.items() if places(text) != places(said.get(name, text))} == set()


def test_every_folder_of_texts_is_a_language_that_can_be_chosen():
    assert {folder.name for folder in (FOLDER / "texts").iterdir() if folder.is_dir() and folder.name[0] != "_"} == set(
        texts.LANGUAGES
    )


class Words(HTMLParser):
    """Collects the words of a template that stand in it as they are."""

    SAID = ("alt", "title", "placeholder", "aria-label", "content")

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag, attrs):
        self.silent += tag in ("script", "style")
        if tag != "meta":
            self.words += [value for name, value in attrs if name in self.SAID and value]

    def handle_endtag(self, tag):
        self.silent -= tag in ("script", "style")

    def handle_data(self, data):
        if not self.silent:
            self.words.append(data)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_no_word_stands_in_a_template(template):
    text = re.sub(r"{#.*?#}|{%.*?%}|{{.*?}}", " ", template.read_text(encoding="utf-8"), flags=re.DOTALL)
    reader = Words()
    reader.feed(text)
    words = {word for words in reader.words for word in re.findall(r"[^\W\d_]{2,}", words)} - OURS
    assert words == set()


def test_every_text_that_a_template_or_a_screen_names_is_in_the_catalogue():
    sources = [*TEMPLATES, *(FOLDER / "screens").glob("*.py"), FOLDER / "answers.py"]
    named = {
        name
        for source in sources
        for name in re.findall(
            r"""\bt(?:ext)?\(\s*["']([a-z_.-]+[a-z_])["']\s*[,)]""", source.read_text(encoding="utf-8")
        )
    }
    assert len(named) > 30
    assert {name for name in named if name not in ENGLISH} == set()
