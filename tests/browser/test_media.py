"""What JupyterLab draws by itself, type by type, and what stands where several types are offered."""
import pytest
from lab import new_notebook
from playwright.sync_api import expect

MAKE_PICTURES = """\
import io
from IPython.display import (HTML, JSON, SVG, Code, DisplayHandle, Image, Javascript, Latex, Markdown, Math,
                             Pretty, clear_output, display, update_display)
from PIL import Image as Picture
def encode(kind):
    file = io.BytesIO()
    Picture.new("RGB", (120, 60), "teal").save(file, kind)
    return file.getvalue()"""

CELLS = {
    "setup": MAKE_PICTURES,
    "html": 'HTML("<b style=\'color: rgb(1, 2, 3)\'>bold</b><script>window.scriptsRun = 1</script>")',
    "markdown": 'Markdown("# Heading\\n\\n* item **one**\\n\\n$e^{i\\\\pi}$")',
    "latex": 'Latex(r"\\begin{equation}x^2\\end{equation}")',
    "math": 'Math(r"\\frac{a}{b}")',
    "svg": 'SVG(\'<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60"><circle r="9"/></svg>\')',
    "png": 'Image(encode("PNG"), width=240)',
    "jpeg": 'Image(encode("JPEG"))',
    "gif": 'Image(encode("GIF"))',
    "webp": 'Image(encode("WEBP"))',
    "pillow": 'Picture.new("L", (120, 60))',
    "bmp": 'import base64\ndisplay({"image/bmp": base64.b64encode(encode("BMP")).decode()}, raw=True)',
    "javascript": 'Javascript("element.append(\'written by a script\')")',
    "json": 'JSON({"outer": {"inner": [1, 2]}}, expanded=True, root="tree")',
    "mermaid": 'display({"text/vnd.mermaid": "graph LR; copy --> kernel --> result", "text/plain": "m"}, raw=True)',
    "vegalite": """\
display({"application/vnd.vegalite.v5+json": {
    "$schema": "https://vega.github.io/schema/vega-lite/v5.json", "mark": "bar", "width": 120,
    "data": {"values": [{"a": "x", "b": 1}, {"a": "y", "b": 3}]},
    "encoding": {"x": {"field": "a"}, "y": {"field": "b", "type": "quantitative"}}}, "text/plain": "v"}, raw=True)""",
    "richest": """\
class Both:
    def __repr__(self): return "as text"
    def _repr_html_(self): return "<i>as page</i>"
    def _repr_markdown_(self): return "as markdown"
Both()""",
    "unknown": 'display({"application/x-own+json": {"a": 1}, "text/plain": "for everybody"}, raw=True)',
    "background": """\
import matplotlib.pyplot as plt
figure = plt.figure(figsize=(1, 1), facecolor="none"); figure.gca().plot([1, 2]);""",
    "code": 'Code("def f(): pass", language="python")',
    "pretty": 'Pretty("only text")',
}


@pytest.fixture(scope="module")
def notebook(open_notebook):
    opened = open_notebook("media.ipynb", new_notebook(CELLS.values()), height=2000)
    opened.menu("Run", "Run All Cells")
    for cell in opened.cells():
        cell.wait_until_run()
    opened.picture("media")
    return opened


@pytest.fixture
def shown(notebook):
    return lambda name: notebook.cell(list(CELLS).index(name)).output


def test_html_and_its_scripts(notebook, shown):
    expect(shown("html").locator("b")).to_have_css("color", "rgb(1, 2, 3)")
    assert notebook.page.evaluate("window.scriptsRun") == 1


def test_markdown_with_mathematics(shown):
    expect(shown("markdown").locator("h1")).to_contain_text("Heading")
    expect(shown("markdown").locator("li strong")).to_have_text("one")
    for name in ("markdown", "latex", "math"):
        expect(shown(name).locator("mjx-container")).to_have_count(1)


def test_svg(shown):
    image = shown("svg").locator('[data-mime-type="image/svg+xml"] img, [data-mime-type="image/svg+xml"] svg')
    expect(image).to_have_count(1)
    assert image.evaluate("image => image.getBoundingClientRect().width") == 120


@pytest.mark.parametrize("name, kind, width", [
    ("png", "png", 240), ("jpeg", "jpeg", 120), ("gif", "gif", 120), ("webp", "webp", 120),
    ("pillow", "png", 120), ("bmp", "bmp", 120)])
def test_pictures(shown, name, kind, width):
    image = shown(name).locator(f'[data-mime-type="image/{kind}"] img')
    expect(image).to_have_count(1)
    sizes = image.evaluate("async image => { await image.decode(); return [image.naturalWidth, image.clientWidth] }")
    assert sizes == [120, width]


def test_javascript_gets_its_element(shown):
    expect(shown("javascript")).to_contain_text("written by a script")


def test_json_is_a_tree(shown):
    tree = shown("json").locator(".jp-RenderedJSON")
    expect(tree).to_contain_text("tree")
    expect(tree).to_contain_text("inner")  # it is expanded


def test_diagrams(shown):
    picture = shown("mermaid").locator(".jp-RenderedMermaid img")
    expect(picture).to_have_count(1)


def test_charts(shown):
    expect(shown("vegalite").locator("canvas, svg.marks")).to_have_count(1)


def test_the_richest_type_is_drawn(shown):
    expect(shown("richest").locator("i")).to_have_text("as page")
    expect(shown("richest")).not_to_contain_text("as text")
    expect(shown("unknown")).to_contain_text("for everybody")


def test_a_transparent_figure_asks_for_its_background(shown):
    expect(shown("background").locator("img.jp-needs-light-background")).to_have_count(1)


def test_code_is_highlighted(shown):
    expect(shown("code").locator(".highlight .k").first).to_have_text("def")
    expect(shown("pretty")).to_contain_text("only text")
