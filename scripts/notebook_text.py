"""Prints the text that the code cells of executed notebooks gave: streams, results, errors.

usage: notebook_text.py NOTEBOOK...
"""
import sys

import nbformat


def output_text(output):
    """The plain text of one output, or its kind when it has none."""
    if output.output_type == "stream":
        return output.text
    if output.output_type == "error":
        return f"{output.ename}: {output.evalue}\n"
    text = output.data.get("text/plain")
    return text + "\n" if text else f"[{', '.join(output.data)}]\n"


def main(paths):
    for path in paths:
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code":
                sys.stdout.write("".join(map(output_text, cell.outputs)))


main(sys.argv[1:])
