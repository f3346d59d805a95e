"""What extensions of IPython's ecosystem lean on: declared arguments, classes of magics, versions, facts about objects."""
import importlib.metadata

import pytest
from conftest import without_colours


def test_versions_are_those_of_the_metadata(cells):
    found = cells.result("import IPython, ipykernel, matplotlib_inline, numba\nimport IPython.core.release as r\n"
                         "(IPython.__version__, ipykernel.__version__, matplotlib_inline.__version__, r.version, "
                         "IPython.version_info, ipykernel.version_info[:2], numba.version_info.short)")
    versions = eval(found)
    for name, version in zip(("ipython", "ipykernel", "matplotlib-inline"), versions):
        try:
            assert version == importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            assert version.split(".")[0].isdigit()
    assert versions[3] == versions[0] and ".".join(map(str, versions[4][:3])) == versions[0] and versions[4][3] == ""
    assert len(versions[6]) == 2


DECLARED = '''
from IPython.core.magic import Magics, magics_class, line_cell_magic
from IPython.core.magic_arguments import (argument, argument_group, defaults, kwds, magic_arguments, parse_argstring,
                                          real_name)

@magics_class
class Demo(Magics):
    @magic_arguments("demo")
    @kwds(epilog="More is said elsewhere.")
    @argument("words", nargs="*", help="what is said")
    @argument_group("Output", description="Where it goes.")
    @argument("-s", "--save", metavar="NAME", help="kept as this")
    @argument("-n", type=int, nargs="+")
    @defaults(depth=3)
    @line_cell_magic("demo")
    def magic_demo(self, line="", cell=None):
        """Says something.

            an example
        and more.
        """
        return parse_argstring(self.magic_demo, line)

get_ipython().register_magics(Demo)
'''


def test_arguments_that_a_magic_declares(cells):
    cells.ok(DECLARED)
    cells.answer(
        ("a = %demo 'x y' --save q -n 1 2\na.words, a.save, a.n, a.depth", "([\"'x y'\"], 'q', [1, 2], 3)"),
        ("[d.args[-1] for d in Demo.magic_demo.decorators if d.args]", "['-n', '--save', 'Output', 'words']"),
        ("real_name(Demo.magic_demo), Demo.magic_demo.has_arguments", "('demo', True)"),
        ("known, others = Demo.magic_demo.parser.parse_argstring('a --other', partial=True)\nothers", "['--other']"))
    page = without_colours(cells.ok("%demo?").content["payload"][0]["data"]["text/plain"])
    assert "::\n\n  %demo [-s NAME] [-n <N ...>]" in page.replace("[-n N [N ...]]", "[-n <N ...>]")
    assert "Says something.\n\n    an example\nand more.\n" in page and "Where it goes." in page
    assert "-s NAME, --save NAME" in page and "-n <N [N ...]>" in page and "More is said elsewhere." in page
    assert cells.usage_error("%demo -n x") == "UsageError: argument -n: invalid int value: 'x'\n"


def test_settings_of_an_extension_are_listed(cells):
    pytest.importorskip("traitlets")
    cells.ok("from traitlets import Int\nfrom IPython.core.magic import Magics, magics_class\n@magics_class\n"
             "class Deep(Magics):\n    depth = Int(3, config=True, help='how deep')\n"
             "get_ipython().register_magics(Deep)")
    text = cells.text("%config Deep")
    assert "Deep.depth=<Int>\n    how deep\n    Current: 3" in text


def test_classes_of_built_in_magics(cells):
    cells.answer(
        ("registry = get_ipython().magics_manager.registry\n"
         "{'OSMagics', 'ExecutionMagics', 'NamespaceMagics', 'ScriptMagics'} <= set(registry)", "True"),
        ("registry['OSMagics'].cd('/'), registry['OSMagics'].pwd()", "/\n(None, '/')"),
        ("from IPython.core.magic import magics_class, line_magic\n"
         "from IPython.core.magics.execution import ExecutionMagics\nfrom IPython.core.magics import OSMagics\n"
         "@magics_class\nclass Mine(ExecutionMagics):\n    @line_magic\n    def time(self, line, local_ns=None):\n"
         "        print('mine')\n        return super().time(line, local_ns=local_ns)\n"
         "get_ipython().register_magics(Mine)", ""),
        ("value = %time 1 + 1\nvalue", cells_text_of_time),
        ("%%capture\nregistry['ExecutionMagics'].time('x = inside', local_ns={'inside': 5})", ""),
        ("x, 'inside' in globals()", "(5, False)"),
        ("type(registry['Mine']).__name__, OSMagics.pwd.__doc__ is not None", "('Mine', True)"))
    kernel_text = cells.ok("%time 2").text()
    assert kernel_text.startswith("mine\nCPU times")


