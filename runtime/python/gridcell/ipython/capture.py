"""%%capture and capture_output(): what a cell printed and displayed, kept in an object."""
import io
import sys

import _gridcell_kernel as kernel


class RichOutput:
    """One captured display: its data and metadata by MIME type."""

    def __init__(self, data=None, metadata=None, transient=None, update=False):
        self.data, self.metadata = data or {}, metadata or {}
        self.transient, self.update = transient or {}, update

    def display(self):
        """Shows it again."""
        kind = "update_display_data" if self.update else "display_data"
        kernel.publish_display(kind, self.data, self.metadata, self.transient)

    def _repr_mimebundle_(self, include=None, exclude=None):
        return self.data, self.metadata

    def _repr_of(self, mime):
        """That representation, with its metadata where it has some; None: it was not captured."""
        if mime not in self.data:
            return None
        data = self.data[mime]
        return (data, self.metadata[mime]) if mime in self.metadata else data

    def _repr_html_(self):
        return self._repr_of("text/html")

    def _repr_latex_(self):
        return self._repr_of("text/latex")

    def _repr_json_(self):
        return self._repr_of("application/json")

    def _repr_javascript_(self):
        return self._repr_of("application/javascript")

    def _repr_png_(self):
        return self._repr_of("image/png")

    def _repr_jpeg_(self):
        return self._repr_of("image/jpeg")

    def _repr_svg_(self):
        return self._repr_of("image/svg+xml")


class CapturedIO:
    """The captured text and displays; calling it, or show(), shows them again."""

    def __init__(self, stdout, stderr, outputs=None):
        self._stdout, self._stderr, self._outputs = stdout, stderr, outputs

    @property
    def stdout(self):
        return self._stdout.getvalue() if self._stdout else ""

    @property
    def stderr(self):
        return self._stderr.getvalue() if self._stderr else ""

    @property
    def outputs(self):
        return [RichOutput(entry["data"], entry["metadata"], entry["transient"],
                           entry["msg_type"] == "update_display_data")
                for entry in self._outputs or ()]

    def show(self):
        sys.stdout.write(self.stdout)
        sys.stderr.write(self.stderr)
        for output in self.outputs:
            output.display()

    __call__ = show

    def __str__(self):
        return self.stdout


class capture_output:
    """Context manager that keeps stdout, stderr and displays from the notebook."""

    def __init__(self, stdout=True, stderr=True, display=True):
        self.stdout, self.stderr, self.display = stdout, stderr, display

    def __enter__(self):
        self.saved = sys.stdout, sys.stderr
        stdout = stderr = outputs = None
        if self.stdout:
            stdout = sys.stdout = io.StringIO()
        if self.stderr:
            stderr = sys.stderr = io.StringIO()
        if self.display:
            outputs = []
            self.before = kernel.capture(outputs)
        return CapturedIO(stdout, stderr, outputs)

    def __exit__(self, *_):
        sys.stdout, sys.stderr = self.saved
        if self.display:
            kernel.capture(self.before)


for _class in (RichOutput, CapturedIO, capture_output):
    _class.__module__ = "IPython.utils.capture"
