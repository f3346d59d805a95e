// SPDX-License-Identifier: MIT
// What the emulated device finds out about shared memory under debug.
#pragma once

#include "compiler/codegen/base/body.h"

// Before an access to an array's item at `address`; `stored`: the leaves to be stored.
void shared_check_access(struct body *body, const struct type *array, value address,
        enum abi_access access, const value *stored, struct span span);
void shared_check_barrier(struct body *body, struct span span); // of the block, ahead
void shared_check_warp(struct body *body);                      // its lanes have met
