"""Display objects for sound, film, frames and files."""
from gridcell.ipython.display import (  # noqa: F401
    Audio, Code, FileLink, FileLinks, IFrame, ScribdDocument, VimeoVideo, YouTubeVideo)
