"""get_ipython() and the modules of IPython and ipykernel, as libraries and extensions use them."""
import pytest
from conftest import without_colours


def test_detection(cells):
    assert cells.result("""
import sys
ip = get_ipython()
(type(ip).__name__, type(ip).__module__, 'IPKernelApp' in ip.config, 'zmqshell' in str(type(ip)),
 'ipykernel' in sys.modules, 'ipykernel.zmqshell' in sys.modules, hasattr(ip, 'kernel'), __IPYTHON__)""") == (
        "('ZMQInteractiveShell',\n 'ipykernel.zmqshell',\n" + " True,\n" * 5 + " True)")


@pytest.mark.parametrize("names", [
    "IPython.display: Audio Code DisplayHandle FileLink FileLinks GeoJSON HTML IFrame Image JSON Javascript "
    "Latex Markdown Math Pretty ProgressBar SVG Video YouTubeVideo clear_output display display_html "
    "display_pretty display_png display_svg publish_display_data set_matplotlib_formats update_display",
    "IPython.core.magic: Magics magics_class line_magic cell_magic line_cell_magic needs_local_scope "
    "register_line_magic register_cell_magic register_line_cell_magic no_var_expand",
    "IPython.core.magic_arguments: magic_arguments argument argument_group kwds defaults parse_argstring",
    "IPython.core.interactiveshell: InteractiveShell InteractiveShellABC ExecutionInfo ExecutionResult",
    "IPython.core.formatters: BaseFormatter PlainTextFormatter DisplayFormatter format_display_data",
    "IPython.core.completer: IPCompleter Completion provisionalcompleter",
    "IPython.core.error: UsageError TryNext StdinNotImplementedError InputRejected",
    "IPython.core.pylabtools: print_figure select_figure_formats backend2gui getfigs",
    "IPython.core.debugger: Pdb set_trace", "IPython.core.page: page", "IPython.core.history: HistoryManager",
    "IPython.core.inputtransformer2: TransformerManager", "IPython.core.release: version version_info",
    "IPython.core.magics: NamespaceMagics", "IPython.core.magics.execution: TimeitResult",
    "IPython.core.ultratb: AutoFormattedTB FormattedTB VerboseTB ColorTB",
    "IPython.lib.pretty: pretty pprint for_type RepresentationPrinter",
    "IPython.lib.display: Audio IFrame FileLink", "IPython.lib.latextools: latex_to_png",
    "IPython.terminal.interactiveshell: TerminalInteractiveShell", "IPython.terminal.embed: embed",
    "IPython.paths: get_ipython_dir get_ipython_cache_dir",
    "IPython.utils.capture: capture_output", "IPython.utils.io: capture_output",
    "IPython.utils.ipstruct: Struct", "IPython.utils.path: ensure_dir_exists get_py_filename",
    "IPython.utils.process: arg_split find_cmd getoutput", "IPython.utils.text: SList dedent columnize",
    "IPython.utils.tempdir: TemporaryDirectory TemporaryWorkingDirectory",
    "ipykernel: __version__ version_info", "ipykernel.comm: Comm CommManager", "ipykernel.comm.comm: Comm",
    "ipykernel.connect: get_connection_file get_connection_info", "ipykernel.ipkernel: IPythonKernel",
    "ipykernel.kernelapp: IPKernelApp", "ipykernel.zmqshell: ZMQInteractiveShell ZMQDisplayPublisher",
    "matplotlib_inline.backend_inline: set_matplotlib_formats set_matplotlib_close flush_figures show",
    "matplotlib_inline.config: InlineBackend",
], ids=lambda names: names.partition(":")[0])
def test_modules_have_what_is_imported_from_them(cells, names):
    module, _, names = names.partition(": ")
    cells.ok(f"from {module} import {', '.join(names.split())}")


def test_submodules_are_attributes(cells):
    assert cells.result("import IPython\nIPython.lib.display.Audio.__name__, IPython.lib.pretty.pretty([1]), "
                        "IPython.core.magic.Magics.__name__, IPython.utils.path.expand_path('~') != '~'") \
        == "('Audio', '[1]', 'Magics', True)"


def test_what_is_not_provided_comes_from_the_installed_ipython(cells):
    pytest.importorskip("IPython")
    assert cells.result("from IPython.utils.text import marquee\nmarquee('hi', 10)") == "'*** hi ***'"
    assert cells.result("from IPython.core.oinspect import getdoc\ngetdoc(len)[:10]") == "'Return the'"
    assert "no attribute 'nonsense'" in cells.traceback("import IPython.utils.text\nIPython.utils.text.nonsense")


