"""The libraries that notebooks use most, each by a cell and what the notebook shows of it: with
IPython installed, and in an environment that has no IPython, ipykernel or matplotlib-inline."""
import importlib.util
import pathlib
import sys

import pytest
from conftest import without_colours

# nbval cannot do without ipykernel, and pytest loads it
HIDDEN = ("ipython", "ipykernel", "matplotlib_inline", "nbval")


def _without_ipython(folder):
    """A folder with everything of site-packages but IPython and its kernel."""
    packages = [pathlib.Path(entry) for entry in sys.path if entry.endswith("site-packages")]
    for package in packages:
        for entry in package.iterdir() if package.is_dir() else ():
            link = folder / entry.name
            if not entry.name.lower().startswith(HIDDEN) and entry.suffix != ".pth" and not link.exists():
                link.symlink_to(entry)
    return folder


@pytest.fixture(scope="module", params=["IPython", "no IPython"])
def kernel(request, gridcell, tmp_path_factory, kernel_class):
    options = {}
    if request.param == "no IPython":
        folder = _without_ipython(tmp_path_factory.mktemp("packages"))
        options = {"python": getattr(sys, "_base_executable", sys.executable),
                   "env": {"PYTHONPATH": str(folder), "VIRTUAL_ENV": ""}}
    shared = kernel_class(gridcell, cwd=tmp_path_factory.mktemp("work"), **options)
    if request.param == "no IPython" and sys.version_info >= (3, 12) and importlib.util.find_spec("setuptools"):
        shared.run("import setuptools")  # its .pth file, which gives distutils, is not read there
    yield shared
    shared.close()


@pytest.fixture(autouse=True)
def installed(request):
    """Skips the tests of libraries that this environment does not have."""
    for name in getattr(request.node.get_closest_marker("needs"), "args", ()):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed")


def needs(*names):
    return pytest.mark.needs(*names)


def html(bundle):
    return bundle["text/html"]


def result_data(cells, code):
    outcome = cells.ok(code)
    return outcome.contents("execute_result")[0]["data"]


def displays(cells, code):
    return [c["data"] for c in cells.ok(code).contents("display_data")]


def models(outcome):
    return [c["data"]["state"].get("_model_name") for c in outcome.contents("comm_open")]


VIEW = "application/vnd.jupyter.widget-view+json"


def test_the_environment_is_what_it_says(cells, request):
    found = cells.result("import IPython.core\n[f for f in IPython.core.__path__ if '/gridcell/ipython/' not in f] != []")
    assert found == str("no IPython" not in request.node.callspec.id)


# ---- figures

@needs("matplotlib")
def test_matplotlib(cells):
    data = cells.data("import matplotlib.pyplot as plt\nfig, ax = plt.subplots(figsize=(1, 1)); ax.plot([1, 2]);")
    assert data["text/plain"] == "<Figure size 100x100 with 1 Axes>"
    assert data["image/png"].startswith("iVBORw0KGgo")


@needs("matplotlib")
def test_animation(cells):
    page = html(result_data(cells, """
from matplotlib.animation import FuncAnimation
from IPython.display import HTML
fig, ax = plt.subplots(figsize=(1, 1)); (line,) = ax.plot([], [])
film = FuncAnimation(fig, lambda i: line.set_data([0, i], [0, i]), frames=2); plt.close(fig)
HTML(film.to_jshtml())"""))
    assert "data:image/png;base64" in page and "new Animation(frames" in page


@needs("matplotlib")
def test_figure_formats(cells):
    outcome = cells.ok("""
from matplotlib_inline.backend_inline import set_matplotlib_formats
set_matplotlib_formats('svg', 'retina')
plt.figure(figsize=(1, 1)); plt.plot([1, 2]);""").contents("display_data")[0]
    assert "<svg" in outcome["data"]["image/svg+xml"]
    assert set(outcome["metadata"]["image/png"]) == {"width", "height"}
    assert set(cells.data("set_matplotlib_formats('png')\nplt.plot([1]);")) == {"text/plain", "image/png"}


@needs("ipympl")
def test_ipympl_shows_its_canvas_and_nothing_else(cells):
    shown = displays(cells, "%matplotlib widget\nfig, ax = plt.subplots(); ax.plot([1, 2]); plt.show()")
    assert [VIEW in data for data in shown] == [True]
    assert displays(cells, "%matplotlib inline\nplt.close('all')") == []


@needs("seaborn")
def test_seaborn(cells):
    outcome = cells.ok("import seaborn as sns\nsns.histplot([1, 2, 2, 3])")
    assert outcome.contents("execute_result")[0]["data"]["text/plain"].startswith("<Axes")
    assert "image/png" in outcome.contents("display_data")[0]["data"]
    assert "<svg" in html(result_data(cells, "sns.color_palette('deep')"))
    plot = cells.ok("import seaborn.objects as so\nso.Plot(x=[1, 2], y=[1, 2]).add(so.Line())")
    assert plot.contents("execute_result")[0]["metadata"]["image/png"]["width"] > 100


