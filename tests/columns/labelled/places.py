"""Streets, towns, postcodes and coordinates per language."""

from __future__ import annotations

from random import Random

from .drawing import Maker, filled, formats, listed

STREETS = {
    "en": "High Street|Church Road|Oak Avenue|Station Road|Maple Dr|Victoria Terrace|Elm St|Sunset Blvd|Mill Lane|"
    "Park Ave",
    "nl": "Kerkstraat|Dorpsstraat|Molenweg|Julianalaan|Prinsengracht|Stationsplein|Nieuwe Haven|Burg. de Vlugtlaan|"
    "Oudegracht",
    "de": "Hauptstraße|Lindenweg|Bahnhofstr.|Schillerplatz|Am Markt|Goethestraße|Birkenallee|Gartenweg|Kirchgasse",
    "fr": "rue de la République|avenue Victor Hugo|boulevard Voltaire|rue des Lilas|place de l'Église|"
    "impasse du Moulin",
    "pt": "Rua das Flores|Avenida da Liberdade|Travessa do Carmo|Largo da Sé|Rua 25 de Abril|Praceta dos Lírios",
    "es": "Calle Mayor|C/ Alcalá|Avda. de la Constitución|Plaza España|Paseo de Gracia|Calle San Juan|Camino Viejo",
    "el": "Ερμού|Λεωφ. Κηφισίας|Πατησίων|Αγίου Δημητρίου|Τσιμισκή|25ης Μαρτίου|Βενιζέλου|Οδός Σταδίου",
    "el-Latn": "Ermou|Leof. Kifisias|Patision|Agiou Dimitriou|Tsimiski|Venizelou|Odos Stadiou",
    "ko": "테헤란로|세종대로|중앙로|올림픽로|강남대로|해운대로|충장로|동성로",
    "ko-Latn": "Teheran-ro|Sejong-daero|Jungang-ro|Olympic-ro|Gangnam-daero|Haeundae-ro",
    "it": (
        "Via Roma|Via Garibaldi|Corso Vittorio Emanuele|Piazza Dante|Viale dei Mille|Via dei Tigli|"
        "Largo Argentina|Via Manzoni"
    ),
    "pl": "ul. Długa|ul. Mickiewicza|al. Jerozolimskie|os. Piastowskie|pl. Wolności|ul. Polna|ulica Lipowa",
    "sv": "Storgatan|Kungsgatan|Drottninggatan|Skolvägen|Björkvägen|Ringvägen|Sveavägen|Parkgatan",
}
CITIES = {
    "en": "London|Manchester|Leeds|Boston|Chicago|Springfield|Bristol|Austin|Cardiff|Portland|Glasgow|Denver|Norwich|"
    "York",
    "nl": "Utrecht|Amsterdam|Eindhoven|'s-Hertogenbosch|Leeuwarden|Zwolle|Maastricht|Den Haag|Delft|Assen|Gouda|Venlo",
    "de": "München|Köln|Berlin|Göttingen|Leipzig|Freiburg im Breisgau|Würzburg|Kiel|Halle (Saale)|Essen|Jena|Ulm",
    "fr": "Lyon|Marseille|Saint-Étienne|Nîmes|Rennes|Besançon|Toulouse|Le Havre|Orléans|Brest|Dijon|Pau",
    "pt": "Lisboa|Porto|Coimbra|Évora|Setúbal|Vila Nova de Gaia|Guimarães|Faro|Viseu|Bragança|Leiria",
    "es": "Madrid|Barcelona|Sevilla|A Coruña|Málaga|Logroño|San Sebastián|Cádiz|Ávila|Murcia|Badajoz|León",
    "el": "Αθήνα|Θεσσαλονίκη|Πάτρα|Ηράκλειο|Λάρισα|Βόλος|Ιωάννινα|Χανιά|Καλαμάτα|Ρόδος|Κοζάνη",
    "el-Latn": "Athina|Thessaloniki|Patra|Irakleio|Larisa|Volos|Ioannina|Chania|Kalamata|Rodos",
    "ko": "수원시|성남시|고양시|청주시|전주시|천안시|포항시|창원시|안동시|춘천시|강릉시|여수시",
    "ko-Latn": "Suwon|Seongnam|Goyang|Cheongju|Jeonju|Cheonan|Pohang|Changwon|Andong|Chuncheon",
    "it": "Roma|Milano|Napoli|Torino|Bologna|Firenze|Reggio Emilia|Forlì|Bari|Lecce|Trento|L'Aquila",
    "pl": "Warszawa|Kraków|Łódź|Wrocław|Poznań|Gdańsk|Bielsko-Biała|Radom|Kielce|Toruń|Opole",
    "sv": "Stockholm|Göteborg|Malmö|Uppsala|Västerås|Örebro|Linköping|Umeå|Luleå|Växjö|Gävle",
}
DISTRICTS = {
    "en": "Cook County|Essex|Kent|Harris County|Devon|Fulton County|Norfolk|Suffolk|King County|Surrey",
    "nl": "Kanaleneiland|De Pijp|Woensel-Noord|Overvecht|Kralingen|Lombok|Bijlmermeer|Selwerd",
    "de": "Kreuzberg|Schwabing|Ehrenfeld|Landkreis Gießen|Altona|Kreis Unna|Neukölln|Wedding",
    "fr": "3e arrondissement|Croix-Rousse|Canton de Vaise|Le Panier|La Guillotière|Belleville",
    "pt": "Arroios|Bonfim|Campanhã|Benfica|Olivais|Paranhos|Santo António|Alvalade",
    "es": "Chamberí|Lavapiés|Gràcia|Triana|Carabanchel|Ruzafa|Vallecas|Eixample",
    "el": "Δήμος Αμαρουσίου|Κυψέλη|Παγκράτι|Δήμος Καλαμαριάς|Πετρούπολη|Χαλάνδρι|Πεντέλη|Δήμος Βύρωνα",
    "ko": "강남구|서초구|해운대구|분당구|유성구|수성구|마포구|노원구|달서구",
    "it": "Trastevere|Navigli|Vomero|Mirafiori|San Donato|Oltrarno|Provincia di Como",
    "pl": "powiat wołomiński|Mokotów|powiat wielicki|Bałuty|Krzyki|Wilda|powiat pucki",
    "sv": "Stockholms län|Skåne län|Uppsala län|Dalarnas län|Södermalm|Hisingen|Gotlands län",
}
POSTCODES = {
    "nl": ("%### **", "%###**"),
    "de": ("%####",),
    "fr": ("69###", "75###", "13###", "33###"),
    "pt": ("%###-###",),
    "es": ("28###", "08###", "41###", "15###"),
    "el": ("1## ##", "1####", "5## ##", "GR-%####"),
    "ko": ("0####", "1####", "%##-###"),
    "en": ("LS% %^^", "M%# %^^", "%####", "%####-####"),
    "uk": ("LS% %^^", "M%# %^^", "SW1# %^^", "EH%# %^^"),
    "us": ("%####", "%####-####"),
    "it": ("00###", "20###", "80###", "10###"),
    "pl": ("##-###", "0#-###"),
    "sv": ("1## ##", "4## ##", "2####"),
}
ADDRESSES = {
    "en": (
        "{n} {street}",
        "{n} {street}, Apt {few}",
        "Flat {few}, {n} {street}, {city}",
        "{n} {street}, {city} {post}",
    ),
    "nl": ("{street} {n}", "{street} {n}a", "{street} {n}, {post} {city}", "{street} {n}-{few}hoog"),
    "de": ("{street} {n}", "{street} {n}b", "{street} {n}, {post} {city}"),
    "fr": ("{n} {street}", "{n} bis, {street}", "{n}, {street}, {post} {city}"),
    "pt": ("{street}, {n}", "{street}, n.º {n}, {few}.º Esq", "{street} {n}, {post} {city}"),
    "es": ("{street}, {n}", "{street} {n}, {few}º B", "{street}, {n}, {post} {city}"),
    "el": ("{street} {n}", "{street} {n}, {city}", "{street} {n}, ΤΚ {post}, {city}"),
    "el-Latn": ("{street} {n}", "{street} {n}, {city}", "{street} {n}, TK {post} {city}"),
    "ko": ("{city} {street} {n}", "{city} {district} {street} {n}", "{city} {street} {n}, 10{few}동 120{few}호"),
    "ko-Latn": ("{n}, {street}, {city}", "{n} {street}, {city}, Korea"),
    "it": ("{street} {n}", "{street}, {n}", "{street} {n}, {post} {city}", "{street} {n} int. {few}"),
    "pl": ("{street} {n}", "{street} {n}/{few}", "{street} {n} m. {few}, {post} {city}"),
    "sv": ("{street} {n}", "{street} {n}B", "{street} {n}, {post} {city}", "{street} {n} lgh 110{few}"),
}
CENTRES = {
    "en": (51.5, -0.12), "nl": (52.1, 5.1), "de": (50.1, 8.7), "fr": (45.7, 4.8),
    "pt": (38.7, -9.1), "es": (40.4, -3.7), "el": (37.98, 23.73), "ko": (37.5, 127.0),
    "it": (41.9, 12.5), "pl": (52.2, 21.0), "sv": (59.3, 18.1),
}  # fmt: skip