def test_the_shell_is_the_only_one(cells):
    assert cells.result("""
from IPython.core.interactiveshell import InteractiveShell
from ipykernel.kernelapp import IPKernelApp
(isinstance(get_ipython(), InteractiveShell), InteractiveShell.initialized(),
 InteractiveShell.instance() is get_ipython(), IPKernelApp.instance().shell is get_ipython())""") \
        == "(True, True, True, True)"


def test_a_class_of_magics_with_traits_and_options(cells):
    pytest.importorskip("traitlets")
    printed = cells.text("""
from IPython.core.magic import Magics, magics_class, line_magic, cell_magic, needs_local_scope
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
from traitlets import Int

@magics_class
class Demo(Magics):
    depth = Int(3, config=True, help="how deep")

    @line_magic
    def opts(self, line):
        options, rest = self.parse_options(line, "ab:c:", "long", list_all=True)
        print(sorted(options), options.get("b"), repr(rest), self.depth)

    @magic_arguments()
    @argument("-n", "--number", type=int, default=1)
    @argument("words", nargs="*")
    @cell_magic
    def args(self, line, cell):
        found = parse_argstring(self.args, line)
        print(found.number, found.words, cell.strip())

    @needs_local_scope
    @line_magic
    def scope(self, line, local_ns=None):
        print(local_ns["word"])

get_ipython().register_magics(Demo)
word = 'known'
%opts -a -b 1 -b 2 --long x "y z"
%config Demo.depth = 7
%opts $word
%scope
get_ipython().run_cell_magic('args', '-n 5 p q', 'body')""")
    assert printed.splitlines() == ["['a', 'b', 'long'] ['1', '2'] 'x y z' 3", "[] None 'known' 7", "known",
                                    "5 ['p', 'q'] body"]


def test_events_tell_about_the_cell(cells):
    cells.ok("""
seen = []
before = lambda info: seen.append(info.raw_cell)
after = lambda result: seen.append((result.success, type(result.error_in_exec).__name__, result.result))
get_ipython().events.register('pre_run_cell', before)
get_ipython().events.register('post_run_cell', after)""")
    cells.run("6 * 7")
    cells.run("1 / 0")
    assert cells.result("seen[1:5]") == (
        "['6 * 7', (True, 'NoneType', 42), '1 / 0', (False, 'ZeroDivisionError', None)]")
    cells.ok("get_ipython().events.unregister('pre_run_cell', before)\n"
             "get_ipython().events.unregister('post_run_cell', after)")


def test_input_transformers(cells):
    cells.ok("""
def shout(lines): return [line.replace('quiet', 'LOUD') for line in lines]
get_ipython().input_transformers_cleanup.append(shout)
def finish(lines): return [line.replace('six', '6') for line in lines]
get_ipython().input_transformers_post.append(finish)""")
    assert cells.text("print('quiet', six)") == "LOUD 6\n"
    cells.ok("get_ipython().input_transformers_cleanup.clear(); get_ipython().input_transformers_post.clear()")
    assert cells.text("print('quiet')") == "quiet\n"


def test_ast_transformers_and_one_that_fails(cells):
    cells.ok("""
import ast
class Doubling(ast.NodeTransformer):
    def visit_Constant(self, node):
        return ast.Constant(node.value * 2) if isinstance(node.value, int) else node
get_ipython().ast_transformers.append(Doubling())""")
    assert cells.result("21") == "42"
    cells.ok("get_ipython().ast_transformers.clear()")
    cells.ok("class Bad(ast.NodeTransformer):\n    def visit(self, node): raise KeyError('no')\n"
             "get_ipython().ast_transformers.append(Bad())")
    outcome = cells.ok("21")
    assert "will be unregistered" in outcome.text("stderr") and outcome.contents("execute_result")
    assert cells.result("get_ipython().ast_transformers") == "[]"


def test_custom_exception_handlers(cells):
    cells.ok("""
class Special(Exception): pass
def handler(shell, etype, value, tb, tb_offset=None):
    print('handled', etype.__name__, value, tb.tb_frame.f_code.co_name)
get_ipython().set_custom_exc((Special,), handler)""")
    outcome = cells.run("raise Special('it')")
    assert outcome.content["status"] == "error" and outcome.content["ename"] == "Special"
    assert outcome.text() == "handled Special it <module>\n" and "error" not in outcome.types
    assert "ZeroDivisionError" in cells.traceback("1 / 0")
    cells.ok("get_ipython().set_custom_exc((), None)")
    assert "Special" in cells.traceback("raise Special('it')")


