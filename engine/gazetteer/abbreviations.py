"""Abbreviations in the names of streets, by language: the only table of them.

`engine.gazetteer.postal_service` adds those of the United States. Street types of Dutch, Portuguese, Italian and
Russian are among those in the dictionaries of libpostal; the others are in common use. To check or extend them, see
Canada Post's Addressing Guidelines (English, French), La Poste and AFNOR XP Z10-011 (French), the address guide of
Correios (Portuguese) and the pages "Name finder:Abbreviations" of the OpenStreetMap wiki.
"""

from collections.abc import Iterator, Mapping
from typing import Final

# Each line has a full form and its abbreviations. One with an asterisk is also a word, or a usual abbreviation of
# something else: it stays unchanged in names. One with a plus sign stays unchanged, too, but is hardly a word.
TYPES: Final[Mapping[str, str]] = {
    "en": """
        street: st
        drive: dr
        place: pl
        avenue: av
        boulevard: bd bvd bld
        route: rt rte
        saint: st
        close: cl*
        circuit: cct* circt
        crescent: cr+ crs*
        creek: cr+
        diversion: divers*
        esplanade: esp* espl
        grove: gr*
        harbour: harbr
        landing: landng
        parade: pde
        pathway: ptway
        promenade: prom*
        terrace: tce tsse*
        trail: trl
        turnabout: trnabt
        townline: tline
    """,
    "de": """
        strasse: str strase
        allee: all+
        doktor: dr
        platz: pl
        weg: wg*
    """,
    "fr": """
        rue: r+
        allée: all+
        avenue: av ave aven
        boulevard: bd bvd bld boul blvd
        chaussée: chs* chee*
        chemin: ch+ che* chem
        clos: cls*
        côte:
        cours: crs*
        descente: desc* dsc*
        escalier: esc*
        escaliers: esc*
        esplanade: esp*
        faubourg: fbg fg
        impasse: imp
        montée: mte mtee
        parvis: prv*
        passage: pas+ pass*
        place: pl
        placette: plte*
        promenade: prom*
        quai: qu+ q*
        rang: rg*
        rocade: roc*
        route: rte
        ruelle: rle* rlle*
        sainte: ste
        sente: sen*
        sentier: sent* sen*
        square: sq
        terrasse: tsse*
        traverse: trav
    """,
    "es": """
        calle: c+ cl* cll
        avenida: av avda avd
        bulevar: blvr blv*
        calleja: clja*
        callejón: cjon* cllon*
        calzada: calz* czda*
        camino: cno cmno cm*
        carretera: cra crta ctra carr*
        carrera: cra kr* cr+ crra*
        cuesta: cta* csta*
        diagonal: dg* diag*
        doctor: dr
        general: gral
        glorieta: gta* glta*
        pasaje: pje* psje* pas*
        paseo: pso ps* po*
        plaza: pl pza plz pz*
        plazuela: plzla* pzla*
        prolongación: prol*
        ronda: rda rd
        sendero: send*
        santa: sta
        santo: sto
        transversal: tv+ trans* transv*
        travesía: trva* trv* tvsia*
        urbanización: urb+
    """,
    "ca": """
        carrer: c+ cr+
        avinguda: av avda avd avgda avg+
        baixada: bda* bxda*
        camí: cam+ cmi
        passatge: ptge
        passeig: pas+ pg psg*
        plaça: pc+ pca pl
        placeta: plta ptta
        platja: ptja
        rambla: rbla
        travessera: trav
        travessia: trv* trva*
        urbanització: urb+
    """,
    "pt": """
        rua: r+
        alameda: al* alam
        avenida: av ava*
        azinhaga: az* azg*
        beco: bc* bco*
        calçada: cc* calc* cda*
        caminho: cam* cmno
        escadas: esc* escd*
        estrada: estr est*
        ladeira: ld*
        largo: lg+ lgo
        praça: pc+ pca
        praceta: pct* pcta
        professor: prof+
        rodovia: rod*
        rotunda: rot*
        travessa: tv+ trav trv* tr*
        urbanização: urb+
        viaduto: vd* vdto* vdt*
        viela: vla* ve*
    """,
    "it": """
        via: v*
        viale: vle vl*
        borgo: bgo
        circonvallazione: circ cvne*
        contrada: cda*
        corso: cso
        galleria: gall* glla*
        largo: lgo
        piazza: pza pzza
        piazzale: ple* pzle
        piazzetta: pzta*
        salita:
        strada: str
        traversa: trav
        vicolo: vlo
    """,
    "nl": """
        straat: str
        dijk: dk*
        gracht: gr*
        kade: kd*
        laan: ln
        plein: pln pl
        singel: sgl sngl
        steenweg: stwg
        weg: wg*
    """,
    "ru": """
        улица: ул
        аллея: ал
        бульвар: бул бр*
        набережная: наб
        переулок: пер
        площадь: пл
        проезд: прд прзд
        проспект: пр просп прт пркт
        тупик: туп
        шоссе: ш
    """,
    "ar": """
        شارع: ش
        طريق: ط
        ميدان: م*
    """,
    "pl": """
        aleja: al*
        aleje: al*
        plac: pl
        ulica: ul
    """,
}
"""Types of streets, and titles that as many names have. They distinguish names less than other words do."""

