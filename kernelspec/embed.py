# SPDX-License-Identifier: MIT
"""Writes a C file that holds the logos: embed.py OUTPUT FILE..."""
import pathlib
import sys

output, *files = sys.argv[1:]
lines = ['#include "kernelspec/logos.h"', ""]
entries = []
for number, name in enumerate(files):
    data = pathlib.Path(name).read_bytes()
    lines.append(f"static const unsigned char file{number}[] = {{{','.join(map(str, data))}}};")
    entries.append(f'    {{"{pathlib.Path(name).name}", file{number}, sizeof file{number}}},')
lines += ["", "const struct logo logos[] = {", *entries, "};", f"const size_t logo_count = {len(files)};", ""]
pathlib.Path(output).write_text("\n".join(lines))
