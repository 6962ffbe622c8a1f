"""Names of large cities in German, Spanish, French, Portuguese, Russian and Arabic: München, Cracovia, Gênes.

GeoNames lists them without languages, and CLDR lists only the cities of time zones. A name counts only if GeoNames has
it, too.
"""

from collections.abc import Mapping
from typing import Final

_LANGUAGES: Final = ("de", "es", "fr", "pt", "ru", "ar")
_CITIES: Final = """
DE Munich: München|Múnich||Munique|Мюнхен|ميونخ
DE Nuremberg: Nürnberg|Núremberg||Nuremberga|Нюрнберг|
DE Köln: |Colonia|Cologne|Colônia|Кёльн|كولونيا
DE Hamburg: |Hamburgo|Hambourg|Hamburgo|Гамбург|هامبورغ
DE Frankfurt am Main: |Fráncfort del Meno|Francfort-sur-le-Main||Франкфурт-на-Майне|فرانكفورت
DE Stuttgart: ||||Штутгарт|شتوتغارت
DE Düsseldorf: ||||Дюссельдорф|دوسلدورف
DE Hannover: ||Hanovre|Hanôver|Ганновер|هانوفر
DE Leipzig: ||||Лейпциг|لايبزيغ
DE Dresden: |Dresde|Dresde||Дрезден|درسدن
DE Bremen: ||Brême||Бремен|بريمن
DE Aachen: |Aquisgrán|Aix-la-Chapelle||Ахен|آخن
CH Zürich: |Zúrich|Zurich|Zurique|Цюрих|زيورخ
CH Geneva: Genf|Ginebra|Genève|Genebra|Женева|جنيف
CH Basel: |Basilea|Bâle|Basileia|Базель|بازل
CH Bern: |Berna|Berne|Berna|Берн|برن
CH Luzern: |Lucerna|Lucerne|Lucerna|Люцерн|
CH Lausanne: |Lausana||Lausana|Лозанна|لوزان
AT Graz: ||||Грац|غراتس
AT Salzburg: |Salzburgo|Salzbourg|Salzburgo|Зальцбург|سالزبورغ
IT Milan: Mailand|Milán||Milão|Милан|ميلانو
IT Turin: |Turín||Turim|Турин|تورينو
IT Naples: Neapel|Nápoles||Nápoles|Неаполь|نابولي
IT Florence: Florenz|Florencia||Florença|Флоренция|فلورنسا
IT Venice: Venedig|Venecia|Venise|Veneza|Венеция|البندقية
IT Genoa: Genua|Génova|Gênes|Gênova|Генуя|جنوة
IT Padua: ||Padoue|Pádua|Падуя|بادوفا
IT Bologna: |Bolonia|Bologne|Bolonha|Болонья|بولونيا
FR Lyon: ||||Лион|ليون
FR Marseille: |Marsella||Marselha|Марсель|مرسيليا
FR Strasbourg: Straßburg|Estrasburgo||Estrasburgo|Страсбург|ستراسبورغ
FR Nice: Nizza|Niza|||Ницца|نيس
FR Bordeaux: |Burdeos||Bordéus|Бордо|بوردو
FR Toulouse: ||||Тулуза|تولوز
ES Sevilla: ||Séville|Sevilha|Севилья|إشبيلية
ES Barcelona: ||Barcelone||Барселона|برشلونة
ES Valencia: ||Valence|Valência|Валенсия|بلنسية
ES Zaragoza: Saragossa||Saragosse|Saragoça|Сарагоса|سرقسطة
ES Córdoba: ||Cordoue|Córdova|Кордова|قرطبة
PT Porto: |Oporto|||Порту|بورتو
BE Antwerp: Antwerpen|Amberes|Anvers|Antuérpia|Антверпен|أنتويرب
BE Gent: |Gante|Gand|Gante|Гент|غنت
BE Brugge: Brügge|Brujas|Bruges|Bruges|Брюгге|بروج
BE Liège: Lüttich|Lieja|||Льеж|لييج
NL The Hague: Den Haag|La Haya|La Haye||Гаага|لاهاي
NL Rotterdam: |Róterdam||Roterdão|Роттердам|روتردام
SE Gothenburg: Göteborg|Gotemburgo|Göteborg|Gotemburgo|Гётеборг|غوتنبرغ
PL Kraków: Krakau|Cracovia|Cracovie|Cracóvia|Краков|كراكوف
PL Gdańsk: Danzig|Gdansk||Gdansk|Гданьск|غدانسك
PL Wrocław: Breslau|Breslavia||Breslávia|Вроцлав|فروتسواف
PL Poznań: Posen|Poznan|||Познань|بوزنان
CZ Brno: Brünn||||Брно|برنو
GR Thessaloníki: Thessaloniki|Tesalónica|Thessalonique|Tessalônica|Салоники|سالونيك
RU Saint Petersburg: Sankt Petersburg|San Petersburgo|Saint-Pétersbourg|São Petersburgo|Санкт-Петербург|سانت بطرسبرغ
RU Nizhniy Novgorod: Nischni Nowgorod|Nizhni Nóvgorod|Nijni Novgorod|Níjni Novgorod|Нижний Новгород|نيجني نوفغورود
RU Kazan: Kasan|Kazán||Cazã|Казань|قازان
UA Kharkiv: Charkiw|Járkov||Carcóvia|Харьков|خاركوف
UA Lviv: Lemberg|Leópolis|||Львов|لفيف
UA Odesa: Odessa||Odessa|Odessa|Одесса|أوديسا
GB Edinburgh: |Edimburgo|Édimbourg|Edimburgo|Эдинбург|إدنبرة
GB Manchester: |Mánchester|||Манчестер|مانشستر
GB Liverpool: ||||Ливерпуль|ليفربول
GB Birmingham: ||||Бирмингем|
US Philadelphia: |Filadelfia|Philadelphie|Filadélfia|Филадельфия|فيلادلفيا
US San Francisco: |||São Francisco|Сан-Франциско|سان فرانسيسكو
US New Orleans: |Nueva Orleans|La Nouvelle-Orléans|Nova Orleães|Новый Орлеан|نيو أورلينز
US Houston: ||||Хьюстон|هيوستن
US Boston: ||||Бостон|بوسطن
US Washington: ||||Вашингтон|
JP Osaka: ||||Осака|أوساكا
JP Kyoto: |Kioto||Quioto|Киото|كيوتو
IN Mumbai: |Bombay|Bombay||Мумбаи|مومباي
IN Bengaluru: |Bangalore|Bangalore|Bangalore|Бангалор|بنغالور
IN Chennai: ||Madras||Ченнаи|تشيناي
CN Guangzhou: |Cantón|Canton|Cantão|Гуанчжоу|
CN Beijing: Peking|Pekín|Pékin|Pequim|Пекин|بكين
EG Alexandria: |Alejandría|Alexandrie||Александрия|الإسكندرية
MA Marrakesh: Marrakesch|Marrakech|Marrakech|Marraquexe|Марракеш|مراكش
MA Fes: Fès|Fez|Fès|Fez|Фес|فاس
ZA Cape Town: Kapstadt|Ciudad del Cabo|Le Cap|Cidade do Cabo|Кейптаун|كيب تاون
SA Makkah: Mekka|La Meca|La Mecque|Meca|Мекка|مكة المكرمة
SA Madinah: Medina|Medina|Médine|Medina|Медина|المدينة المنورة
SA Jeddah: Dschidda||Djeddah|Jidá|Джидда|جدة
AE Dubai: |Dubái|Dubaï||Дубай|دبي
IL Tel Aviv: ||||Тель-Авив|تل أبيب
IL Haifa: ||Haïfa||Хайфа|حيفا
SY Aleppo: |Alepo|Alep|Alepo|Алеппо|حلب
"""
"""Country, name in GeoNames, and the names in these languages, left out if equal to the first."""


def exonyms() -> Mapping[tuple[str, str], Mapping[str, str]]:
    """Return the names of cities by language, keyed by country code and name."""
    found = {}
    for line in _CITIES.strip().splitlines():
        city, _, names = line.partition(": ")
        pairs = zip(_LANGUAGES, names.split("|"), strict=True)
        found[city[:2], city[3:]] = {language: name for language, name in pairs if name}
    return found
