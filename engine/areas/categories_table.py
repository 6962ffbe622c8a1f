"""Mapping of OpenStreetMap tags to categories of places.

For each key, there is one line per category: the category, then the values. ``*`` stands for all values that no line
names, and ``-`` for values that are not places: parts of something, street furniture, or sites that people do not
visit.
"""

from collections.abc import Iterator, Mapping
from typing import Final

_AMENITY: Final = """
restaurant: restaurant
fast-food-restaurant: fast_food
snack-bar: snack_bar
food-court: food_court
cafe: cafe
internet-cafe: internet_cafe
ice-cream-shop: ice_cream
bar: bar
pub: pub
beer-garden: biergarten
hookah-lounge: hookah_lounge
night-club: nightclub
adult-entertainment: stripclub swingerclub brothel love_hotel
karaoke: karaoke_box karaoke
bank: bank
atm: atm
currency-exchange: bureau_de_change
money-transfer: money_transfer
financial-services: payment_centre
payment-terminal: payment_terminal
stock-exchange: stock_exchange
pharmacy: pharmacy
hospital: hospital
clinic: clinic
doctor: doctors
dentist: dentist
veterinarian: veterinary
pet-services: animal_boarding animal_training
animal-shelter: animal_shelter
social-services: social_facility social_centre
retirement-home: nursing_home
child-care: childcare
food-sharing: food_sharing give_box
preschool: kindergarten
school: school prep_school
college-university: university college
research-institute: research_institute
language-school: language_school
music-school: music_school
driving-school: driving_school
training-center: training
tutoring: tutoring
martial-arts-studio: dojo
library: library
post-office: post_office post_depot mailroom
shipping-service: postal_relay_box relay_box
parcel-locker: parcel_locker
fire-station: fire_station
police-station: police
courthouse: courthouse
prison: prison
city-hall: townhall
parliament: parliament
public-building: public_building
government-office: customs
voting-place: polling_station
community-center: community_centre
club: scout_hut scout_camp
religious-center: place_of_worship
monastery: monastery
theater: theatre
cinema: cinema
arts-center: arts_centre
studio: studio
event-venue: events_venue events_centre exhibition_centre
conference-center: conference_centre
music-venue: music_venue
casino: casino gambling
market: marketplace
gas-station: fuel
charging-station: charging_station
car-wash: car_wash compressed_air
vehicle-inspection: vehicle_inspection
car-rental: car_rental
car-sharing: car_sharing
bike-rental: bicycle_rental
boat-rental: boat_rental
rental-service: motorcycle_rental kick-scooter_rental
bicycle-shop: bicycle_repair_station
parking: parking motorcycle_parking
taxi-stand: taxi
bus-station: bus_station
ferry-terminal: ferry_terminal
public-toilet: toilets shower
public-bookcase: public_bookcase
recycling-center: recycling
waste-facility: waste_transfer_station sanitary_dump_station waste_disposal
fountain: fountain
shelter: shelter
cemetery: grave_yard
funeral-home: funeral_hall crematorium mortuary
picnic-area: bbq
bird-hide: hunting_stand
spa: spa public_bath kneipp_water_cure
nail-salon: nail_salon
fortune-teller: fortune_teller
graphic-design: graphic_design
vending-machine: vending_machine
local-services: *
- bench waste_basket parking_space parking_entrance drinking_water post_box lounger watering_place clock loading_dock
- telephone letter_box weighbridge water_point grit_bin table dressing_room printer binoculars fixme disused
- bicycle_parking photo_booth trolley_bay yes no vacuum_cleaner smoking_area
"""

