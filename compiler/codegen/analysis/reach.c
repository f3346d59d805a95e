// SPDX-License-Identifier: MIT
// What a function does or needs, with all that it calls.
#include "compiler/codegen/analysis/reach.h"

#include <string.h>

#include "compiler/types/source.h"
#include "compiler/support/foreign.h"

struct reach {
    VEC(const struct ir_function *) functions;
};

// A list and not a set: few functions call more than some dozen others.
static void reach_add(struct reach *reach, const struct ir_function *function)
{
    vec_each (seen, &reach->functions)
        if (*seen == function)
            return;
    vec_push(&reach->functions, function);
}

static void reach_callees(struct reach *reach, const struct ir_instr *instr)
{
    if (instr->op == IR_CALL_DIRECT)
        reach_add(reach, instr->callee);
    if (instr->op != IR_PARALLEL_FOR)
        return;
    reach_add(reach, instr->parallel->body_function);
    if (instr->parallel->combine_function)
        reach_add(reach, instr->parallel->combine_function);
}

// Code for GPUs sets may_raise only where it raises; loops of the others may be
// interrupted, which is a failure for their callers.
static bool can_fail_itself(const struct ir_function *function, void *context)
{
    (void)context;
    if (function->may_raise || function->has_loop) // loops may be interrupted
        return true;
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block) if (instr->op == IR_RAISE) return true;
    return false;
}

static bool has_barrier_itself(const struct ir_function *function, void *context)
{
    (void)context;
    vec_each (block, &function->blocks)
        ir_each_instr(
                instr, *block) if (instr->op == IR_PRIMITIVE &&
                                   (instr->primitive == PRIMITIVE_CUDA_SYNCTHREADS ||
                                           instr->primitive == PRIMITIVE_CUDA_SYNCGRID ||
                                           instr->primitive == PRIMITIVE_CUDA_WARP ||
                                           instr->primitive ==
                                                   PRIMITIVE_CUDA_SYNCWARP)) return true;
    return false;
}

static bool syncs_grid_itself(const struct ir_function *function, void *context)
{
    (void)context;
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block)
        {
            bool waits = instr->op == IR_PRIMITIVE &&
                         (instr->primitive == PRIMITIVE_CUDA_SYNCGRID ||
                                 (instr->primitive == PRIMITIVE_FOREIGN &&
                                         instr->immediate & FOREIGN_SYNCS_GRID));
            if (waits)
                return true;
        }
    return false;
}

// Breadth first, each function once, so that recursion ends.
bool call_reaches(const struct ir_function *function,
        bool (*is_so)(const struct ir_function *function, void *context), void *context)
{
    struct reach reach = {0};
    reach_add(&reach, function);
    bool found = false;
    for (size_t i = 0; i < reach.functions.len && !found; i++) {
        const struct ir_function *next = reach.functions.items[i];
        found = is_so(next, context);
        vec_each (block, &next->blocks)
            ir_each_instr(instr, *block) reach_callees(&reach, instr);
    }
    vec_finish(&reach.functions);
    return found;
}

bool call_can_fail(const struct ir_function *function)
{
    return call_reaches(function, can_fail_itself, NULL);
}

bool call_has_barrier(const struct ir_function *function)
{
    return call_reaches(function, has_barrier_itself, NULL);
}

bool call_syncs_grid(const struct ir_function *function)
{
    return call_reaches(function, syncs_grid_itself, NULL);
}

static bool is_foreign_call(const struct ir_instr *instr)
{
    return instr->op == IR_PRIMITIVE && instr->primitive == PRIMITIVE_FOREIGN;
}

static bool is_foreign_itself(const struct ir_function *function, void *context)
{
    (void)context;
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block) if (is_foreign_call(instr)) return true;
    return false;
}

bool call_is_foreign(const struct ir_function *function)
{
    return call_reaches(function, is_foreign_itself, NULL);
}

static bool heeds_others_itself(const struct ir_function *function, void *context)
{
    (void)context;
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block)
        {
            if (instr->op != IR_PRIMITIVE)
                continue;
            if (ir_heeds_others(instr->primitive) || ir_is_unknown_code(instr))
                return true;
            switch (instr->primitive) {
            case PRIMITIVE_CUDA_SYNCGRID:
            case PRIMITIVE_CUDA_CACHED_LOAD:
                return true;
            default:
                break;
            }
        }
    return false;
}

bool call_heeds_others(const struct ir_function *function)
{
    return call_reaches(function, heeds_others_itself, NULL);
}

static void add_codes(struct foreign_list *list, const struct source *source)
{
    for (size_t i = 0; source && i < source->link_count; i++) {
        const struct foreign_code *code = &source->links[i];
        bool is_new = true;
        for (size_t j = 0; is_new && j < list->len; j++)
            is_new = list->items[j]->len != code->len ||
                     memcmp(list->items[j]->data, code->data, code->len) != 0;
        if (is_new)
            vec_push(list, code);
    }
}

void call_foreign_code(const struct ir_function *function, struct foreign_list *list)
{
    struct reach reach = {0};
    reach_add(&reach, function);
    for (size_t i = 0; i < reach.functions.len; i++) {
        const struct ir_function *next = reach.functions.items[i];
        add_codes(list, next->source);
        vec_each (block, &next->blocks)
            ir_each_instr(instr, *block) reach_callees(&reach, instr);
    }
    vec_finish(&reach.functions);
}

static bool calls(const struct ir_function *function, const struct ir_function *callee)
{
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block) if (instr->op == IR_CALL_DIRECT &&
                                         instr->callee == callee) return true;
    return false;
}

bool call_leads_to(const struct ir_function *function, const struct ir_function *callee)
{
    struct reach reach = {0};
    reach_add(&reach, function);
    bool found = false;
    for (size_t i = 0; i < reach.functions.len && !found; i++) {
        const struct ir_function *next = reach.functions.items[i];
        found = next == callee || calls(next, callee);
        vec_each (block, &next->blocks)
            ir_each_instr(instr, *block) reach_callees(&reach, instr);
    }
    vec_finish(&reach.functions);
    return found;
}
