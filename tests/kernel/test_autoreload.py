"""%autoreload: what users hold of a module behaves as its newest version does."""
import os

import pytest


@pytest.fixture
def write(cells, tmp_path):
    """Writes a version of a module that the kernel can import."""
    stamps = iter(range(1_000_000_000, 1_000_000_100))

    def write_version(name, text):
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        stamp = next(stamps)
        os.utime(path, (stamp, stamp))
    cells.ok(f"import sys; sys.path.insert(0, r'{tmp_path}'); sys.dont_write_bytecode = True\n%load_ext autoreload")
    yield write_version
    cells.ok("%autoreload 0\nimport sys; del sys.path[0]")


def test_every_version_reaches_what_was_imported_first(cells, write):
    text = ("def value():\n    return {0}\nclass Thing:\n    def get(self):\n        return {0}\n"
            "    @property\n    def part(self):\n        return {0}\n    @staticmethod\n    def free():\n"
            "        return {0}\n")
    write("reloaded_a", text.format(1))
    cells.ok("%autoreload 2")
    cells.ok("import reloaded_a\nfrom reloaded_a import value, Thing\nthing = Thing()")
    for number in (2, 3, 4):
        write("reloaded_a", text.format(number))
        assert cells.result("value(), thing.get(), thing.part, Thing.free(), reloaded_a.value(), "
                            "isinstance(thing, reloaded_a.Thing)") == f"({', '.join([str(number)] * 5)}, True)"
    write("reloaded_a", "class Thing:\n    def other(self):\n        return 'new'\n")
    assert cells.result("thing.other(), hasattr(thing, 'get'), hasattr(reloaded_a, 'value')") \
        == "('new', False, False)"


def test_a_version_that_fails_leaves_the_last_one(cells, write):
    write("reloaded_b", "def value():\n    return 1\n")
    cells.ok("%autoreload 2")
    cells.ok("import reloaded_b")
    write("reloaded_b", "def value(:\n")
    outcome = cells.ok("reloaded_b.value()")
    assert "[autoreload of reloaded_b failed: " in outcome.text("stderr") and "SyntaxError" in outcome.text("stderr")
    assert outcome.contents("execute_result")[0]["data"]["text/plain"] == "1"
    assert cells.ok("reloaded_b.value()").text("stderr") == ""
    write("reloaded_b", "def value():\n    return 2\n")
    assert cells.result("reloaded_b.value()") == "2"


def test_explicit_modules_and_those_that_are_skipped(cells, write):
    for name in ("reloaded_c", "reloaded_d"):
        write(name, "number = 1\n")
    cells.ok("%autoreload explicit")
    cells.ok("%aimport reloaded_c\nimport reloaded_d")
    assert cells.text("%aimport") == "Modules to reload:\nreloaded_c\n\nModules to skip:\n\n"
    for name in ("reloaded_c", "reloaded_d"):
        write(name, "number = 2\n")
    assert cells.result("reloaded_c.number, reloaded_d.number") == "(2, 1)"
    cells.ok("%autoreload now")
    assert cells.result("reloaded_d.number") == "2"
    cells.ok("%aimport -reloaded_d")
    cells.ok("%autoreload all -p")
    assert cells.text("%aimport") == "Modules to reload:\nall-except-skipped\n\nModules to skip:\nreloaded_d\n"
    for name in ("reloaded_c", "reloaded_d"):
        write(name, "number = 3\n")
    outcome = cells.ok("reloaded_c.number, reloaded_d.number")
    assert outcome.text() == "Reloading 'reloaded_c'.\n"
    assert outcome.contents("execute_result")[0]["data"]["text/plain"] == "(3, 2)"


def test_new_names_with_complete(cells, write):
    write("reloaded_e", "def one():\n    return 1\n")
    cells.ok("%autoreload complete")
    cells.ok("from reloaded_e import *")
    write("reloaded_e", "def one():\n    return 'one'\ndef two():\n    return 2\n")
    assert cells.result("one(), two()") == "('one', 2)"


def test_an_unknown_mode(cells, write):
    assert 'ValueError: Unrecognized autoreload mode "often".' in cells.traceback("%autoreload often")