def test_a_failing_exception_handler_is_taken_off(cells):
    cells.ok("get_ipython().set_custom_exc((KeyError,), lambda *a, **k: 1 / 0)")
    outcome = cells.run("{}['absent']")
    names = [content["ename"] for content in outcome.contents("error")]
    assert names == ["ZeroDivisionError", "KeyError"]
    assert cells.result("get_ipython().custom_exceptions") == "()"


def test_run_cell_gives_a_result(cells):
    outcome = cells.ok("r = get_ipython().run_cell('x = 5; x + 1')\n"
                       "bad = get_ipython().run_cell('1 / 0')\nprint(r.result, r.success, bad.success)")
    assert outcome.text() == "6 True False\n"
    assert outcome.contents("error")[0]["ename"] == "ZeroDivisionError"
    assert "ZeroDivisionError" in cells.traceback("bad.raise_error()")


def test_formatters_for_types(cells):
    data = cells.ok("""
class Own: pass
formats = get_ipython().display_formatter
formats.formatters['text/html'].for_type(Own, lambda o: '<b>own</b>')
formats.mimebundle_formatter.for_type(Own, lambda o, include=None, exclude=None: {'a/b': 'bundle'})
Own()""").contents("execute_result")[0]["data"]
    assert (data["text/html"], data["a/b"]) == ("<b>own</b>", "bundle")
    assert cells.text("formats.ipython_display_formatter.for_type(Own, lambda o: print('itself'))\nOwn()") \
        == "itself\n"
    cells.ok("formats.ipython_display_formatter.pop(Own); formats.mimebundle_formatter.pop(Own)")
    cells.ok("formats.formatters['text/html'].enabled = False")
    assert "text/html" not in cells.ok("Own()").contents("execute_result")[0]["data"]
    cells.ok("formats.formatters['text/html'].enabled = True")
    assert "text/html" in cells.ok("Own()").contents("execute_result")[0]["data"]


def test_a_formatter_in_place_of_one(cells):
    cells.ok("""
from IPython.core.formatters import BaseFormatter
class Loud(BaseFormatter):
    def __call__(self, obj): return repr(obj).upper()
old = get_ipython().display_formatter.formatters['text/plain']
get_ipython().display_formatter.formatters['text/plain'] = Loud()""")
    assert cells.result("'abc'") == "'ABC'"
    cells.ok("del get_ipython().display_formatter.formatters['text/plain']")
    assert cells.result("'abc'") == "'abc'"


def test_display_hooks_see_and_keep_displays(cells):
    outcome = cells.ok("""
kept = []
hook = lambda message: kept.append(message['content']['data']) if 'secret' in str(message) else message
get_ipython().display_pub.register_hook(hook)
display('secret'); display('open')
get_ipython().display_pub.unregister_hook(hook)
print(kept)""")
    assert [c["data"]["text/plain"] for c in outcome.contents("display_data")] == ["'open'"]
    assert outcome.text() == "[{'text/plain': \"'secret'\"}]\n"


def test_the_pretty_printer_of_programs(cells):
    assert cells.text("""
import io
from IPython.lib.pretty import RepresentationPrinter, pretty
class Pair:
    def _repr_pretty_(self, p, cycle):
        with p.group(2, 'Pair(', ')'):
            p.pretty('a' * 45); p.text(','); p.breakable(); p.pretty('b' * 45)
stream = io.StringIO()
printer = RepresentationPrinter(stream); printer.pretty([Pair()]); printer.flush()
print(stream.getvalue() == pretty([Pair()]), stream.getvalue().count(chr(10)))""") == "True 1\n"


def test_a_struct_of_options(cells):
    assert cells.result("""
from IPython.utils.ipstruct import Struct
s = Struct(a=1, b=[2]); s.c = 3
s.merge({'a': 10, 'd': 4}); s.merge({'a': 20}, 'update')
(s.a, s.d, 'c' in s, s.hasattr('zz'), (s + {'e': 5}).e)""") == "(20, 4, True, False, 5)"


def test_history_by_ranges(cells):
    cells.ok("marker_one = 1")
    line = cells.ok("marker_two = 2").content["execution_count"]
    assert cells.result(f"[text for _, _, text in get_ipython().history_manager.get_range_by_str('{line - 1}-{line}')]"
                        ) == "['marker_one = 1', 'marker_two = 2']"


