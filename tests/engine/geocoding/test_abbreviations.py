"""Abbreviated streets of the languages served: the house is found, as exactly as in full."""

from collections.abc import Iterator
from typing import Final

import pytest

from engine.domain.addresses.address import AutocompleteQuery, ForwardQuery, MatchConfidence
from engine.gazetteer.abbreviations import OTHERS, TYPES, lines_of
from engine.gazetteer.text import STREET_TYPES, fold, readings
from engine.geocoding.embedded import EmbeddedGeocoder
from engine.geocoding.search.matching import query_word
from engine.geocoding.search.parsing import read_query
from tests.engine.geocoding.streets import write_town

type Towns = dict[str, EmbeddedGeocoder]

# For each country its names, a state, a town, and streets with their abbreviated forms.
COUNTRIES: Final[dict[str, tuple[str, tuple[str, str], str, dict[str, tuple[str, ...]]]]] = {
    "NL": (
        "Nederland",
        ("Utrecht", "UT"),
        "Utrecht",
        {
            "Hoofdstraat": ("Hoofdstr.", "Hoofdstr", "HOOFDSTR.", "Hoofd str."),
            "Koningin Wilhelminalaan": ("Kon. Wilhelminaln.", "Koningin Wilhelminaln"),
            "Stationsplein": ("Stationspl.", "Stationspln"),
            "Domplein": ("Dompl.",),
            "Burgemeester Reigerstraat": ("Burg. Reigerstr.",),
            "Professor Lorentzlaan": ("Prof. Lorentzln",),
            "Sint Jacobsstraat": ("St. Jacobsstr.",),
            "Lange Nieuwstraat": ("Lge. Nieuwstr.",),
            "Herengracht": ("Herengr.",),
            "Catharijnesingel": ("Catharijnesgl.",),
            "Westerkade": ("Westerkd.",),
            "Leidseweg": ("Leidsewg.",),
        },
    ),
    "BR": (
        "Brasil",
        ("Paraná", "PR"),
        "Curitiba",
        {
            "Rua Coronel Dulcídio": ("R. Cel. Dulcídio", "R Cel Dulcidio"),
            "Largo da Ordem": ("Lgo. da Ordem", "Lg da Ordem"),
            "Alameda Doutor Carlos de Carvalho": ("Al. Dr. Carlos de Carvalho",),
            "Travessa Nestor de Castro": ("Trav. Nestor de Castro", "Tv. Nestor de Castro", "Trv. Nestor de Castro"),
            "Praça General Osório": ("Pç. Gal. Osório", "Pça. Gen. Osório", "Pç.ª Gal. Osório"),
            "Avenida Marechal Floriano Peixoto": ("Av. Mal. Floriano Peixoto", "Av.ª Mal. Floriano Peixoto"),
            "Rua Desembargador Motta": ("R. Des. Motta",),
            "Rua Engenheiros Rebouças": ("R. Engenheiros Rebouças",),
            "Rua Engenheiro Ostoja Roguski": ("R. Eng. Ostoja Roguski", "R. Eng.º Ostoja Roguski"),
            "Rodovia João Leopoldo Jacomel": ("Rod. João Leopoldo Jacomel",),
        },
    ),
    "FR": (
        "France",
        ("Auvergne-Rhône-Alpes", "ARA"),
        "Lyon",
        {
            "Route de Vienne": ("Rte de Vienne",),
            "Chemin de Montauban": ("Che de Montauban", "Ch. de Montauban"),
            "Montée du Gourguillon": ("Mte du Gourguillon", "Mtée du Gourguillon"),
            "Impasse Flesselles": ("Imp. Flesselles",),
            "Boulevard des Belges": ("Bd des Belges",),
            "Allée Paul Riboud": ("All. Paul Riboud",),
            "Place Bellecour": ("Pl. Bellecour",),
            "Rue du Général Plessier": ("R. du Gal Plessier",),
            "Quai du Docteur Gailleton": ("Q. du Dr Gailleton",),
            "Passage de l'Argue": ("Pas. de l'Argue",),
            "Rue Che Guevara": ("R. Che Guevara",),
        },
    ),
    "IT": (
        "Italia",
        ("Lombardia", "25"),
        "Milano",
        {
            "Viale Monza": ("V.le Monza", "Vle Monza"),
            "Corso Buenos Aires": ("C.so Buenos Aires",),
            "Piazza del Duomo": ("P.za del Duomo", "P.zza del Duomo", "Pza del Duomo"),
            "Piazzale Loreto": ("P.le Loreto",),
            "Via Fratelli Bronzetti": ("Via F.lli Bronzetti", "V. F.lli Bronzetti"),
            "Via Santa Sofia": ("Via S.ta Sofia",),
        },
    ),
    "ES": (
        "España",
        ("Comunidad de Madrid", "MD"),
        "Madrid",
        {
            "Calle Mayor": ("C/ Mayor", "C. Mayor", "CL Mayor"),
            "Plaza Mayor": ("Pza. Mayor", "PZ Mayor"),
            "Avenida de América": ("Avda. de América", "Av. de América"),
            "Paseo del Prado": ("Pº del Prado", "Pso. del Prado"),
            "Carretera de Canillas": ("Ctra. de Canillas",),
            "Calle de Nuestra Señora de Fátima": ("C/ de Ntra. Sra. de Fátima",),
            "Calle General Ricardos": ("C/ Gral. Ricardos",),
        },
    ),
    "DE": (
        "Deutschland",
        ("Bayern", "BY"),
        "München",
        {
            "Leopoldstraße": ("Leopoldstr.",),
            "Sendlinger Straße": ("Sendlinger Str.",),
            "Marienplatz": ("Marienpl.",),
            "Bürgermeister-Wild-Straße": ("Bgm.-Wild-Str.",),
            "Große Brunnengasse": ("Gr. Brunnengasse",),
        },
    ),
    "RU": (
        "Россия",
        ("Татарстан", "TA"),
        "Казань",
        {
            "улица Баумана": ("ул. Баумана",),
            "проспект Победы": ("пр. Победы", "пр-т Победы", "просп. Победы"),
            "бульвар Серова": ("б-р Серова", "бул. Серова"),
            "переулок Дзержинского": ("пер. Дзержинского",),
        },
    ),
    "AU": (
        "Australia",
        ("Western Australia", "WA"),
        "Perth",
        {
            "Macquarie Terrace": ("Macquarie Tce",),
            "Elizabeth Parade": ("Elizabeth Pde",),
            "Oak Close": ("Oak Cl",),
            "River Circuit": ("River Cct",),
            "Ocean Crescent": ("Ocean Cres", "Ocean Cr"),
        },
    ),
}
CASES: Final = [
    (country, street, short)
    for country, (*_, streets) in COUNTRIES.items()
    for street, forms in streets.items()
    for short in (street, *forms)
]
NUMBERS: Final = ("3", "7", "12")


