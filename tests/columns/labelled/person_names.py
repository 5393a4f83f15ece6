"""Given and family names per language, and the ways in which extracts write a person's name."""

from __future__ import annotations

import unicodedata
from random import Random

from .drawing import listed

GIVEN = {
    "en": "James|Olivia|William|Emily|Thomas|Charlotte|Michael|Siobhán|Daniel|Grace|Robert|Hannah|Aisha|Mohammed|Sean|"
    "Patricia|Linda|Kevin|Zoë|Mary-Ann|Christopher|Sarah|Oluwaseun|Priya|Edward|Joan|Dorothy|Harold|Luis|Megan",
    "nl": "Jan|Pieter|Annelies|Sanne|Daan|Femke|Willem|Geertruida|Joost|Maaike|Bram|Lotte|Kees|Hendrika|Sjoerd|Fleur|"
    "Thijs|Wietske|Mohammed|Fatima|Noor|Ruben|Anouk|Cornelis|Tineke|Jeroen|Marijke|Rik|Saskia|Björn",
    "de": "Hans|Jürgen|Sabine|Katharina|Lukas|Ursula|Günther|Heike|Björn|Anneliese|Matthias|Renate|Uwe|Birgit|Klaus|"
    "Jörg|Petra|Sebastian|Hannelore|Wolfgang|Gisela|Stefan|Monika|Ayşe|Mehmet|Leonie|Friedrich|Ilse|Karl-Heinz|Antje",
    "fr": "Jean|Marie|Hélène|François|Léa|Camille|Étienne|Chloé|Michel|Françoise|Benoît|Amélie|Jacques|Monique|Théo|"
    "Inès|Jean-Pierre|Marie-Claude|Gérard|Sylvie|Loïc|Aurélie|Yannick|Odile|Karim|Fatou|Nicolas|Solène|René|Brigitte",
    "pt": "João|Maria|António|Inês|Tiago|Beatriz|Manuel|Conceição|Rui|Catarina|Gonçalo|Mariana|José|Fátima|Luís|Sofia|"
    "Miguel|Lurdes|Vasco|Leonor|Nuno|Teresa|Afonso|Rita|Joaquim|Helena|Duarte|Graça|Pedro|Matilde",
    "es": "José|María|Antonio|Lucía|Javier|Carmen|Francisco|Inés|Ángel|Rocío|Álvaro|Begoña|Íñigo|Pilar|Jesús|Marta|"
    "Sergio|Concepción|Raúl|Ana|Ramón|Noelia|Andrés|Mercedes|Pablo|Montserrat|Joaquín|Elena|Rubén|Dolores",
    "el": "Γιώργος|Μαρία|Νικόλαος|Ελένη|Κωνσταντίνος|Αικατερίνη|Δημήτριος|Βασιλική|Ιωάννης|Σοφία|Παναγιώτης|Άννα|"
    "Χρήστος|Ευαγγελία|Σπυρίδων|Δέσποινα|Θεόδωρος|Παρασκευή|Αθανάσιος|Ζωή|Στέλιος|Ιωάννα|Ηλίας|Χριστίνα|Μιχαήλ",
    "el-Latn": "Giorgos|Maria|Nikolaos|Eleni|Konstantinos|Aikaterini|Dimitrios|Vasiliki|Ioannis|Sofia|Panagiotis|Anna|"
    "Christos|Evangelia|Spyridon|Despoina|Theodoros|Paraskevi|Athanasios|Zoi|Stelios|Ioanna|Ilias|Christina|Michail",
    "ko": "민수|지영|서준|하은|영희|철수|지훈|수빈|예진|동현|미경|은정|성호|현우|유나|준호|지민|경숙|영수|혜진|상철|"
    "정희|도윤|서연|태영",
    "ko-Latn": "Min-su|Ji-young|Seo-jun|Ha-eun|Young-hee|Chul-soo|Ji-hoon|Su-bin|Ye-jin|Dong-hyun|Mi-kyung|Eun-jung|"
    "Sung-ho|Hyun-woo|Yuna|Jun-ho|Jimin|Kyung-sook|Young-soo|Hye-jin|Sang-chul|Jung-hee|Do-yoon|Seo-yeon|Tae-young",
    "it": (
        "Giuseppe|Maria|Antonio|Giulia|Francesco|Chiara|Alessandro|Nicolò|Lorenzo|Sara|Matteo|Rosa|Domenico|Elisa|Gianluca|"
        "Ornella|Rocco|Carmela|Davide|Noemi|Ettore|Fiorella|Salvatore|Immacolata|Tommaso|Azzurra|Elia|Loredana"
    ),
    "pl": (
        "Jan|Anna|Krzysztof|Małgorzata|Piotr|Agnieszka|Łukasz|Zofia|Stanisław|Grażyna|Wojciech|Elżbieta|Paweł|Żaneta|Jerzy|"
        "Halina|Michał|Bożena|Zbigniew|Danuta|Kacper|Zuzanna|Mirosław|Jadwiga|Oliwier|Lilianna"
    ),
    "sv": (
        "Erik|Anna|Lars|Karin|Björn|Åsa|Göran|Ingrid|Johan|Elin|Håkan|Maja|Nils|Birgitta|Oskar|Linnéa|Per|Gunilla|Anders|"
        "Ebba|Torbjörn|Siv|Mohamed|Fatima|Elias|Alva|Sixten|Märta"
    ),
}
FAMILY = {
    "en": "Smith|Jones|O'Connor|Taylor|Williams|MacDonald|Brown|Patel|Evans|Johnson|Robinson|Nguyen|Walker|Wright|"
    "Thompson|Garcia|Fitzgerald|Khan|Harris|Clarke|Okafor|Lewis|Hughes|Edwards|St. John|Bennett|Kaur|Murphy|Hill|Cole",
    "nl": "de Jong|Jansen|de Vries|van den Berg|Bakker|van Dijk|Visser|Smit|Meijer|de Boer|Mulder|Dekker|Brouwer|"
    "van der Meulen|Dijkstra|Hoekstra|'t Hart|Postma|Kuipers|van 't Hof|Schouten|El Idrissi|Yılmaz|Verhoeven|Vermeer",
    "de": "Müller|Schmidt|Schneider|Fischer|Weber|Meyer|Wagner|Becker|Schulz|Hoffmann|Schäfer|Köhler|Groß|Jäger|"
    "von Bülow|Krüger|Öztürk|Vogel|Weiß|Zimmermann|Lüdenscheidt|Kowalski|Brandt|Seidel|Meyer-Landrut|Böhm|Lehmann",
    "fr": "Martin|Bernard|Dubois|Lefèvre|Moreau|Laurent|Girard|Lemoine|Rousseau|Fournier|Mercier|Garnier|N'Diaye|"
    "de La Tour|Chevallier|Benali|Gauthier|Perrin|Morvan|Le Goff|Delacroix|Bérenger|Poulain|Guérin|Traoré|Besson",
    "pt": "Silva|Santos|Ferreira|Pereira|Oliveira|Costa|Rodrigues|Martins|Gonçalves|Araújo|Lopes|Marques|Teixeira|"
    "Carvalho|Magalhães|Brandão|da Cunha|dos Reis|Simões|Antunes|Falcão|Guimarães|Neves|Nóbrega|Pinto|Fonseca",
    "es": "García|Fernández|González|Rodríguez|López|Martínez|Sánchez|Pérez|Gómez|Jiménez|Ruiz|Muñoz|Álvarez|Moreno|"
    "Ibáñez|Núñez|de la Fuente|Etxeberria|Puig|Castaño|Zubizarreta|Ortega|Vidal|Ferrer|Cañizares|Peña|Domínguez",
    "el": "Παπαδόπουλος|Βλάχος|Αγγελόπουλος|Νικολάου|Γεωργίου|Παπαδάκης|Οικονόμου|Δημητρίου|Καραγιάννης|Μακρής|"
    "Αντωνίου|Ιωαννίδης|Χατζηγιάννης|Κωνσταντινίδης|Παππάς|Σταθοπούλου|Μιχαηλίδη|Ζαχαρίου|Λαμπροπούλου|Τσακίρης",
    "el-Latn": "Papadopoulos|Vlachos|Angelopoulos|Nikolaou|Georgiou|Papadakis|Oikonomou|Dimitriou|Karagiannis|Makris|"
    "Antoniou|Ioannidis|Chatzigiannis|Konstantinidis|Pappas|Stathopoulou|Michailidi|Zachariou|Lampropoulou|Tsakiris",
    "ko": "김|이|박|최|정|강|조|윤|장|임|한|오|서|신|권|황|안|송|류|홍",
    "ko-Latn": "Kim|Lee|Park|Choi|Jung|Kang|Cho|Yoon|Jang|Lim|Han|Oh|Seo|Shin|Kwon|Hwang|Ahn|Song|Ryu|Hong",
    "it": (
        "Rossi|Russo|Ferrari|Esposito|Bianchi|Romano|Colombo|Ricci|Marino|Greco|De Luca|Conti|Di Pietro|Mancini|"
        "Lo Presti|D'Angelo|Santoro|Rinaldi|Zanella|Caruso|Brambilla|Fumagalli|Pacciani|Schiavone"
    ),
    "pl": (
        "Nowak|Kowalski|Wiśniewska|Wójcik|Kowalczyk|Kamińska|Lewandowski|Zielińska|Szymański|Woźniak|Dąbrowski|Kozłowska|"
        "Mazur|Jankowski|Krawczyk|Piotrowska|Grabowski|Pawłowska|Zając|Król|Wieczorek|Stępień|Gałązka|Nowak-Kowalska"
    ),
    "sv": (
        "Andersson|Johansson|Karlsson|Nilsson|Eriksson|Larsson|Olsson|Persson|Svensson|Lindqvist|Bergström|Åkesson|Öberg|"
        "Sjögren|Lundgren|Holm|af Klint|Björk|Nyström|Wallin|Hassan|Ekdahl|von Essen|Ljung"
    ),
}
TWO_FAMILY_NAMES = ("es", "pt")
WRITTEN = {
    "given first": lambda given, family: f"{given} {family}",
    "family first": lambda given, family: f"{family}, {given}",
    "initial": lambda given, family: f"{given[0]}. {family}",
    "family and initial": lambda given, family: f"{family} {given[0]}.",
    "upper": lambda given, family: capitals(f"{family} {given}"),
    "titled": lambda given, family: f"{given} {family}".title(),
}


