"""Sound, film, other pages, files and source code in the notebook: part of IPython.display."""
from gridcell.ipython.display import DisplayObject, TextDisplayObject, is_base64


class _Media(DisplayObject):
    """Sound or film in an HTML element."""

    _read_flags = "rb"

    def _encoded(self):
        import base64
        data = self.data
        return data if isinstance(data, str) else base64.b64encode(data).decode("ascii")


def _escaped(value):
    """Text for an attribute, which it must not leave."""
    import html
    return html.escape(str(value))


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
        try:
            array = numpy.atleast_2d(numpy.asarray(samples, dtype=float))
        except ValueError:
            raise TypeError("audio samples are numbers, in an array of one or two dimensions or a list of channels of the "
                            "same length") from None
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
        return _escaped(self.url or "")

    def autoplay_attr(self):
        return 'autoplay="autoplay"' if self.autoplay else ""

    def element_id_attr(self):
        return f'id="{_escaped(self.element_id)}"' if self.element_id else ""

    def _repr_html_(self):
        return (f'\n                <audio {self.element_id_attr()} controls="controls" '
                f'{self.autoplay_attr()}>\n                    <source src="{self.src_attr()}" '
                f'type="{self.mimetype}" />\n                    Your browser does not support the '
                'audio element.\n                </audio>\n              ')


class Video(_Media):
    """A film from a file or URL; embedded when asked for."""

    def __init__(self, data=None, url=None, filename=None, embed=False, mimetype=None, width=None,
                 height=None, html_attributes="controls"):
        if isinstance(data, str) and data.startswith(("http://", "https://")):
            url, data = data, None
        elif isinstance(data, str) and not (embed and mimetype and is_base64(data)):
            filename, data = data, None
        if data is not None and not embed:
            raise ValueError("To embed videos, you must pass embed=True (this may make your notebook files huge)\n"
                             "Consider passing Video(url='...')")
        self.embed, self.mimetype = embed, mimetype
        self.width, self.height, self.html_attributes = width, height, html_attributes
        self._path = filename
        super().__init__(data, url, filename if embed else None)

    def _loads_url(self):
        return self.embed

    def _repr_html_(self):
        width = f' width="{_escaped(self.width)}"' if self.width else ""
        height = f' height="{_escaped(self.height)}"' if self.height else ""
        size = f"{width} {height}"
        if not self.embed:
            return (f'<video src="{_escaped(self.url or self._path or "")}" {self.html_attributes} {size}>\n'
                    "      Your browser does not support the <code>video</code> element.\n    </video>")
        import mimetypes
        kind = self.mimetype or mimetypes.guess_type(self._path or self.url or "")[0] or "video/mp4"
        return (f'<video {self.html_attributes} {size}>\n <source src="data:{kind};base64,'
                f'{self._encoded()}" type="{kind}">\n Your browser does not support the video tag.\n'
                " </video>")


class IFrame:
    """Another page inside the notebook."""

    iframe = """
        <iframe
            width="{width}"
            height="{height}"
            src="{src}{params}"
            frameborder="0"
            allowfullscreen
            referrerpolicy="strict-origin-when-cross-origin"
            {extras}
        ></iframe>
        """

    def __init__(self, src, width, height, extras=None, **kwargs):
        self.src, self.width, self.height = src, width, height
        self.extras, self.params = extras or [], kwargs

    def _repr_html_(self):
        from urllib.parse import urlencode
        return self.iframe.format(src=_escaped(self.src), width=_escaped(self.width), height=_escaped(self.height),
                                  params="?" + urlencode(self.params) if self.params else "",
                                  extras=" ".join(self.extras))


