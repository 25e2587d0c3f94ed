"""How the documentation is built: ``sphinx-build -W docs OUT`` in a checkout (extra ``docs``)."""

import logging
import sys
from pathlib import Path

from docutils.nodes import SkipNode
from latex2mathml.converter import convert

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))      # the checkout's package, installed or not

from symknot import __version__
from symknot.fitting.fitted import Fitted
from symknot.results.base import Result

project = "symknot"
author = "the symknot developers"
copyright = author
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

# docstrings are numpydoc; a name in single backticks is a link where there is something to link to
default_role = "py:obj"
napoleon_google_docstring = False
napoleon_use_ivar = True
autosummary_generate = False                                       # tables only: nothing is written into the sources
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_maximum_signature_line_length = 88                          # longer ones: a line for each parameter
toc_object_entries_show_parents = "hide"                           # plot(), not Ideal.plot(), below Ideal

html_theme = "furo"
html_title = f"symknot {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_math_renderer = "mathml"                                      # needs no network, as MathJax would
exclude_patterns = ["examples"]
suppress_warnings = [
    "ref.python",           # a name in backticks that several results have: it is shown, and linked to one of them
]

# the index keeps places for pages that may not be there yet
logging.getLogger("sphinx.sphinx.directives.other").addFilter(lambda record: "glob pattern" not in str(record.msg))


def without_routing(app, what, name, thing, skip, options):
    """Leave out what scikit-learn adds to every estimator for its metadata."""
    return True if name.startswith("set_") and name.endswith("_request") else None


def without_constructor(app, what, name, thing, options, signature, returns):
    """Leave out the parameters of results and their numbers: nobody makes them by hand."""
    if what == "class" and issubclass(thing, (Result, Fitted)):
        return "", None
    return None


def mathml(display):
    """What writes a formula as MathML, which browsers draw by themselves."""
    def visit(translator, node):
        translator.body.append(convert(node.astext(), display=display))
        raise SkipNode
    return visit, None


def setup(app):
    app.add_html_math_renderer("mathml", inline_renderers=mathml("inline"), block_renderers=mathml("block"))
    app.connect("autodoc-skip-member", without_routing)
    app.connect("autodoc-process-signature", without_constructor)
