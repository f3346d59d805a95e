"""cache=True in cells and in scripts run by the kernel's executable."""
import os
import subprocess

from conftest import without_colours

CELL = """
import numpy as np
from numba import njit

class Refused(Exception):
    pass

@njit(cache=True)
def total(a):
    if a.size == 0:
        raise Refused("nothing to add up")
    return (np.sort(a) * 2).sum()
"""


def test_cells_find_their_code_after_a_restart(start_kernel, tmp_path):
    env = {**os.environ, "GRIDCELL_CACHE_DIR": str(tmp_path)}
    outcomes = []
    for _ in range(2):
        kernel = start_kernel(env=env)
        outcomes.append(kernel.run(
            CELL + "print(total(np.arange(4.0)), total.stats.cache_path, "
            "sum(total.stats.cache_hits.values()))").text())
        failed = kernel.run("\n\ntotal(np.zeros(0))")
        assert failed.content["ename"] == "Refused"
        shown = without_colours("\n".join(failed.contents("error")[0]["traceback"]))
        assert 'raise Refused("nothing to add up")' in shown and "total(" in shown
        kernel.close()
    assert outcomes == [f"12.0 {tmp_path}/code {hits}\n" for hits in (0, 1)]
    names = [path.name for path in (tmp_path / "code").iterdir()]
    assert len(names) == 1 and names[0].startswith("cell.total-") and names[0].endswith(".gco")


def test_scripts(gridcell, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(CELL + "total(np.arange(3.0))\nprint(total.stats.cache_path, "
                      "*total.stats.cache_hits.values())\n")
    env = {**os.environ, "GRIDCELL_CACHE_DIR": str(tmp_path / "user")}
    texts = [subprocess.run([gridcell, "run", str(script)], env=env, capture_output=True, text=True,
                            timeout=120).stdout for _ in range(2)]
    assert texts == [f"{tmp_path}/__pycache__\n", f"{tmp_path}/__pycache__ 1\n"]
