"""The corners of numba's package that tutorials touch."""
import json

import pytest


def test_sysinfo(run_python):
    # sysinfo by itself, and as JSON
    code = ("import sys\nimport gridcell\ngridcell.activate()\nfrom numba.__main__ import main\n"
            "main(['-s'])\nmain(['--sys-json', 'info.json'])\nprint(open('info.json').read())\n")
    done = run_python(code=code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("System info:\n" + "-" * 80)
    assert "Numba Version" in done.stdout
    assert "NumPy Version" in json.loads(done.stdout[done.stdout.index("{\n    \"Machine"):])


def test_what_needs_llvmlite_says_so():
    import numba.core.extending
    import numba.extending
    assert numba.core.extending is numba.extending
    from numba.core import cgutils
    with pytest.raises(ImportError, match="llvmlite"):
        cgutils.create_struct_proxy
    from numba.pycc import CC
    with pytest.raises(NotImplementedError, match="ahead of time"):
        CC("module")
