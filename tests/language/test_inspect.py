"""What was compiled, as text and pictures."""
import io

import numpy as np
import pytest
from numba import int64, njit


@pytest.fixture
def f(make):
    function = njit(make("def loop(n, x):\n    s = 0.0\n    for i in range(n):\n        if i % 2:\n"
                         "            s += math.exp(x) * i\n    return s\n", name="loop"))
    function(3, 0.5)
    return function


def test_before_the_first_call():
    fresh = njit(lambda x: x)
    assert fresh.inspect_llvm() == {} and fresh.inspect_asm() == {} and fresh.inspect_cfg() == {}
    with pytest.raises(KeyError):
        fresh.inspect_llvm((int64,))


def test_llvm_and_asm(f):
    texts = f.inspect_llvm()
    assert list(texts) == f.signatures
    text = texts[f.signatures[0]]
    assert "define" in text and "loop" in text and text == f.inspect_llvm(f.signatures[0])
    asm = f.inspect_asm(f.signatures[0])
    assert "loop" in asm and "ret" in asm and f.inspect_asm() == {f.signatures[0]: asm}


def test_cfg(f):
    graph = f.inspect_cfg(f.signatures[0])
    text = str(graph)
    assert text == repr(graph) and text.startswith('digraph "CFG for')
    assert "loop" in text and "shape=record" in text and text.rstrip().endswith("}")
    assert "{entry:" in text and "exp" in text and "i64" in text
    svg = graph._repr_svg_()
    assert svg.lstrip().startswith("<") and "<svg" in svg and svg.rstrip().endswith("</svg>")
    import xml.etree.ElementTree as tree
    assert tree.fromstring(svg).tag.endswith("svg")
    assert list(f.inspect_cfg()) == f.signatures
    with pytest.raises(ValueError, match="Unexpected key in kwarg: colour"):
        f.inspect_cfg(colour=1)


def test_cfg_display(f, tmp_path):
    graph = f.inspect_cfg(f.signatures[0])
    assert "<svg" in graph.display(filename=tmp_path / "graph.svg")
    assert "<svg" in (tmp_path / "graph.svg").read_text()
    picture = graph.display()
    assert isinstance(picture, str) and picture == graph._repr_svg_() == picture._repr_svg_()
    assert picture._repr_html_() == graph._repr_html_() and "SVG" in repr(picture) and len(repr(picture)) < 80


def test_types(f):
    out = io.StringIO()
    f.inspect_types(file=out)
    text = out.getvalue()
    assert text.startswith("loop (int64, float64)\n" + "-" * 80 + "\n")
    assert "# File: " in text and "# --- LINE 3 ---" in text and ":: float64" in text
    assert "for i in range(n):" in text and "=" * 80 in text
    with pytest.raises(ValueError, match="`file` must be None if `pretty=True`"):
        f.inspect_types(file=out, pretty=True)
    assert "float64" in f.inspect_types(pretty=True)._repr_html_()


def test_types_to_stdout(f, capsys):
    f.inspect_types(signature=f.signatures[0])
    assert "loop (int64, float64)" in capsys.readouterr().out


DUMPED = """
import gridcell; gridcell.activate()
import numpy as np
from numba import config, njit, prange
@njit(parallel=True)
def f(a):
    s = 0.0
    for i in prange(len(a)):
        s += a[i] * 2
    return s
f(np.ones(4))
config.DUMP_LLVM = config.DUMP_ASSEMBLY = config.PARALLEL_DIAGNOSTICS = config.DUMP_IR = 0
@njit
def quiet(a, b):
    return a @ b
quiet(np.ones((4, 4))[:, ::2], np.ones((2, 2)))
"""


def test_environment_asks_for_dumps(run_python):
    done = run_python(code=DUMPED)
    assert done.stdout == "" and "is faster on contiguous arrays" in done.stderr
    asked = dict.fromkeys(["NUMBA_DUMP_LLVM", "NUMBA_DUMP_ASSEMBLY", "NUMBA_DUMP_IR", "NUMBA_PARALLEL_DIAGNOSTICS",
                           "NUMBA_DISABLE_PERFORMANCE_WARNINGS"], "1")
    done = run_python(code=DUMPED, env=asked)
    assert done.stderr == ""
    for text in ("LLVM DUMP f---", "define ", "ASSEMBLY f---", ".globl", "IR DUMP: f---", "# --- LINE 7 ---",
                 "Parallel Accelerator Optimizing:  Function f"):
        assert text in done.stdout, text
    assert "quiet" not in done.stdout


def test_texts_that_look_like_values(make):
    for text in ("x.4160125285", "x.99999999999999999999", "x.2", "x.-1"):  # numbers of no value, or of x's own
        f = njit(make(f"def f(x):\n    y = {text!r}\n    return y\n"))
        assert f(1) == text


def test_variables_that_are_set_after_the_import(run_python):
    done = run_python("-m", "gridcell", code="""
import os
from numba import config, njit
njit(lambda x: x)(1)
config.DUMP_CFG = 0
os.environ["NUMBA_DUMP_LLVM"] = "1"
def f(x): return x
njit(f)(1)
del os.environ["NUMBA_DUMP_LLVM"]
def g(x): return x
njit(g)(1)
os.environ["NUMBA_BOUNDSCHECK"] = "0"
njit(g)
print(config.BOUNDSCHECK, config.DUMP_LLVM)
""")
    assert "LLVM DUMP f---" in done.stdout and "DUMP g" not in done.stdout, done.stderr
    assert done.stdout.endswith("\n0 0\n")
