"""The identifiers that the HIPAA Safe Harbor method removes."""

from __future__ import annotations

from enum import StrEnum


class Hipaa(StrEnum):
    """The items of 45 CFR 164.514(b)(2)(i), A to R; ages over 89 stand under C, with the dates."""

    NAMES = "names"
    PLACES = "geographic subdivisions smaller than a state"
    DATES = "dates"
    AGES = "ages over 89"
    TELEPHONE = "telephone numbers"
    FAX = "fax numbers"
    EMAIL = "e-mail addresses"
    NATIONAL = "social security numbers"
    RECORD = "medical record numbers"
    HEALTH_PLAN = "health plan beneficiary numbers"
    ACCOUNT = "account numbers"
    LICENCE = "certificate and licence numbers"
    VEHICLE = "vehicle identifiers"
    DEVICE = "device identifiers"
    URL = "URLs"
    IP = "IP addresses"
    BIOMETRIC = "biometric identifiers"
    PHOTOGRAPH = "full-face photographs"
    OTHER = "any other unique identifying number, characteristic or code"
