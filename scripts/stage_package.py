"""Lays out the importable package: links to the Python sources, the extension module beside them.

usage: stage_package.py SOURCE_ROOT PACKAGE_DIR EXTENSION STAMP
"""
import pathlib
import sys


def link(target, source):
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.is_symlink() and target.readlink() == source:
        return
    target.unlink(missing_ok=True)
    target.symlink_to(source)


def main(source_root, package_dir, extension, stamp):
    root, package = pathlib.Path(source_root), pathlib.Path(package_dir)
    wanted = {package / pathlib.Path(extension).name: pathlib.Path(extension)}
    for folder, prefix in (("runtime/python/gridcell", ""), ("compiler/library", "library")):
        for source in (root / folder).rglob("*.py"):
            wanted[package / prefix / source.relative_to(root / folder)] = source
    for old in package.rglob("*"):
        if old.is_symlink() and old not in wanted:
            old.unlink()
    for target, source in wanted.items():
        link(target, source)
    pathlib.Path(stamp).touch()


main(*sys.argv[1:])
