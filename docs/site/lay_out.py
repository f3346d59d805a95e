"""Lays out the pages of the site for Sphinx: those of this folder, the repository's own, notebooks, and the reference.

usage: lay_out.py TARGET

The repository's pages keep their text; links among them are made to fit, and links to files that have no page become
names. The reference is made of docstrings and of what the kernel and the executable say, so a build must be active:
PYTHONPATH, JUPYTER_PATH and GRIDCELL_BUILD as for tests.
"""
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "scripts")]
import reference
from markdown_links import LINK, links, outside_code

# by file of the repository: the page
PAGES = {f"docs/{name}.md": f"{folder}/{name}.md" for folder, names in {
    "guide": ("decorators", "cuda-memory", "insight", "debugger", "caching", "dask", "errors"),
    "reference": ("numpy-support",),
    "gallery": ("course", "teaching", "gallery"),
    "internals": ("architecture", "cuda-oracles", "extensions", "glossary", "ipykernel", "ipython-oracles", "libraries",
                  "measurements", "oracles", "pains", "process", "reliability", "security", *(f"layers/{layer.stem}" for layer in sorted((ROOT / "docs/layers").glob("*.md")))),
}.items() for name in names}
PAGES |= {"CONTRIBUTING.md": "internals/contributing.md", "CHANGELOG.md": "internals/changelog.md",
          "README.md": "index.md"}

INTERNALS = """# Internals

How it is made, for those who change it or want to know what to rely on.

```{toctree}
:maxdepth: 1

architecture
layers/base
layers/compiler
layers/runtime
layers/kernel
process
security
reliability
measurements
pains
ipykernel
extensions
libraries
oracles
cuda-oracles
ipython-oracles
glossary
contributing
changelog
```
"""
GALLERY = """# Gallery

Notebooks with their outputs, run when this site was built, on the emulated device. `gridcell tutorial` copies them out and
opens them. Sliders and buttons move where a notebook runs; here they stand still.

```{{toctree}}
:maxdepth: 1
:caption: To look at

{}
gallery
```

```{{toctree}}
:maxdepth: 1
:caption: The course

{}
course
teaching
```
"""


def page_of(link, source):
    """The page that a link of the file `source` leads to, or None."""
    target = (ROOT / source).parent.joinpath(link).resolve()
    return PAGES.get(str(target.relative_to(ROOT))) if target.is_relative_to(ROOT) else None


def relinked(text, source, page):
    up = "../" * page.count("/")

    def link(found):
        label, target, anchor = found.groups()
        if not target or "://" in target:
            return found[0]
        to = page_of(target, source)
        return f"[{label}]({up}{to}{anchor or ''})" if to else label
    return outside_code(text, lambda prose: LINK.sub(link, prose))


def check_links(target):
    """Links that lead to no file, as 'page: link'."""
    for page in target.rglob("*.md"):
        for link, _ in links(page.read_text()):
            if link and not (page.parent / link).exists():
                yield f"{page.relative_to(target)}: {link}"


def lay_out(target):
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(HERE, target, ignore=shutil.ignore_patterns("*.py", "requirements.txt", "__pycache__"))
    for name in ("conf.py", "widgets.py"):
        shutil.copy(HERE / name, target)
    for source, page in PAGES.items():
        if page != "index.md":
            place = target / page
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(relinked((ROOT / source).read_text(), source, page))
    (target / "internals/index.md").write_text(INTERNALS)
    lists = []
    for notebooks in (sorted((ROOT / "notebooks").glob(pattern)) for pattern in ("gallery/*.ipynb", "*.ipynb")):
        for notebook in notebooks:
            shutil.copy(notebook, target / "gallery")
        lists.append("\n".join(notebook.stem for notebook in notebooks))
    (target / "gallery/index.md").write_text(GALLERY.format(*lists))
    reference.write(target / "reference", ROOT)
    broken = sorted(check_links(target))
    if broken:
        sys.exit("links that lead nowhere:\n" + "\n".join(broken))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("\n\n")[1])
    lay_out(pathlib.Path(sys.argv[1]))
