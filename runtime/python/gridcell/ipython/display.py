"""The objects of IPython.display, and the functions around display()."""
import _gridcell_kernel as kernel

display = kernel.display


def publish_display_data(data, metadata=None, *, transient=None, update=False, **_):
    """Sends representations as they are."""
    if not isinstance(data, dict):
        raise TypeError(f"data must be a dict, got: {data!r}")
    kernel.publish_display("update_display_data" if update else "display_data", data,
                           metadata or {}, transient or {})


def update_display(obj, *, display_id, **kwargs):
    """Replaces what was displayed under an id."""
    display(obj, display_id=display_id, update=True, **kwargs)


def clear_output(wait=False):
    """Clears the cell's output, now or when the next output comes."""
    kernel.publish("clear_output", {"wait": bool(wait)})


class DisplayHandle:
    """A place in the notebook whose content can be replaced."""

    def __init__(self, display_id=None):
        if display_id is None:
            import os
            display_id = os.urandom(16).hex()
        self.display_id = display_id

    def __repr__(self):
        return f"<{type(self).__name__} display_id={self.display_id}>"

    def display(self, obj, **kwargs):
        display(obj, display_id=self.display_id, **kwargs)

    def update(self, obj, **kwargs):
        update_display(obj, display_id=self.display_id, **kwargs)


def _is_file(text):
    """Whether text that may be data is the path of a file."""
    import os
    try:
        return "\n" not in text and os.path.isfile(text)
    except ValueError:
        return False


def is_base64(text):
    """Whether text is data in base64, and no file of that name is there."""
    import binascii
    try:
        return not _is_file(text) and bool(binascii.a2b_base64(text, strict_mode=True))
    except (ValueError, TypeError):
        return False


class DisplayObject:
    """Data of one kind, from an argument, a file or a URL."""

    _read_flags = "r"
    _show_mem_addr = False
    metadata = None

    def __init__(self, data=None, url=None, filename=None, metadata=None):
        if data is not None and not isinstance(data, (str, bytes)) and hasattr(data, "__fspath__"):
            filename, data = str(data), None
        if isinstance(data, str) and url is None and filename is None:
            if data.startswith(("http://", "https://")):
                url, filename, data = data, None, None
            elif _is_file(data):
                filename, data = data, None
        self.data, self.url = data, url
        self.filename = None if filename is None else str(filename)
        if metadata is not None:
            self.metadata = metadata
        elif self.metadata is None:
            self.metadata = {}
        self.reload()
        self._check_data()

    def _check_data(self):
        pass

    def __repr__(self):
        if self._show_mem_addr:
            return object.__repr__(self)
        return f"<{type(self).__module__}.{type(self).__name__} object>"

    def _data_and_metadata(self):
        return (self.data, dict(self.metadata)) if self.metadata else self.data

    def reload(self):
        """Reads the file or URL again."""
        if self.filename is not None:
            encoding = None if "b" in self._read_flags else "utf-8"
            with open(self.filename, self._read_flags, encoding=encoding) as file:
                self.data = file.read()
        elif self.url is not None and self._loads_url():
            from urllib.request import urlopen
            answer = urlopen(self.url)
            data = answer.read()
            if answer.headers.get("content-encoding") == "gzip":
                import gzip
                data = gzip.decompress(data)
            self.data = data if "b" in self._read_flags else data.decode("utf-8")

    def _loads_url(self):
        return True


class TextDisplayObject(DisplayObject):
    """Data that is text."""

    def _check_data(self):
        if self.data is not None and not isinstance(self.data, str):
            raise TypeError(f"{type(self).__name__} expects text, not {self.data!r}")


class Pretty(TextDisplayObject):
    """Plain text as it is."""

    def _repr_pretty_(self, printer, cycle):
        printer.text(self.data)


class HTML(TextDisplayObject):
    """HTML."""

    def _check_data(self):
        super()._check_data()
        if self.data and self.data[:20].lower().startswith("<iframe ") and "</iframe>" in self.data[-20:].lower():
            import warnings
            warnings.warn("Consider using IPython.display.IFrame instead")

    def _repr_html_(self):
        return self._data_and_metadata()

    def __html__(self):
        return self._repr_html_()


