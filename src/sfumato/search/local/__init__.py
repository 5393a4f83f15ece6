"""Labels of its own for every class: local recoding, Mondrian, and the suppression of cells."""
