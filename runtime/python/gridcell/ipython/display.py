"""The objects of IPython.display, and the functions around display()."""
import _gridcell_kernel as kernel

display = kernel.display


def publish_display_data(data, metadata=None, *, transient=None, update=False, **_):
    """Sends representations as they are."""
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
            elif self._is_file_name(data):
                filename, data = data, None
        self.data, self.url = data, url
        self.filename = None if filename is None else str(filename)
        if metadata is not None:
            self.metadata = metadata
        elif self.metadata is None:
            self.metadata = {}
        self.reload()
        self._check_data()

    def _is_file_name(self, text):
        return False

    def _check_data(self):
        pass

    def __repr__(self):
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
            data = urlopen(self.url).read()
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

    def _is_file_name(self, text):
        return not text.lstrip().startswith("<")

    def _repr_svg_(self):
        data = self.data.decode("utf-8") if isinstance(self.data, bytes) else self.data
        start = data.find("<svg")
        data = data[start:] if start > 0 else data
        return (data, dict(self.metadata)) if self.metadata else data


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
            self.data = json.loads(self.data)

    def _repr_json_(self):
        return self._data_and_metadata()


class GeoJSON(JSON):
    """A map's features."""

    def _ipython_display_(self):
        bundle = {"application/geo+json": self.data, "text/plain": repr(self)}
        display(bundle, metadata={"application/geo+json": self.metadata}, raw=True)


class Javascript(TextDisplayObject):
    """Code for the browser, with libraries and style sheets to load before."""

    def __init__(self, data=None, url=None, filename=None, lib=None, css=None):
        self.lib = [lib] if isinstance(lib, str) else list(lib or ())
        self.css = [css] if isinstance(css, str) else list(css or ())
        super().__init__(data, url, filename)

    def _repr_javascript_(self):
        before = "".join(
            'var link = document.createElement("link"); link.rel = "stylesheet"; '
            f'link.href = "{sheet}"; document.head.appendChild(link);\n' for sheet in self.css)
        text = self.data
        for library in reversed(self.lib):
            text = (f'new Promise(function(done, failed) {{ var script = document.createElement("script"); '
                    f'script.onload = done; script.onerror = failed; script.src = "{library}"; '
                    f'document.head.appendChild(script); }}).then(() => {{\n{text}\n}});')
        return before + text


_IMAGE_KINDS = {"png": "image/png", "jpeg": "image/jpeg", "jpg": "image/jpeg", "gif": "image/gif",
                "webp": "image/webp"}