_SHOP: Final = """
clothing-store: clothes boutique bridal athletic fashion
convenience-store: convenience general country_store outpost
hair-salon: hairdresser
beauty-salon: beauty hairdresser_supply
supermarket: supermarket grocery food frozen_food
jewelry-store: jewelry gold precious_metal gold_buyer
watch-store: watches
gift-shop: gift tchotchke souvenir party_favours
liquor-store: alcohol
wine-shop: wine
bakery: bakery
dessert-shop: pastry
shoe-store: shoes
massage: massage
dry-cleaner: dry_cleaning
laundry: laundry
newsstand: newsagent
kiosk: kiosk
glasses-store: optician sunglasses
smoke-shop: tobacco smoke smoke_shop
vape-shop: e-cigarette
mobile-phone-store: mobile_phone telecommunication mobile_phone_accessories
delicatessen: deli pasta noodles spices
book-store: books
furniture-store: furniture
car-repair: car_repair truck_repair
car-dealership: car truck caravan
car-parts-store: car_parts
tire-shop: tyres
motorcycle-dealership: motorcycle
motorcycle-repair: motorcycle_repair
bicycle-shop: bicycle e-bike
cannabis-store: cannabis
drugstore: chemist
florist: florist
cosmetics-store: cosmetics
perfume-store: perfumery
hardware-store: hardware power_tools tool_hire electrical small_engine lawn_mower
home-improvement-store: doityourself doors tiles bathroom_furnishing glaziery
trade-supplier: trade
paint-store: paint
tattoo-studio: tattoo
piercing-studio: piercing
discount-store: variety_store
department-store: department_store
herbalist: herbalist
printing-service: copyshop printing print_shop
beverage-store: beverages water
sporting-goods-store: sports skateboard
ski-shop: ski
outdoor-store: outdoor
fishing-store: fishing
office-supply-store: stationery printer_ink
butcher: butcher
greengrocer: greengrocer
ticket-office: ticket
home-goods-store: houseware window_blind curtain household_linen candles pottery vacuum_cleaner
kitchen-store: kitchen
craft-store: craft
fabric-store: fabric sewing
pet-store: pet
pet-services: pet_grooming
fish-market: seafood
lighting-store: lighting
art-gallery: art
sweet-shop: confectionery nuts
chocolate-shop: chocolate
shoe-repair: shoe_repair
music-store: music
music-equipment-store: hifi
musical-instrument-store: musical_instrument
electronics-store: electronics radiotechnics
appliance-store: appliance
computer-store: computer internet_service
nutrition-store: nutrition_supplements
health-food-store: health_food
farm-shop: farm dairy
farm-supply-store: agrarian tractor
toy-store: toys
fashion-accessories-store: fashion_accessories
bag-store: bag
antique-shop: antiques collector
garden-center: garden_centre groundskeeping
storage: storage_rental
travel-agency: travel_agency
coffee-store: coffee
tea-store: tea
cheese-shop: cheese
game-store: games
video-game-store: video_games
bed-store: bed
funeral-home: funeral_directors tombstone monument_maker
tailor: tailor
warehouse-store: wholesale
interior-decoration: interior_decoration
shopping-mall: mall
rental-service: rental plant_hire
carpet-store: carpet flooring
locksmith: locksmith
leather-goods-store: leather
camera-store: photo camera
religious-goods-store: religion new_age
pawn-shop: pawnbroker
money-transfer: money_lender
surplus-store: military_surplus surplus
charity-shop: charity
thrift-store: second_hand
frame-shop: frame
medical-supply-store: medical_supply
hearing-aid-store: hearing_aids
party-supply-store: party pyrotechnics
ice-cream-shop: ice_cream
shipping-service: shipping postal
fortune-teller: psychic
weapons-store: weapons
baby-store: baby_goods
adult-entertainment: erotic
electronics-repair: repair
security-service: security
art-supply-store: art_supplies
hobby-store: model anime
casino: bookmaker lottery
duty-free-store: duty_free
outlet-store: outlet
auction-house: auction_house
market: market
shopping-retail: *
- vacant no fixme disused
"""

_LEISURE: Final = """
garden: garden
sports-field: pitch
swimming-pool: swimming_pool swimming_area
playground: playground schoolyard
park: park recreation_ground common
gym: fitness_centre
fitness-station: fitness_station
sports-center: sports_centre social_club
running-track: track
nature-reserve: nature_reserve
picnic-area: firepit picnic_table
dog-park: dog_park
stadium: stadium
sports-hall: sports_hall
dance-studio: dance
golf-course: golf_course
outdoor-places: fishing
bird-hide: bird_hide
miniature-golf: miniature_golf
boat-ramp: slipway
marina: marina
studio: hackerspace
disc-golf-course: disc_golf_course
bowling-alley: bowling_alley
escape-room: escape_game
bandstand: bandstand
arcade: amusement_arcade adult_gaming_centre
water-park: water_park
horse-riding: horse_riding
trampoline-park: trampoline_park
sauna: sauna
tanning-salon: tanning_salon
resort: resort
ice-rink: ice_rink
martial-arts-studio: dojo
beach: beach_resort
sports-recreation: *
- outdoor_seating bleachers seating yes no
"""

_TOURISM: Final = """
visitor-information: information
artwork: artwork
hotel: hotel
art-gallery: gallery
attraction: attraction yes
viewpoint: viewpoint
museum: museum
picnic-area: picnic_site
vacation-rental: chalet apartment
motel: motel
bed-and-breakfast: guest_house
hostel: hostel
campground: camp_site caravan_site camp_pitch
alpine-hut: alpine_hut wilderness_hut
zoo: zoo
amusement-park: theme_park
aquarium: aquarium
historic-site: historic
attraction: *
- no disused
"""

