"""Folders use folders as rooms.txt says, by their includes and by the symbols of the linked objects.
There are no circles between them, and none of more than 8 sources within one."""
import pathlib
import sys

import graph
import tree

MOST_SOURCES, LARGEST_CIRCLE = 25, 8
TABLE = pathlib.Path("tests/lint/rooms.txt")


def rooms(root):
    """By folder: the folders that it may use. A line of the table is `folder: what it may use`."""
    table = {}
    for line in (root / TABLE).read_text().splitlines():
        folder, colon, used = line.partition("#")[0].partition(":")
        if colon:
            table[folder.strip()] = set(used.split())
    return table


def table_faults(table):
    """The table is in order: a folder uses what stands above it, so there can be no circle."""
    above = set()
    for folder, used in table.items():
        for target in sorted(used - above - {folder}):
            yield TABLE, 1, f"{folder} may use {target}, which does not stand above it"
        above.add(folder)


def folder_faults(root, table, used):
    for folder, targets in graph.folders(used, graph.includes(root)).items():
        if folder not in table:
            yield folder, 1, f"is a folder of sources that {TABLE} does not name"
        for target, (user, home) in targets.items():
            if folder in table and target not in table[folder]:
                yield user, 1, f"uses {home}: {folder} must not use {target} ({TABLE})"


def size_faults(root, used):
    sources = [path for path in tree.c_files(root, (".c",))]
    for folder in sorted({path.parent for path in sources}):
        count = sum(path.parent == folder for path in sources)
        if count > MOST_SOURCES:
            yield folder, 1, f"holds {count} sources; a folder of more than {MOST_SOURCES} is several rooms"
    for folder, circle in sorted(graph.circles_within_folders(used).items()):
        if len(circle) > LARGEST_CIRCLE:
            names = " ".join(pathlib.Path(source).name for source in circle)
            yield folder, 1, f"{len(circle)} sources use each other in a circle: {names}"


def main(root, build):
    table, used = rooms(root), graph.links(root, build)
    tree.finish([*table_faults(table), *folder_faults(root, table, used), *size_faults(root, used)])


main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
