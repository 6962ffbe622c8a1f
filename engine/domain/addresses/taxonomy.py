"""The taxonomy of places: the categories and their parents.

It is written as a tree, one category a line, with the general ones without indentation. docs/places.md shows the same
tree.
"""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from itertools import takewhile
from types import MappingProxyType
from typing import Final

from engine.domain.errors import InvalidParameter

_TREE: Final = """
arts-entertainment
  amusement-park
    water-park
  aquarium
  arcade
  art-gallery
  arts-center
  artwork
  attraction
  bandstand
  casino
  cinema
  escape-room
  event-venue
    conference-center
  historic-site
    archaeological-site
    castle
    memorial
    monument
    ruins
    wayside-shrine
  karaoke
  museum
  music-venue
  nightlife
    adult-entertainment
    night-club
  stadium
  studio
  theater
  viewpoint
  visitor-information
    information-board
    visitor-center
  zoo
automotive
  car-dealership
  car-parts-store
  car-repair
  car-wash
  motorcycle-dealership
  motorcycle-repair
  tire-shop
  vehicle-inspection
community-government
  animal-shelter
  club
  community-center
  courthouse
  embassy
  emergency-services
    ambulance-station
    fire-station
    police-station
  government-office
    city-hall
    parliament
    public-building
  library
  military-base
  post-office
  prison
  religious-center
    buddhist-temple
    church
    hindu-temple
    monastery
    mosque
    sikh-temple
    synagogue
  social-services
    child-care
    food-sharing
  voting-place
education
  college-university
    campus-building
  driving-school
  language-school
  music-school
  preschool
  research-institute
  school
  training-center
  tutoring
finance
  accountant
  atm
  bank
  currency-exchange
  financial-services
  insurance
  money-transfer
  payment-terminal
  pawn-shop
  stock-exchange
  tax-advisor
food-beverage
  bakery
  bar
    beer-garden
    brewery
    distillery
    hookah-lounge
    pub
    winery
  cafe
    bubble-tea-shop
    coffee-shop
    internet-cafe
    juice-bar
    tea-house
  dessert-shop
    donut-shop
    frozen-yogurt-shop
    ice-cream-shop
  food-court
  restaurant
    african-restaurant
    american-restaurant
      burger-restaurant
      diner
    asian-restaurant
      chinese-restaurant
      indian-restaurant
      japanese-restaurant
        ramen-restaurant
        sushi-restaurant
      korean-restaurant
      malaysian-restaurant
      taiwanese-restaurant
      thai-restaurant
      vietnamese-restaurant
    bagel-shop
    barbecue-restaurant
    breakfast-restaurant
    caribbean-restaurant
    chicken-restaurant
    deli-restaurant
    dumpling-restaurant
    eastern-european-restaurant
    fast-food-restaurant
    fine-dining-restaurant
    french-restaurant
    german-restaurant
    international-restaurant
    irish-restaurant
    italian-restaurant
    kebab-restaurant
    latin-american-restaurant
    mediterranean-restaurant
      greek-restaurant
    mexican-restaurant
    middle-eastern-restaurant
      lebanese-restaurant
      turkish-restaurant
    noodle-restaurant
    pizza-restaurant
    regional-restaurant
    salad-restaurant
    sandwich-shop
    seafood-restaurant
    snack-bar
    soup-restaurant
    spanish-restaurant
      tapas-restaurant
    steakhouse
    vegetarian-restaurant
health-medicine
  alternative-medicine
  blood-donation
  clinic
  counseling
  dentist
  doctor
  hospital
  laboratory
  optometrist
  pharmacy
  physical-therapy
  rehabilitation
  veterinarian
hotel-lodging
  alpine-hut
  bed-and-breakfast
  campground
  hostel
  hotel
  motel
  resort
  vacation-rental
local-services
  caterer
  craft-workshop
    carpenter
    electrician
    metal-workshop
    plumber
    sawmill
  electronics-repair
  funeral-home
  key-cutter
  laundry
    dry-cleaner
  locksmith
  moving-company
  parcel-locker
  pet-services
  photographer
  printing-service
  public-bookcase
  public-toilet
  recycling-center
  rental-service
  shipping-service
  shoe-repair
  storage
  tailor
  utility
  waste-facility
outdoor-places
  beach
  bird-hide
  boat-ramp
  cave
  cemetery
  dog-park
  farm
  fountain
  garden
  harbor
    marina
    pier
  island
  lake
  mountain-pass
  mountain-peak
  nature-reserve
  park
  picnic-area
  plaza
  river
  shelter
  spring
  valley
  waterfall
  wetland
  woods
professional-services
  advertising-agency
  architect
  business-center
    coworking-space
  company-office
  consultant
  employment-agency
  engineering-office
  graphic-design
  lawyer
  nonprofit-office
  notary
  property-management
  publisher
  real-estate
  security-service
  technology-company
  telecommunication-company
residence
  apartment-building
  dormitory
  retirement-home
shopping-retail
  antique-shop
  art-supply-store
  auction-house
  baby-store
  bag-store
  bed-store
  beverage-store
  bicycle-shop
  book-store
  cannabis-store
  carpet-store
  charity-shop
  clothing-store
    fashion-accessories-store
  computer-store
  cosmetics-store
  craft-store
  department-store
  discount-store
  drugstore
  duty-free-store
  electronics-store
    appliance-store
    camera-store
    music-equipment-store
  fabric-store
  farm-supply-store
  florist
  food-grocery
    butcher
    cheese-shop
    chocolate-shop
    coffee-store
    convenience-store
    delicatessen
    farm-shop
    fish-market
    greengrocer
    health-food-store
    kiosk
    supermarket
    sweet-shop
    tea-store
    warehouse-store
  frame-shop
  furniture-store
  game-store
  garden-center
  gift-shop
  glasses-store
  hardware-store
    home-improvement-store
    paint-store
    trade-supplier
  hearing-aid-store
  herbalist
  hobby-store
  home-goods-store
    interior-decoration
    kitchen-store
    lighting-store
  jewelry-store
    watch-store
  leather-goods-store
  liquor-store
    wine-shop
  market
  medical-supply-store
  mobile-phone-store
  music-store
  musical-instrument-store
  newsstand
  nutrition-store
  office-supply-store
  outlet-store
  party-supply-store
  perfume-store
  pet-store
  religious-goods-store
  shoe-store
  shopping-mall
  smoke-shop
    vape-shop
  sporting-goods-store
    fishing-store
    outdoor-store
    ski-shop
  surplus-store
  thrift-store
  ticket-office
  toy-store
  travel-agency
  vending-machine
  video-game-store
  weapons-store
spa-beauty-personal-care
  beauty-salon
    nail-salon
    tanning-salon
  fortune-teller
  hair-salon
  massage
  piercing-studio
  sauna
  spa
  tattoo-studio
sports-recreation
  bowling-alley
  climbing-gym
  dance-studio
  disc-golf-course
  fitness-station
  golf-course
  gym
  horse-riding
  ice-rink
  martial-arts-studio
  miniature-golf
  pilates-studio
  playground
  running-track
  skate-park
  ski-area
  sports-center
  sports-field
    baseball-field
    basketball-court
    football-field
    soccer-field
    tennis-court
  sports-hall
  swimming-pool
  trampoline-park
  yoga-studio
travel-transportation
  airport
    airport-facility
    airport-gate
    airport-terminal
    heliport
  bike-rental
  boat-rental
  bus-station
  cable-car-station
  car-rental
  car-sharing
  charging-station
  ferry-terminal
  gas-station
  motorway-exit-services
  parking
  subway-entrance
  taxi-stand
  toll-booth
  train-station
    light-rail-station
    subway-station
  transit-stop
    bus-stop
    tram-stop
"""


