"""Sheets: what was found, as titled tables for people, whatever they are shown on."""
