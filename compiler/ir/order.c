// SPDX-License-Identifier: MIT
// The order of a function's blocks, for lowering and for passes that drop some; in it,
// only loops lead back.
#include <stdlib.h>

#include "base/memory.h"
#include "compiler/ir/ir.h"

struct postorder {
    struct ir_block **list;
    size_t len;
    bool *is_seen;
};

static void visit(struct postorder *order, struct ir_block *block)
{
    order->is_seen[block->id] = true;
    struct ir_block *successors[2];
    // the last successor first: a loop's body then comes right after its head
    for (size_t i = ir_successors(block, successors); i-- > 0;)
        if (!order->is_seen[successors[i]->id])
            visit(order, successors[i]);
    order->list[order->len++] = block;
}

void ir_order_blocks(struct ir_function *function)
{
    struct postorder order = {0};
    order.list = memory_zalloc(function->blocks.len * sizeof *order.list);
    order.is_seen = memory_zalloc(function->blocks.len);
    visit(&order, function->blocks.items[0]);
    for (size_t i = 0; i < order.len; i++)
        function->blocks.items[i] = order.list[order.len - 1 - i];
    function->blocks.len = order.len;
    for (size_t i = 0; i < order.len; i++)
        function->blocks.items[i]->id = (int)i;
    free(order.list);
    free(order.is_seen);
}

void ir_note_loops(struct ir_function *function)
{
    function->has_loop = false;
    vec_each (block, &function->blocks) {
        struct ir_block *successors[2];
        size_t count = ir_successors(*block, successors);
        for (size_t i = 0; i < count; i++)
            function->has_loop |= successors[i]->id <= (*block)->id;
    }
}
