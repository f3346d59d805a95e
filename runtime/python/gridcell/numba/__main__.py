# SPDX-License-Identifier: MIT
"""The command numba: -s tells what there is on this machine; with a program, how it was compiled."""
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


def run_program(filename, arguments):
    """Run a program; its compiled functions, in the order of its text."""
    import gc
    import runpy
    from gridcell import _gridcell as _extension
    sys.argv = [filename, *arguments]
    namespace = runpy.run_path(filename, run_name="__main__")
    found = [thing for thing in gc.get_objects() if isinstance(thing, _extension.CPUDispatcher)
             and thing.py_func.__code__.co_filename == filename and thing.signatures]
    del namespace
    return sorted(found, key=lambda function: function.py_func.__code__.co_firstlineno)


def annotated_page(title, functions):
    """A page with the typed source of the functions."""
    import html
    from numba.core.dispatcher import Annotate
    parts = [f"<h2>{html.escape(function.__qualname__)}</h2>{Annotate(function)._repr_html_()}" for function in functions]
    return f"<!DOCTYPE html><html><head><meta charset='utf-8'><title>{html.escape(title)}</title></head>" \
           f"<body><h1>{html.escape(title)}</h1>{''.join(parts)}</body></html>\n"


def dump(title, function, texts):
    for signature, text in texts.items():
        print(f"{title} {function.__qualname__}{signature}".center(80, "-"))
        print(text)
        print("=" * 80)


def main(args=None):
    parser = argparse.ArgumentParser(prog="numba")
    parser.add_argument("-s", "--sysinfo", action="store_true", help="describe the system")
    parser.add_argument("--sys-json", metavar="FILE", help="the description as JSON")
    parser.add_argument("--annotate", action="store_true", help="run FILE and print its functions with their types")
    parser.add_argument("--annotate-html", metavar="HTML", help="the same as a page")
    parser.add_argument("--dump-llvm", action="store_true", help="run FILE and print LLVM IR")
    parser.add_argument("--dump-optimized", action="store_true", help="run FILE and print optimised LLVM IR")
    parser.add_argument("--dump-assembly", action="store_true", help="run FILE and print assembly")
    parser.add_argument("filename", nargs="?", metavar="FILE", help="Python program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its arguments")
    parser.add_argument("--version", action="version", version=numba.__version__)
    chosen = parser.parse_args(args)
    if chosen.sys_json:
        with open(chosen.sys_json, "w", encoding="utf-8") as file:
            json.dump(system_info(), file, indent=4, default=str)
    elif chosen.filename:
        functions = run_program(chosen.filename, chosen.arguments)
        if chosen.annotate:
            for function in functions:
                function.inspect_types()
        if chosen.annotate_html:
            with open(chosen.annotate_html, "w", encoding="utf-8") as file:
                file.write(annotated_page(chosen.filename, functions))
        for function in functions:
            if chosen.dump_llvm or chosen.dump_optimized:
                dump("OPTIMIZED DUMP" if chosen.dump_optimized else "LLVM DUMP", function, function.inspect_llvm())
            if chosen.dump_assembly:
                dump("ASSEMBLY", function, function.inspect_asm())
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