def addresses(draw: Random, language: str, rows: int) -> list[object]:
    """Streets with house numbers, with or without the town."""
    used = f"{language}-Latn" if language in ("el", "ko") and draw.random() < 0.25 else language
    return [address(draw, used, form) for form in formats(draw, ADDRESSES[used], rows)]


def address(draw: Random, used: str, form: str) -> str:
    language = used[:2]
    return form.format(
        street=draw.choice(listed(STREETS[used])),
        n=draw.randint(1, 280),
        few=draw.randint(1, 9),
        city=draw.choice(listed(CITIES[used])),
        district=draw.choice(listed(DISTRICTS[language])),
        post=filled(draw, POSTCODES[language][0]),
    )


def cities(draw: Random, language: str, rows: int) -> list[object]:
    """Towns, a few of them far more often than the others, as round a hospital."""
    used = f"{language}-Latn" if language in ("el", "ko") and draw.random() < 0.3 else language
    towns, upper = listed(CITIES[used]), draw.random() < 0.2
    near = [draw.choice(towns[:4]) if draw.random() < 0.5 else draw.choice(towns) for _ in range(rows)]
    return [town.upper() if upper else town for town in near]


def coordinate(place: int) -> Maker:
    """Latitudes (0) or longitudes (1) in degrees."""

    def column(draw: Random, language: str, rows: int) -> list[object]:
        decimals = draw.choice((4, 5, 6))
        return [round(draw.gauss(CENTRES[language][place], 0.3), decimals) for _ in range(rows)]

    return column


def points(draw: Random, language: str, rows: int) -> list[object]:
    """Latitude and longitude in one cell."""
    north, east = (coordinate(place)(draw, language, rows) for place in (0, 1))
    form = draw.choice(("{}, {}", "{},{}", "POINT ({1} {0})"))
    return [form.format(*pair) for pair in zip(north, east, strict=True)]