class _TimesOfTwo:
    """Equal to what %time printed, whatever the times, and a result of 2."""

    def __eq__(self, text):
        return text.startswith("mine\nCPU times") and text.endswith("2")


cells_text_of_time = _TimesOfTwo()


FIELDS = ("type_name base_class string_form namespace length file definition docstring source init_definition "
          "class_docstring init_docstring call_def call_docstring subclasses ismagic isalias isclass found name")


@pytest.mark.parametrize("name, level, expected", [
    ("fun", 0, {"type_name": "function", "namespace": "Interactive", "definition": "fun(a, b=1)", "docstring": "Doc."}),
    ("fun", 1, {"source": 'def fun(a, b=1):\n    "Doc."', "docstring": None}),
    ("Kind", 0, {"isclass": True, "init_definition": "Kind(q)", "init_docstring": "init", "docstring": "Of it.",
                 "subclasses": ""}),
    ("kind", 0, {"type_name": "Kind", "definition": "kind(u)", "call_docstring": "call", "init_docstring": "init"}),
    ("word", 0, {"length": "600", "namespace": "Interactive", "class_docstring": None}),
    ("len", 0, {"namespace": "Python builtin", "definition": "len(obj, /)"}),
    ("%timeit", 0, {"ismagic": True, "isalias": False, "namespace": "IPython internal", "type_name": "Magic function"}),
    ("ls", 0, {"ismagic": True, "isalias": True}),
    ("nonesuch", 0, {"found": False, "ismagic": False, "type_name": None}),
])
def test_facts_about_objects(cells, name, level, expected):
    cells.ok("def fun(a, b=1):\n    \"Doc.\"\nclass Kind:\n    'Of it.'\n    def __init__(self, q): 'init'\n"
             "    def __call__(self, u): 'call'\nkind, word = Kind(1), 'abc' * 200")
    facts = eval(cells.result(f"dict(get_ipython().object_inspect({name!r}, {level}))"))
    assert list(facts) == FIELDS.split() and facts["name"] == name
    assert {field: facts[field] for field in expected} == expected


def test_there_is_one_shell(cells):
    message = cells.traceback("from IPython.core.interactiveshell import InteractiveShell\n"
                              "class Other(InteractiveShell):\n    pass\nOther(config=None)")
    assert "one shell" in message and "GRIDCELL_IPYTHON=real" in message


def test_an_object_whose_attributes_are_none_by_default_has_its_representations(cells):
    cells.ok("class Tag:\n    def __getattr__(self, name): return None\n    def _repr_html_(self): return '<b>x</b>'")
    assert cells.data("from IPython.display import display\ndisplay(Tag())")["text/html"] == "<b>x</b>"


def test_help_of_magics_is_whole_and_its_examples_run(cells, tmp_path):
    """Every option that a page names is there, and every example runs."""
    cells.ok(f"%cd -q {tmp_path}\nfrom gridcell.ipython import magic_help")
    pages = eval(cells.result("{name: (magic_help.text_of(name), magic_help.examples_of(name)) "
                              "for name in magic_help.PAGES}"))
    assert len(pages) > 45 and all("Forms::" in text for text, _ in pages.values())
    for name, (text, examples) in pages.items():
        assert name in ("!", "system") or f"%{name}" in text and f"%{name}s " not in text, text
        for cell in examples:
            content = cells.run(cell).content
            assert content["status"] == "ok", (cell, content)
    page = without_colours(cells.ok("%timeit?").content["payload"][0]["data"]["text/plain"])
    assert "-o  returns a TimeitResult" in page and "%timeit [-n LOOPS]" in page and "%%timeit SETUP" in page
    assert cells.result("get_ipython().magics_manager.registry['ExecutionMagics'].timeit.__doc__ == "
                        "get_ipython().object_inspect('%timeit')['docstring']") == "True"
