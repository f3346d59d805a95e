# SPDX-License-Identifier: MIT
"""How long a GPU takes at least for what a kernel does, by its published rates, and for want of what: a model."""
WARP = 32


def times(total, gpu):
    """Seconds by resource. What multiprocessors do is slower where the grid does not fill all of them."""
    used = min(gpu.multiprocessors, max(1, total["blocks"])) / gpu.multiprocessors
    found = {"DRAM": total["dram_bytes"] / gpu.dram, "L2": total["l2_bytes"] / gpu.l2,
             "shared memory": 128 * total["shared_wavefronts"] / (gpu.shared * used)}
    for name in ("fp64", "fp32", "fp16"):
        # an instruction is at best a multiplication and an addition in one, of each lane
        lanes = gpu.flops[name] / 2 * used
        found[name] = WARP * total[f"{name}_warp_instructions"] / lanes
    found["integer"] = WARP * total["integer_warp_instructions"] / (gpu.integer * used)
    special = total["special_warp_instructions"] + total["conversion_warp_instructions"]
    found["special functions"] = WARP * special / (gpu.special * used)
    found["instructions"] = total["warp_instructions"] / (gpu.issue * used)
    return found


class Bound:
    """The resource that a kernel needs the longest, and where that puts it below the roofline."""

    def __init__(self, total, gpu):
        self.times, self.device = times(total, gpu), gpu.name
        self.limiter = max(self.times, key=self.times.get)
        self.seconds = self.times[self.limiter]
        self.is_integer = not total["flops"]
        self.operations = total["integer_operations"] if self.is_integer else total["flops"]
        self.precision = None if self.is_integer else max(
            ("fp64", "fp32", "fp16"), key=lambda name: total[f"{name}_flops"] / gpu.flops[name])
        # a multiplication and an addition in one count as two, of integers, too
        self.peak = 2 * gpu.integer if self.is_integer else gpu.flops[self.precision]
        self.intensity = self.operations / total["dram_bytes"] if total["dram_bytes"] else None
        self.rate = self.operations / self.seconds if self.seconds else 0.0
        self.roof = self.peak if self.intensity is None else min(self.peak, self.intensity * gpu.dram)
        self.share = self.rate / self.roof if self.roof else None  # of what the roofline allows

    def __repr__(self):
        return f"at least {self.seconds:.3g} s on {self.device}, bound by {self.limiter} (a model)"

    def as_dict(self):
        return {"limiter": self.limiter, "seconds": self.seconds, "times": dict(self.times),
                "operations": self.operations, "precision": self.precision or "integer",
                "arithmetic_intensity": self.intensity, "rate": self.rate, "roof": self.roof, "share": self.share}
