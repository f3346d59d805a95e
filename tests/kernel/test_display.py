"""Results and displays: text, representations by MIME type, updates, captures."""
import base64

import pytest


@pytest.mark.parametrize("code, text", [
    ("1 + 1", "2"),
    ("'a'", "'a'"),
    ("{3, 1, 2}", "{1, 2, 3}"),
    ("[n * n for n in range(1, 4)]", "[1, 4, 9]"),
    ("(1,)", "(1,)"),
    ("()", "()"),
    ("frozenset({1})", "frozenset({1})"),
    ("int, dict", "(int, dict)"),
    ("class A: pass\nA", "__main__.A"),
    ("def f(x, *, y=1): pass\nf", "<function __main__.f(x, *, y=1)>"),
    ("len", "<function len(obj, /)>"),
    ("ValueError('x', 1)", "ValueError('x', 1)"),
    ("import collections\ncollections.defaultdict(int, a=1)", "defaultdict(int, {'a': 1})"),
    ("import collections\ncollections.OrderedDict(a=1)", "OrderedDict([('a', 1)])"),
    ("import collections\ncollections.Counter('aab')", "Counter({'a': 2, 'b': 1})"),
    ("class Mine(collections.Counter): pass\nMine('abbc'), Mine()", "(Mine({'b': 2, 'a': 1, 'c': 1}), Mine())"),
    ("collections.Counter({'a': [], 'b': 1})", "Counter({'a': [], 'b': 1})"),
    ("collections.deque([1], 2), collections.UserList([1])", "(deque([1], maxlen=2), UserList([1]))"),
    ("d = collections.deque(); d.append(d); d", "deque([deque(...)])"),
    ("import types; types.SimpleNamespace(a=1, b=types.SimpleNamespace())", "namespace(a=1, b=namespace())"),
    ("n = types.SimpleNamespace(); n.n = n; n", "namespace(n=namespace(...))"),
    ("d = {}; d[1] = types.MappingProxyType(d); d[1]", "mappingproxy({1: {...}})"),
    ("super(int, 5)", "<super: int, 5>"),
    ("a = [1]; a.append(a); a", "[1, [...]]"),
    ("d = {}; d['d'] = d; d", "{'d': {...}}"),
    ("'\\ud800'", "'\\ud800'"),
    ("None", None),
    ("7;", None),
    ("'a' ; # comment\n", None),
    ("1;2", "2"),
    ("if True:\n    7", None),
    ("x = 3; x", "3"),
])
def test_results(cells, code, text):
    assert cells.result(code) == text


def test_long_containers_break_one_item_per_line(cells):
    text = cells.result("list(range(2000))")
    assert text.startswith("[0,\n 1,\n 2,") and text.endswith("\n 999,\n ...]")
    assert cells.result("{'key%02d' % i: list(range(3)) for i in range(9)}").splitlines()[1] == \
        " 'key01': [0, 1, 2],"


def test_widths_and_items_of_the_printer(cells):
    assert cells.text("from IPython.lib.pretty import pretty, pprint\nimport types\n"
                        "print(repr(pretty(list(range(9)), max_width=12, newline='|', max_seq_length=4)))\n"
                        "pprint(types.SimpleNamespace(long='x' * 9, b=[1, 2]), max_width=20)\n"
                        "class P: a, _b = 1, 2\nprint(pretty(P(), verbose=True).partition(' at ')[2][-5:])") == (
        "'[0,| 1,| 2,| 3,| ...]'\nnamespace(long='xxxxxxxxx',\n          b=[1, 2])\n a=1>\n")


def test_object_without_repr(cells):
    assert cells.result("class A: pass\nA()").startswith("<__main__.A at 0x")


def test_repr_pretty(cells):
    assert cells.result(
        "class P:\n"
        "    def _repr_pretty_(self, p, cycle):\n"
        "        with p.group(2, 'P(', ')'):\n"
        "            for i in range(40):\n"
        "                if i:\n"
        "                    p.text(','); p.breakable()\n"
        "                p.pretty(i)\n"
        "P()").splitlines()[:2] == ["P(0,", "  1,"]


def test_representations(cells):
    outcome = cells.ok(
        "class R:\n"
        "    def _repr_html_(self): return '<b>r</b>', {'isolated': True}\n"
        "    def _repr_latex_(self): return None\n"
        "    def _repr_png_(self): return b'png'\n"
        "    def _repr_mimebundle_(self, include=None, exclude=None): return {'text/x-a': 'z'}\n"
        "R()")
    content = outcome.contents("execute_result")[0]
    assert content["data"]["text/html"] == "<b>r</b>"
    assert content["metadata"] == {"text/html": {"isolated": True}}
    assert base64.b64decode(content["data"]["image/png"]) == b"png"
    assert content["data"]["text/x-a"] == "z"
    assert "text/latex" not in content["data"] and "text/plain" in content["data"]


