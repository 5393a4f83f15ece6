"""Telephone and other numbers as templates per language, see `MARKS`."""

from __future__ import annotations

from random import Random

from .drawing import Maker, as_numbers, filled, keys, stock, templated
from .person_names import ascii_word, email

TELEPHONES = {
    "en": (
        "(4%#) 5%#-####",
        "312-5&#-####",
        "+1 212 5&# ####",
        "0770# ######",
        "+44 7911 ######",
        "020 7### ####",
        "415.5&#.####",
        "2125&#####",
        "0798#######",
    ),
    "nl": (
        "06-1%######",
        "062#######",
        "+31 6 4# ## ## ##",
        "0031 6 5#######",
        "020-6######",
        "(010) 4## ## ##",
        "+3162#######",
    ),
    "de": (
        "+49 30 4######",
        "0171 %######",
        "030/5######",
        "0049 171 %######",
        "(089) %#####",
        "0151%#######",
        "+49-221-%#####",
    ),
    "fr": ("06 ## ## ## ##", "06########", "+33 6 ## ## ## ##", "01.4#.##.##.##", "+33(0)6########", "07-##-##-##-##"),
    "pt": ("91# ### ###", "+351 96# ### ###", "93#######", "21# ### ###", "00351 91#######"),
    "es": ("6## ### ###", "+34 6## ## ## ##", "6########", "91 4## ## ##", "0034 93# ### ###"),
    "el": ("210 &######", "694#######", "+30 697 ### ####", "0030 210&######", "2310-&#####", "69&#-######"),
    "ko": ("010-&###-####", "010&#######", "+82 10-&###-####", "02-&##-####", "031-&##-####", "010 &### ####"),
    "it": ("347 #######", "+39 333 #######", "06 ########", "0039 328 #######", "02-%#######", "339%######"),
    "pl": ("6## ### ###", "+48 50# ### ###", "6########", "22 6## ## ##", "0048 51# ### ###", "50#-###-###"),
    "sv": ("070-### ## ##", "+46 70 ### ## ##", "073#######", "08-%## ### ##", "0046 76 ### ## ##"),
}
FAXES = {
    "en": ("(312) 5&#-####", "020 7### ####"),
    "nl": ("030-2######", "+31 30 2## ## ##"),
    "de": ("030/4######-%#", "+49 89 %######"),
    "fr": ("01 4# ## ## ##", "04.7#.##.##.##"),
    "pt": ("21# ### ###",),
    "es": ("91 4## ## ##", "+34 93 4## ## ##"),
    "el": ("210 &######",),
    "ko": ("02-&##-####", "051-&##-####"),
    "it": ("06 ########", "+39 02 ########"),
    "pl": ("22 6## ## ##",),
    "sv": ("08-%## ### ##",),
}
LICENCES = {
    "en": ("@@@@@6#####@@#@@", "@#######", "5########"),
    "nl": ("5#########", "N@##@@#@#"),
    "de": ("C##@##@##", "@######@#%"),
    "fr": ("##@@#####", "############"),
    "pt": ("@@-######", "L-#######"),
    "es": ("@@@######",),
    "el": ("ΑΒ ######", "ΑΝ######", "AM ######"),
    "ko": ("M########", "11-##-######-##"),
    "it": ("@@#######", "U1%######@", "CA#####@@"),
    "pl": ("@@@ ######", "@@ #######"),
    "sv": ("########", "AA#######"),
}
PLATES = {
    "en": ("@@## @@@", "%@@@###"),
    "nl": ("%#-!!!-%", "!!-%##-!"),
    "de": ("M-@@ %###", "K @@ %##", "HH-@ %###"),
    "fr": ("@@-###-@@",),
    "pt": ("##-@@-##", "@@-##-@@"),
    "es": ("#### !!!",),
    "el": ("ΥΖΑ-%###", "ΙΚΝ %###"),
    "ko": ("%#가 %###", "%##나 %###", "%#머%###"),
    "it": ("@@ ### @@", "@@###@@"),
    "pl": ("WA #####", "KR %@###", "PO #####"),
    "sv": ("!!! %##", "!!!%##"),
}
HEALTH_PLANS = {
    "en": ("1EG#-TE#-MK##", "W#########", "@@@########"),
    "nl": ("#########", "ZK-########"),
    "de": ("%#########",),
    "fr": ("########", "MUT-######-@"),
    "pt": ("%########", "ADSE%########"),
    "es": ("BBBB############", "28 ######## ##"),
    "el": ("%########", "ΕΦΚΑ-#######"),
    "ko": ("%##########", "%-##########"),
    "it": ("80380############", "TS-#########"),
    "pl": ("ZUS-%########", "%#########"),
    "sv": ("%########", "EU-########"),
}
ACCOUNTS = {
    "en": ("########", "ACC-#######", "40-##-## ########"),
    "ko": ("110-###-######", "%#####-##-######", "###-######-##-###"),
}
ORDERS = {
    "en": ("2125&#####", "0798#######", "415-5&#-####"),
    "nl": ("062#######", "0031#########", "020-6######"),
    "de": ("0151%#######", "030/5######"),
    "fr": ("06########", "01.4#.##.##.##"),
    "pt": ("93#######", "21#######"),
    "es": ("6########", "91#######"),
    "el": ("694#######", "210&######"),
    "ko": ("010&#######", "02-&##-####"),
    "it": ("347#######", "06########"),
    "pl": ("6########", "226######"),
    "sv": ("070#######", "08-%######"),
}
RECORD_NUMBERS = ("MRN#######", "H-######", "%#######", "PAT00#####", "M%######", "ZH######", "###-##-####", "0#######")
PATIENT_KEYS = (
    "P####",
    "PT-%#####",
    "S-%####",
    "1##-####",
    "%#####",
    "ID_%####",
    "@@%####",
    "~~~~~~~~-~~~~-4~~~-a~~~-~~~~~~~~~~~~",
)
DEVICES = ("SN%########", "PJN%######H", "@@@######@", "(01)0088#########(21)@######", "G##-%######", "@@####-####")
FILES = ("IMG_####.jpg", "face_%####.jpg", "photos/%####_front.png", "DSC0####.JPG", "pat%####.jpeg")
FINGERPRINTS = ("~" * 32, "FMR~~~~~~~~~~~~~~~~~~~~", "Rk1SACAyMAAAA@@@@######@@@@##==")


