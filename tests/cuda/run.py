"""Runs the suite without pytest: every test_* function of every test_*.py, or of those named.

usage: run.py [PART_OF_A_NAME...]
"""
import importlib
import pathlib
import sys
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


def main(wanted):
    passed = failed = 0
    for path in sorted(HERE.glob("test_*.py")):
        module = importlib.import_module(path.stem)
        for name, function in list(vars(module).items()):
            label = f"{path.stem}::{name}"
            if not name.startswith("test_") or (wanted and not any(w in label for w in wanted)):
                continue
            start = time.perf_counter()
            try:
                function()
                passed += 1
                print(f"ok   {label}  {time.perf_counter() - start:.3f} s", flush=True)
            except Exception:
                failed += 1
                print(f"FAIL {label}", flush=True)
                traceback.print_exc()
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed != 0


sys.exit(main(sys.argv[1:]))
