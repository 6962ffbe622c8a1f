"""The world pack: countries, states, cities, postal codes and airports, built during set-up."""
