"""Sphinx's configuration of the site that scripts/docs builds. Its pages lie in the folder that site.py lays out."""
import os
import pathlib
import sys

project = "gridcell"
author = "the gridcell developers"
copyright = "the gridcell developers, MIT licence"
version = release = os.environ["GRIDCELL_SITE_VERSION"]

sys.path.insert(0, str(pathlib.Path(__file__).parent))  # widgets.py, which lay_out.py puts beside this file
extensions = ["myst_nb", "sphinx_copybutton", "widgets"]
exclude_patterns = ["_build"]
html_theme = "pydata_sphinx_theme"
html_title = f"gridcell {version}"
html_static_path = ["static"]
html_css_files = ["gridcell.css"]
html_theme_options = {
    "show_toc_level": 2,
    "navigation_with_keys": True,
    "header_links_before_dropdown": 6,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_sidebars = {"index": [], "install": [], "migrating": []}
html_copy_source = False

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
copybutton_prompt_text = r">>> |\$ "
copybutton_prompt_is_regexp = True

# Every page with cells runs, with the kernel that it writes about; what fails fails the build.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_merge_streams = True
suppress_warnings = ["misc.highlighting_failure"]  # what checks say of an answer is no traceback
nb_kernel_rgx_aliases = {".*": "gridcell"}
