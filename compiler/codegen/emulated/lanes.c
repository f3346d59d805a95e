// SPDX-License-Identifier: MIT
// Which threads of a row take the usual way through a kernel. A condition whose sides are
// the same for the whole row, or grow by one from thread to thread, holds for a run of
// threads that one subtraction tells.
#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/analysis/reach.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/emulated/lanes.h"

#include <assert.h>
#include <string.h>

enum kind {
    KIND_UNKNOWN,
    KIND_VARIES,
    KIND_UNIFORM, // the same for all lanes of the row
    KIND_STEP,    // one more from lane to lane
    KIND_MASK = 3,
    KIND_PLACE = 4, // flag: tells where in the grid the thread or its block is
};

enum { LEAST_EXTENT = 32 }; // a constant bound below is for a few threads only

static bool is_int64(const struct type *type)
{
    return type && type->kind == TYPE_INT && type->is_signed && type->bits == 64;
}

static const struct ir_instr *turn_iternext(const struct body *body)
{
    return body->turn.header ? flow_deciding_iternext(body->turn.header) : NULL;
}

static unsigned kind_of(struct lanes *lanes, const struct ir_instr *instr);

// In int64 only: threads of a row are neighbours, and one more in a narrower type may
// wrap between two of them.
static unsigned kind_of_sum(struct lanes *lanes, const struct ir_instr *instr)
{
    unsigned a = kind_of(lanes, instr->operands[0]),
             b = kind_of(lanes, instr->operands[1]), place = (a | b) & KIND_PLACE;
    a &= KIND_MASK;
    b &= KIND_MASK;
    if (!is_int64(instr->type) || !is_int64(instr->operands[0]->type) ||
            !is_int64(instr->operands[1]->type) || a == KIND_VARIES || b == KIND_VARIES)
        return KIND_VARIES;
    if (a == KIND_UNIFORM && b == KIND_UNIFORM)
        return instr->binary <= BINARY_MUL ? KIND_UNIFORM | place : KIND_VARIES;
    bool is_step = (instr->binary == BINARY_ADD && a != b) ||
                   (instr->binary == BINARY_SUB && b == KIND_UNIFORM);
    return is_step ? KIND_STEP | place : KIND_VARIES;
}

static unsigned kind_of_primitive(struct lanes *lanes, const struct ir_instr *instr)
{
    switch (instr->primitive) {
    case PRIMITIVE_CUDA_THREAD_IDX:
        return instr->immediate ? KIND_UNIFORM : KIND_STEP;
    case PRIMITIVE_CUDA_BLOCK_IDX:
        return KIND_UNIFORM | KIND_PLACE;
    case PRIMITIVE_CUDA_GRID:
        return is_int64(instr->type) ? KIND_STEP | KIND_PLACE : KIND_VARIES;
    case PRIMITIVE_CUDA_BLOCK_DIM:
    case PRIMITIVE_CUDA_GRID_DIM:
    case PRIMITIVE_CUDA_GRID_SIZE:
        return KIND_UNIFORM;
    case PRIMITIVE_ARRAY_SHAPE:
    case PRIMITIVE_ARRAY_LEN:
    case PRIMITIVE_ARRAY_SIZE:
        return instr->operands[0]->op == IR_ARG ? KIND_UNIFORM : KIND_VARIES;
    default:
        return KIND_VARIES;
    }
}

static unsigned kind_of_item(struct lanes *lanes, const struct ir_instr *instr)
{
    const struct ir_instr *tuple = instr->operands[0];
    if (tuple->op == IR_PRIMITIVE && tuple->primitive == PRIMITIVE_CUDA_GRID)
        return (instr->index ? KIND_UNIFORM : KIND_STEP) | KIND_PLACE;
    return tuple->op == IR_PRIMITIVE && is_int64(instr->type) ? kind_of(lanes, tuple)
                                                              : KIND_VARIES;
}

// To int64 and from what lies in it already.
static unsigned kind_of_cast(struct lanes *lanes, const struct ir_instr *instr)
{
    const struct ir_instr *from = instr->operands[0];
    bool is_wider = from->type->kind == TYPE_INT &&
                    (from->type->bits < 64 || is_int64(from->type));
    return is_wider && is_int64(instr->type) ? kind_of(lanes, from) : KIND_VARIES;
}

static unsigned kind_of_number(struct lanes *lanes, const struct ir_instr *instr)
{
    return instr->type->kind == TYPE_INT ? KIND_UNIFORM : KIND_VARIES;
}