def script(draw: Random, language: str) -> str:
    """Greek and Korean names in their own script, in one column of three in Latin letters."""
    return f"{language}-Latn" if language in ("el", "ko") and draw.random() < 0.33 else language


def unaccented(text: str) -> str:
    """Without accents, as in Greek capitals and e-mail addresses."""
    return "".join(mark for mark in unicodedata.normalize("NFD", text) if not unicodedata.combining(mark))


def capitals(text: str) -> str:
    """In capitals; Greek ones carry no accents."""
    return unaccented(text.upper()) if "Α" <= unaccented(text.upper())[0] <= "Ω" else text.upper()


def given_names(draw: Random, language: str, rows: int) -> list[object]:
    names, upper = listed(GIVEN[script(draw, language)]), draw.random() < 0.25
    return [capitals(draw.choice(names)) if upper else draw.choice(names) for _ in range(rows)]


def family_names(draw: Random, language: str, rows: int) -> list[object]:
    names, upper = listed(FAMILY[script(draw, language)]), draw.random() < 0.25
    chosen = [family(draw, names, language) for _ in range(rows)]
    return [capitals(name) if upper else name for name in chosen]


def family(draw: Random, names: tuple[str, ...], language: str) -> str:
    """One family name, or two where that is the custom."""
    twice = language in TWO_FAMILY_NAMES and draw.random() < 0.7
    return f"{draw.choice(names)} {draw.choice(names)}" if twice else draw.choice(names)