def test_failing_representation_leaves_the_others(cells):
    outcome = cells.ok("class R:\n    def _repr_html_(self): 1 / 0\n"
                       "    def _repr_latex_(self): return 5\n"
                       "    def _repr_markdown_(self): raise NotImplementedError\n"
                       "    def _repr_jpeg_(self): return b'jpg'\n"
                       "    def __repr__(self): return 'plain'\nR()")
    assert outcome.contents("execute_result")[0]["data"] == {"text/plain": "plain", "image/jpeg": "anBn"}
    assert [error["ename"] for error in outcome.contents("error")] == ["ZeroDivisionError"]
    assert "text/latex formatter returned invalid type <class 'int'>" in outcome.text("stderr")
    for method in "_repr_mimebundle_(self, **kw)", "_ipython_display_(self)":
        outcome = cells.ok(f"class F:\n    def {method}: raise ValueError('no')\nF()")
        assert [error["evalue"] for error in outcome.contents("error")] == ["no"]
        assert "text/plain" in outcome.contents("execute_result")[0]["data"]


def test_bundles_are_included_and_excluded(cells):
    outcome = cells.ok("class B:\n    def _repr_mimebundle_(self, include=None, exclude=None):\n"
                       "        return {'text/x': '1', 'text/html': 'b'}, {'text/html': {'k': 1}}\n"
                       "    def _repr_html_(self): return 'never'\n"
                       "    def __repr__(self): return 'B!'\n"
                       "display(B(), include=['text/html']); display(B(), exclude=['text/html'])\n"
                       "display('a', metadata={'text/plain': {'q': 1}}, transient={'t': 2})")
    contents = [(c["data"], c["metadata"], c["transient"]) for c in outcome.contents("display_data")]
    assert contents == [({"text/html": "b"}, {"text/html": {"k": 1}}, {}),
                        ({"text/plain": "B!", "text/x": "1"}, {}, {}),
                        ({"text/plain": "'a'"}, {"text/plain": {"q": 1}}, {"t": 2})]


def test_representations_of_classes(cells):
    outcome = cells.ok("class M(type):\n    def _repr_html_(cls): return 'a class'\n"
                       "class X(metaclass=M):\n    def _repr_latex_(self): return 'an instance'\nX")
    assert outcome.contents("execute_result")[0]["data"] == {
        "text/html": "a class", "text/plain": "__main__.X"}


def test_settings_of_plain_text(cells):
    cells.ok("plain = get_ipython().display_formatter.formatters['text/plain']\nplain.max_seq_length = 5")
    assert cells.result("list(range(10))") == "[0, 1, 2, 3, 4, ...]"
    cells.ok("plain.max_seq_length = 1000; plain.pprint = False")
    assert "\n" not in cells.result("[100] * 50")
    cells.ok("plain.pprint = True")
    assert "\n" in cells.result("[100] * 50")
    cells.ok("%config PlainTextFormatter.max_width = 20")
    assert cells.result("['x' * 9] * 2") == "['xxxxxxxxx',\n 'xxxxxxxxx']"
    cells.ok("%config PlainTextFormatter.max_width = 79")
    assert cells.result("import re; re.compile(r'\\d+', re.I)") == "re.compile(r'\\d+', re.IGNORECASE|re.UNICODE)"


def test_tables_arrays_and_pictures(cells):
    outcome = cells.ok("import pandas as pd, numpy as np\npd.DataFrame({'a': range(3)})")
    data = outcome.contents("execute_result")[0]["data"]
    assert "<table" in data["text/html"] and data["text/plain"].splitlines()[1] == "0  0"
    cells.ok("pd.options.display.max_rows = 4; np.set_printoptions(precision=2)")
    assert "100 rows" in cells.result("pd.DataFrame({'a': range(100)})")
    assert cells.result("np.array([1.23456, 2])") == "array([1.23, 2.  ])"
    outcome = cells.ok("from PIL import Image\nImage.new('RGB', (4, 4), 'red')")
    data = outcome.contents("execute_result")[0]["data"]
    assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")
    outcome = cells.ok("from numba import njit\n@njit\ndef f(x): return x + 1\nf(1)\n"
                       "list(f.inspect_cfg().values())[0]")
    data = outcome.contents("execute_result")[0]["data"]
    assert "<svg" in data["image/svg+xml"] and "max-width:100%" in data["text/html"]


def test_failing_repr_is_an_error(cells):
    assert "RuntimeError: boo" in cells.traceback(
        "class B:\n    def __repr__(self): raise RuntimeError('boo')\nB()")