def _image_size(data):
    """Width and height in pixels of PNG data; None when it is something else."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    return None


class Image(DisplayObject):
    """A picture from bytes, a file or a URL; a URL is not embedded unless asked for."""

    _read_flags = "rb"

    def __init__(self, data=None, url=None, filename=None, format=None, embed=None, width=None,
                 height=None, retina=False, unconfined=False, metadata=None, alt=None):
        if isinstance(data, str) and not data.startswith(("http://", "https://")):
            filename, data = data, None
        if isinstance(data, str):
            url, data = data, None
        self.format = (format or self._guess_format(data, url, filename)).lower()
        if self.format not in _IMAGE_KINDS:
            raise ValueError(f"Cannot embed the {self.format!r} image format")
        self.embed = embed if embed is not None else url is None
        self.width, self.height, self.retina = width, height, retina
        self.unconfined, self.alt = unconfined, alt
        super().__init__(data, url, filename, {k: v for k, v in {
            **(metadata or {}), "width": width, "height": height, "alt": alt,
            "unconfined": unconfined or None}.items() if v is not None})
        if data is None and url is None and filename is None:
            raise ValueError("No image data found. Expecting filename, url, or data.")
        if retina:
            self._use_half_size()

    def _guess_format(self, data, url, filename):
        if isinstance(data, (bytes, bytearray)):
            heads = ((b"\xff\xd8", "jpeg"), (b"GIF8", "gif"), (b"RIFF", "webp"))
            return next((kind for head, kind in heads if data.startswith(head)), "png")
        name = str(filename or url or getattr(data, "__fspath__", str)() or "")
        extension = name.rpartition(".")[2].partition("?")[0].lower()
        return extension if extension in _IMAGE_KINDS else "png"

    def _use_half_size(self):
        size = _image_size(self.data or b"")
        if size:
            self.width, self.height = size[0] // 2, size[1] // 2
            self.metadata |= {"width": self.width, "height": self.height}

    def _loads_url(self):
        return self.embed

    def _repr_html_(self):
        if self.embed:
            return None
        size = "".join(f' {name}="{value}"' for name, value in
                       (("width", self.width), ("height", self.height), ("alt", self.alt)) if value)
        return f'<img src="{self.url}"{size}/>'

    def _repr_mimebundle_(self, include=None, exclude=None):
        if not self.embed or self.data is None:
            return {}
        import base64
        kind = _IMAGE_KINDS[self.format]
        data = self.data
        text = base64.b64encode(data).decode("ascii") if isinstance(data, (bytes, bytearray)) else data
        return {kind: text}, {kind: dict(self.metadata)} if self.metadata else {}


class _Media(DisplayObject):
    """Sound or film in an HTML element."""

    _read_flags = "rb"

    def _encoded(self):
        import base64
        data = self.data
        return data if isinstance(data, str) else base64.b64encode(data).decode("ascii")


class Audio(_Media):
    """A sound from samples, bytes, a file or a URL."""

    def __init__(self, data=None, filename=None, url=None, embed=None, rate=None, autoplay=False,
                 normalize=True, *, element_id=None):
        if data is None and filename is None and url is None:
            raise ValueError("No audio data found. Expecting filename, url, or data.")
        self.autoplay, self.element_id = autoplay, element_id
        if isinstance(data, str) and not data.startswith(("http://", "https://")):
            filename, data = data, None
        self.embed = embed if embed is not None else url is None and not isinstance(data, str)
        if data is not None and not isinstance(data, (str, bytes)):
            if rate is None:
                raise ValueError("rate must be specified when data is a numpy array or list of audio samples.")
            data = self._make_wav(data, rate, normalize)
        self.mimetype = "audio/wav"
        super().__init__(data, url, filename)
        name = self.filename or self.url
        if name:
            import mimetypes
            self.mimetype = mimetypes.guess_type(name)[0] or "audio/wav"

    @staticmethod
    def _make_wav(samples, rate, normalize):
        import io
        import wave
        import numpy
        array = numpy.atleast_2d(numpy.asarray(samples, dtype=float))
        largest = numpy.max(numpy.abs(array)) if array.size else 1
        if not normalize and largest > 1:
            raise ValueError("Audio data must be between -1 and 1 when normalize=False.")
        scale = 32767 / (largest or 1) if normalize else 32767
        file = io.BytesIO()
        with wave.open(file, "wb") as writer:
            writer.setnchannels(array.shape[0])
            writer.setframerate(rate)
            writer.setsampwidth(2)
            writer.writeframes((array.T * scale).astype("<i2").tobytes())
        return file.getvalue()

    def _loads_url(self):
        return self.embed

    def src_attr(self):
        if self.embed and self.data is not None:
            return f"data:{self.mimetype};base64,{self._encoded()}"
        return self.url or ""

    def autoplay_attr(self):
        return 'autoplay="autoplay"' if self.autoplay else ""

    def element_id_attr(self):
        return f'id="{self.element_id}"' if self.element_id else ""

    def _repr_html_(self):
        return (f'\n                <audio {self.element_id_attr()} controls="controls" '
                f'{self.autoplay_attr()}>\n                    <source src="{self.src_attr()}" '
                f'type="{self.mimetype}" />\n                    Your browser does not support the '
                'audio element.\n                </audio>\n              ')


class Video(_Media):
    """A film from a file or URL; embedded when asked for."""

    def __init__(self, data=None, url=None, filename=None, embed=False, mimetype=None, width=None,
                 height=None, html_attributes="controls"):
        if isinstance(data, str) and not data.startswith(("http://", "https://")):
            filename, data = data, None
        elif isinstance(data, str):
            url, data = data, None
        if data is not None and not embed:
            raise ValueError("To embed videos, you must pass embed=True")
        self.embed, self.mimetype = embed, mimetype
        self.width, self.height, self.html_attributes = width, height, html_attributes
        self._path = filename
        super().__init__(data, url, filename if embed else None)

    def _loads_url(self):
        return self.embed

    def _repr_html_(self):
        size = "".join(f' {name}="{value}"' for name, value in
                       (("width", self.width), ("height", self.height)) if value)
        if not self.embed:
            return (f'<video src="{self.url or self._path}" {self.html_attributes} {size}>\n'
                    "      Your browser does not support the <code>video</code> element.\n    </video>")
        import mimetypes
        kind = self.mimetype or mimetypes.guess_type(self._path or self.url or "")[0] or "video/mp4"
        return (f'<video {self.html_attributes} {size}>\n <source src="data:{kind};base64,'
                f'{self._encoded()}" type="{kind}">\n Your browser does not support the video tag.\n'
                " </video>")


class IFrame:
    """Another page inside the notebook."""

    def __init__(self, src, width, height, extras=None, **kwargs):
        self.src, self.width, self.height = src, width, height
        self.extras, self.params = extras or [], kwargs

    def _repr_html_(self):
        from urllib.parse import urlencode
        query = "?" + urlencode(self.params) if self.params else ""
        return (f'\n        <iframe\n            width="{self.width}"\n            height="{self.height}"\n'
                f'            src="{self.src}{query}"\n            frameborder="0"\n            '
                f'allowfullscreen\n            {" ".join(self.extras)}\n        ></iframe>\n        ')


class YouTubeVideo(IFrame):
    """A film of that site, by its id."""

    def __init__(self, id, width=400, height=300, allow_autoplay=False, **kwargs):
        self.id = id
        if allow_autoplay:
            kwargs.update(autoplay=1)
        super().__init__(f"https://www.youtube.com/embed/{id}", width, height, **kwargs)


class VimeoVideo(IFrame):
    """A film of that site, by its id."""

    def __init__(self, id, width=400, height=300, **kwargs):
        self.id = id
        super().__init__(f"https://player.vimeo.com/video/{id}", width, height, **kwargs)


class ScribdDocument(IFrame):
    """A document of that site, by its id."""

    def __init__(self, id, width=400, height=300, **kwargs):
        self.id = id
        super().__init__(f"https://www.scribd.com/embeds/{id}/content", width, height, **kwargs)


class FileLink:
    """A link to a file beside the notebook."""

    def __init__(self, path, url_prefix="", result_html_prefix="", result_html_suffix="<br>"):
        self.path, self.url_prefix = str(path), url_prefix
        self.before, self.after = result_html_prefix, result_html_suffix

    def _repr_html_(self):
        import html
        import os
        if not os.path.exists(self.path):
            return f"Path (<tt>{html.escape(self.path)}</tt>) doesn't exist. It may still be in the process of being generated, or you may have the incorrect path."
        address = html.escape(self.url_prefix + self.path)
        return f"{self.before}<a href='{address}' target='_blank'>{html.escape(self.path)}</a>{self.after}"

    def __repr__(self):
        import os
        return os.path.abspath(self.path)


class FileLinks(FileLink):
    """Links to the files of a folder."""

    def _files(self):
        import os
        for folder, _, names in sorted(os.walk(self.path)):
            for name in sorted(names):
                yield os.path.join(folder, name)

    def _repr_html_(self):
        return "\n".join(FileLink(path, self.url_prefix)._repr_html_() for path in self._files())

    def __repr__(self):
        return "\n".join(self._files())


class Code(TextDisplayObject):
    """Source code, coloured where Pygments is installed."""

    def __init__(self, data=None, url=None, filename=None, language=None):
        self.language = language
        super().__init__(data, url, filename)

    def _is_file_name(self, text):
        import os
        return "\n" not in text and os.path.isfile(text)

    def _pygments(self, formatter_name, **options):
        from pygments import highlight
        from pygments.formatters import get_formatter_by_name
        from pygments.lexers import get_lexer_by_name, get_lexer_for_filename, guess_lexer
        if self.language:
            lexer = get_lexer_by_name(self.language)
        elif self.filename or self.url:
            lexer = get_lexer_for_filename(self.filename or self.url)
        else:
            lexer = guess_lexer(self.data)
        return highlight(self.data, lexer, get_formatter_by_name(formatter_name, **options))

    def __repr__(self):
        return self.data

    def _repr_html_(self):
        try:
            return self._pygments("html", noclasses=True)
        except ImportError:
            import html
            return f"<pre>{html.escape(self.data)}</pre>"


class ProgressBar:
    """A bar that grows as it is iterated over."""

    def __init__(self, total):
        self.total, self._progress, self.html_width = total, 0, "60ex"
        self._handle = DisplayHandle()

    def __repr__(self):
        done = int(60 * self.progress / self.total) if self.total else 60
        return f"[{'=' * done}{' ' * (60 - done)}] {self.progress}/{self.total}"

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
            display(*objs, metadata=metadata, include=["text/plain", kind], **kwargs)
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


_LIBRARY_CLASSES = (Audio, Code, FileLink, FileLinks, IFrame, ScribdDocument, VimeoVideo, YouTubeVideo)
for _class in [value for value in list(globals().values()) if isinstance(value, type)]:
    if _class in _LIBRARY_CLASSES:
        _class.__module__ = "IPython.lib.display"
    elif _class is GeoJSON:
        _class.__module__ = "IPython.display"
    elif _class is DisplayHandle:
        _class.__module__ = "IPython.core.display_functions"
    else:
        _class.__module__ = "IPython.core.display"

from gridcell.ipython.capture import capture_output  # noqa: E402  (part of IPython.display's names)
