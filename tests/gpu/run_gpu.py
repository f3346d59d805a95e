"""Runs on the GPU: the driver's smoke program, the CUDA suite by each route to PTX, and the tutorial
notebooks without Jupyter.

usage: run_gpu.py BUILD_FOLDER
"""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from outcomes import ROOT, Outcome, one_check, pytest_suite, report_all, say

LIMIT_SECONDS = 600
SANITIZER = shutil.which("compute-sanitizer", path=f"{os.environ.get('PATH')}:/usr/local/cuda/bin")


def environment(build, **more):
    python_path = [str(build / "python"), *filter(None, [os.environ.get("PYTHONPATH")])]
    return dict(os.environ, GRIDCELL_DEVICE="cuda", GRIDCELL_BUILD=str(build),
                PYTHONPATH=":".join(python_path), PYTHONFAULTHANDLER="1", **more)


def pytest_options():
    """A time limit for each test, where the plugin is there. It cannot act while a call of the driver holds
    the interpreter: then pytest's own handler says at least where each thread is."""
    has_plugin = importlib.util.find_spec("pytest_timeout")
    return ["--override-ini=faulthandler_timeout=100",
            *(["--timeout=120", "--timeout-method=thread"] if has_plugin else [])]


def outcomes(build, reports):
    smoke = build / "tests/gpu/driver_smoke"
    yield "driver", (one_check("driver", [[str(smoke)]], reports, LIMIT_SECONDS, environment(build))
                     if smoke.exists() else Outcome(skipped=1, notes=[f"{smoke} was not built"]))
    for route in ("nvvm", "nvptx"):
        yield f"cuda-{route}", pytest_suite(
            f"cuda-{route}", "tests/cuda", pytest_options(), reports, LIMIT_SECONDS,
            environment(build, GRIDCELL_PTX=route))
    for tool in ("memcheck", "racecheck", "synccheck", "initcheck"):
        command = [SANITIZER, "--tool", tool, "--error-exitcode", "1",
                   str(build / "gridcell"), "run", str(ROOT / "tests/gpu/sanitized.py")]
        yield tool, (one_check(tool, [command], reports, LIMIT_SECONDS, environment(build))
                     if SANITIZER else Outcome(skipped=1, notes=["there is no compute-sanitizer"]))
    for notebook in sorted((ROOT / "notebooks").rglob("*.ipynb")):
        yield notebook.stem, one_check(
            notebook.stem, [[str(build / "gridcell"), "run", str(notebook)]], reports,
            LIMIT_SECONDS, environment(build))


def main(folder):
    build = ROOT / folder
    reports = build / "test-reports"
    reports.mkdir(parents=True, exist_ok=True)
    info = subprocess.run([build / "gridcell", "info"], env=environment(build), text=True,
                          capture_output=True)
    say(info.stdout + info.stderr)
    return report_all(outcomes(build, reports))


sys.exit(main(*sys.argv[1:]))