def any_language(templates: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Templates that every language shares."""
    return dict.fromkeys(TELEPHONES, templates)


def told(templates: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The templates that show what they are without a column name: with a plus sign or separators."""
    return {language: tuple(t for t in some if any(m in t for m in " +-(")) for language, some in templates.items()}


def keyed(templates: tuple[str, ...]) -> Maker:
    """A key per person, in one template for the whole column."""

    def column(draw: Random, language: str, rows: int) -> list[object]:
        template = draw.choice(templates)
        return keys(lambda draw, language: filled(draw, template))(draw, language, rows)

    return column


def ipv4(draw: Random, language: str) -> str:
    return ".".join(str(draw.randint(low, high)) for low, high in ((11, 223), (0, 255), (0, 255), (1, 254)))


def ipv6(draw: Random, language: str) -> str:
    return filled(
        draw, draw.choice(("2001:db8:~~~~:~~~~:~~~~:~~~~:~~~~:~~~~", "fe80::~~~~:~~ff:fe~~:~~~~", "2a02:~~~~::~~~~"))
    )


def personal_url(draw: Random, language: str) -> str:
    person = ascii_word(email(draw, language).split("@")[0])
    return draw.choice(
        (f"https://www.facebook.com/{person}", f"https://www.linkedin.com/in/{person}", f"http://{person}.example.org")
    )


def subjects(draw: Random, language: str, rows: int) -> list[object]:
    """CDISC unique subject identifiers: study, site and subject."""
    form = filled(draw, draw.choice(("ABC-###-", "BIO%%-", "CT%##.", "STUDY%-")))
    sites = [filled(draw, "%##") for _ in range(4)]
    mark = "." if form.endswith(".") else "-"
    return [f"{form}{draw.choice(sites)}{mark}{row:04}" for row in range(1, rows + 1)]


def record_ids(draw: Random, language: str, rows: int) -> list[object]:
    """REDCap record identifiers: counted, or with the number of the data access group."""
    if draw.random() < 0.5:
        return list(range(1, rows + 1))
    group = draw.randint(100, 999)
    return [f"{group}-{row}" for row in range(1, rows + 1)]


telephones = as_numbers(templated(TELEPHONES))
told_telephones = templated(told(TELEPHONES))


def order_numbers(draw: Random, language: str, rows: int) -> list[object]:
    """Numbers of orders of supplies: thirty for the whole table, each like a telephone number in digits."""
    template = draw.choice(ORDERS[language])
    return as_numbers(stock(lambda draw, language: filled(draw, template), 30))(draw, language, rows)
