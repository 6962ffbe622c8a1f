"""Remote geocoders: Nominatim, Photon and Pelias by URL."""
