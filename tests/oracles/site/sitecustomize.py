"""Programs that the peer's tests start find its tests, too."""
import os
import pathlib
import sys

if "ORACLES_PEER" in os.environ:
    sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
    import lenient
    from gridcell import hook
    hook.install()
    lenient.install(os.environ["ORACLES_PEER"], os.environ["ORACLES_PACKAGE"])