// The number of a turn that the lanes take side by side.
static unsigned kind_of_turn(struct lanes *lanes, const struct ir_instr *instr)
{
    bool is_turn = lanes->turn_first && instr->operands[0] == turn_iternext(&lanes->pure);
    return is_turn ? KIND_STEP | KIND_PLACE : KIND_VARIES;
}

typedef unsigned kind_function(struct lanes *lanes, const struct ir_instr *instr);

typedef unsigned kind_function(struct lanes *lanes, const struct ir_instr *instr);

static unsigned find_kind(struct lanes *lanes, const struct ir_instr *instr)
{
    static kind_function *const kinds[IR_OP_COUNT] = {
            [IR_CONST] = kind_of_number,
            [IR_ARG] = kind_of_number,
            [IR_BINARY] = kind_of_sum,
            [IR_CAST] = kind_of_cast,
            [IR_TUPLE_GET] = kind_of_item,
            [IR_PRIMITIVE] = kind_of_primitive,
            [IR_PAIR_FIRST] = kind_of_turn,
    };
    return kinds[instr->op] ? kinds[instr->op](lanes, instr) : KIND_VARIES;
}

static unsigned kind_of(struct lanes *lanes, const struct ir_instr *instr)
{
    if (lanes->kinds[instr->id] == KIND_UNKNOWN) {
        unsigned kind = find_kind(lanes, instr);
        // the item of a loop is known from when its turn is
        if (instr->op == IR_PAIR_FIRST && kind == KIND_VARIES)
            return kind;
        lanes->kinds[instr->id] = (unsigned char)kind;
    }
    return lanes->kinds[instr->id];
}

// --- What the first lane has

// Once more, in the head: pure operations without an effect, so that twice does no harm.
static void emit_first(struct lanes *lanes, const struct ir_instr *instr)
{
    struct body *pure = &lanes->pure;
    if (pure->values[instr->id])
        return;
    if (instr->op == IR_PAIR_FIRST) {
        pure->values[instr->id] = value_row(lanes->gen, 1);
        pure->values[instr->id][0] = lanes->turn_first;
        return;
    }
    for (size_t i = 0; i < instr->operand_count; i++)
        emit_first(lanes, instr->operands[i]);
    lanes->gen->emitter->instr(pure, instr);
}

static LLVMBasicBlockRef enter_head(struct lanes *lanes)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(lanes->gen->builder);
    LLVMPositionBuilderAtEnd(lanes->gen->builder, lanes->head);
    return here;
}

static void leave_head(struct lanes *lanes, LLVMBasicBlockRef here)
{
    LLVMPositionBuilderAtEnd(lanes->gen->builder, here);
}

// The first lane's value as int64; the builder stands in the head.
static value first_of(struct lanes *lanes, const struct ir_instr *instr)
{
    struct codegen *gen = lanes->gen;
    emit_first(lanes, instr);
    assert(type_is_integer(instr->type) && lanes->pure.values[instr->id]);
    value number = lanes->pure.values[instr->id][0];
    if (LLVMTypeOf(number) == gen->i64)
        return number;
    return instr->type->is_signed ? LLVMBuildSExt(gen->builder, number, gen->i64, "")
                                  : LLVMBuildZExt(gen->builder, number, gen->i64, "");
}

static value extreme(struct lanes *lanes, const char *name, value a, value b)
{
    value both[2] = {a, b};
    return codegen_intrinsic(lanes->gen, name, &lanes->gen->i64, 1, both, 2, "");
}

// --- Assumptions, made in the head

static void assume_if(struct lanes *lanes, value condition)
{
    lanes->to = value_select(lanes->gen, condition, lanes->to, value_i64(lanes->gen, 0));
}

// That the number is below the bound, or else that it is not.
static void assume_side(
        struct lanes *lanes, unsigned kind, value first, value bound, bool is_below)
{
    if ((kind & KIND_MASK) != KIND_STEP) {
        assume_if(lanes, LLVMBuildICmp(lanes->gen->builder,
                                 is_below ? LLVMIntSLT : LLVMIntSGE, first, bound, ""));
        return;
    }
    value turn = extreme(lanes, "llvm.ssub.sat", bound, first);
    if (is_below)
        lanes->to = extreme(lanes, "llvm.smin", lanes->to, turn);
    else
        lanes->from = extreme(lanes, "llvm.smax", lanes->from, turn);
}

static bool is_known(unsigned kind)
{
    return (kind & KIND_MASK) >= KIND_UNIFORM;
}

