"""Display objects for sound, film, frames and files."""
from gridcell.ipython.display import (  # noqa: F401
    Audio, Code, FileLink, FileLinks, IFrame, ScribdDocument, VimeoVideo, YouTubeVideo)
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)