def test_rare_names_are_there(cells):
    assert cells.result("""
ip = get_ipython()
[name for name in '''compile input_transformer_manager payload_manager alias_manager displayhook hooks
logger InteractiveTB ipython_dir profile_dir Completer inspector configurables db loop_runner
last_execution_succeeded get_exception_only mktempfile user_expressions safe_execfile extract_input_lines
should_run_async transform_ast trait_names has_trait set_hook showsyntaxerror'''.split()
 if not hasattr(ip, name)]""") == "[]"
    assert cells.result("ip.should_run_async('await f()'), ip.should_run_async('f()'), "
                        "ip.check_complete('for i in x:'), ip.check_complete('(1 +')") \
        == "(True, False, ('incomplete', '    '), ('incomplete', ''))"


def test_the_widget_kernel_object(cells):
    assert cells.result("""
kernel = get_ipython().kernel
(kernel.get_parent()['header']['msg_type'], type(kernel).__name__, kernel.shell is get_ipython(),
 list(kernel._parent_ident))""") == "('execute_request', 'IPythonKernel', True, ['shell', 'control'])"
    outcome = cells.ok("from ipykernel.comm import Comm\nc = Comm(target_name='t', data={'a': 1})\nc.send({'b': 2})")
    opened, sent = outcome.contents("comm_open")[0], outcome.contents("comm_msg")[0]
    assert (opened["target_name"], opened["data"], sent["data"]) == ("t", {"a": 1}, {"b": 2})


def test_tracebacks_of_programs(cells):
    cells.run("undefined_name_here")
    assert "NameError" in without_colours(cells.text("print(get_ipython().get_exception_only())"))
    shown = cells.run("try:\n    1 / 0\nexcept Exception:\n    get_ipython().showtraceback()\nprint('on')")
    assert shown.content["status"] == "ok" and shown.text() == "on\n"
    assert shown.contents("error")[0]["ename"] == "ZeroDivisionError"


def test_results_of_cells_are_told_in_full(cells):
    cells.ok("told = []\nip = get_ipython()\n"
             "note_start, note_end = lambda info: told.append(info), lambda result: told.append(result)\n"
             "ip.events.register('pre_run_cell', note_start); ip.events.register('post_run_cell', note_end)")
    cells.ok("told.clear()")
    cells.kernel.ask("execute_request", {"code": "5"}, metadata={"cellId": "c1"})
    cells.run("1/0")
    cells.run("a = = 1")
    cells.ok("ip.events.unregister('pre_run_cell', note_start); ip.events.unregister('post_run_cell', note_end)")
    ends = "[r for r in told if hasattr(r, 'result')]"
    assert cells.result(f"[(r.result, r.success, type(r.error_in_exec).__name__, "
                        f"type(r.error_before_exec).__name__) for r in {ends}[1:4]]").split("\n") == [
        "[(5, True, 'NoneType', 'NoneType'),", " (None, False, 'ZeroDivisionError', 'NoneType'),",
        " (None, False, 'NoneType', 'SyntaxError')]"]
    assert cells.result(f"i = {ends}[1].info; i.raw_cell, i.transformed_cell, i.store_history, i.silent, i.cell_id"
                        ) == "('5', '5\\n', True, False, 'c1')"
    assert cells.result(f"repr({ends}[1]).partition(',')[2].partition('info')[0]").startswith(
        "' execution_count=")
    outcome = cells.ok("r = ip.run_cell('1+'); print(type(r.error_before_exec), r.error_in_exec)")
    assert outcome.text() == "<class 'SyntaxError'> None\n"
    assert len(outcome.contents("error")[0]["traceback"]) == 1
    outcome = cells.ok("try: compile('a = = 1', 'x.py', 'exec')\nexcept SyntaxError: ip.showsyntaxerror()")
    assert len(outcome.contents("error")[0]["traceback"]) == 1


def test_cells_within_a_cell(cells):
    """get_ipython().run_cell(): its own number, result, events and failure."""
    assert cells.text("""
ip, told = get_ipython(), []
before = ip.execution_count
for name in ("pre_run_cell", "post_run_cell"):
    ip.events.register(name, lambda what, name=name: told.append(name))
ip.events.register("pre_execute", lambda: told.append("pre_execute"))
stored = ip.run_cell("40 + 2", store_history=True, cell_meta={"a": 1})
passing, silent, empty = ip.run_cell("7;"), ip.run_cell("8", silent=True), ip.run_cell(" ")
wrong, failed = ip.run_cell("def"), ip.run_cell("inner = 1; inner / 0")
for callbacks in ip.events.callbacks.values():
    callbacks.clear()
print(stored.execution_count == before + 1, stored.result, Out[stored.execution_count], stored.info.cell_meta,
      ip.execution_count == before + 1, In[stored.execution_count])
print([each.execution_count for each in (passing, silent, empty, wrong)], passing.result, silent.result, empty.success)
print(type(wrong.error_before_exec).__name__, type(failed.error_in_exec).__name__, ip.last_execution_result is failed)
print(told.count("pre_execute"), told.count("pre_run_cell"), told.count("post_run_cell"))
""").splitlines() == ["True 42 42 {'a': 1} True 40 + 2", "[None, None, None, None] None None True",
                      "SyntaxError ZeroDivisionError True", "5 4 4"]
    assert cells.result("inner") == "1"