static bool may_assume(const struct body *body)
{
    return body->lanes && body->block && body->lanes->is_certain[body->block->id];
}

static bool is_at_hand(const struct body *body, value extent)
{
    return LLVMIsAConstantInt(extent) || LLVMIsAArgument(extent) ||
           (LLVMIsAInstruction(extent) &&
                   LLVMGetInstructionParent(extent) == body->allocas);
}

bool lanes_assume_index(struct body *body, const struct ir_instr *index, value extent)
{
    struct lanes *lanes = body->lanes;
    if (!may_assume(body) || index->type->kind != TYPE_INT || !is_at_hand(body, extent))
        return false;
    unsigned kind = kind_of(lanes, index);
    if (!is_known(kind))
        return false;
    LLVMBasicBlockRef here = enter_head(lanes);
    value first = first_of(lanes, index);
    assume_side(lanes, kind, first, extent, true);
    if (body->intervals[index->id].low < 0)
        assume_side(lanes, kind, first, value_i64(lanes->gen, 0), false);
    lanes->assumptions++;
    leave_head(lanes, here);
    return true;
}

bool lanes_assume_turn(struct body *body, const struct ir_instr *iternext)
{
    struct lanes *lanes = body->lanes;
    const struct ir_instr *range = iternext->operands[0]->operands[0];
    if (!may_assume(body) || range->op != IR_PRIMITIVE ||
            range->primitive != PRIMITIVE_RANGE || range->operand_count != 3)
        return false;
    unsigned kinds[3];
    for (int i = 0; i < 3; i++) {
        kinds[i] = kind_of(lanes, range->operands[i]);
        if (!is_int64(range->operands[i]->type) || !is_known(kinds[i]))
            return false;
    }
    if ((kinds[0] & KIND_MASK) != KIND_STEP || (kinds[1] & KIND_MASK) != KIND_UNIFORM ||
            (kinds[2] & KIND_MASK) != KIND_UNIFORM)
        return false;
    LLVMBuilderRef b = lanes->gen->builder;
    LLVMBasicBlockRef here = enter_head(lanes);
    value step = first_of(lanes, range->operands[2]);
    value moved = LLVMBuildNSWMul(b, body->turn.number, step, "");
    lanes->turn_first =
            LLVMBuildNSWAdd(b, first_of(lanes, range->operands[0]), moved, "");
    assume_if(lanes, LLVMBuildICmp(b, LLVMIntSGT, step, value_i64(lanes->gen, 0), ""));
    assume_side(lanes, KIND_STEP, lanes->turn_first, first_of(lanes, range->operands[1]),
            true);
    lanes->assumptions++;
    leave_head(lanes, here);
    return true;
}

static bool is_small(const struct ir_instr *bound)
{
    return bound->op == IR_CONST && bound->constant.integer < LEAST_EXTENT;
}

static enum ir_compare swapped(enum ir_compare compare)
{
    switch (compare) {
    case COMPARE_LT:
        return COMPARE_GT;
    case COMPARE_LE:
        return COMPARE_GE;
    case COMPARE_GT:
        return COMPARE_LT;
    case COMPARE_GE:
        return COMPARE_LE;
    default:
        return compare;
    }
}

// A guard: a place in the grid compared with a bound. `answer`: what is usual.
struct guard {
    const struct ir_instr *place, *bound;
    enum ir_compare compare;
    bool answer;
};

static bool find_guard(
        struct lanes *lanes, const struct ir_instr *compare, struct guard *guard)
{
    if (compare->op != IR_COMPARE || !is_int64(compare->operands[0]->type) ||
            !is_int64(compare->operands[1]->type))
        return false;
    unsigned kinds[2] = {
            kind_of(lanes, compare->operands[0]), kind_of(lanes, compare->operands[1])};
    int place = kinds[0] & KIND_PLACE ? 0 : 1;
    if (!is_known(kinds[0]) || !is_known(kinds[1]) || !(kinds[place] & KIND_PLACE) ||
            (kinds[!place] & KIND_MASK) != KIND_UNIFORM)
        return false;
    *guard = (struct guard){compare->operands[place], compare->operands[!place],
            place ? swapped(compare->compare) : compare->compare, true};
    bool is_lower = guard->compare == COMPARE_GT || guard->compare == COMPARE_GE,
         is_upper = guard->compare == COMPARE_LT || guard->compare == COMPARE_LE;
    // "i > 0" is usual, "i >= n" is not, and nothing is known of "i < 4"
    guard->answer = is_upper || is_small(guard->bound);
    return is_lower || (is_upper && !is_small(guard->bound));
}

