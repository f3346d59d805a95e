"""The public conformance suite, every optional part enabled."""
import os
import tempfile

import jupyter_kernel_test as jkt


class ScratchHome:
    """An empty history: the suite counts on finding its own cells only."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.saved = {name: os.environ.get(name) for name in ("HOME", "IPYTHONDIR")}
        os.environ["HOME"] = cls.scratch.name
        os.environ["IPYTHONDIR"] = os.path.join(cls.scratch.name, "ipython")
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        for name, value in cls.saved.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        cls.scratch.cleanup()


class TestGridcell(ScratchHome, jkt.KernelTests):
    kernel_name = "gridcell"
    language_name = "python"
    file_extension = ".py"
    code_hello_world = "print('hello, world')"
    code_stderr = "import sys; print('test', file=sys.stderr)"
    completion_samples = [
        {"text": "zi", "matches": {"zip"}},
        {"text": "import os; os.pat",
         "matches": {"path", "pathconf", "pathconf_names", "pathsep"}},
    ]
    complete_code_samples = ["1", "print('hello, world')", "def f(x):\n  return x*2\n\n\n",
                             "%timeit pass", "!ls"]
    incomplete_code_samples = ["print('''hello", "def f(x):\n  x*2", "a = (", "%%timeit\nx"]
    invalid_code_samples = ["import = 7q", "a b c"]
    code_page_something = "zip?"
    code_generate_error = "raise"
    code_execute_result = [
        {"code": "1+2+3", "result": "6"},
        {"code": "[n*n for n in range(1, 4)]", "result": "[1, 4, 9]"},
    ]
    code_display_data = [
        {"code": "from IPython.display import HTML, display; display(HTML('<b>test</b>'))",
         "mime": "text/html"},
        {"code": "from IPython.display import Math, display; display(Math('\\\\frac{1}{2}'))",
         "mime": "text/latex"},
    ]
    code_history_pattern = "1?2*"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "zip"
    code_clear_output = "from IPython.display import clear_output; clear_output()"


if hasattr(jkt, "IopubWelcomeTests"):
    class TestWelcome(jkt.IopubWelcomeTests):
        kernel_name = "gridcell"
        support_iopub_welcome = True


