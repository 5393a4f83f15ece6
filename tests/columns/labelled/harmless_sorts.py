"""Sorts of columns that are neither direct identifiers nor on the HIPAA list: sensitive, and what harms nobody.

What is measured of a person is sensitive; who pays and which department gave care is known to others, so quasi.
"""

from __future__ import annotations

from . import clinical, contacts, moments, words
from .drawing import one_of
from .sorts import Sort

SENSITIVE = {
    "diagnosis": Sort("sensitive", None, "diagnoses", one_of(words.DIAGNOSIS)),
    "icd": Sort("sensitive", None, "codes of diagnoses", clinical.codes(clinical.ICD_10, dotless=True)),
    "snomed": Sort("sensitive", None, "concept codes of diagnoses, long numbers", clinical.codes(clinical.SNOMED)),
    "atc": Sort("sensitive", None, "codes of medicines", clinical.codes(clinical.ATC)),
    "ndc": Sort(
        "sensitive", None, "codes of medicine packs, shaped like telephone numbers", clinical.codes(clinical.NDC)
    ),
    "drug": Sort("sensitive", None, "medicines", one_of(words.DRUG)),
    "procedure": Sort("sensitive", None, "operations and examinations", one_of(words.PROCEDURE)),
    "result": Sort("sensitive", None, "a result that names a condition", one_of(words.RESULT)),
    "gene": Sort("sensitive", None, "genes examined", clinical.codes(clinical.GENES)),
    "variant": Sort("sensitive", None, "genetic results", clinical.codes(clinical.VARIANTS)),
    "organism": Sort("sensitive", None, "germs that were found, two words each", clinical.codes(clinical.ORGANISMS)),
    "stage": Sort("sensitive", None, "stages of a disease", one_of(words.STAGE)),
    "income": Sort("sensitive", None, "incomes", clinical.measured(2800, 900, 0)),
    "religion": Sort("sensitive", None, "religions", one_of(words.RELIGION)),
    "condition": Sort("sensitive", None, "whether a person has a condition", one_of(words.YES_NO)),
    "substance": Sort("sensitive", None, "use of substances", one_of(words.SUBSTANCE)),
    "laboratory": Sort("sensitive", None, "an ordinary laboratory value", clinical.measured(5.2, 1.4, 2)),
    "cells": Sort("sensitive", None, "numbers of cells, five or six digits", clinical.measured(52_000, 9_000, 0)),
    "pressure": Sort("sensitive", None, "a vital sign", clinical.measured(125, 18, 0)),
    "body": Sort("sensitive", None, "an ordinary measurement", clinical.measured(74, 13, 1)),
    "grams": Sort("sensitive", None, "weights in grams, four digits", clinical.measured(3300, 420, 0)),
    "weeks": Sort("sensitive", None, "durations in weeks", clinical.measured(38, 2.5, 0)),
    "score": Sort("sensitive", None, "a score", moments.whole(0, 27)),
    "grade": Sort("sensitive", None, "a category of few values", one_of(words.GRADE)),
    "delivery": Sort("sensitive", None, "ways of delivery", one_of(words.DELIVERY)),
    "test": Sort("sensitive", None, "names of laboratory tests", clinical.codes(clinical.TESTS)),
    "loinc": Sort("sensitive", None, "codes of laboratory tests", clinical.codes(clinical.LOINC)),
}
HARMLESS = {
    "millimetres": Sort("non-sensitive", None, "lengths in an image", clinical.measured(1.2, 0.3, 2)),
    "atlas": Sort("non-sensitive", None, "coordinates in a brain atlas, not on earth", clinical.image_coordinates),
    "item": Sort("non-sensitive", None, "answers to one question", clinical.items),
    "flag": Sort("non-sensitive", None, "a statement that holds or not", clinical.flags),
    "yes_no": Sort("non-sensitive", None, "yes or no", one_of(words.YES_NO)),
    "count": Sort("non-sensitive", None, "how often something happened", clinical.counts),
    "visit": Sort("non-sensitive", None, "numbers of visits", clinical.visit_numbers),
    "sequence": Sort("non-sensitive", None, "the number of a record within its subject", clinical.sequences),
    "version": Sort("non-sensitive", None, "versions of forms, lists or software", clinical.versions),
    "build": Sort("non-sensitive", None, "versions in four parts, shaped like network addresses", clinical.builds),
    "release": Sort("non-sensitive", None, "when software or a document was issued; no person", moments.releases),
    "batch": Sort("non-sensitive", None, "batch numbers of material", clinical.batches),
    "order": Sort(
        "non-sensitive", None, "order numbers of supplies, shaped like telephone numbers", contacts.order_numbers
    ),
    "unit": Sort("non-sensitive", None, "units of measurement", one_of(words.UNIT)),
    "quality": Sort("non-sensitive", None, "how good an image is", one_of(words.QUALITY)),
    "insurance": Sort("quasi", None, "sorts of insurance, not numbers", one_of(words.INSURANCE)),
    "scale": Sort(
        "non-sensitive", None, "names of scales, called after people and towns", clinical.codes(clinical.EPONYMS)
    ),
    "phone_model": Sort("non-sensitive", None, "models of telephones", clinical.codes(clinical.PHONES)),
    "scanner": Sort("non-sensitive", None, "models of machines, not serial numbers", clinical.codes(clinical.SCANNERS)),
    "archive": Sort("non-sensitive", None, "names of export files", clinical.codes(clinical.ARCHIVES)),
    "system": Sort(
        "non-sensitive", None, "addresses of vocabularies, not of persons", clinical.codes(clinical.SYSTEMS)
    ),
    "protocol": Sort("non-sensitive", None, "names of protocols", clinical.codes(clinical.PROTOCOLS)),
    "department": Sort("quasi", None, "names of departments", clinical.codes(clinical.DEPARTMENTS)),
    "top_coded": Sort(
        "quasi", None, "ages with one category for 90 and over, as Safe Harbor allows", moments.top_coded_ages
    ),
}
