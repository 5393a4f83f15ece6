"""HTTP for people: pages over the same acts as `api`, in the language of whoever reads.

A page computes nothing: it asks the service, and shows. May import: web, service and what it may import, show, the
root.
"""