class YouTubeVideo(IFrame):
    """A film of that site, by its id."""

    def __init__(self, id, width=400, height=300, allow_autoplay=False, **kwargs):
        self.id = id
        if allow_autoplay:
            kwargs["extras"] = [*(kwargs.get("extras") or ()), 'allow="autoplay"']
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

    html_link_str = "<a href='%s' target='_blank'>%s</a>"

    def __init__(self, path, url_prefix="", result_html_prefix="", result_html_suffix="<br>"):
        import os
        if os.path.isdir(path):
            raise ValueError("Cannot display a directory using FileLink. "
                             f"Use FileLinks to display '{path}'.")
        self.path, self.url_prefix = str(path), url_prefix
        self.result_html_prefix, self.result_html_suffix = result_html_prefix, result_html_suffix

    def _format_path(self):
        import html
        link = self.html_link_str % (html.escape(self.url_prefix + self.path), html.escape(self.path))
        return f"{self.result_html_prefix}{link}{self.result_html_suffix}"

    def _missing(self):
        import html
        return (f"Path (<tt>{html.escape(self.path)}</tt>) doesn't exist. It may still be in the process of "
                "being generated, or you may have the incorrect path.")

    def _repr_html_(self):
        import os
        return self._format_path() if os.path.exists(self.path) else self._missing()

    def __repr__(self):
        import os
        return os.path.abspath(self.path)


class FileLinks(FileLink):
    """Links to the files of a folder, and of those in it. The formatters are functions of a folder's
    path, the names in it and the suffixes that are wanted, to lines."""

    def __init__(self, path, url_prefix="", included_suffixes=None, result_html_prefix="",
                 result_html_suffix="<br>", notebook_display_formatter=None, terminal_display_formatter=None,
                 recursive=True):
        import os
        if os.path.isfile(path):
            raise ValueError("Cannot display a file using FileLinks. "
                             f"Use FileLink to display '{path}'.")
        self.path, self.url_prefix, self.recursive = str(path).rstrip("/"), url_prefix, recursive
        self.included_suffixes = included_suffixes
        self.result_html_prefix, self.result_html_suffix = result_html_prefix, result_html_suffix
        self.notebook_display_formatter = notebook_display_formatter or self._as_html
        self.terminal_display_formatter = terminal_display_formatter or self._as_text

    @staticmethod
    def _wanted(names, suffixes):
        import os
        return [name for name in names if suffixes is None or os.path.splitext(name)[1] in suffixes]

    def _as_html(self, folder, names, suffixes=None):
        import html
        import os
        before, after = self.result_html_prefix, self.result_html_suffix
        names = self._wanted(names, suffixes)
        lines = [f"{before}{folder}/{after}"] if names else []
        for name in names:
            address = html.escape(f"{self.url_prefix}{os.path.join(folder, name)}")
            lines.append(f"&nbsp;&nbsp;{before}{self.html_link_str % (address, html.escape(name))}{after}")
        return lines

    def _as_text(self, folder, names, suffixes=None):
        names = self._wanted(names, suffixes)
        return [f"{folder}/", *("  " + name for name in names)] if names else []

    def _lines(self, formatter):
        import os
        folders = sorted((folder, sorted(names)) for folder, _, names in os.walk(self.path))
        for folder, names in folders if self.recursive else folders[:1]:
            yield from formatter(folder, names, self.included_suffixes)

    def _repr_html_(self):
        import os
        if not os.path.exists(self.path):
            return self._missing()
        return "\n".join(self._lines(self.notebook_display_formatter))

    def __repr__(self):
        return "\n".join(self._lines(self.terminal_display_formatter))


class Code(TextDisplayObject):
    """Source code, coloured where Pygments is installed."""

    def __init__(self, data=None, url=None, filename=None, language=None):
        self.language = language
        super().__init__(data, url, filename)

    def _lexer(self):
        from pygments.lexers import get_lexer_by_name, get_lexer_for_filename, guess_lexer
        if self.language:
            return get_lexer_by_name(self.language)
        if self.filename or self.url:
            return get_lexer_for_filename(self.filename or self.url)
        return guess_lexer(self.data)

    def __repr__(self):
        return self.data

    def _repr_html_(self):
        try:
            from pygments import highlight
            from pygments.formatters import HtmlFormatter
        except ImportError:
            import html
            return f"<pre>{html.escape(self.data)}</pre>"
        formatter = HtmlFormatter()
        return f"<style>{formatter.get_style_defs('.output_html')}</style>{highlight(self.data, self._lexer(), formatter)}"

    def _repr_latex_(self):
        try:
            from pygments import highlight
            from pygments.formatters import LatexFormatter
        except ImportError:
            return None
        return highlight(self.data, self._lexer(), LatexFormatter())
