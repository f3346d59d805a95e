"""%matplotlib and %pylab: what they take, what they print, and that they leave no result."""
import pytest


@pytest.mark.parametrize("line", ["%matplotlib inline", "%matplotlib agg", "%matplotlib pdf",
                                  "%matplotlib Inline", "%matplotlib inline"])
def test_there_is_no_result(cells, line):
    assert cells.ok(line).types == ["status", "execute_input", "status"]


def test_a_backend_of_ones_own_choice_is_named(cells):
    for line in ("%matplotlib", "%matplotlib auto"):
        assert cells.text(line) == "Using matplotlib backend: module://matplotlib_inline.backend_inline\n"


def test_the_list_has_matplotlibs_own_backends(cells):
    for option in ("-l", "--list"):
        listed = cells.text(f"%matplotlib {option}")
        assert listed.startswith("Available matplotlib backends: ['agg', 'auto', 'cairo'")
        assert all(f"'{name}'" in listed for name in ("inline", "widget", "qtagg", "tkagg", "osx"))


def test_what_is_no_backend(cells):
    assert cells.usage_error("%matplotlib nonsense").startswith("UsageError: Unknown backend 'nonsense': one of agg")
    assert cells.usage_error("%matplotlib -x") == "UsageError: unrecognized arguments: -x\n"
    assert cells.usage_error("%matplotlib agg pdf") == "UsageError: unrecognized arguments: pdf\n"


def test_pylab(cells):
    outcome = cells.ok("%reset -f\n%pylab --no-import-all inline")
    assert outcome.text() == ("%pylab is deprecated, use %matplotlib inline and import the required libraries.\n"
                              "Populating the interactive namespace from numpy and matplotlib\n")
    assert cells.result("'linspace' in dir(), np.linspace is numpy.linspace, plt is pyplot") == "(False, True, True)"
    outcome = cells.ok("e = 5\n%pylab inline")
    assert "pylab import has clobbered these variables: ['e']" in outcome.text("stderr")
    assert cells.result("'linspace' in dir(), e > 2.7") == "(True, True)"


def test_the_format_is_one_setting_by_two_names(cells):
    code = "%config InlineBackend.figure_format = {}\nget_ipython().settings_of('InlineBackend').figure_formats"
    assert cells.result(code.format("'retina'")) == "{'retina'}"
    assert cells.result("%config InlineBackend.figure_format") == "'retina'"
    assert cells.result("%config InlineBackend.figure_formats = ['png']\n"
                        "%config InlineBackend.figure_formats") == "{'png'}"


def test_the_backends_settings_are_listed(cells):
    cells.ok("%matplotlib inline")
    text = cells.text("%config InlineBackend")
    assert text.startswith("InlineBackend options\n---------------------\n")
    assert "InlineBackend.figure_formats=<set>\n    The formats of figures: " in text
