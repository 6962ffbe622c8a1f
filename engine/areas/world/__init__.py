"""The world pack: countries, states, cities, postal codes and airports, made at set-up."""
