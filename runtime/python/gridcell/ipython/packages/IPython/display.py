"""Everything that can be displayed."""
from gridcell.ipython.display import *  # noqa: F401,F403
from gridcell.ipython.display import PUBLIC as __all__  # noqa: F401
from gridcell.ipython.display import (  # noqa: F401
    HTML, JSON, SVG, Audio, Code, DisplayHandle, DisplayObject, FileLink, FileLinks, GeoJSON, IFrame,
    Image, Javascript, Latex, Markdown, Math, Pretty, ProgressBar, TextDisplayObject, Video,
    YouTubeVideo, capture_output, clear_output, display, publish_display_data, update_display)
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)
