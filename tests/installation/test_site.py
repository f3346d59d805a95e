"""The site of the documentation: links that move with their pages, and the reference made of docstrings."""
import pathlib
import sys

import pytest

SITE = pathlib.Path(__file__).resolve().parents[2] / "docs/site"


@pytest.fixture(scope="module")
def site():
    sys.path.insert(0, str(SITE))
    import lay_out
    return lay_out


def test_links_move_with_their_pages(site):
    text = ("[a](caching.md) [b](errors.md#memory) [c](../compiler/compile.c) [d](../CONTRIBUTING.md) [e](#own)\n"
            "`[f](caching.md)`\n```\n[g](caching.md)\n```\n[h](https://example.org/caching.md)\n")
    assert site.relinked(text, "docs/process.md", "internals/process.md") == (
        "[a](../guide/caching.md) [b](../guide/errors.md#memory) c [d](../internals/contributing.md) [e](#own)\n"
        "`[f](caching.md)`\n```\n[g](caching.md)\n```\n[h](https://example.org/caching.md)\n")


def test_every_page_of_the_repository_has_a_place(site):
    for source, page in site.PAGES.items():
        assert (site.ROOT / source).is_file() and page.endswith(".md")
    assert not [path for path in (site.ROOT / "docs").rglob("*.md")
                if SITE not in path.parents and str(path.relative_to(site.ROOT)) not in site.PAGES]


def test_links_that_lead_nowhere(site, tmp_path):
    (tmp_path / "a.md").write_text("[b](b.md) [c](c.md) `[d](d.md)`\n")
    (tmp_path / "b.md").write_text("[a](a.md#x)\n")
    assert list(site.check_links(tmp_path)) == ["a.md: c.md"]


def test_docstrings_as_pages(site):
    made = site.reference.as_markdown(
        "Adds a*b to <c>.\n\na, b: arrays, shape (n,).\n*rest: more, as `x*y`\n\nExample:\n    f(1)\n\n    f(2)\n\nRaises TypeError.")
    assert made == ("Adds a\\*b to \\<c\\>.\n\n- `a, b`: arrays, shape (n,).\n- `*rest`: more, as `x*y`\n\n"
                    "Example:\n\n```python\nf(1)\n\nf(2)\n```\n\n\nRaises TypeError.")


def test_how_a_function_is_called(site):
    def half(x, *, how="down"):
        """half(x)

        One of two."""

    assert site.reference.signature_of(half, half.__doc__.replace("        ", "")) == ("half(x)", "One of two.")
    assert site.reference.signature_of(half, "Text.") == ("half(x, *, how='down')", "Text.")


def test_every_name_of_a_module_is_on_its_page(site):
    import math
    page = site.reference.module_page("math", math, "Intro.")
    for name in dir(math):
        assert name.startswith("_") or f"### {name}" in page or f"| `{name}` |" in page, name
