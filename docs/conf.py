"""The documentation: Sphinx with MyST, from every page of the repository. `make site` builds it, without a network.

The source is the whole repository (`sphinx-build -c docs . FOLDER`), so that a link from one page to another is the
same for who reads the Markdown and for who reads the site.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "src"), str(HERE / "extensions")]

from sfumato import __version__  # noqa: E402  (of this repository, whatever is installed)

project = "Sfumato"
author = "the Sfumato developers"
project_copyright = "the Sfumato developers, Apache License 2.0"
version = release = __version__
language = "en_GB"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.intersphinx",
    "sphinx_copybutton",
    "formulas",
    "signatures",
    "program_reference",
    "code_links",
]

# Which files are pages: those of docs/, of the root, and the results of the benchmarks.
root_doc = "docs/index"
source_suffix = {".md": "markdown"}
include_patterns = ["*.md", "docs/**/*.md", "docs/*.md", "benchmarks/*.md"]
# Folders that need not be looked through for pages.
exclude_patterns = [
    ".*",
    "src",
    "tests",
    "tools",
    "site",
    "demo",
    "dist",
    "build",
    "benchmarks/data",
    "benchmarks/peers",
]

# Markdown as code hosts read it: anchors by the words of a heading, `math` blocks, dollars around a formula.
myst_enable_extensions = ["dollarmath", "fieldlist"]
myst_dmath_allow_labels = False
myst_dmath_allow_digits = False
myst_heading_anchors = 6
myst_fence_as_directive = ["math"]
highlight_language = "text"

# What is wrong stops the build (`--fail-on-warning` in tools/build_site.py): also a name that leads nowhere.
nitpicky = True

# Docstrings: sections as NumPy writes them; a word in single backticks is code.
default_role = "literal"
napoleon_google_docstring = False
napoleon_use_rtype = False
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
autodoc_class_signature = "mixed"
autosummary_generate = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 90
add_module_names = False
toc_object_entries_show_parents = "hide"

# Names of other libraries lead to their documentation. The lists are ours and say only where a name is explained:
# nothing is fetched, neither when the site is built nor when it is read.
LIBRARIES = {
    "python": "https://docs.python.org/3/",
    "numpy": "https://numpy.org/doc/stable/",
    "pandas": "https://pandas.pydata.org/docs/",
    "pyarrow": "https://arrow.apache.org/docs/",
    "polars": "https://docs.pola.rs/api/python/stable/",
    "scikit-learn": "https://scikit-learn.org/stable/",
}
intersphinx_mapping = {name: (home, f"docs/inventories/{name}.txt") for name, home in LIBRARIES.items()}
intersphinx_cache_limit = -1
intersphinx_disabled_reftypes = ["std:*"]

html_theme = "pydata_sphinx_theme"
html_title = f"Sfumato {__version__}"
html_static_path = ["_static"]
html_css_files = ["sfumato.css"]
html_js_files = ["versions.js"]
templates_path = ["_templates"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sourcelink = False
html_show_search_summary = False  # the script would fetch each page, which a browser forbids from disk
html_search_scorer = str(HERE / "extensions" / "search_scores.js")
html_theme_options = {
    "logo": {"text": "Sfumato"},
    "navbar_align": "left",
    "navbar_end": ["versions", "theme-switcher"],
    "header_links_before_dropdown": 7,
    "show_nav_level": 1,
    "navigation_depth": 3,
    "collapse_navigation": False,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": ["promise"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"docs/index": [], "**": ["sidebar-nav-bs"]}

copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"
