"""The tables of a gazetteer, shared by its writer and its reader."""

from typing import Final

GAZETTEER_FORMAT: Final = 1
"""`PRAGMA user_version` of the file; files of other versions are not read."""

TABLES: Final = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- What divides the earth: countries, states, counties, localities (city, town, village, hamlet), boroughs,
-- neighborhoods (suburb, quarter, neighbourhood) and postal codes. `osm` is r123, w123 or n123, NULL where it comes
-- from elsewhere. `code`: ISO alpha-2 of a country, what follows the hyphen of ISO 3166-2 for a state. `names` is JSON
-- {"de": …} of the ten languages and of those that signs are in, with `alt`, `official`, `short` and `local` names
-- (several divided by semicolons), NULL for none. `context` is what it lies in, without itself. `outline` is WKB, of
-- a division that the extract has only a part of as far as its box.
CREATE TABLE divisions (
    id INTEGER PRIMARY KEY, osm TEXT, layer TEXT NOT NULL, name TEXT NOT NULL, code TEXT, names TEXT,
    longitude REAL NOT NULL, latitude REAL NOT NULL, population INTEGER NOT NULL DEFAULT 0,
    context INTEGER NOT NULL REFERENCES contexts, outline BLOB
);

-- Each different combination of what something lies in, once. Numbers are divisions'; NULL where unknown. The names
-- of `postal_code` and `country_code` are kept as text since not every one has a division.
CREATE TABLE contexts (
    id INTEGER PRIMARY KEY, country INTEGER, state INTEGER, county INTEGER, city INTEGER, borough INTEGER,
    neighborhood INTEGER, postal_code TEXT, country_code TEXT
);

-- Contexts whose city is merely the nearest one, while another is hardly farther. Files made before have no such table.
CREATE TABLE uncertain_contexts (context INTEGER PRIMARY KEY REFERENCES contexts);

-- The cities that addresses with a postal code may name, the usual one included, where a table of them is known. Files
-- made before have no such table.
CREATE TABLE postal_cities (
    country_code TEXT NOT NULL, postal_code TEXT NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (country_code, postal_code, name)
) WITHOUT ROWID;

-- What follows the hyphen of a US postal code in the address of a house (85365-1213: "1213"). Files made before have no
-- such table.
CREATE TABLE code_extensions (house INTEGER PRIMARY KEY REFERENCES houses, digits TEXT NOT NULL);

-- One row for each street of a city: ways of one name that lie in one context but for postal code and neighborhood,
-- and are not far apart. The position is on the street, near its middle. `line` is WKB of its ways, NULL for a street
-- that only addresses know. `context` has the postal code of most of its houses.
CREATE TABLE streets (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, names TEXT, context INTEGER NOT NULL REFERENCES contexts,
    longitude REAL NOT NULL, latitude REAL NOT NULL, houses INTEGER NOT NULL DEFAULT 0, line BLOB
);

-- House numbers as written, with the number they begin with and the folded rest (12a: 12, "a"). `context` has the
-- house's own postal code. `use` is the value of the building's tag, for what an address is used for.
CREATE TABLE houses (
    id INTEGER PRIMARY KEY, street INTEGER NOT NULL REFERENCES streets, number TEXT NOT NULL, value INTEGER NOT NULL,
    suffix TEXT NOT NULL DEFAULT '', longitude REAL NOT NULL, latitude REAL NOT NULL,
    context INTEGER NOT NULL REFERENCES contexts, osm TEXT, name TEXT, use TEXT
);

-- The units (flats, suites) of a house, folded; only houses whose units are known have any.
CREATE TABLE units (
    house INTEGER NOT NULL REFERENCES houses, unit TEXT NOT NULL, PRIMARY KEY (house, unit)
) WITHOUT ROWID;

-- Numbers along a line that OpenStreetMap interpolates: first, first+step … last, evenly along the WKB line. A house
-- called 12-16 has a range, too, whose line begins and ends at it.
CREATE TABLE ranges (
    id INTEGER PRIMARY KEY, street INTEGER NOT NULL REFERENCES streets, first INTEGER NOT NULL, last INTEGER NOT NULL,
    step INTEGER NOT NULL, context INTEGER NOT NULL REFERENCES contexts, line BLOB NOT NULL
);

-- Places. `place_id` derives from `osm`. `categories` is JSON from general to specific. `chain` is a slug. `rank` 0..1
-- is how well known it is likely to be. `street` and `number` are of its address as far as tagged or known.
CREATE TABLE places (
    id INTEGER PRIMARY KEY, place_id TEXT NOT NULL UNIQUE, osm TEXT NOT NULL, name TEXT NOT NULL, names TEXT,
    chain TEXT, chain_name TEXT, categories TEXT NOT NULL DEFAULT '[]', rank REAL NOT NULL DEFAULT 0,
    longitude REAL NOT NULL, latitude REAL NOT NULL, context INTEGER NOT NULL REFERENCES contexts,
    street TEXT, number TEXT, iata TEXT, outline BLOB
);
CREATE TABLE place_categories (
    category TEXT NOT NULL, place INTEGER NOT NULL REFERENCES places, PRIMARY KEY (category, place)
) WITHOUT ROWID;

-- What words lead to: one document for each street, division and place. `rank` 0..1. They are numbered by it, the
-- best first, so that a search that stops early has found the best.
CREATE TABLE documents (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, ref INTEGER NOT NULL, rank REAL NOT NULL);
"""
"""`kind` of a document is ``street``, ``division`` or ``place``."""

WORDS: Final = """
CREATE VIRTUAL TABLE words USING fts5(
    name, context, content='', columnsize=0, detail=column, prefix='1 2 3',
    tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co Cn'"
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row);
CREATE VIRTUAL TABLE signs USING fts5(name, content='', columnsize=0, tokenize="trigram");
"""
"""Full-text tables, keyed by document number.

`words` holds folded words: the names in all languages, and those of the surroundings. Their places in the text are left
out, which saves a third, so each word must be one token: letters newer than SQLite's tables (Cn) count as letters.
`signs` holds the names written without spaces between words.
"""

POSITIONS: Final = """
CREATE VIRTUAL TABLE house_positions USING rtree(id, west, east, south, north);
CREATE VIRTUAL TABLE street_boxes USING rtree(id, west, east, south, north);
CREATE VIRTUAL TABLE place_boxes USING rtree(id, west, east, south, north);
CREATE VIRTUAL TABLE division_boxes USING rtree(id, west, east, south, north);
"""

INDICES: Final = """
CREATE INDEX houses_by_number ON houses (street, value);
CREATE UNIQUE INDEX documents_by_ref ON documents (kind, ref);
CREATE INDEX ranges_by_street ON ranges (street);
CREATE INDEX divisions_by_layer ON divisions (layer, code);
CREATE INDEX places_by_chain ON places (chain) WHERE chain IS NOT NULL;
CREATE INDEX places_by_iata ON places (iata) WHERE iata IS NOT NULL;
"""