def test_cells_that_a_loop_awaits(cells):
    assert cells.text("""
import asyncio
ip = get_ipython()
done = await ip.run_cell_async("await asyncio.sleep(0)\\nawaited = 5\\nawaited", store_history=True)
failed = await ip.run_cell_async("await asyncio.sleep(0)\\n1 / 0")
print(done.result, awaited, done.success, done.execution_count == ip.execution_count)
print(type(failed.error_in_exec).__name__, (await ip.run_cell_async("3")).result)
""").splitlines()[-2:] == ["5 5 True True", "ZeroDivisionError 3"]


def test_a_handler_shows_an_exception_once(cells):
    assert cells.text("""
ip, called = get_ipython(), []

def show(shell, etype, value, tb, tb_offset=None):
    called.append(etype.__name__)
    shell.showtraceback((etype, value, tb))

ip.set_custom_exc((ValueError, SyntaxError), show)
ip.run_cell("raise ValueError(1)"), ip.run_cell("1f")
ip.set_custom_exc((), None)
print(called)
""") == "['ValueError', 'SyntaxError']\n"


def test_transformers_of_lines_and_trees(cells):
    assert cells.text("""
import ast
ip, seen = get_ipython(), []

class Negate(ast.NodeTransformer):
    def visit_Constant(self, node):
        return ast.Constant(-node.value) if type(node.value) is int else node

def count(lines):
    seen.append(len(lines))
    return lines

count.has_side_effects = True
ip.ast_transformers.append(Negate())
timed = []
ip.run_line_magic("timeit", "-n1 -r1 -q timed.append(1)")
ip.ast_transformers.clear()
ip.input_transformer_manager.line_transforms.append(count)
ip.run_cell("0\\n1;"), ip.check_complete("a = 1")
ip.input_transformer_manager.line_transforms.clear()
print(timed, seen)
for code in ("for i in x:", "if True:\\n    a=1", "def f():\\n  x=0\\n  \\\\\\n  ", "a = 1", "1 +* 2"):
    print(ip.input_transformer_manager.check_complete(code))
""").splitlines() == ["[-1] [2]", "('incomplete', 4)", "('incomplete', 4)", "('incomplete', 2)", "('complete', None)",
                      "('invalid', None)"]


def test_formatters_of_their_own(cells):
    assert cells.text("""
from IPython.core.formatters import PlainTextFormatter
plain = PlainTextFormatter(max_seq_length=1)
plain.for_type(complex, lambda obj, p, cycle: p.text("i"))
plain.float_precision = 2
print(plain([1, 2]), plain(1j), plain(3.14159))
for wrong in ("%", "%.3f%i", "foo", -1):
    try:
        plain.float_precision = wrong
    except ValueError as error:
        print(error)
plain.for_type("builtins.complex", None), plain.pop("builtins.complex")
print(plain(1j))
""").splitlines() == ["[1, ...] i 3.14", *(f"Precision must be int or format string, not {wrong!r}"
                                           for wrong in ("%", "%.3f%i", "foo", -1)), "1j"]


def test_names_are_found_with_their_places(cells):
    assert cells.text("""
ip = get_ipython()

class A:
    __custom_documentations__ = {"p": "said by the class"}
    @property
    def p(self): raise RuntimeError

a = A()
found, missing, builtin, magic = (ip._ofind(name) for name in ("a.p", "a.q.r", "len", "%timeit"))
print(found.found, found.namespace, found.obj is A.p, found.parent is a, missing.found, missing.parent is a)
print(builtin.namespace, builtin.obj is len, magic.ismagic, magic.namespace, ip._ofind("nosuch").found)
print("said by the class" in ip.object_inspect_text("a.p"))
ip.user_ns_hidden.update(a=a)
print(ip.user_ns_hidden["a"] is a, "a" in ip.run_line_magic("who_ls", ""), ip.user_ns_hidden.pop("a") is a)
""").splitlines() == ["True Interactive True True False True", "Python builtin True True IPython internal False", "True",
                      "True False True"]