@needs("networkx")
def test_networkx(cells):
    assert "image/png" in cells.data("import networkx as nx\nnx.draw(nx.path_graph(3))")


@needs("plotly")
def test_plotly(cells):
    code = "import plotly.graph_objects as go\nbars = go.Figure(go.Bar(x=[1], y=[2])); bars.show()"
    assert displays(cells, code)[-1]["application/vnd.plotly.v1+json"]["data"][0]["type"] == "bar"
    assert "application/vnd.plotly.v1+json" in displays(cells, "bars")[0]
    pages = displays(cells, "bars.show(renderer='notebook_connected')")
    assert "Plotly.newPlot" in html(pages[-1])


@needs("altair", "pandas")
def test_altair(cells):
    code = """
import altair as alt, pandas as pd
chart = alt.Chart(pd.DataFrame({"a": [1], "b": [2]})).mark_bar().encode(x="a:O", y="b")
chart"""
    assert "vegaEmbed" in html(result_data(cells, code))
    data = displays(cells, "alt.renderers.enable('mimetype'); chart.display()")[0]
    spec = next(value for mime, value in data.items() if mime.startswith("application/vnd.vegalite"))
    assert spec["mark"] == {"type": "bar"}


@needs("bokeh")
def test_bokeh(cells):
    loading = displays(cells, "from bokeh.io import output_notebook, push_notebook, show\noutput_notebook()")
    assert "application/vnd.bokehjs_load.v0+json" in loading[-1]
    shown = cells.ok("""
from bokeh.plotting import figure
plot = figure(width=99, height=99); line = plot.line([1, 2], [1, 2])
handle = show(plot, notebook_handle=True)""")
    last = shown.contents("display_data")[-1]
    assert list(last["metadata"]) == ["application/vnd.bokehjs_exec.v0+json"]
    comm = shown.contents("comm_open")[0]["comm_id"]
    pushed = cells.ok("line.glyph.line_width = 3; push_notebook(handle=handle)").contents("comm_msg")
    assert {c["comm_id"] for c in pushed} == {comm}


# ---- tables and values

@needs("pandas")
def test_pandas(cells):
    data = result_data(cells, "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2, 3], 'b': list('xyz')})\ndf")
    assert data["text/plain"] == "   a  b\n0  1  x\n1  2  y\n2  3  z" and '<table border="1"' in html(data)
    assert "background-color: yellow" in html(result_data(cells, "df.style.highlight_max(subset=['a'])"))
    assert "image/png" in cells.data("df.plot(y='a', figsize=(1, 1))")


@needs("pandas")
def test_pandas_registers_a_formatter_of_its_own(cells):
    data = result_data(cells, "pd.set_option('display.html.table_schema', True)\ndf")
    rows = data["application/vnd.dataresource+json"]["data"]
    assert [row["a"] for row in rows] == [1, 2, 3] and "text/html" in data
    data = result_data(cells, "pd.set_option('display.html.table_schema', False)\ndf")
    assert set(data) == {"text/plain", "text/html"}


@needs("itables")
def test_itables(cells):
    shown = displays(cells, "import itables\nitables.init_notebook_mode(all_interactive=True, connected=True)")
    assert shown
    assert "new ITable" in html(result_data(cells, "df")) or "DataTable" in html(result_data(cells, "df"))
    cells.ok("itables.init_notebook_mode(all_interactive=False, connected=True)")
    assert "ITable" not in html(result_data(cells, "df"))


@needs("xarray")
def test_xarray(cells):
    assert "xr-wrap" in html(result_data(cells, "import xarray as xr\nxr.DataArray([1, 2])"))


@needs("sklearn")
def test_scikit_learn(cells):
    code = """
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
make_pipeline(StandardScaler(), LinearRegression())"""
    assert "sk-top-container" in html(result_data(cells, code))
    code = """
from sklearn.ensemble import RandomForestClassifier
RandomForestClassifier(n_estimators=4, n_jobs=2, random_state=1).fit([[0], [1]] * 5, [0, 1] * 5).predict([[1]])"""
    assert cells.result(code) == "array([1])"


@needs("sympy", "matplotlib")
def test_sympy(cells):
    data = result_data(cells, "import sympy; sympy.init_printing(); x = sympy.symbols('x'); sympy.Integral(1/x)")
    assert data["text/latex"] == r"$\displaystyle \int \frac{1}{x}\, dx$" and "image/png" in data
    data = result_data(cells, "sympy.init_printing(use_latex='mathjax'); [x**2, {x: sympy.pi / 2}]")
    assert "text/latex" in data and "image/png" not in data
    data = result_data(cells, "sympy.init_printing(pretty_print=False); x**2")
    assert data["text/plain"] == "x**2"