// The lanes for which the guard gives the usual answer.
static void assume_guard(struct lanes *lanes, const struct guard *guard)
{
    struct codegen *gen = lanes->gen;
    unsigned kind = kind_of(lanes, guard->place);
    value first = first_of(lanes, guard->place), bound = first_of(lanes, guard->bound);
    bool is_strict = guard->compare == COMPARE_LT || guard->compare == COMPARE_GE;
    // i <= n: i < n + 1; where that overflows it is no bound
    if (!is_strict)
        bound = extreme(lanes, "llvm.sadd.sat", bound, value_i64(gen, 1));
    bool is_upper = guard->compare == COMPARE_LT || guard->compare == COMPARE_LE;
    assume_side(lanes, kind, first, bound, is_upper == guard->answer);
    lanes->assumptions++;
}

int lanes_assume_branch(struct body *body, const struct ir_instr *branch)
{
    struct lanes *lanes = body->lanes;
    struct guard guard;
    if (!may_assume(body) || branch->targets[0] == branch->targets[1])
        return -1;
    if (branch->operands[0]->op == IR_PAIR_SECOND && lanes->turn_first &&
            branch->operands[0]->operands[0] == turn_iternext(body)) {
        lanes->is_certain[branch->targets[0]->id] = true;
        return 0;
    }
    if (!find_guard(lanes, branch->operands[0], &guard))
        return -1;
    LLVMBasicBlockRef here = enter_head(lanes);
    assume_guard(lanes, &guard);
    leave_head(lanes, here);
    int way = guard.answer ? 0 : 1;
    lanes->is_certain[branch->targets[way]->id] = true;
    return way;
}

void lanes_leave(struct body *body, const struct ir_instr *terminator)
{
    struct ir_block *next[2];
    if (!may_assume(body))
        return;
    size_t ways = ir_successors(terminator->block, next);
    if (ways == 1)
        body->lanes->is_certain[next[0]->id] = true;
    else if (ways == 2 && body->flow->is_header[terminator->block->id])
        body->lanes->is_certain[next[1]->id] = true; // all loops end
}

// --- The row

struct lanes *lanes_open(struct codegen *gen, value count)
{
    struct lanes *lanes = arena_new(&gen->arena, struct lanes);
    lanes->gen = gen;
    lanes->head = LLVMGetInsertBlock(gen->builder);
    lanes->from = value_i64(gen, 0);
    lanes->to = count;
    return lanes;
}

void lanes_begin(
        struct lanes *lanes, const struct body *body, const struct ir_block *first)
{
    struct arena *arena = &lanes->gen->arena;
    size_t ids = (size_t)body->ir->next_id + 1;
    lanes->pure = *body;
    lanes->pure.lanes = NULL;
    lanes->pure.names = (struct map){0};
    lanes->pure.values = arena_array(arena, value *, ids);
    lanes->pure.hidden[1] = value_i32(lanes->gen, 0);
    lanes->kinds = arena_array(arena, unsigned char, ids);
    lanes->is_certain = arena_array(arena, bool, body->ir->blocks.len);
    lanes->is_certain[first->id] = true;
}

void lanes_close(struct lanes *lanes, value *from, value *to)
{
    map_finish(&lanes->pure.names);
    LLVMPositionBuilderAtEnd(lanes->gen->builder, lanes->head);
    *to = extreme(lanes, "llvm.smax", lanes->to, value_i64(lanes->gen, 0));
    *from = extreme(lanes, "llvm.smin", lanes->from, *to);
}

// --- Blocks side by side as one

static const struct ir_instr *uncast(const struct ir_instr *instr)
{
    while (instr->op == IR_CAST)
        instr = instr->operands[0];
    return instr;
}

static bool is_x(const struct ir_instr *instr, enum ir_primitive primitive)
{
    return instr->op == IR_PRIMITIVE && instr->primitive == primitive &&
           !instr->immediate;
}

static bool is_product(const struct ir_instr *instr)
{
    if (instr->op != IR_BINARY || instr->binary != BINARY_MUL)
        return false;
    const struct ir_instr *a = uncast(instr->operands[0]),
                          *b = uncast(instr->operands[1]);
    return (is_x(a, PRIMITIVE_CUDA_BLOCK_IDX) && is_x(b, PRIMITIVE_CUDA_BLOCK_DIM)) ||
           (is_x(b, PRIMITIVE_CUDA_BLOCK_IDX) && is_x(a, PRIMITIVE_CUDA_BLOCK_DIM));
}

