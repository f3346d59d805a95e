# SPDX-License-Identifier: MIT
"""Literal powers in float64, by products and square roots (compiler/types/powers.def lists them)."""
import math

import numpy as np

from gridcell.library import compiled


def whole_power(n):
    @compiled
    def power(x):
        return np.float64(x) ** n

    return power


def half_power(whole, is_inverse):
    """To `whole` and a half; as pow has it, that of -0.0 is 0.0, and that of -inf is inf."""
    @compiled
    def power(x):
        y = np.float64(x)
        root = np.sqrt(y) + 0.0
        product = root * abs(y) ** whole
        result = math.inf if y == -math.inf else product
        return 1 / result if is_inverse else result

    return power


power_2, power_3, power_4, power_5, power_6, power_7 = map(whole_power, (2, 3, 4, 5, 6, 7))
power_8, power_9, power_10, power_12, power_16 = map(whole_power, (8, 9, 10, 12, 16))
power_minus_1, power_minus_2, power_minus_3 = map(whole_power, (-1, -2, -3))
power_minus_4, power_minus_5, power_minus_6 = map(whole_power, (-4, -5, -6))
power_half_3, power_half_5, power_half_7 = (half_power(whole, False) for whole in (1, 2, 3))
power_half_minus_1, power_half_minus_3, power_half_minus_5 = (half_power(whole, True) for whole in (0, 1, 2))
