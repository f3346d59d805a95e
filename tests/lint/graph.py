"""What depends on what in the C code: a file on the headers that it includes, and on the files that
define the symbols which its object leaves open. Needs a build folder with the objects in it."""
import collections
import json
import pathlib
import re
import subprocess

import tree

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
SYMBOL = re.compile(r"(.*?):\s*[0-9a-f]*\s+(\w)\s+(\S+)$")

# Which programs an object becomes part of: the kernel's executable, the package's extension module.
PROGRAMS = {"base": {"kernel", "package"}, "kernel": {"kernel"}, "compiler": {"package"}, "runtime": {"package"}}

# The kernel defines these functions of C anew (kernel/process/descriptors.c). Who calls them means C's.
INTERPOSED = {"close", "close_range", "closefrom", "dup2", "dup3", "fclose"}


def folder_of(path):
    return str(pathlib.PurePosixPath(path).parent)


def objects(root, build):
    """Maps the path of each object to the source, relative to the root, that it was compiled from."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        output = build / entry["output"]
        if source.is_relative_to(root) and source.relative_to(root).parts[0] in tree.LAYERS and output.exists():
            found.setdefault(str(source.relative_to(root)), output)
    return {str(output): source for source, output in found.items()}


def symbols(sources):
    """The global symbols by source: what each defines, and what it leaves open."""
    listed = subprocess.run(["nm", "-A", "-g", *sources], capture_output=True, text=True, check=True).stdout
    defined, open_ones = collections.defaultdict(set), collections.defaultdict(set)
    for line in listed.splitlines():
        match = SYMBOL.match(line)
        if match and match[3] not in INTERPOSED:
            (open_ones if match[2] == "U" else defined)[sources[match[1]]].add(match[3])
    return defined, open_ones


def links(root, build):
    """By source: the sources whose symbols it uses, in a program that both are part of."""
    defined, open_ones = symbols(objects(root, build))
    homes = collections.defaultdict(set)
    for source, names in defined.items():
        for name in names:
            homes[name].add(source)
    used = {source: set() for source in defined}
    for source, names in open_ones.items():
        programs = PROGRAMS[source.split("/")[0]]
        used.setdefault(source, set()).update(
            home for name in names for home in homes[name]
            if home != source and programs & PROGRAMS[home.split("/")[0]])
    return used


def includes(root):
    """By file of the four layers: the files of the tree that it includes."""
    return {str(path): {name for name in INCLUDE.findall(tree.text_of(root, path)) if (root / name).exists()}
            for path in tree.c_files(root, (".c", ".h", ".def"))}


def folders(*edge_maps):
    """The same edges between folders, each with one example of a pair of files behind it."""
    between = collections.defaultdict(dict)
    for edges in edge_maps:
        for user, targets in edges.items():
            between[folder_of(user)]
            for target in sorted(targets):
                if folder_of(user) != folder_of(target):
                    between[folder_of(user)].setdefault(folder_of(target), (user, target))
    return between


def circles(edges):
    """The strongly connected parts of more than one node, by Tarjan's algorithm."""
    number, lowest, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = lowest[node] = len(number)
        stack.append(node)
        for target in edges.get(node, ()):
            if target not in number:
                visit(target)
            if target in stack:
                lowest[node] = min(lowest[node], lowest[target])
        if lowest[node] == number[node]:
            part = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(part) > 1:
                found.append(sorted(part))

    for node in edges:
        if node not in number:
            visit(node)
    return found


def circles_within_folders(used):
    """The largest circle of sources within each folder, for folders that have one."""
    largest = {}
    for folder in {folder_of(source) for source in used}:
        inside = {source: {target for target in targets if folder_of(target) == folder}
                  for source, targets in used.items() if folder_of(source) == folder}
        found = circles(inside)
        if found:
            largest[folder] = max(found, key=len)
    return largest
