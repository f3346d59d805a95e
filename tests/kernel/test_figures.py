"""Matplotlib figures: shown at the end of the cell, or by plt.show()."""
import base64

PLOT = "import matplotlib.pyplot as plt\nplt.plot([1, 2])"


def png_of(content):
    data = base64.b64decode(content["data"]["image/png"])
    assert data.startswith(b"\x89PNG")
    return data


def test_without_any_magic(start_kernel):
    outcome = start_kernel().run(PLOT + ";")
    shown = outcome.contents("display_data")
    assert len(shown) == 1 and png_of(shown[0])
    assert shown[0]["data"]["text/plain"].startswith("<Figure size ")
    assert outcome.messages[-1]["content"]["execution_state"] == "idle"


def test_matplotlib_inline(cells):
    outcome = cells.ok("%matplotlib inline\n" + PLOT)
    assert outcome.text() == ""
    assert outcome.contents("execute_result")[0]["data"]["text/plain"].startswith("[<matplotlib.lines")
    assert png_of(outcome.contents("display_data")[0])
    assert cells.ok("1").types == ["status", "execute_input", "execute_result", "status"]


def test_show_is_at_once(cells):
    outcome = cells.ok("import matplotlib.pyplot as plt\nfig, ax = plt.subplots(); ax.plot([1]); plt.show()\n"
                       "print('after')")
    assert outcome.types[2:4] == ["display_data", "stream"]
    assert outcome.types.count("display_data") == 1


def test_figures_before_an_error_are_shown(cells):
    outcome = cells.run(PLOT + "\n1/0")
    assert outcome.content["status"] == "error"
    assert len(outcome.contents("display_data")) == 1


def test_a_figure_as_result(cells):
    outcome = cells.ok("fig = plt.figure(); plt.plot([1]); plt.close(fig)\nfig")
    assert png_of(outcome.contents("execute_result")[0])
    assert not outcome.contents("display_data")


def test_formats(cells):
    outcome = cells.ok("%config InlineBackend.figure_format = 'svg'\n" + PLOT)
    assert "<svg" in outcome.contents("display_data")[0]["data"]["image/svg+xml"]
    retina = cells.ok("%config InlineBackend.figure_format = 'retina'\n" + PLOT).contents("display_data")[0]
    size = int.from_bytes(png_of(retina)[16:20], "big")
    assert retina["metadata"]["image/png"]["width"] == size // 2
    cells.ok("%config InlineBackend.figure_format = 'png'")


def test_unknown_backend(cells):
    assert "Unknown backend 'nosuch'" in cells.usage_error("%matplotlib nosuch")


def test_child_processes_do_not_inherit_the_backend(cells):
    cells.ok("import matplotlib")
    assert cells.text("!echo [$MPLBACKEND]") == "[]\r\n"


def test_without_matplotlib_inline_installed(start_kernel):
    """No metadata of matplotlib-inline: the kernel's own backend is known all the same."""
    kernel = start_kernel()
    kernel.run("import importlib.metadata as metadata\ndef no_version(name):\n"
               "    raise metadata.PackageNotFoundError(name)\n"
               "metadata.entry_points, metadata.version = lambda **group: [], no_version")
    outcome = kernel.run("%matplotlib inline\n" + PLOT)
    assert outcome.content["status"] == "ok", outcome.content
    assert png_of(outcome.contents("display_data")[0])