@needs("PIL")
def test_pillow(cells):
    data = result_data(cells, "from PIL import Image\nImage.new('RGB', (4, 4), 'red')")
    assert data["image/png"].startswith("iVBORw0KGgo")


@needs("tabulate")
def test_tabulate(cells):
    data = result_data(cells, "import tabulate\ntabulate.tabulate([[1, 2]], tablefmt='html')")
    assert html(data).startswith("<table>")


@needs("numexpr")
def test_numexpr(cells):
    assert cells.result("import numexpr, numpy\nnumexpr.evaluate('a + 1', {'a': numpy.arange(3)}).tolist()") \
        == "[1, 2, 3]"


# ---- progress and widgets

@needs("tqdm")
def test_tqdm(cells):
    assert "3/3" in cells.ok("from tqdm import tqdm\nfor i in tqdm(range(3)): pass").text("stderr")


@needs("tqdm", "ipywidgets")
@pytest.mark.parametrize("module", ["auto", "notebook", "autonotebook"])
def test_tqdm_finds_the_notebook(cells, module):
    outcome = cells.ok(f"from tqdm.{module} import tqdm as bar\nfor i in bar(range(3)): pass")
    assert VIEW in outcome.contents("display_data")[0]["data"]
    assert "FloatProgressModel" in models(outcome)
    states = [c["data"]["state"] for c in outcome.contents("comm_msg")]
    assert any(state.get("bar_style") == "success" for state in states)


@needs("tqdm")
def test_tqdm_of_pandas_and_asyncio(cells):
    assert cells.result("""
from tqdm.asyncio import tqdm_asyncio
import asyncio
await tqdm_asyncio.gather(*[asyncio.sleep(0.01, i) for i in range(3)])""") == "[0, 1, 2]"
    assert "0    2" in cells.result("bar.pandas(); df.a.progress_apply(lambda x: 2 * x)")


@needs("ipywidgets")
def test_interact(cells):
    outcome = cells.ok("""
import ipywidgets as w
@w.interact(x=(0, 10))
def f(x=3):
    print('x is', x)
    return x * 2""")
    assert outcome.text() == "x is 3\n" and "IntSliderModel" in models(outcome)
    assert {"clear_output", "display_data"} <= set(outcome.types)


@needs("ipywidgets")
def test_output_widgets_take_what_is_shown_and_raised(cells):
    outcome = cells.ok("out = w.Output()\nwith out:\n    print('inside'); display('rich'); 1 / 0\nprint('after')")
    ids = [c["data"]["state"]["msg_id"] for c in outcome.contents("comm_msg")
           if "msg_id" in c["data"].get("state", {})]
    assert ids == [outcome.reply["parent_header"]["msg_id"], ""]
    assert outcome.contents("error")[0]["ename"] == "ZeroDivisionError"
    assert outcome.text() == "inside\nafter\n"
    kept = cells.result("out.append_stdout('kept')\nout.outputs")
    assert "'text': 'kept'" in kept


@needs("ipywidgets")
def test_links_and_buttons(cells):
    outcome = cells.ok("a, b = w.IntSlider(), w.IntText(); w.jslink((a, 'value'), (b, 'value')); w.HBox([a, b])")
    assert "LinkModel" in models(outcome)
    assert cells.text("button = w.Button(); button.on_click(lambda b: print('clicked')); button.click()") \
        == "clicked\n"


# ---- rich

@needs("rich")
def test_rich_prints_html(cells):
    data = displays(cells, "import rich\nrich.print('[bold red]hi[/]')")[0]
    assert without_colours(data["text/plain"]) == "hi\n"
    assert "font-weight: bold" in html(data)
    table = result_data(cells, "from rich.table import Table\nt = Table('a'); t.add_row('1'); t")
    assert "┃ a ┃" in without_colours(table["text/plain"])


@needs("rich")
def test_rich_takes_over_results_and_tracebacks(start_kernel):
    other = start_kernel()
    other.run("from rich import pretty, traceback\npretty.install(); handler = traceback.install()")
    shown = other.run("{'a': [1, 2]}")
    assert "'a'" in str(shown.contents("display_data") + shown.contents("execute_result"))
    failed = other.run("def f(): return 1 / 0\nf()")
    assert failed.content["status"] == "error" and failed.content["ename"] == "ZeroDivisionError"
    assert "error" not in failed.types
    shown = without_colours(failed.contents("display_data")[0]["data"]["text/plain"])
    assert "Traceback (most recent call last)" in shown


# ---- work in other processes and threads

