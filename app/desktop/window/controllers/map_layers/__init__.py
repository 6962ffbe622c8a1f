"""The controllers for layers of the map."""
