// SPDX-License-Identifier: MIT
// The loop runs over a list of what the table held before it; Python's would not go on
// after a change.
#include "compiler/codegen/loops/table.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/values/row.h"

value table_count(struct body *body, const struct ir_instr *table)
{
    const struct type *type = table->type;
    return row_used(body, type->kind == TYPE_DICT_VIEW ? type->element : type,
            body->values[table->id][0]);
}

void table_check(struct body *body, const struct ir_instr *table, value opened_count,
        value asked, struct span span)
{
    bool is_set = table->type->kind == TYPE_SET;
    value differs = LLVMBuildICmp(
            body->gen->builder, LLVMIntNE, table_count(body, table), opened_count, "");
    if (asked)
        differs = LLVMBuildAnd(body->gen->builder, asked, differs, "");
    control_raise_if(body, differs, ERROR_RUNTIME,
            is_set ? "Set changed size during iteration"
                   : "dictionary changed size during iteration",
            span);
}