@needs("dask")
def test_dask(cells):
    data = result_data(cells, "import dask.array as da\nx = da.ones((10, 10), chunks=5)\nx")
    assert "<svg" in html(data)
    printed = cells.text("from dask.diagnostics import ProgressBar\nwith ProgressBar(): print(x.sum().compute())")
    assert "100% Completed" in printed and printed.endswith("100.0\n")


@needs("distributed")
def test_dask_distributed(cells):
    data = result_data(cells, """
from dask.distributed import Client
client = Client(processes=False, dashboard_address=None, n_workers=1)
client""")
    assert "Client" in html(data)
    assert cells.result("client.submit(lambda x: x + 1, 3).result()") == "4"
    assert cells.text("client.close()\nprint('closed')") == "closed\n"


@needs("joblib")
def test_joblib(cells):
    assert cells.result("""
from joblib import Parallel, delayed
def square(x): return x * x
Parallel(n_jobs=2)(delayed(square)(i) for i in range(4))""") == "[0, 1, 4, 9]"


def test_processes_of_the_standard_library(cells):
    assert cells.result("""
import math, multiprocessing
from concurrent.futures import ProcessPoolExecutor
def double(x): return 2 * x
# by default, processes of Python 3.14 do not know what cells define
fork = multiprocessing.get_context("fork")
with fork.Pool(2) as pool, ProcessPoolExecutor(2, mp_context=fork) as executor:
    results = pool.map(double, [1, 2]), list(executor.map(double, [3]))
with multiprocessing.get_context("spawn").Pool(1) as pool:
    results += pool.map(math.sqrt, [4]),
results""") == "([2, 4], [6], [2.0])"


@needs("nest_asyncio", "anyio")
def test_event_loops(start_kernel):
    other = start_kernel()
    assert other.run("""
import anyio, asyncio
async with anyio.create_task_group() as group:
    group.start_soon(anyio.sleep, 0.01)
print(await anyio.to_thread.run_sync(lambda: 3))""").text() == "3\n"
    assert other.run("""
import nest_asyncio; nest_asyncio.apply()
async def five(): await asyncio.sleep(0.01); return 5
print(asyncio.run(five()), asyncio.get_event_loop().run_until_complete(five()))""").text() == "5 5\n"


# ---- extensions

@needs("line_profiler")
def test_line_profiler(cells):
    outcome = cells.ok("""
%load_ext line_profiler
def slow(n):
    t = 0
    for i in range(n): t += i
    return t
stats = %lprun -r -f slow slow(10)""")
    assert cells.result("stats.get_stats().timings != {}") == "True"
    pager = cells.ok("%lprun -f slow slow(100)").content["payload"]
    shown = str(pager) + cells.ok("%lprun -f slow slow(100)").text()
    assert "for i in range(n): t += i" in shown, outcome


@needs("memory_profiler")
def test_memory_profiler(cells):
    assert cells.text("%load_ext memory_profiler\n%memit -r 1 sum(range(10))").startswith("peak memory:")


def test_autoreload(cells):
    cells.ok("""
%load_ext autoreload
%autoreload 2
import os, pathlib, sys, time
sys.path.insert(0, os.getcwd())
path = pathlib.Path("edited_module.py"); path.write_text("def f(): return 1"); import edited_module""")
    assert cells.result("edited_module.f()") == "1"
    cells.ok("path.write_text('def f(): return 22'); os.utime(path, (time.time() + 5,) * 2)")
    assert cells.result("edited_module.f()") == "22"
    cells.ok("%autoreload 0")


@needs("Cython")
def test_cython(cells):
    assert cells.ok("%load_ext Cython").content["status"] == "ok"
    cells.ok("%%cython\ndef total(int n):\n    cdef int i, t = 0\n    for i in range(n): t += i\n    return t",
             timeout=60)
    assert cells.result("total(10)") == "45"


@needs("pyinstrument")
def test_pyinstrument(cells):
    cells.ok("%load_ext pyinstrument")
    data = displays(cells, "%%pyinstrument\nimport time\nanswer = 42\ntime.sleep(0.02)")[-1]
    assert "<iframe" in html(data) and "sleep" in data["text/plain"]
    assert cells.result("answer") == "42"


@needs("watermark")
def test_watermark(cells):
    printed = cells.text("%load_ext watermark\n%watermark -v -m -p numpy")
    assert "IPython version" in printed and "numpy:" in printed


@needs("ipytest")
def test_ipytest(cells):
    printed = cells.text("import ipytest; ipytest.autoconfig(addopts=['-q', '-p', 'no:cacheprovider'])")
    printed = cells.run("%%ipytest\ndef test_a(): assert 1 == 1\ndef test_b(): assert 1 == 2", timeout=40).text()
    assert "1 failed, 1 passed" in without_colours(printed)


@needs("jupyter_black")
def test_a_formatter_of_cells(cells):
    payload = cells.ok("%load_ext jupyter_black").content["payload"]
    assert payload == []
