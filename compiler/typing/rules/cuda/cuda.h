// SPDX-License-Identifier: MIT
// The rules of what only kernels have, and of pointers and functions of C.
#pragma once

#include "compiler/typing/infer/rule.h"

// --- cuda.c

bool rule_cuda_index(struct rule *r, const char *base); // cuda.threadIdx.x and such
bool rule_global(struct rule *r); // a CONST that is computed: cuda.laneid
bool rule_not_callable(struct rule *r);
bool rule_is_device(struct rule *r); // fails off CUDA
// Whether a type is that of cuda.threadIdx or its kin, in CUDA code; its x, y, z.
bool rule_is_coordinates(const struct rule *r, const struct type *type);
struct ir_instr *rule_coordinates(struct rule *r, const struct type *type);
// A new array of a thread's own, of the constant shape r->args[0].
bool rule_local_array(struct rule *r, const struct type *dtype);
rule_function rule_cuda_grid, rule_cuda_array, rule_cuda_sync, rule_cuda_ffs,
        rule_cuda_select, rule_np_where, rule_cuda_meeting, rule_cuda_syncwarp,
        rule_cuda_this_grid, rule_cuda_sync_grid, rule_cuda_constant;

// --- pointer.c

// Items of what a pointer points to, and its attributes.
bool rule_pointer_item(struct rule *r);
// What a pointer points to as an array without end.
struct ir_instr *rule_pointer_items(struct rule *r, struct ir_instr *pointer);
bool rule_pointer_attribute(struct rule *r, const struct type *type);
bool rule_array_pointer(struct rule *r, const struct type *type);
bool rule_carray(struct rule *r);

// --- foreign.c

rule_function rule_foreign, rule_from_buffer;

// --- libdevice.c

bool rule_libdevice(struct rule *r);

// --- intrinsic.c

bool rule_intrinsic(struct rule *r); // what rows of intrinsics.def say

// --- atomic.c

rule_function rule_cuda_atomic, rule_cuda_atomic_made, rule_cuda_cached,
        rule_cuda_compare_and_swap;