@pytest.fixture(scope="module")
def towns(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Towns]:
    folder = tmp_path_factory.mktemp("countries")
    opened = {
        code: EmbeddedGeocoder(
            [
                write_town(
                    folder / f"{code}.sqlite",
                    (name, code),
                    town,
                    dict.fromkeys(streets, NUMBERS),
                    state=state,
                )
            ]
        )
        for code, (name, state, town, streets) in COUNTRIES.items()
    }
    yield opened
    for each in opened.values():
        each.close()


@pytest.mark.parametrize(("country", "street", "short"), CASES)
def test_an_abbreviated_street_is_exact(towns: Towns, country: str, street: str, short: str) -> None:
    _, (_, code), town, _ = COUNTRIES[country]
    line = f"12 {short}" if country in ("FR", "AU") else f"{short} 12"
    end = f"{town} {code}" if country in ("AU", "BR") else town
    for text in (line, f"{line}, {end}"):
        found = towns[country].forward(ForwardQuery(text=text))[0]
        assert (found.street, found.number, found.confidence) == (street, "12", MatchConfidence.EXACT), text


@pytest.mark.parametrize(("country", "street", "short"), CASES)
def test_an_abbreviated_street_is_completed(towns: Towns, country: str, street: str, short: str) -> None:
    ends_alike = short.split()[-1] == street.split()[-1]
    text = short[:-1] if ends_alike else fold(short)
    found = towns[country].autocomplete(AutocompleteQuery(text=text))
    assert street in [each.street for each in found]


@pytest.mark.parametrize("table", [TYPES, OTHERS], ids=["types", "others"])
def test_each_abbreviation_means_its_full_form(table: dict[str, str]) -> None:
    for short, full in lines_of(table):
        word = fold(short)
        assert " " not in word
        assert word in STREET_TYPES or word == fold(full) or fold(full) in readings(word)
        # A full form is no abbreviation of another word.
        assert readings(fold(full))[0] == fold(full)


def test_every_language_has_a_line_for_each_word_only_once() -> None:
    for table in (TYPES, OTHERS):
        for language, text in table.items():
            full = [line.partition(":")[0].strip() for line in text.strip().splitlines()]
            assert len(full) == len(set(full)), language


@pytest.mark.parametrize("word", ["che", "rod", "mal", "sen", "col", "al", "lincoln"])
def test_abbreviations_that_are_words_stay_distinctive(word: str) -> None:
    assert query_word(word).weight == 1.0
    assert readings(word)[0] == word


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Avenida de América", "avenida de america"),
        ("Springfield, America", "springfield us"),
        ("V.le Monza", "vle monza"),
        ("St. Louis", "st louis"),
        ("пр-т Ленина", "прт ленина"),
    ],
)
def test_a_sign_within_an_abbreviation_does_not_divide_it(text: str, words: str) -> None:
    assert " ".join(read_query(text)[0].words) == words


def test_russian_houses_have_a_word_before_their_number() -> None:
    read = read_query("ул. Баумана, д. 5, кв. 12")[0]
    assert (read.number, read.unit, read.words) == ("5", "12", ("ул", "баумана"))