class Markdown(TextDisplayObject):
    """Markdown."""

    def _repr_markdown_(self):
        return self._data_and_metadata()


class Math(TextDisplayObject):
    """A formula in LaTeX, shown as a display."""

    def _repr_latex_(self):
        text = "$\\displaystyle " + self.data.strip("$") + "$"
        return (text, dict(self.metadata)) if self.metadata else text


class Latex(TextDisplayObject):
    """LaTeX."""

    def _repr_latex_(self):
        return self._data_and_metadata()


class SVG(DisplayObject):
    """An SVG picture."""

    def reload(self):
        super().reload()
        if self.data is None:
            return
        # the picture alone, without what stands around it in its file
        from xml.dom import minidom
        from xml.parsers.expat import ExpatError
        text = self.data.decode("utf-8") if isinstance(self.data, bytes) else self.data
        try:
            found = minidom.parseString(self.data).getElementsByTagName("svg")
            self.data = found[0].toxml() if found else text
        except ExpatError:
            start, end = text.find("<svg"), text.rfind("</svg>")
            if start < 0 or end < 0:
                raise
            self.data = text[start:end + 6]  # browsers draw much that is no XML

    def _repr_svg_(self):
        return self._data_and_metadata()


class JSON(DisplayObject):
    """A JSON tree."""

    def __init__(self, data=None, url=None, filename=None, expanded=False, metadata=None,
                 root="root", **kwargs):
        self.metadata = {"expanded": expanded, "root": root, **(metadata or {}), **kwargs}
        super().__init__(data, url, filename)

    def reload(self):
        super().reload()
        if isinstance(self.data, (str, bytes)):
            import json
            if self.filename is None and self.url is None:
                import warnings
                warnings.warn("JSON expects JSONable dict or list, not JSON strings", stacklevel=4)
            self.data = json.loads(self.data)

    def _check_data(self):
        if self.data is not None and not isinstance(self.data, (dict, list)):
            raise TypeError(f"{type(self).__name__} expects JSONable dict or list, not {self.data!r}")

    def _repr_json_(self):
        return self._data_and_metadata()


class GeoJSON(JSON):
    """A map's features."""

    def _ipython_display_(self):
        bundle = {"application/geo+json": self.data, "text/plain": repr(self)}
        display(bundle, metadata={"application/geo+json": self.metadata}, raw=True)


def _as_list(value):
    if value is None or isinstance(value, str):
        return [value] if value else []
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"expected sequence, got: {value!r}")
    return list(value)


class Javascript(TextDisplayObject):
    """Code for the browser, with libraries and style sheets to load before."""

    def __init__(self, data=None, url=None, filename=None, lib=None, css=None):
        self.lib, self.css = _as_list(lib), _as_list(css)
        super().__init__(data, url, filename)

    def _repr_javascript_(self):
        before = "".join(
            'var link = document.createElement("link"); link.rel = "stylesheet"; link.type = "text/css"; '
            f'link.href = "{sheet}"; document.head.appendChild(link);\n' for sheet in self.css)
        text = self.data
        for library in reversed(self.lib):
            text = (f'new Promise(function(done, failed) {{ var script = document.createElement("script"); '
                    f'script.onload = done; script.onerror = failed; script.src = "{library}"; '
                    f'document.head.appendChild(script); }}).then(() => {{\n{text}\n}});')
        return before + text


_IMAGE_KINDS = {"png": "image/png", "jpeg": "image/jpeg", "jpg": "image/jpeg", "gif": "image/gif",
                "webp": "image/webp"}