_OFFICE: Final = """
college-university: university
education: educational_institution
company-office: company corporate_office cooperative
government-office: government administrative district_court_offices
real-estate: estate_agent
lawyer: lawyer
insurance: insurance
nonprofit-office: association ngo foundation charity political_party union
financial-services: financial financial_advisor
architect: architect
coworking-space: coworking
accountant: accountant
tax-advisor: tax_advisor
technology-company: it
embassy: diplomatic
employment-agency: employment_agency
religious-center: religion church
consultant: consulting
graphic-design: graphic_design
property-management: property_management
telecommunication-company: telecommunication
travel-agency: travel_agent
advertising-agency: advertising_agency marketing
engineering-office: engineer engineering surveyor
tutoring: tutor tutoring
research-institute: research
notary: notary
publisher: newspaper publisher
security-service: security
doctor: physician
counseling: counseling therapist
utility: water_utility energy_supplier
moving-company: moving_company
professional-services: *
- no vacant disused
"""

_HEALTHCARE: Final = """
pharmacy: pharmacy
dentist: dentist
clinic: clinic centre
doctor: doctor
alternative-medicine: alternative
hospital: hospital
laboratory: laboratory sample_collection
optometrist: optometrist
hearing-aid-store: audiologist
physical-therapy: physiotherapist
counseling: counselling psychotherapist
blood-donation: blood_donation blood_bank
rehabilitation: rehabilitation
health-medicine: *
- no
"""

_AEROWAY: Final = """
airport: aerodrome
airport-terminal: terminal
airport-gate: gate
heliport: heliport helipad
airport-facility: hangar
- taxiway apron runway holding_position parking_position windsock navigationaid stopway
"""

_RAILWAY: Final = """
train-station: station halt
tram-stop: tram_stop
subway-entrance: subway_entrance train_station_entrance
- subway switch stop platform rail abandoned ventilation_shaft facility signal railway_crossing disused level_crossing
- crossing buffer_stop razed border derail radio signal_box dismantled service_station
"""

_PUBLIC_TRANSPORT: Final = """
transit-stop: platform
train-station: station
- stop_position stop_area stop_area_group network
"""

_CRAFT: Final = """
caterer: caterer
tailor: tailor dressmaker
brewery: brewery
winery: winery
distillery: distillery
photographer: photographer
printing-service: printer signmaker
farm: beekeeper
electronics-repair: electronics_repair
metal-workshop: metal_construction blacksmith
plumber: plumber hvac
electrician: electrician
sawmill: sawmill
carpenter: carpenter joiner
key-cutter: key_cutter
glasses-store: optician
craft-workshop: *
- no
"""

_HISTORIC: Final = """
memorial: memorial
monument: monument
castle: castle fort manor
ruins: ruins
archaeological-site: archaeological_site
wayside-shrine: wayside_cross wayside_shrine
historic-site: *
- boundary_stone district no maritime
"""

_BUILDING: Final = """
apartment-building: apartments residential
dormitory: dormitory
campus-building: university college
school: school
preschool: kindergarten
religious-center: religious
church: church chapel cathedral
synagogue: synagogue
mosque: mosque
buddhist-temple: temple
hotel: hotel
company-office: office commercial industrial
shopping-retail: retail
stadium: stadium grandstand
sports-center: sports_centre
public-building: public civic
government-office: government
hospital: hospital
fire-station: fire_station
train-station: train_station
"""

_CLUB: Final = "club: *\n- no"

_HIGHWAY: Final = """
bus-stop: bus_stop
motorway-exit-services: services rest_area
"""

_NATURAL: Final = """
beach: beach
spring: spring hot_spring
mountain-peak: peak volcano
mountain-pass: saddle
valley: valley
cave: cave_entrance
lake: water
wetland: wetland
woods: wood
"""

_LANDUSE: Final = """
cemetery: cemetery
military-base: military
lake: reservoir
company-office: industrial commercial
shopping-retail: retail
religious-center: religious
woods: forest
ski-area: winter_sports
"""

_SMALL: Final = """
aerialway cable-car-station: station
waterway waterfall: waterfall
waterway river: river stream canal
place plaza: square
place farm: farm
place island: island islet
boundary nature-reserve: protected_area national_park
emergency ambulance-station: ambulance_station
military military-base: base barracks office
man_made pier: pier
man_made waste-facility: wastewater_plant
man_made utility: water_works works
barrier toll-booth: toll_booth
golf golf-course: driving_range
"""


