# SPDX-License-Identifier: MIT
"""python3 -m numba -s: what there is on this machine."""
import argparse
import json
import platform
import sys

import numba


def system_info():
    """Names and values: versions, the machine, the compilers behind ours."""
    import numpy
    from gridcell import _gridcell as _extension
    from gridcell import about
    return {
        "Machine": platform.machine(),
        "OS Name and Version": platform.platform(),
        "Python Version": platform.python_version(),
        "Python Compiler": platform.python_compiler(),
        "NumPy Version": numpy.__version__,
        "Numba Version": numba.__version__,
        "gridcell Version": _extension.version,
        "Threading Layer": numba.threading_layer(),
        "Threads": numba.get_num_threads(),
        **{f"gridcell {name}": value for name, value in about.collect().items()},
    }


def main(args=None):
    parser = argparse.ArgumentParser(prog="numba")
    parser.add_argument("-s", "--sysinfo", action="store_true", help="describe the system")
    parser.add_argument("--sys-json", metavar="FILE", help="the description as JSON")
    parser.add_argument("--version", action="version", version=numba.__version__)
    chosen = parser.parse_args(args)
    if chosen.sys_json:
        with open(chosen.sys_json, "w", encoding="utf-8") as file:
            json.dump(system_info(), file, indent=4, default=str)
    elif chosen.sysinfo:
        print("System info:")
        print("-" * 80)
        for name, value in system_info().items():
            print(f"{name:<45}: {value}")
    else:
        parser.print_help(sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
