"""HTTP for machines: one thin function for each act of the service, under `/api/v1`.

May import: web, service, the root.
Parse, call one function of the service, answer: an `if` about who may do what is in the wrong room.
"""
