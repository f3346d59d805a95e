"""Lays out the importable package: the Python sources, the notebooks, the files of machine code beside them.

usage: stage_package.py link SOURCE_ROOT PACKAGE_DIR STAMP FILE...   (build tree: links)
       stage_package.py copy SOURCE_ROOT PACKAGE_DIR                 (installation: copies)
       stage_package.py list SOURCE_ROOT                             (a wheel: folder, TAB, source)
"""
import compileall
import os
import pathlib
import shutil
import sys

FOLDERS = (("runtime/python/gridcell", "", ("*.py", "children/bin/*")), ("compiler/library", "library", ("*.py",)),
           ("compiler/support", "numba/core/runtime", ("nrt_external.h",)),
           ("notebooks", "notebooks", ("*.ipynb",)))


def package_sources(root):
    """Pairs of a path in the package and the source that belongs there."""
    for folder, prefix, patterns in FOLDERS:
        for source in sorted(file for pattern in patterns for file in (root / folder).rglob(pattern)):
            if ".ipynb_checkpoints" not in source.parts:
                yield pathlib.Path(prefix) / source.relative_to(root / folder), source


def link(target, source):
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.is_symlink() and target.readlink() == source:
        return
    target.unlink(missing_ok=True)
    target.symlink_to(source)


def compile_package(package, destdir=None):
    """Writes the bytecode of new sources, which a user may not be allowed to write later."""
    if not compileall.compile_dir(package, quiet=1, **({"stripdir": destdir, "prependdir": "/"} if destdir else {})):
        sys.exit(f"{package}: a source cannot be compiled")


def link_package(root, package, stamp, *machine_code):
    root = root.resolve()
    wanted = {package / file.name: file.resolve() for file in machine_code}
    wanted.update((package / path, source) for path, source in package_sources(root))
    for old in package.rglob("*"):
        if old.is_symlink() and old not in wanted:
            old.unlink()
    for target, source in wanted.items():
        link(target, source)
    compile_package(package)
    stamp.touch()


def copy_package(root, package):
    destdir = os.environ.get("DESTDIR")
    package = pathlib.Path(os.environ["MESON_INSTALL_PREFIX"]) / package
    if destdir:
        package = pathlib.Path(destdir) / package.relative_to("/")
    for path, source in package_sources(root):
        (package / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, package / path)
    compile_package(package, destdir)


def list_package(root):
    for path, source in package_sources(root):
        print(path.parent, source, sep="\t")


def main(mode, *paths):
    {"link": link_package, "copy": copy_package, "list": list_package}[mode](*map(pathlib.Path, paths))


main(*sys.argv[1:])
