"""What extensions of IPython's ecosystem lean on: declared arguments, classes of magics, versions, facts about objects."""
import importlib.metadata

import pytest
from conftest import Cells, without_colours


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


@pytest.mark.parametrize("when", ["before", "after"])
def test_the_shell_is_the_parent_of_configured_objects(start_kernel, when):
    pytest.importorskip("traitlets")
    cells = Cells(start_kernel())
    lines = ["ip = get_ipython()\nip.config.Worker.depth = 5", "from traitlets import HasTraits, Int, observe\n"
             "from traitlets.config import LoggingConfigurable, SingletonConfigurable"]
    cells.ok("\n".join(lines if when == "before" else reversed(lines)))
    cells.ok("class Worker(LoggingConfigurable):\n    depth = Int(1, config=True)\nw = Worker(parent=ip)")
    cells.answer(
        ("w.depth, w.parent is ip, w.log is ip.log, isinstance(ip, HasTraits), isinstance(ip.history_manager, HasTraits)",
         "(5, True, True, True, True)"),
        ("type(ip).section_names()[-2:], ip.has_trait('xmode'), ip.has_trait('config')",
         "(['InteractiveShell', 'ZMQInteractiveShell'], True, False)"),
        ("seen = []\nip.observe(lambda change: seen.append(change['new']), 'xmode')\nip.xmode = 'Plain'\nseen", "['Plain']"),
        ("ip.xmode = 'Context'\nip.prefilter_manager.multi_line_specials, type(ip.kernel.session).__name__",
         "(True, 'Session')"))