def full_names(draw: Random, language: str, rows: int) -> list[object]:
    """Whole names in one way of writing; in one column of three some rows are written in another."""
    used = script(draw, language)
    usual, mixed = draw.choice(list(WRITTEN)), 0.1 if draw.random() < 0.33 else 0.0
    ways = [draw.choice(list(WRITTEN)) if draw.random() < mixed else usual for _ in range(rows)]
    return [full_name(draw, used, way) for way in ways]


def full_name(draw: Random, used: str, way: str) -> str:
    given, last = draw.choice(listed(GIVEN[used])), family(draw, listed(FAMILY[used]), used)
    if used == "ko":  # Hangul: the family name first, mostly without a blank
        return f"{last} {given}" if way == "family first" else f"{last}{given}"
    return WRITTEN[way](given, last)


def email(draw: Random, language: str) -> str:
    """An address made of a name, in the letters that addresses use."""
    used = f"{language}-Latn" if language in ("el", "ko") else language
    given, last = draw.choice(listed(GIVEN[used])), draw.choice(listed(FAMILY[used]))
    first, second = (ascii_word(part) for part in (given, last))
    local = draw.choice(
        (f"{first}.{second}", f"{first[0]}{second}", f"{second}{draw.randint(1, 99)}", f"{first}_{second}")
    )
    return f"{local}@{draw.choice(listed(MAIL[language]))}"


def ascii_word(text: str) -> str:
    plain = unaccented(text.replace("ß", "ss").replace("ı", "i")).lower()
    return "".join(mark for mark in plain if mark.isascii() and mark.isalnum())


MAIL = {
    "en": "gmail.com|outlook.com|btinternet.com|yahoo.co.uk|example.org",
    "nl": "gmail.com|ziggo.nl|kpnmail.nl|hotmail.nl|xs4all.nl",
    "de": "gmx.de|web.de|t-online.de|gmail.com|posteo.de",
    "fr": "orange.fr|free.fr|laposte.net|gmail.com|wanadoo.fr",
    "pt": "sapo.pt|gmail.com|hotmail.com|netcabo.pt",
    "es": "gmail.com|hotmail.es|telefonica.net|yahoo.es",
    "el": "otenet.gr|gmail.com|yahoo.gr|hol.gr",
    "ko": "naver.com|hanmail.net|gmail.com|daum.net",
    "it": "libero.it|gmail.com|virgilio.it|alice.it",
    "pl": "wp.pl|onet.pl|gmail.com|o2.pl",
    "sv": "gmail.com|telia.com|hotmail.se|bredband.net",
}
