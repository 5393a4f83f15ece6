"""Standards that tables are written in, known by their sets of columns: a list of variables each."""

from __future__ import annotations

from sfumato.columns.standards.standard import Standard, StandardVariable, standard_of, standards

__all__ = ["Standard", "StandardVariable", "standard_of", "standards"]