OTHERS: Final[Mapping[str, str]] = {
    "en": """
        broadway: bway
        station: sta
        street: str
        suite: ste
        church: ch*
        great: gt*
        upper: upr* uppr*
        lower: lwr
        colonel: col*
        captain: capt
        governor: gov*
        president: pres*
        reverend: rev*
        sergeant: sgt
    """,
    "de": """
        bürgermeister: bgm bgmstr
        oberbürgermeister: obgm
        freiherr: frhr
        große: gr*
        kleine: kl*
        sankt: st skt
        bahnhof: bhf bf*
        hauptbahnhof: hbf
    """,
    "fr": """
        abbé: abe*
        capitaine: cap* cne* capt
        colonel: col*
        commandant: cdt cmdt
        docteur: dr
        domaine: dom*
        général: gal* gen*
        hameau: ham*
        lieutenant: lt* ltn
        lotissement: lot*
        maréchal: mal*
        monseigneur: mgr
        président: pdt pres*
        prince: pce*
        princesse: psse pcsse
        professeur: prof* pr*
        quartier: qua* qrt*
        résidence: res*
        sergent: sgt
        village: vlge
    """,
    "es": """
        almirante: alm* almte
        arquitecto: arq*
        barrio: bo* brr*
        barriada: bda*
        capitán: cap* capt
        colonia: col*
        comandante: cdte cmte
        coronel: cnel cel* crnel
        doctora: dra
        edificio: edif edf
        fraccionamiento: fracc
        general: gral gal* gen*
        gobernador: gob* gdor
        hermanos: hnos
        ingeniero: ing*
        jardín: jdin* jard*
        licenciado: lic*
        maestro: mtro
        mariscal: mcal*
        nuestra: ntra
        parque: pque pq*
        polígono: pol*
        presidente: pdte pres*
        presbítero: pbro
        profesor: prof*
        puente: pte*
        sargento: sgto
        señor: sr
        señora: sra
        teniente: tte tnte
    """,
    "ca": """
        doctor: dr
        general: gral
        polígon: pol*
        sant: st
    """,
    "pt": """
        almirante: alm*
        arquiteto: arq*
        arquitecto: arq*
        bairro: br bro
        brigadeiro: brig*
        campo: cp
        capitão: cap*
        comandante: cdte cte*
        comendador: com* comend
        condomínio: cond*
        conjunto: cj* conj
        conselheiro: cons*
        coronel: cel* cor* cnel
        deputado: dep*
        desembargador: des*
        doutor: dr
        doutora: dra
        embaixador: emb*
        engenheiro: eng* engo
        frei: fr*
        general: gal* gen*
        governador: gov*
        jardim: jd* jard*
        loteamento: lot*
        major: maj*
        marechal: mal*
        marquês: mq*
        monsenhor: mons* mns*
        nossa: ns* nsa
        padre: pe*
        parque: pq* pque
        prefeito: pref*
        presidente: pres*
        professora: profa
        quinta: qta
        residencial: res*
        sargento: sgt sarg*
        senador: sen*
        senhor: sr
        senhora: sra
        tenente: ten*
        vereador: ver*
        vila: vl*
        visconde: visc
    """,
    "it": """
        avvocato: avv
        colonnello: col*
        dottor: dott
        fratelli: flli
        generale: gen* gle*
        ingegnere: ing*
        località: loc*
        frazione: fraz
        monsignor: mons*
        professor: prof*
    """,
    "nl": """
        burgemeester: burg* burgem
        dokter: dr
        doctor: dr
        dominee: ds*
        generaal: gen*
        grote: gr* grt*
        ingenieur: ir*
        jonkheer: jhr
        koningin: kon*
        korte: kte*
        lange: lge*
        meester: mr*
        nieuwe: nwe*
        pastoor: past* pst*
        prins: pr*
        prinses: prs* pses*
        professor: prof*
        sint: st
        wethouder: weth
    """,
    "ru": """
        академика: акад
        генерала: ген
        имени: им
        маршала: марш
        микрорайон: мкр мкрн
        профессора: проф
        святого: св
    """,
    "pl": """
        doktora: dr
        generała: gen*
        księdza: ks*
        marszałka: marsz
        osiedle: os*
        profesora: prof*
    """,
}
"""Titles and other words that names begin with or contain."""