def test_objects_that_answer_to_anything(cells):
    assert cells.result("class Any:\n    def __getattr__(self, name): return lambda *a: 'x'\n"
                        "    def __repr__(self): return 'any'\nAny()") == "any"


def test_displays_itself(cells):
    outcome = cells.ok("class S:\n    def _ipython_display_(self): print('myself')\nS()")
    assert outcome.text() == "myself\n" and not outcome.contents("execute_result")


def test_display_and_update(cells):
    outcome = cells.ok("h = display('a', display_id='k1'); h.update('b'); h")
    assert outcome.contents("display_data") == [
        {"data": {"text/plain": "'a'"}, "metadata": {}, "transient": {"display_id": "k1"}}]
    assert outcome.contents("update_display_data") == [
        {"data": {"text/plain": "'b'"}, "metadata": {}, "transient": {"display_id": "k1"}}]
    assert outcome.contents("execute_result")[0]["data"]["text/plain"] == \
        "<DisplayHandle display_id=k1>"


@pytest.mark.parametrize("code, mime, value", [
    ("HTML('<b>x</b>')", "text/html", "<b>x</b>"),
    ("Markdown('*x*')", "text/markdown", "*x*"),
    ("Math('x')", "text/latex", "$\\displaystyle x$"),
    ("Latex('$x$')", "text/latex", "$x$"),
    ("SVG('<?xml?><svg></svg>')", "image/svg+xml", "<svg></svg>"),
    ("JSON({'a': [1]})", "application/json", {"a": [1]}),
    ("Javascript('1')", "application/javascript", "1"),
    ("Image(b'\\x89PNG\\r\\n')", "image/png", base64.b64encode(b"\x89PNG\r\n").decode()),
    ("Image(url='http://x/y.png')", "text/html", '<img src="http://x/y.png"/>'),
])
def test_display_objects(cells, code, mime, value):
    data = cells.data(f"from IPython.display import *\ndisplay({code})")
    assert data[mime] == value
    name = code.partition("(")[0]
    assert data["text/plain"] == f"<IPython.core.display.{name} object>"


def test_raw_and_included_displays(cells):
    assert cells.data("display({'text/x-a': 'b'}, raw=True)") == {"text/x-a": "b"}
    assert list(cells.data("display(HTML('x'), include=['text/html'])")) == ["text/html"]


def test_clear_output(cells):
    outcome = cells.ok("from IPython.display import clear_output; clear_output(wait=True)")
    assert outcome.contents("clear_output") == [{"wait": True}]


def test_registered_formatters(cells):
    data = cells.ok(
        "class T: pass\n"
        "f = get_ipython().display_formatter.formatters\n"
        "f['text/html'].for_type(T, lambda t: '<i>t</i>')\n"
        "f['text/plain'].for_type(T, lambda t, p, cycle: p.text('a T'))\n"
        "f['image/svg+xml'].for_type_by_name('__main__', 'U', lambda u: '<svg/>')\n"
        "class U: pass\n"
        "display(U())\n"
        "T()")
    assert data.contents("execute_result")[0]["data"] == {"text/plain": "a T", "text/html": "<i>t</i>"}
    assert data.contents("display_data")[0]["data"]["image/svg+xml"] == "<svg/>"


def test_results_are_kept(cells):
    count = cells.ok("40 + 2").content["execution_count"]
    assert cells.result("_, __ is not None, Out[_n]".replace("_n", str(count))) == "(42, True, 42)"
    assert cells.result(f"_{count}") == "42"
    cells.ok("_ = 'mine'\n5")
    assert cells.result("_") == "'mine'"
    cells.ok("del _")


def test_inputs_are_kept(cells):
    count = cells.ok("a = 1").content["execution_count"]
    assert cells.result(f"_i, In[{count}], _i{count}") == "('a = 1', 'a = 1', 'a = 1')"


def test_numpy_arrays_in_containers(cells):
    assert cells.result("import numpy as np\n[np.zeros((2, 2))]") == \
        "[array([[0., 0.],\n        [0., 0.]])]"


