"""Charts of libraries that draw in the browser, and what happens to them when the kernel changes them."""
import importlib.util

import pytest
from lab import new_notebook
from playwright.sync_api import expect

ALTAIR = """\
import altair as alt
alt.renderers.enable("jupyter", offline=True)
def bars(values):
    rows = [{"name": name, "count": count} for name, count in zip("abc", values)]
    return alt.Chart(alt.Data(values=rows)).mark_bar().encode(x="name:N", y="count:Q").properties(width=150)
bars([3, 1, 2])"""

ALTAIR_WIDGET = """\
limit = alt.param("limit", value=3, bind=alt.binding_range(min=1, max=9))
lines = alt.JupyterChart(bars([3, 1, 2]).add_params(limit))
lines"""

PLOTLY_WIDGET = """\
import plotly.graph_objects as go
widget = go.FigureWidget(go.Bar(x=["a", "b"], y=[3, 5]), layout={"height": 300, "width": 400})
clicks = []
widget.data[0].on_click(lambda trace, points, state: clicks.append(points.point_inds))
widget"""

BOKEH = """\
import os
os.environ["BOKEH_RESOURCES"] = "inline"
from bokeh.io import output_notebook, show
from bokeh.plotting import figure
from bokeh.resources import INLINE
output_notebook(INLINE, hide_banner=True)
plot = figure(width=200, height=150, title="first")
line = plot.line([1, 2], [1, 2])
show(plot)"""


def needs(*names):
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"{missing} not installed")


@pytest.fixture(scope="module")
def notebook(open_notebook):
    return open_notebook("charts.ipynb", new_notebook([""] * 3), height=1500)


@pytest.fixture
def cells(notebook):
    return notebook.cells()


def _drawing(cell):
    """What Vega draws on."""
    return cell.output.locator(".vega-embed").locator("canvas, svg.marks").first


def _look(cell):
    expect(_drawing(cell)).to_be_visible()
    return _drawing(cell).evaluate("e => e.toDataURL ? e.toDataURL() : e.outerHTML")


@needs("altair", "anywidget", "vl_convert")
def test_altair_is_drawn_and_drawn_again(cells):
    chart, other, _ = cells
    chart.run(ALTAIR).wait_until_run()
    whole = _look(chart)
    chart.picture("altair")
    chart.run("handle = display(bars([1]), display_id='bars')")
    before = _look(chart)
    assert before != whole
    other.run("handle.update(bars([1, 2, 3]))").wait_until_run()
    for _ in range(50):
        if _look(chart) != before:
            return
        chart.notebook.page.wait_for_timeout(100)
    raise AssertionError("the chart is as it was")


@needs("altair", "anywidget", "vl_convert")
def test_a_chart_widget_of_altair_tells_and_is_told(cells):
    chart, other, _ = cells
    chart.run(ALTAIR + "\n" + ALTAIR_WIDGET)
    slider = chart.output.locator("input[type=range]")
    expect(slider).to_be_visible()
    slider.evaluate("e => { e.value = 7; e.dispatchEvent(new Event('input', {bubbles: true})) }")
    other.run("import asyncio\nfor _ in range(100):\n    if lines.params.limit == 7: break\n"
              "    await asyncio.sleep(0.05)\nlines.params.limit == 7").expect_result("True")
    other.run("lines.params.limit = 4").wait_until_run()
    expect(slider).to_have_value("4")
    chart.picture("altair-widget")


def draw_bars(chart):
    """The two bars of Plotly's widget, on the page."""
    chart.run(PLOTLY_WIDGET)
    points = chart.output.locator(".main-svg .bars .point")
    expect(points).to_have_count(2)
    return points


@needs("plotly", "anywidget")
def test_a_figure_widget_of_plotly_follows_its_data(cells):
    chart, other, _ = cells
    points = draw_bars(chart)
    other.run("widget.data[0].x = ['a', 'b', 'c']\nwidget.data[0].y = [1, 2, 3]\n"
              "widget.layout.title = 'three bars'").wait_until_run()
    expect(points).to_have_count(3)
    expect(chart.output.locator(".gtitle")).to_have_text("three bars")
    with_more = other.run("with widget.batch_update():\n    widget.add_scatter(y=[1, 2, 3])")
    with_more.wait_until_run()
    expect(chart.output.locator(".scatterlayer .trace")).to_have_count(1)
    chart.picture("plotly-widget")


@needs("plotly", "anywidget")
def test_a_click_on_a_bar_calls_python(cells):
    chart, other, _ = cells
    points = draw_bars(chart)
    drag, label = chart.output.locator(".nsewdrag").first, chart.output.locator(".hoverlayer .hovertext")
    for _ in range(50):  # the bars move while the widget finds its size, and a click counts where the label is
        box, bar = drag.bounding_box(), points.nth(1).bounding_box()
        middle = {"x": bar["x"] - box["x"] + bar["width"] / 2, "y": bar["y"] - box["y"] + bar["height"] / 2}
        drag.hover(position=middle)
        if label.count():
            break
        chart.notebook.page.wait_for_timeout(100)
    drag.click(position=middle)
    other.run("import asyncio\nfor _ in range(100):\n    if clicks: break\n    await asyncio.sleep(0.05)\nclicks"
              ).expect_result("[[1]]")


@needs("bokeh")
def test_bokeh_is_drawn(cells):
    """Pushing to it takes Bokeh's own extension of JupyterLab; the messages are tested with the kernel."""
    chart = cells[0]
    chart.run(BOKEH).wait_until_run()
    expect(chart.output.first.locator("[data-root-id]").last).to_be_attached()
    chart.notebook.page.wait_for_function("() => window.Bokeh && Object.keys(Bokeh.index).length > 0")
    chart.picture("bokeh")
