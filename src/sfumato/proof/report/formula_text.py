r"""Formulas as people can read them in a line of text: TeX in, plain letters out.

>>> written(r"t = \max_E \tfrac12 \sum_s |q_E(s) - p(s)|")
't = max_E 1/2 Σ_s |q_E(s) − p(s)|'
>>> written(r"\frac{1}{|X|} \sum_x \frac{[y(x) \in C(x)]}{|C(x)|}")
'1/|X| Σ_x [y(x) ∈ C(x)]/|C(x)|'
"""

from __future__ import annotations

import re

SIGNS = {
    "sum": "Σ", "prod": "Π", "cdot": "·", "times": "×", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠",
    "neq": "≠", "in": "∈", "notin": "∉", "ni": "∋", "emptyset": "∅", "infty": "∞", "mid": "|", "cap": "∩", "cup": "∪",
    "subseteq": "⊆", "subset": "⊂", "setminus": "∖", "ldots": "…", "dots": "…", "cdots": "…", "to": "→", "mapsto": "↦",
    "approx": "≈", "sim": "~", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "pm": "±", "int": "∫",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "varepsilon": "ε", "epsilon": "ε", "theta": "θ", "eta": "η",
    "lambda": "λ", "mu": "μ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "varphi": "φ", "chi": "χ",
    "omega": "ω", "psi": "ψ", "kappa": "κ", "Delta": "Δ", "Sigma": "Σ", "Omega": "Ω", "Gamma": "Γ", "Phi": "Φ",
    "quad": " ", "qquad": "  ", "left": "", "right": "", "bigl": "", "bigr": "", "Bigl": "", "Bigr": "", "Big": "",
    "big": "", "displaystyle": "", "nolimits": "", "limits": "", "land": "and", "lor": "or", "forall": "for all",
    "exists": "there is", "propto": "∝", "lVert": "‖", "rVert": "‖", "ell": "l", "prime": "′", "circ": "∘",
    "partial": "∂", "wedge": "∧", "vee": "∨", "oplus": "⊕", "langle": "⟨", "rangle": "⟩", "neg": "not ", "top": "⊤",
}  # fmt: skip
BARE = r"[^{}]*"
RULES = (
    (re.compile(r"\\(?:text|mathrm|operatorname|mathbf|mathit|mathcal|mathbb|textit)\*?\{(" + BARE + r")\}"), r"\1"),
    (re.compile(r"\\[td]?frac\s*\{(" + BARE + r")\}\s*\{(" + BARE + r")\}"), None),
    (re.compile(r"\\[td]?frac\s*(\w)\s*(\w)"), r"\1/\2"),
    (re.compile(r"\\[td]?binom\s*\{(" + BARE + r")\}\s*\{(" + BARE + r")\}"), r"(\1 over \2)"),
    (re.compile(r"\\sqrt\s*\{(" + BARE + r")\}"), r"√(\1)"),
    (re.compile(r"\\sqrt(?:\s+(?=\w)|(?=\d))(\w)"), r"√\1"),
    (re.compile(r"\\(?:bar|overline)\s*\{?(\w)\}?"), "\\1\u0304"),
    (re.compile(r"\\(?:hat|widehat)\s*\{?(\w)\}?"), "\\1\u0302"),
    (re.compile(r"\\tilde\s*\{?(\w)\}?"), "\\1\u0303"),
    (re.compile(r"([_^])\{(\w+|\*)\}"), r"\1\2"),
    (re.compile(r"([_^])\{(" + BARE + r")\}"), r"\1(\2)"),
)
SIMPLE = re.compile(r"[\w.·√^]+|\|[^|]*\||\[[^\[\]]*\]|\([^()]*\)|√\([^()]*\)")


def written(tex: str) -> str:
    """A formula in one line of letters and signs."""
    text = tex.replace(r"\{", "\ue000").replace(r"\}", "\ue001").replace(r"\|", "‖").replace(r"\_", "\ue002")
    text = text.replace(r"\#", "#").replace(r"\%", "%")
    text = re.sub(r"\\begin\{\w+\*?\}|\\end\{\w+\*?\}", "", text)
    text = re.sub(r"\\\\", "; ", text).replace("&", "")
    text = re.sub(r"\\[,;:!> ]|~", " ", text)
    before = ""
    while before != text:
        before = text
        for pattern, replacement in RULES:
            text = pattern.sub(_fraction if replacement is None else replacement, text)
    text = re.sub(r"\\([A-Za-z]+)", lambda name: SIGNS.get(name[1], name[1]), text)
    text = text.replace("{", "").replace("}", "").replace("\ue000", "{").replace("\ue001", "}").replace("\ue002", "_")
    return " ".join(text.replace(" - ", " − ").split())


def _fraction(parts: re.Match[str]) -> str:
    return "/".join(part if SIMPLE.fullmatch(part) else f"({part})" for part in (parts[1].strip(), parts[2].strip()))