def test_files_and_folders(cells, tmp_path):
    (tmp_path / "folder/inner").mkdir(parents=True)
    (tmp_path / "folder/a & b.txt").write_text("x")
    (tmp_path / "folder/inner/c.py").write_text("x")
    cells.ok(f"%cd -q {tmp_path}\nfrom IPython.display import *")
    link = cells.data("display(FileLink('folder/a & b.txt', result_html_prefix='- '))")
    assert link["text/html"] == "- <a href='folder/a &amp; b.txt' target='_blank'>folder/a &amp; b.txt</a><br>"
    assert link["text/plain"] == str(tmp_path / "folder/a & b.txt")
    links = cells.data("display(FileLinks('folder'))")
    assert links["text/plain"] == "folder/\n  a & b.txt\nfolder/inner/\n  c.py"
    assert links["text/html"] == ("folder/<br>\n&nbsp;&nbsp;<a href='folder/a &amp; b.txt' target='_blank'>a &amp; b.txt"
                                  "</a><br>\nfolder/inner/<br>\n&nbsp;&nbsp;<a href='folder/inner/c.py' "
                                  "target='_blank'>c.py</a><br>")
    assert cells.data("display(FileLinks('folder', included_suffixes=['.py']))")["text/plain"] == "folder/inner/\n  c.py"
    assert cells.data("display(FileLinks('folder', recursive=False))")["text/plain"] == "folder/\n  a & b.txt"
    assert "doesn't exist" in cells.data("display(FileLink('nowhere'))")["text/html"]
    assert "Use FileLinks to display 'folder'." in cells.traceback("FileLink('folder')")
    assert "Use FileLink to display 'folder/inner/c.py'." in cells.traceback("FileLinks('folder/inner/c.py')")


def test_pages_and_films(cells):
    cells.ok("from IPython.display import *")
    assert cells.data("display(IFrame('http://x', 300, '50%', a=1))")["text/html"].split() == [
        "<iframe", 'width="300"', 'height="50%"', 'src="http://x?a=1"', 'frameborder="0"', "allowfullscreen",
        'referrerpolicy="strict-origin-when-cross-origin"', "></iframe>"]
    film = cells.data("display(YouTubeVideo('abc', start=30, allow_autoplay=True))")["text/html"]
    assert 'src="https://www.youtube.com/embed/abc?start=30&autoplay=1"' in film and 'allow="autoplay"' in film
    assert cells.data("display(Video(url='http://x/y.webm', width=10))")["text/html"].startswith(
        '<video src="http://x/y.webm" controls  width="10" >\n')
    assert "this may make your notebook files huge" in cells.traceback("Video(b'abc')")


@pytest.mark.parametrize("expression, mime, expected", [
    ("SVG('<?xml version=\"1.0\"?><html><svg><g/></svg></html>')", "image/svg+xml", "<svg><g/></svg>"),
    ("Image(url='http://x/y.png', width=2, alt='a\"b', unconfined=True)", "text/html",
     '<img src="http://x/y.png" width="2" class="unconfined" alt="a&quot;b"/>'),
    ("JSON([1, 2])", "application/json", [1, 2]), ("Code('x = 1', language='python')", "text/plain", "x = 1"),
])
def test_bundles_of_display_objects(cells, expression, mime, expected):
    cells.ok("from IPython.display import *")
    assert cells.data(f"display({expression})")[mime] == expected


def test_what_display_objects_refuse(cells):
    cells.ok("from IPython.display import *")
    assert "JSON expects JSONable dict or list, not 5" in cells.traceback("JSON(5)")
    assert "expected sequence, got: 5" in cells.traceback("Javascript(lib=5)")
    assert "data must be a dict, got: 'x'" in cells.traceback("publish_display_data('x')")
    assert "display_id required for update_display" in cells.traceback("display(1, update=True)")
    assert "Consider using IPython.display.IFrame" in cells.ok("HTML('<iframe src=\"x\"></iframe>')").text("stderr")
    warning = cells.ok("class W:\n    def _repr_html_(self): return 5\nW()").text("stderr")
    assert "FormatterWarning: text/html formatter returned invalid type <class 'int'>" in warning


def test_a_file_of_that_name_is_read(cells, tmp_path):
    (tmp_path / "page.html").write_text("<b>page</b>")
    cells.ok(f"%cd -q {tmp_path}\nfrom IPython.display import *")
    assert cells.data("display(HTML('page.html'))")["text/html"] == "<b>page</b>"
    assert cells.data("display(HTML('no.html'))")["text/html"] == "no.html"


def test_only_the_wanted_type(cells):
    cells.ok("from IPython.display import *\nclass H:\n    def _repr_html_(self): return '<i>'")
    assert cells.data("display_html(H())") == {"text/html": "<i>"}


def test_an_empty_place_for_later(cells):
    outcome = cells.ok("place = display(display_id='later')\nplace.update(5)")
    assert outcome.contents("display_data") == [
        {"data": {}, "metadata": {}, "transient": {"display_id": "later"}}]
    assert cells.result("display(6, display_id='later', update=True)") == "<DisplayHandle display_id=later>"


def test_reprs_of_several_lines_break_what_is_around_them(cells):
    cells.ok("class R:\n    def __repr__(self): return 'one\\ntwo'")
    assert cells.result("[R(), R()]") == "[one\n two,\n one\n two]"
    assert cells.result("{'a': R(), 'b': 1}") == "{'a': one\n two,\n 'b': 1}"