def test_classes_of_built_in_magics(cells):
    cells.answer(
        ("registry = get_ipython().magics_manager.registry\n"
         "{'OSMagics', 'ExecutionMagics', 'NamespaceMagics', 'ScriptMagics'} <= set(registry)", "True"),
        ("registry['OSMagics'].cd('/'), registry['OSMagics'].pwd()", "/\n(None, '/')"),
        ("from IPython.core.magic import magics_class, line_magic, needs_local_scope\n"
         "from IPython.core.magics.execution import ExecutionMagics\nfrom IPython.core.magics import OSMagics\n"
         "@magics_class\nclass Mine(ExecutionMagics):\n    @needs_local_scope\n    @line_magic\n    def time(self, line, local_ns=None):\n"
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
    cells.ok("%load_ext autoreload")
    for name in ("autoreload", "aimport"):
        page = cells.ok(f"%{name}?").content["payload"][0]["data"]["text/plain"]
        assert "Forms::" in page and f"%{name} " in page and "Options::" in page
    assert cells.result("get_ipython().magics_manager.registry['ExecutionMagics'].timeit.__doc__ == "
                        "get_ipython().object_inspect('%timeit')['docstring']") == "True"


def test_addresses_do_not_leave_their_attributes(cells):
    """Quotes in what a picture, a film or a page is called by stay within the attribute."""
    pages = eval(cells.result("""
from IPython.display import IFrame, Image, Video, Audio, YouTubeVideo
bad = 'http://a.b/c" onerror="alert(1)'
[Image(url=bad)._repr_html_(), Image(url='http://a.b/c', width='1" onload="x')._repr_html_(), Video(bad)._repr_html_(),
 Audio(url=bad)._repr_html_(), IFrame(bad, 1, '2" onload="x')._repr_html_(), YouTubeVideo('a"><script>')._repr_html_()]"""))
    assert not [page for page in pages if 'onerror="' in page or 'onload="' in page or '"><script>' in page]
    assert "&quot; onerror=&quot;" in pages[0]


def test_sizes_of_pictures(cells):
    """retina halves the size that the data tells: of PNG, JPEG and the three kinds of WEBP."""
    cells.ok("""
from IPython.display import Image
import base64
def number(value, count): return value.to_bytes(count, 'little')
png = b'\\x89PNG\\r\\n\\x1a\\n' + b'....IHDR' + (64).to_bytes(4, 'big') + (48).to_bytes(4, 'big')
jpeg = b'\\xff\\xd8\\xff\\xe0\\x00\\x04..\\xff\\xc0\\x00\\x11\\x08' + (48).to_bytes(2, 'big') + (64).to_bytes(2, 'big')
head = b'RIFF....WEBP'
lossy = head + b'VP8 ....' + b'......' + number(64, 2) + number(48, 2)
lossless = head + b'VP8L....' + b'/' + number(63 | 47 << 14, 4)
extended = head + b'VP8X....' + b'....' + number(63, 3) + number(47, 3)""")
    for kind, name in (("png", "png"), ("jpeg", "jpeg"), ("lossy", "webp"), ("lossless", "webp"), ("extended", "webp")):
        assert cells.result(f"p = Image({kind}, retina=True); p.width, p.height, p.format") == f"(32, 24, '{name}')"
    assert "Not a valid WEBP header" in cells.traceback("Image(head + b'JUNK', retina=True)")
    assert cells.result("Image(base64.b64encode(png).decode()).data == png") == "True"
    assert cells.result("Image(png, metadata={'alt': 'x', 'width': 3}).alt") == "'x'"
    assert cells.result("Image(url='http://a.b/c.png', metadata={'width': 3})._repr_html_()") == \
        "'<img src=\"http://a.b/c.png\" width=\"3\"/>'"


def test_a_publisher_that_is_put_in_place(cells):
    """Displays go to a `publish` that a program sets, which may call the one before."""
    printed = cells.text("""
from IPython.display import display, update_display
ip, seen = get_ipython(), []
before = ip.display_pub.publish
def publish(data, metadata=None, **more):
    seen.append((data, sorted(more)))
    before(data, metadata, **more)
ip.display_pub.publish = publish
display('x'); display('y', display_id='d'); update_display('z', display_id='d')
del ip.display_pub.publish
display('last')
print(seen)""")
    assert printed == ("[({'text/plain': \"'x'\"}, []), ({'text/plain': \"'y'\"}, ['transient']), "
                       "({'text/plain': \"'z'\"}, ['transient', 'update'])]\n")


def test_managers_answer_as_ipythons(cells, tmp_path):
    (tmp_path / "some_ext.py").write_text("def load_ipython_extension(ip): print('loads')\n")
    cells.ok(f"import sys; sys.path.insert(0, {str(tmp_path)!r}); m = get_ipython().extension_manager")
    cells.answer(
        ("m.load_extension('some_ext')", "loads\n"),
        ("m.load_extension('some_ext'), m.load_extension('sys'), m.unload_extension('some_ext'), m.unload_extension('re')",
         "The some_ext extension is already loaded. To reload it, use:\n  %reload_ext some_ext\n"
         "The sys module is not an IPython extension.\nThe some_ext extension doesn't define how to unload it.\n"
         "The re extension is not loaded.\n('already loaded', 'no load function', 'no unload function', 'not loaded')"),
        ("%autocall 2\nget_ipython().autocall", "Automatic calling is: Full\n2"),
        ("get_ipython().autocall = 0\n%config InteractiveShell.autocall", "0"),
        ("get_ipython().alias_manager.get_alias('nosuch')", ""),
        ("with get_ipython().builtin_trap as trap:\n    trap.add_builtin('odd', 7)\nodd", "7"),
        ("trap.remove_builtin('odd', None)\n'odd' in vars(__builtins__)", "False"))
    assert "nosuch is not an alias" in cells.traceback("get_ipython().alias_manager.retrieve_alias('nosuch')")
    cells.ok("from IPython.core.formatters import HTMLFormatter\nclass Bad:\n"
             "    def _repr_html_(self): raise ValueError('bad html')\nclass Odd:\n    def _repr_html_(self): return 3")
    assert "ValueError: bad html" in cells.text("print(HTMLFormatter()(Bad()))")
    assert "expected str" in cells.ok("HTMLFormatter()(Odd())").text("stderr")


def test_commands_and_magics_know_the_names_of_the_function_around_them(cells, tmp_path):
    cells.ok("""
n, word = 1, 'outside'
def f(n, k, kept="a_macro"):
    lines = !echo {n} $n {n + k} {word}
    %env ECO={n}
    took = %timeit -n1 -r1 -q -o len(range(k))
    value = %time n + k
    %macro -q {kept} 1
    %prun -q n.bit_length()
    text = get_ipython().var_expand('$n {k}')
    return lines, value, text, type(took).__name__
class Kind:
    def f(self):
        self.name = 'mine'
        found = !echo $self.name {self.name}
        return found""")
    outcome = cells.ok("f(20, 3)")
    assert outcome.contents("execute_result")[0]["data"]["text/plain"] == (
        "(['20 20 23 outside'], 23, '20 3', 'TimeitResult')")
    cells.answer(("Kind().f()", "['mine mine']"), ("n, 'k' in globals(), 'lines' in globals(), 'a_macro' in globals()", "(1, False, False, True)"))
    assert cells.run("def g(n):\n    %time 1 / (n - n)\ng(4)").content["ename"] == "ZeroDivisionError"
    assert cells.result("n") == "1"
    cells.answer(("get_ipython().getoutput('echo {self}')", "['{self}']"))  # code of ours shows none of its names


def test_results_of_cells_that_code_runs(cells):
    cells.ok("ip = get_ipython()\nresult = ip.run_cell('5', cell_meta={'a': 1})")
    cells.answer(("result.result, result.info.cell_meta", "(5, {'a': 1})"),
                 ("ip.run_cell('1').info.cell_meta", "1"),
                 ("ip.push({'gone': 1}, interactive=False); ip.drop_by_id({'gone': 1}); 'gone' in ip.user_ns", "False"),
                 ("ip.transform_cell('') == '' and ip.transform_cell('%pwd')",
                  '"get_ipython().run_line_magic(\'pwd\', \'\')\\n"'))


def test_magics_import_what_they_need_where_sys_path_is_replaced(start_kernel):
    kernel = Cells(start_kernel())
    kernel.ok("import sys\nsys.path = ['/nowhere']")
    for line in ("%timeit -n1 -r1 pass", "%who", "%psearch in*", "%history -n 1", "len?", "%%writefile -a /dev/null\nx"):
        kernel.ok(line)
    assert kernel.result("get_ipython().magics_manager.registry['OSMagics'].pwd() != ''") == "True"
    assert kernel.run("import nosuch").contents("error")[0]["evalue"] == "No module named 'nosuch'"


def test_pages_without_colours(cells):
    cells.ok("class A:\n    __custom_documentations__ = {'gone': 'once here'}\n    def m(self): return 1\na = A()\n"
             "%colors nocolor")
    pages = [cells.ok(line).content["payload"][0]["data"]["text/plain"]
             for line in ("a.gone?", "A.m??", "%pdoc len", "%psource A.m", "%timeit?")]
    signature = cells.text("%pdef A.m")
    cells.ok("%colors neutral")
    assert pages[0] == "Docstring: once here" and "return 1" in pages[1] and "m(self)" in signature
    assert not any("\x1b" in text for text in [*pages, signature])


@pytest.mark.parametrize("cell, expected", [
    (r"from IPython.utils.path import unescape_glob as u" "\n" r"u(r'\*\[\!\]\?'), u(r'\\*'), u(r'\\\*'), u(r'\\a'), u(r'\a')",
     r"('*[!]?', '\\*', '\\*', '\\a', '\\a')"),
    ("from IPython.lib.latextools import latex_to_png\ntry:\n    latex_to_png('x', backend='dvipng', color='#f00')\n"
     "except ValueError as e: s = str(e)\ns", "'Invalid color specification #f00.'"),
    ("p = get_ipython().prefilter\np('    f(1)', True), p('  %who'), p('if x:\\n    pass')",
     "('    f(1)', \"  get_ipython().run_line_magic('who', '')\", 'if x:\\n    pass')"),
])
def test_helpers_answer_as_ipythons(cells, cell, expected):
    assert cells.result(cell) == expected


def test_stars_bring_nothing_of_gridcells(cells):
    """Names of our own modules would take the place of the user's."""
    cells.ok("import gridcell, importlib, pathlib, types\ntop = pathlib.Path(gridcell.__file__).parent / 'ipython' / 'packages'\n"
             "names = ['.'.join(p.relative_to(top).with_suffix('').parts).removesuffix('.__init__') for p in top.rglob('*.py')]\n"
             "def starred(name):\n    space = {}\n    exec(f'from {name} import *', space)\n    return set(space)\n"
             "loaded = [n for n in names if not n.startswith(('matplotlib', 'ipykernel.pylab', 'ipykernel.comm'))]")
    cells.answer(
        ("len(loaded) > 50, [n for n in loaded if starred(n) & {'kernel', 'fall_through', 'extend_path', 'module_getattr', "
         "'version_of'}]", "(True, [])"),
        ("sorted(starred('IPython.display') ^ starred('IPython.core.display')), sorted(starred('IPython.lib.pretty'))[-2:]",
         "([], ['pprint', 'pretty'])"))


REPLACE = """
ip, log = get_ipython(), []
before = ip.run_cell, ip.run_ast_nodes
def run_cell(cell, *args, **kwargs):
    log.append(cell)
    return before[0](cell, *args, **kwargs)
async def run_nodes(nodes, *args, **kwargs):
    log.append(len(nodes))
def put(cell=before[0], nodes=before[1]):
    ip.run_cell, ip.run_ast_nodes = cell, nodes
fired = []
ip.events.register("pre_run_cell", lambda info: fired.append(info.raw_cell))
"""


def test_cells_that_something_else_runs(start_kernel):
    """As %autopx has them run by engines: each cell once, under its number, and back again."""
    cells = Cells(start_kernel())
    cells.ok(REPLACE)
    cells.ok("put(run_cell)")
    first = cells.run("6 * 7")
    assert first.content["execution_count"] == 3 and first.contents("execute_result")[0]["data"]["text/plain"] == "42"
    assert cells.result("log[0], _, Out[3], In[3], fired[-2]") == "('6 * 7', 42, 42, '6 * 7', '6 * 7')"
    failed = cells.run("1 / 0")
    assert failed.content["status"] == "error" and failed.content["ename"] == "ZeroDivisionError"
    assert len(failed.contents("error")) == 1
    cells.ok("put(nodes=run_nodes)")
    cells.ok("a = 1\nb = 2")
    put_back = cells.run("put()").content  # is not run, either
    assert put_back["status"] == "ok" and put_back["execution_count"] == 8


def test_what_runs_statements_gives_them_back(start_kernel):
    cells = Cells(start_kernel())
    cells.ok(REPLACE + "async def run_nodes(nodes, *args, **kwargs):\n    log.append(len(nodes))\n    put()\n")
    cells.ok("put(nodes=run_nodes)")
    cells.ok("log.append('run')\nx = 1")
    cells.answer(("log, 'x' in globals(), fired.count(\"log.append('run')\\nx = 1\")", "([2], False, 1)"))
