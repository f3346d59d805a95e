# SPDX-License-Identifier: MIT
"""What is wrong with a cluster."""


class ClusterError(RuntimeError):
    """A cluster that cannot run gridcell's functions, is gone, or has no room for a task."""
