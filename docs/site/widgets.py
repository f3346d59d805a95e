"""A Sphinx extension: shows the widgets of a page's notebook as they were when it had run, in plain HTML.

What ipywidgets asks a page to load lies on other hosts, and a slider without a kernel moves nothing. So sliders,
boxes and buttons are drawn, switched off; pictures, texts and bars of progress are what they are.
"""
import html

from docutils import nodes
from myst_nb.core.render import WIDGET_STATE_MIMETYPE, NbElementRenderer


def _tag(name, *content, kind=None, **attributes):
    if kind:
        attributes["class"] = f"still-{kind}"
    said = "".join(f' {key}="{html.escape(str(value))}"' for key, value in attributes.items())
    return f"<{name}{said}>{''.join(content)}</{name}>"


def _picture(state, buffers):
    size = {side: state[side] for side in ("width", "height") if state.get(side)}
    return _tag("img", src=f"data:image/{state.get('format', 'png')};base64,{buffers.get('value', '')}", alt="", **size)


def _output(output):
    """What was printed or shown within a widget."""
    data = output.get("data", {})
    if "image/png" in data:
        return _tag("img", src=f"data:image/png;base64,{data['image/png']}", alt="")
    return data.get("text/html") or _tag("pre", html.escape(output.get("text") or data.get("text/plain", "")))


def _slider(state):
    ends = {"min": state.get("min", 0), "max": state.get("max", 100), "step": state.get("step", 1)}
    value = state.get("value", 0)
    return (_tag("input", type="range", disabled="disabled", value=value, **ends)
            + _tag("span", f"{value:.2f}" if isinstance(value, float) else str(value)))


def _chosen(state):
    options, index = state.get("_options_labels", []), state.get("index")
    name = options[index] if index is not None and index < len(options) else ""
    return _tag("select", _tag("option", html.escape(name)), disabled="disabled")


class Still:
    """The widgets of a notebook, by its metadata."""

    def __init__(self, metadata):
        self._models = (metadata.get("widgets") or {}).get(WIDGET_STATE_MIMETYPE, {}).get("state", {})

    def html(self, model_id):
        model = self._models.get(model_id.removeprefix("IPY_MODEL_"), {})
        state, name = model.get("state", {}), model.get("model_name", "")
        content = self._content(name, state, model.get("buffers", []))
        label = state.get("description")
        return _tag("div", _tag("label", html.escape(label)), content, kind="row") if label and content else content

    def _content(self, name, state, buffers):
        if name in ("HBoxModel", "VBoxModel", "BoxModel"):
            return _tag("div", *map(self.html, state.get("children", [])), kind=name[:4].lower())
        if name == "ImageModel":
            return _picture(state, {buffer["path"][0]: buffer["data"] for buffer in buffers})
        if name == "OutputModel":
            return "".join(map(_output, state.get("outputs", [])))
        if name.endswith("ProgressModel"):
            return _tag("progress", value=state.get("value", 0), max=state.get("max", 100))
        if name.endswith("SliderModel"):
            return _slider(state)
        if name == "DropdownModel":
            return _chosen(state)
        if name == "PlayModel":
            return _tag("button", "&#9654;", disabled="disabled")
        if name == "LabelModel":
            return _tag("span", html.escape(state.get("value", "")))
        return _tag("span", state.get("value", "")) if name == "HTMLModel" else ""


def _render_widget_view(self, data):
    still = Still(self.renderer.nb_client.nb_metadata)
    return [nodes.raw(text=_tag("div", still.html(data.content["model_id"]), kind="widgets"), format="html")]


def setup(app):
    NbElementRenderer.render_widget_view = _render_widget_view
    NbElementRenderer.render_nb_finalise = lambda self, metadata: None  # which has scripts of other hosts loaded
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
