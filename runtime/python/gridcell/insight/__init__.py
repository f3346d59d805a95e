# SPDX-License-Identifier: MIT
"""What the figures of cuda.xray mean for a GPU: tables of GPUs, models of caches and bounds, and pictures."""