NO_WORD: Final = "+"
MARKS: Final = f"*{NO_WORD}"

COMPOUNDS: Final = (
    ("strase", ("strasse",), 8),
    ("str", ("strasse", "straat"), 5),
    ("pl", ("platz", "plein"), 5),
    ("pln", ("plein",), 6),
    ("stwg", ("*", "steenweg"), 7),
    ("ln", ("*", "laan"), 6),
    ("wg", ("*", "weg"), 6),
    ("kd", ("*", "kade"), 6),
    ("dk", ("*", "dijk"), 6),
    ("sngl", ("*", "singel"), 7),
    ("sgl", ("*", "singel"), 6),
    ("gr", ("*", "gracht"), 6),
)
"""Endings of German and Dutch compounds, their full forms, and the minimum length of the compound.

An asterisk stands for the ending itself: Lincoln has no laan.
"""

ENDINGS: Final = ("strasse", "gasse", "weg", "platz", "allee", "straat", "laan", "plein", "gracht")
"""Endings of German and Dutch street names that are written as one word or as two."""

BEFORE_NAME: Final = frozenset(
    {
        *("rue", "quai", "chemin", "impasse", "montee"),
        *("calle", "avenida", "paseo", "camino", "carrer", "avinguda", "passeig"),
        *("rua", "praca", "travessa", "viale", "corso"),
    }
)
"""Folded types of streets that stand before the name and mean nothing else."""

INSIDE: Final = (
    r"\b(?P<begin>v|vl|p|pl|c|l|b|f|s|g)\.(?P<end>le|za|zza|zzale|so|go|da|lli|ta|to|lo|ra|rale)\b"
    r"|\b(?P<before>av|dr|prof|eng|sr|pc|pç|c|p|b)\.?(?P<sign>[ªº])"
    r"|\b(?P<first>пр|б|р|пл|наб|мк)-(?P<last>т|кт|д|зд|р|дь|н|рн)\b"
)
"""Abbreviations with a sign within: V.le, Av.ª, пр-т."""


def lines_of(table: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each abbreviation of a table with its full form, as written there."""
    for text in table.values():
        for line in filter(None, map(str.strip, text.splitlines())):
            full, _, short = line.partition(":")
            for each in short.split() or (full,):
                yield each, full