def _read(tree: str) -> Iterator[tuple[str, ...]]:
    """Yield each category with its parents, from general to specific."""
    above: list[str] = []
    for line in tree.strip().splitlines():
        depth = len(list(takewhile(str.isspace, line))) // 2
        above = [*above[:depth], line.strip()]
        yield tuple(above)


PATHS: Final = MappingProxyType({path[-1]: path for path in _read(_TREE)})
"""Every category with its path from the general one to itself."""

GENERAL: Final = frozenset(path[0] for path in PATHS.values())
"""The top-level categories; each is a group, too."""

GROUPS: Final = MappingProxyType(
    {
        **{category: frozenset({category}) for category in GENERAL},
        "airports": frozenset({"airport"}),
        "coffee": frozenset({"cafe"}),
        "fuel": frozenset({"gas-station", "charging-station"}),
        "grocery": frozenset({"food-grocery"}),
        "hotels": frozenset({"hotel", "motel", "hostel"}),
        "nightlife": frozenset({"bar", "nightlife"}),
        "transit": frozenset(
            {"bus-station", "cable-car-station", "ferry-terminal", "subway-entrance", "train-station", "transit-stop"}
        ),
    }
)
"""The groups of the API, each with the categories whose places belong to it."""


def check_category(category: str, param: str) -> str:
    """Return a category if it is in the taxonomy. Raises `InvalidParameter` with the most similar one if not."""
    if category not in PATHS:
        raise unknown(category, PATHS, param)
    return category


def unknown(word: str, known: Iterable[str], param: str) -> InvalidParameter:
    """Return the error for an unknown word, with the most similar known one."""
    similar = get_close_matches(word[:100].casefold(), known, 1, cutoff=0.6)
    hint = f"; did you mean {similar[0]}?" if similar else "."
    return InvalidParameter(param, f"{param}: unknown value {word[:60]!r}{hint}")