// blockIdx.x * blockDim.x + threadIdx.x
static bool is_place(const struct ir_instr *instr)
{
    if (instr->op != IR_BINARY || instr->binary != BINARY_ADD || !is_int64(instr->type))
        return false;
    const struct ir_instr *a = uncast(instr->operands[0]),
                          *b = uncast(instr->operands[1]);
    return (is_product(a) && is_x(b, PRIMITIVE_CUDA_THREAD_IDX)) ||
           (is_product(b) && is_x(a, PRIMITIVE_CUDA_THREAD_IDX));
}

// Whether an instruction that uses part of a thread's place does so for the whole of it.
static bool is_use_for_place(const struct ir_instr *part, const struct ir_instr *user)
{
    if (user->op == IR_CAST)
        return is_int64(user->type);
    return is_x(uncast(part), PRIMITIVE_CUDA_BLOCK_IDX) ? is_product(user)
                                                        : is_place(user);
}

static bool is_part(const struct ir_instr *instr)
{
    const struct ir_instr *from = uncast(instr);
    return is_x(from, PRIMITIVE_CUDA_THREAD_IDX) ||
           is_x(from, PRIMITIVE_CUDA_BLOCK_IDX) || is_product(from);
}

static bool asks_for_block(const struct ir_instr *instr)
{
    for (size_t i = 0; i < instr->operand_count; i++)
        if (is_part(instr->operands[i]) && !is_use_for_place(instr->operands[i], instr))
            return true;
    if (instr->op != IR_PRIMITIVE)
        return false;
    switch (instr->primitive) {
    case PRIMITIVE_CUDA_LANE_ID:
    case PRIMITIVE_CUDA_SHARED_ARRAY:
    case PRIMITIVE_CUDA_SYNCTHREADS:
    case PRIMITIVE_CUDA_SYNCWARP:
    case PRIMITIVE_CUDA_SYNCGRID:
    case PRIMITIVE_CUDA_WARP:
    case PRIMITIVE_PRINT:
        return true;
    default:
        return ir_is_intrinsic_by_thread(instr->primitive) || ir_is_unknown_code(instr);
    }
}

static bool asks_for_block_itself(const struct ir_function *function, void *context)
{
    (void)context;
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block) if (asks_for_block(instr)) return true;
    return false;
}

bool lanes_may_join_blocks(const struct ir_function *ir)
{
    return !call_reaches(ir, asks_for_block_itself, NULL);
}

// --- Whether a row of blocks is walked well

static bool depends_on_x(const struct ir_instr *instr, unsigned char *known)
{
    enum { UNKNOWN, NO, YES };
    if (known[instr->id])
        return known[instr->id] == YES;
    known[instr->id] = NO; // until found otherwise: values of loops lead back here
    bool depends = instr->op == IR_CALL_DIRECT;
    if (instr->op == IR_TUPLE_GET && instr->operands[0]->op == IR_PRIMITIVE &&
            instr->operands[0]->primitive == PRIMITIVE_CUDA_GRID)
        depends = instr->index == 0;
    else if (instr->op == IR_PRIMITIVE &&
             (instr->primitive == PRIMITIVE_CUDA_GRID || is_part(instr)))
        depends = true;
    else
        for (size_t i = 0; i < instr->operand_count && !depends; i++)
            depends = depends_on_x(instr->operands[i], known);
    known[instr->id] = depends ? YES : NO;
    return depends;
}

// Whether x moves along the last axis of the array alone.
static bool is_along_row(const struct ir_instr *instr, unsigned char *known)
{
    bool is_access = instr->op == IR_PRIMITIVE &&
                     (instr->primitive == PRIMITIVE_ARRAY_LOAD ||
                             instr->primitive == PRIMITIVE_ARRAY_STORE);
    if (!is_access)
        return true;
    const struct type *array = instr->operands[0]->type;
    for (int i = 0; i < array->array.ndim; i++) {
        bool is_last = i + 1 == array->array.ndim && array->array.layout == LAYOUT_C;
        if (!is_last && depends_on_x(instr->operands[1 + i], known))
            return false;
    }
    return true;
}

bool lanes_walk_rows(struct codegen *gen, const struct ir_function *ir)
{
    unsigned char *known =
            arena_array(&gen->arena, unsigned char, (size_t)ir->next_id + 1);
    vec_each (block, &ir->blocks)
        ir_each_instr(instr, *block) if (!is_along_row(instr, known)) return false;
    return true;
}
