# SPDX-License-Identifier: MIT
"""python3 -m gridcell FILE.py [ARGS]: runs a script with `numba` from gridcell."""
import runpy
import sys

from gridcell import hook

USAGE = "usage: python3 -m gridcell (FILE.py | -m MODULE | -c CODE) [ARGS]"


def run_code(code):
    import types
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    import linecache
    linecache.cache["<string>"] = (len(code), None, code.splitlines(True), "<string>")
    exec(compile(code, "<string>", "exec"), main.__dict__)


def share_with_children():
    """Programs that this one starts, and processes that it spawns, find the same numba."""
    import os
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "children")
    paths = [folder] + [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p and p != folder]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)


def main(args):
    if not args or args[0] in ("-h", "--help"):
        print(USAGE, file=sys.stdout if args else sys.stderr)
        return 0 if args else 2
    hook.install()
    share_with_children()
    if args[0] in ("-m", "-c") and len(args) < 2:
        print(USAGE, file=sys.stderr)
        return 2
    if args[0] == "-m":
        sys.argv = args[1:]
        runpy.run_module(args[1], run_name="__main__", alter_sys=True)
    elif args[0] == "-c":
        sys.argv = ["-c"] + args[2:]
        sys.path.insert(0, "")
        run_code(args[1])
    else:
        import os
        if not os.path.exists(args[0]):
            print(f"gridcell: cannot open {args[0]!r}: no such file", file=sys.stderr)
            return 2
        sys.argv = args
        sys.path[0] = os.path.dirname(os.path.abspath(args[0]))
        runpy.run_path(args[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