def read(table: str) -> Iterator[tuple[str, str | None]]:
    """Yield each value of a table with its category, or None if it is not a place."""
    for line in table.strip().splitlines():
        if line.startswith("-"):
            yield from ((value, None) for value in line[1:].split())
        else:
            category, _, values = line.partition(":")
            yield from ((value, category) for value in values.split())


def _small() -> Mapping[str, Mapping[str, str | None]]:
    tables: dict[str, dict[str, str | None]] = {}
    for line in _SMALL.strip().splitlines():
        key, _, rest = line.partition(" ")
        tables.setdefault(key, {}).update(read(rest))
    return tables


CUISINES: Final = """
african-restaurant: african ethiopian moroccan
american-restaurant: american southern cajun hawaiian
asian-restaurant: asian oriental tibetan nepalese indonesian filipino mongolian poke
bagel-shop: bagel
bakery: bakery pretzel
barbecue-restaurant: barbecue bbq
breakfast-restaurant: breakfast brunch
bubble-tea-shop: bubble_tea
burger-restaurant: burger
caribbean-restaurant: caribbean dominican cuban jamaican
chicken-restaurant: chicken wings fried_chicken
chinese-restaurant: chinese dim_sum
coffee-shop: coffee_shop coffee
deli-restaurant: deli charcuterie
dessert-shop: dessert cake pastry
diner: diner
donut-shop: donut
dumpling-restaurant: dumpling dumplings
eastern-european-restaurant: russian ukrainian georgian polish
fine-dining-restaurant: fine_dining
french-restaurant: french crepe
frozen-yogurt-shop: frozen_yogurt
german-restaurant: german bavarian
greek-restaurant: greek
health-food-store: health_food
ice-cream-shop: ice_cream gelato
indian-restaurant: indian
international-restaurant: international eclectic
irish-restaurant: irish
italian-restaurant: italian pasta
japanese-restaurant: japanese hibachi
juice-bar: juice smoothie
kebab-restaurant: kebab
korean-restaurant: korean
latin-american-restaurant: latin_american argentinian brazilian peruvian venezuelan colombian
lebanese-restaurant: lebanese
malaysian-restaurant: malaysian
mediterranean-restaurant: mediterranean
mexican-restaurant: mexican tex-mex tacos
middle-eastern-restaurant: middle_eastern falafel israeli persian
noodle-restaurant: noodle noodles
pizza-restaurant: pizza
pub: pub
ramen-restaurant: ramen
regional-restaurant: regional local swiss
salad-restaurant: salad
sandwich-shop: sandwich
seafood-restaurant: seafood fish fish_and_chips
snack-bar: snack
soup-restaurant: soup
spanish-restaurant: spanish
steakhouse: steak_house steak
sushi-restaurant: sushi
taiwanese-restaurant: taiwanese
tapas-restaurant: tapas
tea-house: tea
thai-restaurant: thai
turkish-restaurant: turkish
vegetarian-restaurant: vegetarian vegan
vietnamese-restaurant: vietnamese
"""

RELIGIONS: Final = """
church: christian
mosque: muslim
synagogue: jewish
buddhist-temple: buddhist
hindu-temple: hindu
sikh-temple: sikh
"""

SPORTS: Final = """
baseball-field: baseball softball
basketball-court: basketball
climbing-gym: climbing
football-field: american_football
martial-arts-studio: martial_arts karate judo taekwondo
pilates-studio: pilates
skate-park: skateboard
soccer-field: soccer
tennis-court: tennis
yoga-studio: yoga
"""

INFORMATION: Final = """
visitor-center: office visitor_centre
information-board: board map tactile_map
- guidepost trail_blaze route_marker
"""

STATIONS: Final = """
subway-station: subway
light-rail-station: light_rail monorail
"""

TAGS: Final[Mapping[str, Mapping[str, str | None]]] = {
    **{
        key: dict(read(table))
        for key, table in {
            "amenity": _AMENITY,
            "shop": _SHOP,
            "tourism": _TOURISM,
            "leisure": _LEISURE,
            "healthcare": _HEALTHCARE,
            "office": _OFFICE,
            "craft": _CRAFT,
            "aeroway": _AEROWAY,
            "railway": _RAILWAY,
            "highway": _HIGHWAY,
            "public_transport": _PUBLIC_TRANSPORT,
            "historic": _HISTORIC,
            "club": _CLUB,
        }.items()
    },
    **_small(),
    "natural": dict(read(_NATURAL)),
    "landuse": dict(read(_LANDUSE)),
    "building": dict(read(_BUILDING)),
}
"""Categories by key and value, with keys in order of precedence; ``*`` is the category of a key's other values."""