def _size_of_jpeg(data):
    """Width and height from the frame's header."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        kind, length = data[at + 1], int.from_bytes(data[at + 2:at + 4], "big")
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7:at + 9], "big"), int.from_bytes(data[at + 5:at + 7], "big")
        at += 2 + length
    return None


def _size_of_webp(data):
    """Width and height from the first chunk: of a lossy, a lossless or an extended picture."""
    def number(start, count):
        return int.from_bytes(data[start:start + count], "little")
    kind = data[12:16]
    if kind == b"VP8 ":
        return number(26, 2) & 0x3FFF, number(28, 2) & 0x3FFF
    if kind == b"VP8L":
        bits = number(21, 4)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8X":
        return number(24, 3) + 1, number(27, 3) + 1
    raise ValueError("Not a valid WEBP header")


def _image_size(data):
    """Width and height in pixels; None when the data does not tell."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if data[:2] == b"\xff\xd8":
        return _size_of_jpeg(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _size_of_webp(data)
    return None


class Image(DisplayObject):
    """A picture from bytes, a file or a URL; a URL is not embedded unless asked for."""

    _read_flags = "rb"

    def __init__(self, data=None, url=None, filename=None, format=None, embed=None, width=None,
                 height=None, retina=False, unconfined=False, metadata=None, alt=None):
        self.embed = embed if embed is not None else url is None
        if isinstance(data, str) and is_base64(data):
            import base64
            data = base64.b64decode(data)
        elif isinstance(data, str) and not data.startswith(("http://", "https://")):
            filename, data = data, None
        if isinstance(data, str):
            url, data = data, None
        metadata = metadata or {}
        width, height = width or metadata.get("width"), height or metadata.get("height")
        alt = alt or metadata.get("alt")
        self.format = (format or self._guess_format(data, url, filename)).lower()
        if self.format not in _IMAGE_KINDS:
            raise ValueError(f"Cannot embed the {self.format!r} image format")
        self.width, self.height, self.retina = width, height, retina
        self.unconfined, self.alt = unconfined, alt
        super().__init__(data, url, filename, {k: v for k, v in {
            **metadata, "width": width, "height": height, "alt": alt,
            "unconfined": unconfined or None}.items() if v is not None})
        if data is None and url is None and filename is None:
            raise ValueError("No image data found. Expecting filename, url, or data.")
        if retina:
            self._use_half_size()

    def _guess_format(self, data, url, filename):
        if isinstance(data, (bytes, bytearray)):
            heads = ((b"\xff\xd8", "jpeg"), (b"GIF8", "gif"), (b"RIFF", "webp" if data[8:12] == b"WEBP" else "png"))
            return next((kind for head, kind in heads if data.startswith(head)), "png")
        name = str(filename or url or getattr(data, "__fspath__", str)() or "")
        extension = name.rpartition(".")[2].partition("?")[0].lower()
        is_picture = extension in _IMAGE_KINDS or not name.rpartition("/")[2].partition(".")[2] or not self.embed
        return extension if extension in _IMAGE_KINDS else "png" if is_picture or url else extension

    def _use_half_size(self):
        size = _image_size(self.data or b"")
        if size:
            self.width, self.height = size[0] // 2, size[1] // 2
            self.metadata |= {name: value for name, value in
                              (("width", self.width), ("height", self.height)) if value}

    def _loads_url(self):
        return self.embed

    def _repr_html_(self):
        if self.embed:
            return None
        import html
        size = "".join(f' {name}="{html.escape(str(value))}"' for name, value in
                       (("width", self.width), ("height", self.height)) if value)
        kind = ' class="unconfined"' if self.unconfined else ""
        alt = f' alt="{html.escape(self.alt)}"' if self.alt else ""
        return f'<img src="{html.escape(self.url or self.filename or "")}"{size}{kind}{alt}/>'

    @property
    def _mimetype(self):
        return _IMAGE_KINDS[self.format]

    def _data_and_metadata(self):
        """The picture in base64, with its metadata where it has some."""
        import base64
        data = self.data
        if isinstance(data, (bytes, bytearray)):
            data = base64.b64encode(data).decode("ascii")
        return (data, dict(self.metadata)) if self.metadata else data

    def _repr_mimebundle_(self, include=None, exclude=None):
        if not self.embed:
            return {"text/html": self._repr_html_()}
        if self.data is None:
            return {}
        data = self._data_and_metadata()
        return ({self._mimetype: data[0]}, {self._mimetype: data[1]}) if self.metadata else ({self._mimetype: data}, {})

    def _repr_png_(self):
        return self._data_and_metadata() if self.embed and self.format == "png" else None

    def _repr_jpeg_(self):
        return self._data_and_metadata() if self.embed and self.format in ("jpeg", "jpg") else None


class ProgressBar:
    """A bar that grows as it is iterated over."""

    def __init__(self, total):
        self.total, self._progress, self.html_width = total, 0, "60ex"
        self.text_width = 60
        self._handle = DisplayHandle()

    def __repr__(self):
        width = self.text_width
        done = int(width * self.progress / self.total) if self.total else 0
        return f"[{'=' * done}{' ' * (width - done)}] {self.progress}/{self.total}"

    def _repr_html_(self):
        return (f"<progress style='width:{self.html_width}' max='{self.total}' "
                f"value='{self.progress}'></progress>")

    def display(self):
        self._handle.display(self)

    def update(self):
        self._handle.update(self)

    @property
    def progress(self):
        return self._progress

    @progress.setter
    def progress(self, value):
        self._progress = value
        self.update()

    def __iter__(self):
        self.display()
        self._progress = -1
        return self

    def __next__(self):
        self.progress += 1
        if self.progress < self.total:
            return self.progress
        raise StopIteration


def _display_as(kind):
    def show(*objs, raw=False, metadata=None, **kwargs):
        if raw:
            for obj in objs:
                publish_display_data({kind: obj}, {kind: metadata} if metadata else {})
        else:
            display(*objs, metadata=metadata, include=[kind], **kwargs)
    show.__doc__ = f"Shows the {kind} form of objects."
    return show


display_html = _display_as("text/html")
display_markdown = _display_as("text/markdown")
display_svg = _display_as("image/svg+xml")
display_png = _display_as("image/png")
display_jpeg = _display_as("image/jpeg")
display_webp = _display_as("image/webp")
display_latex = _display_as("text/latex")
display_json = _display_as("application/json")
display_javascript = _display_as("application/javascript")
display_pdf = _display_as("application/pdf")


def display_pretty(*objs, raw=False, metadata=None, **kwargs):
    """Shows the plain text of objects."""
    if raw:
        for obj in objs:
            publish_display_data({"text/plain": obj}, metadata)
    else:
        display(*objs, metadata=metadata, include=["text/plain"], **kwargs)


def set_matplotlib_formats(*formats, **kwargs):
    """Formats of inline figures: png, retina, svg, jpeg, pdf."""
    from matplotlib_inline.backend_inline import set_matplotlib_formats as choose
    choose(*formats, **kwargs)


def set_matplotlib_close(close=True):
    """Whether figures are closed at the end of their cell."""
    kernel.get_ipython().settings_of("InlineBackend").close_figures = close


from gridcell.ipython.media import (  # noqa: E402,F401  (they build on the classes above)
    Audio, Code, FileLink, FileLinks, IFrame, ScribdDocument, Video, VimeoVideo, YouTubeVideo)

for _class in [value for value in list(globals().values()) if isinstance(value, type)]:
    if _class.__module__ == "gridcell.ipython.media":
        _class.__module__ = "IPython.core.display" if _class is Video else "IPython.lib.display"
    elif _class is DisplayHandle:
        _class.__module__ = "IPython.core.display_functions"
    else:
        _class.__module__ = "IPython.core.display"

from gridcell.ipython.capture import capture_output  # noqa: E402  (part of IPython.display's names)

# what `from IPython.display import *` gives a notebook
PUBLIC = [
    "Audio", "Code", "DisplayHandle", "DisplayObject", "FileLink", "FileLinks", "GeoJSON", "HTML", "IFrame", "Image", "JSON",
    "Javascript", "Latex", "Markdown", "Math", "Pretty", "ProgressBar", "SVG", "ScribdDocument", "TextDisplayObject", "Video",
    "VimeoVideo", "YouTubeVideo", "clear_output", "display", "display_html", "display_javascript", "display_jpeg",
    "display_json", "display_latex", "display_markdown", "display_pdf", "display_png", "display_pretty", "display_svg",
    "publish_display_data", "set_matplotlib_close", "set_matplotlib_formats", "update_display"]
