// SPDX-License-Identifier: MIT
// From variables to SSA values, on programs that are control-flow graphs by themselves:
// where phis stand, what holds for all of them, and that running the result gives what
// running the variables gives.
#include "tests/unit/test.h"

#include "compiler/ir/lower/lower.h"

enum { BLOCKS = 12, STATEMENTS = 5, VARIABLES = 4, USES = 400 };

// x = number; x = y; x = y + z; del x; or a use of x, which ends up in the trace.
struct statement {
    enum { SET, COPY, ADD, FORGET, USE } kind;
    int x, y, z;
};

struct block {
    struct statement statements[STATEMENTS];
    int statement_count;
    bool is_guard; // the second target is a handler: no condition is computed
    int targets[2], target_count; // 0: the function returns
};

struct program {
    struct block blocks[BLOCKS];
    int block_count;
};

// --- Programs as text, a string a block: "x=1", "x=y", "x=y+z", "-x", "!x" with spaces
// between, then ">3" (jump), "?1,2" (branch), "^1,2" (guard) or nothing (return). The
// variables are w, x, y and z.

static const char *const names[VARIABLES] = {"w", "x", "y", "z"};

static void read_word(struct block *block, const char *word)
{
    struct statement statement = {0};
    if (strchr(">?^", *word)) {
        block->target_count =
                sscanf(word + 1, "%d,%d", &block->targets[0], &block->targets[1]);
        block->is_guard = *word == '^';
        return;
    }
    bool is_prefixed = *word == '-' || *word == '!';
    statement.x = word[is_prefixed] - 'w';
    if (is_prefixed) {
        statement.kind = *word == '-' ? FORGET : USE;
    } else if (word[2] >= 'w') {
        statement.kind = word[3] == '+' ? ADD : COPY;
        statement.y = word[2] - 'w';
        statement.z = statement.kind == ADD ? word[4] - 'w' : 0;
    } else {
        statement.kind = SET;
        statement.y = atoi(word + 2);
    }
    block->statements[block->statement_count++] = statement;
}

static struct program read_program(const char *const *texts)
{
    struct program program = {0};
    for (; *texts; texts++) {
        char copy[80], *rest;
        snprintf(copy, sizeof copy, "%s", *texts);
        struct block *block = &program.blocks[program.block_count++];
        for (char *word = strtok_r(copy, " ", &rest); word;
                word = strtok_r(NULL, " ", &rest))
            read_word(block, word);
    }
    return program;
}

// --- The SSA form of a program

struct made {
    const struct program *program;
    struct ast_function ast;
    struct lowering lw;
    struct lower_in_turn in_turn;
    struct ir_block
            *blocks[BLOCKS]; // by the program's number, which is their span's line
    int unprocessed[BLOCKS]; // predecessors that have not been lowered
    bool is_reachable[BLOCKS];
};

static void find_reachable(struct made *made, int number)
{
    const struct block *block = &made->program->blocks[number];
    if (made->is_reachable[number])
        return;
    made->is_reachable[number] = true;
    for (int i = 0; i < block->target_count; i++)
        find_reachable(made, block->targets[i]);
    for (int i = 0; i < block->target_count; i++)
        made->unprocessed[block->targets[i]]++;
}

static struct ir_instr *read(struct made *made, int variable, struct span span)
{
    return ssa_read(&made->lw, variable, made->lw.block, span);
}

static void assign(struct made *made, int variable, struct ir_instr *value)
{
    ssa_note_assigned(&made->lw, variable, value->span, value);
    ssa_write(&made->lw, variable, value, value->span);
}

static void lower_statement(
        struct made *made, const struct statement *statement, struct span span)
{
    struct lowering *lw = &made->lw;
    struct ir_instr *value;
    switch (statement->kind) {
    case SET:
        value = lower_emit(lw, IR_CONST, 0, span);
        value->constant = (struct constant){.type = type_int64, .integer = statement->y};
        ssa_name(lw, statement->x, value);
        assign(made, statement->x, value);
        break;
    case COPY:
        assign(made, statement->x, read(made, statement->y, span));
        break;
    case ADD:
        value = lower_emit(lw, IR_BINARY, 2, span);
        value->operands[0] = read(made, statement->y, span);
        value->operands[1] = read(made, statement->z, span);
        assign(made, statement->x, value);
        break;
    case FORGET:
        ssa_forget(lw, statement->x);
        break;
    case USE:
        lower_emit(lw, IR_YIELD, 1, span)->operands[0] = read(made, statement->x, span);
        break;
    }
}

static void lower_end(struct made *made, const struct block *block, struct span span)
{
    struct lowering *lw = &made->lw;
    struct ir_block *const from = lw->block, *targets[2];
    for (int i = 0; i < block->target_count; i++)
        targets[i] = made->blocks[block->targets[i]];
    struct ir_instr *condition = NULL;
    if (!block->is_guard && block->target_count != 1)
        condition = lower_emit_constant(lw, (struct constant){.type = type_int64}, span);
    if (block->is_guard) {
        struct ir_instr *guard = lower_emit(lw, IR_GUARD, 0, span);
        memcpy(guard->targets, targets, sizeof targets);
        lower_edge(from, targets[0]);
        lower_edge(from, targets[1]);
    } else if (block->target_count == 2) {
        lower_branch(lw, condition, targets[0], targets[1], span);
    } else if (block->target_count == 1) {
        lower_jump(lw, targets[0], span);
    } else {
        lower_emit(lw, IR_RETURN, 1, span)->operands[0] = condition;
    }
    for (int i = 0; i < block->target_count; i++)
        if (--made->unprocessed[block->targets[i]] == 0)
            ssa_seal(lw, targets[i]);
}

// In the order of the blocks; each is sealed with the last of its predecessors.
static struct ir_function *make_ssa(struct made *made, const struct program *program)
{
    types_init();
    struct ir_function *function = ir_function_create("f");
    struct arena *arena = &function->arena;
    *made = (struct made){.program = program};
    made->ast.locals =
            memcpy(arena_array(arena, const char *, VARIABLES), names, sizeof names);
    made->ast.local_count = VARIABLES;
    made->lw = (struct lowering){
            .ast = &made->ast, .function = function, .in_turn = &made->in_turn};
    made->lw.undefined = arena_array(arena, struct ir_instr *, VARIABLES);
    made->lw.is_forgotten = arena_array(arena, bool, VARIABLES);
    made->lw.versions = arena_array(arena, int, VARIABLES);
    for (int i = 0; i < program->block_count; i++)
        made->blocks[i] = lower_new_block(&made->lw, (struct span){.line = i});
    find_reachable(made, 0);
    ssa_seal(&made->lw, made->blocks[0]);
    for (int i = 0; i < program->block_count; i++) {
        const struct block *block = &program->blocks[i];
        made->lw.block = made->blocks[i];
        for (int j = 0; made->is_reachable[i] && j < block->statement_count; j++)
            lower_statement(
                    made, &block->statements[j], (struct span){.line = 10 * i + j});
        if (made->is_reachable[i])
            lower_end(made, block, (struct span){.line = 10 * i + 9});
    }
    ssa_finish(&made->lw);
    vec_finish(&made->lw.blocks);
    vec_finish(&made->lw.assigned);
    vec_finish(&made->in_turn.forgetting);
    vec_finish(&made->in_turn.loops);
    return function;
}

// --- What holds for every result

static void reach(struct ir_block *block, const struct ir_block *without, bool *is_seen)
{
    struct ir_block *successors[2];
    if (block == without || is_seen[block->id])
        return;
    is_seen[block->id] = true;
    for (size_t i = ir_successors(block, successors); i-- > 0;)
        reach(successors[i], without, is_seen);
}

// Whether every way from the entry to `block` leads through `other`: without it there is
// none.
static bool is_dominated(struct ir_block *block, const struct ir_block *other)
{
    bool is_seen[BLOCKS] = {0};
    reach(block->function->blocks.items[0], other, is_seen);
    return !is_seen[block->id];
}

static bool comes_before(const struct ir_instr *first, const struct ir_instr *second)
{
    for (const struct ir_instr *at = first->next; at; at = at->next)
        if (at == second)
            return true;
    return false;
}

// Whether the phi merges, besides itself, two values or more.
static bool merges_several(const struct ir_instr *phi)
{
    const struct ir_instr *only = NULL;
    for (size_t i = 0; i < phi->operand_count; i++) {
        if (only && phi->operands[i] != only && phi->operands[i] != phi)
            return true;
        if (phi->operands[i] != phi)
            only = phi->operands[i];
    }
    return false;
}

static void check_phi(const struct ir_instr *phi)
{
    if (phi->assigned) { // of a variable that no way assigns
        CHECK(phi->block->id == 0 && phi->operand_count == 0);
        return;
    }
    CHECK_INT(phi->operand_count, phi->block->predecessors.len);
    CHECK(merges_several(phi));
    for (size_t i = 0; i < phi->operand_count; i++)
        CHECK(is_dominated(phi->block->predecessors.items[i], phi->operands[i]->block));
}

static void check_uses(const struct ir_instr *instr)
{
    for (size_t i = 0; i < instr->operand_count; i++) {
        const struct ir_instr *operand = instr->operands[i];
        CHECK(operand->block == instr->block
                        ? comes_before(operand, instr)
                        : is_dominated(instr->block, operand->block));
    }
}

static void mark(const struct ir_instr *value, bool *is_used)
{
    if (value->op != IR_PHI || is_used[value->id])
        return;
    is_used[value->id] = true;
    for (size_t i = 0; i < value->operand_count; i++)
        mark(value->operands[i], is_used);
}

static void check_function(struct ir_function *function)
{
    struct error err = {0};
    bool *is_used = calloc((size_t)function->next_id, sizeof *is_used);
    if (!ir_verify(function, &err))
        TEST_FAIL("%s", err.message);
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block)
        {
            if (instr->op == IR_PHI)
                check_phi(instr);
            else
                check_uses(instr);
            for (size_t i = 0; instr->op != IR_PHI && i < instr->operand_count; i++)
                mark(instr->operands[i], is_used);
        }
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block) CHECK(instr->op != IR_PHI || is_used[instr->id]);
    free(is_used);
}

// --- Running both forms

struct trace {
    int64_t values[USES];
    int count;
};

static void note(struct trace *trace, int64_t value)
{
    if (trace->count < USES)
        trace->values[trace->count++] = value;
}

static int64_t undefined(int variable)
{
    return -1000 - variable;
}

static int64_t sum(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * 31 + (uint64_t)b); // so that the order matters
}

// Which way the run `seed` takes at its turn `turn`.
static int decide(unsigned seed, int turn, int target_count)
{
    unsigned mixed = (seed * 2654435761u) ^ ((unsigned)turn * 40503u);
    return target_count == 2 ? (mixed ^ mixed >> 13) >> 3 & 1 : 0;
}

static void run_variables(
        const struct program *program, unsigned seed, struct trace *trace)
{
    int64_t values[VARIABLES];
    for (int i = 0; i < VARIABLES; i++)
        values[i] = undefined(i);
    for (int at = 0, turn = 0; turn < USES; turn++) {
        const struct block *block = &program->blocks[at];
        for (int i = 0; i < block->statement_count; i++) {
            const struct statement *s = &block->statements[i];
            if (s->kind == USE)
                note(trace, values[s->x]);
            else
                values[s->x] = s->kind == SET    ? s->y
                               : s->kind == COPY ? values[s->y]
                               : s->kind == ADD  ? sum(values[s->y], values[s->z])
                                                 : undefined(s->x);
        }
        if (!block->target_count)
            return;
        at = block->targets[decide(seed, turn, block->target_count)];
    }
}

static int variable_of(const struct ir_instr *instr)
{
    for (int i = 0; i < VARIABLES; i++)
        if (instr->variable && !strcmp(instr->variable, names[i]))
            return i;
    return -1;
}

// All phis of a block take their values at once, as they were on the way into it.
static void run_phis(
        const struct ir_block *block, const struct ir_block *from, int64_t *values)
{
    int64_t taken[64];
    int count = 0;
    size_t way = 0;
    while (from && block->predecessors.items[way] != from)
        way++;
    for (const struct ir_instr *phi = block->first; phi && phi->op == IR_PHI;
            phi = phi->next)
        taken[count++] = phi->assigned ? undefined(variable_of(phi))
                                       : values[phi->operands[way]->id];
    count = 0;
    for (const struct ir_instr *phi = block->first; phi && phi->op == IR_PHI;
            phi = phi->next)
        values[phi->id] = taken[count++];
}

static void run_ssa(
        const struct ir_function *function, unsigned seed, struct trace *trace)
{
    int64_t *values = calloc((size_t)function->next_id, sizeof *values);
    const struct ir_block *block = function->blocks.items[0], *from = NULL;
    for (int turn = 0; block && turn < USES; turn++) {
        run_phis(block, from, values);
        ir_each_instr(instr, block)
        {
            if (instr->op == IR_CONST)
                values[instr->id] = instr->constant.type ? instr->constant.integer
                                                         : undefined(variable_of(instr));
            else if (instr->op == IR_BINARY)
                values[instr->id] = sum(
                        values[instr->operands[0]->id], values[instr->operands[1]->id]);
            else if (instr->op == IR_YIELD)
                note(trace, values[instr->operands[0]->id]);
        }
        struct ir_block *successors[2] = {NULL};
        int count = (int)ir_successors(block, successors);
        from = block;
        block = successors[decide(seed, turn, count)];
    }
    free(values);
}

static bool runs_alike(const struct program *program, const struct ir_function *function)
{
    bool is_alike = true;
    for (unsigned seed = 0; seed < 8; seed++) {
        struct trace of_variables = {0}, of_values = {0};
        run_variables(program, seed, &of_variables);
        run_ssa(function, seed, &of_values);
        is_alike = is_alike && of_variables.count == of_values.count &&
                   !memcmp(of_variables.values, of_values.values,
                           sizeof *of_values.values * (size_t)of_values.count);
    }
    return is_alike;
}

// --- Tests

// The phis must stand where `expected` says, as "block:variable " words.
static void check_phis(const char *expected, const char *const *texts)
{
    struct made made;
    struct str found = {0};
    struct program program = read_program(texts);
    struct ir_function *function = make_ssa(&made, &program);
    for (int i = 0; i < program.block_count; i++)
        for (struct ir_instr *phi = made.is_reachable[i] ? made.blocks[i]->first : NULL;
                phi && phi->op == IR_PHI; phi = phi->next)
            str_printf(&found, "%d:%s ", i, phi->variable);
    CHECK_STR(str_text(&found), expected);
    check_function(function);
    CHECK(runs_alike(&program, function));
    str_finish(&found);
    ir_function_destroy(function);
}

#define PHIS(expected, ...) check_phis(expected, (const char *const[]){__VA_ARGS__, NULL})

TEST(straight_line)
{
    PHIS("", "x=1 y=x+x !y x=y !x");
    PHIS("", "x=1 >1", "!x x=2 >2", "!x");
}

TEST(choices)
{
    PHIS("3:x ", "x=1 ?1,2", "x=2 >3", "x=3 >3", "!x");
    PHIS("2:x ", "x=1 ?1,2", "x=2 >2", "!x");
    PHIS("", "x=1 ?1,2", "y=x >3", "y=x >3", "!y");     // one value by both ways
    PHIS("", "?1,2", "x=2 >3", "x=3 >3", "y=1 !y");     // nobody reads it
    PHIS("", "x=1 ?1,2", "x=2 >3", "x=3 >3", "x=4 !x"); // set before it is read
    PHIS("3:y 3:x ", "x=1 y=2 ?1,2", "x=3 >3", "y=4 >3", "z=x+y !z");
    PHIS("", "x=1 ?1,1", "!x"); // two edges from one block
}

TEST(loops)
{
    PHIS("1:x ", "x=1 >1", "?2,3", "x=x+x >1", "!x");
    PHIS("", "x=1 >1", "?2,3", "!x >1", "!x");                      // it stays the same
    PHIS("1:y 1:x ", "x=1 y=2 >1", "?2,3", "z=x x=y y=z >1", "!x"); // a swap
    PHIS("1:x ", "x=1 >1", "x=x+x ?1,2", "!x");
}

TEST(nested_loops)
{
    PHIS("1:x 3:x ", "x=1 >1", "?2,5", "y=x >3", "?4,1", "x=x+y >3", "!x");
    PHIS("1:x ", "x=1 >1", "?2,5", "x=x+x >3", "?4,1", "!x >3", "!x");
    PHIS("", "x=1 >1", "?2,5", ">3", "?4,1", "!x >3", "!x");
}

TEST(break_and_continue)
{
    PHIS("1:x 6:x ", "x=1 >1", "?2,6", "x=x+x ?3,4", ">6", "?1,5", "x=x+x >1", "!x");
    // break leads past the else of the loop
    PHIS("1:x 5:x ", "x=1 >1", "?2,4", "x=x+x ?3,1", ">5", "x=7 >5", "!x");
}

TEST(variables_without_a_value)
{
    PHIS("", "!x");
    PHIS("2:x ", "?1,2", "x=1 >2", "!x"); // on one way
    PHIS("2:x ", "x=1 ?1,2", "-x >2", "!x");
    PHIS("1:x ", ">1", "?2,3", "x=5 >1", "!x");
    // the text assigns it before, though no way there does
    PHIS("0:x ", "?1,2", "x=1", "!x");
    PHIS("", "?1,2", "!x", "x=1"); // nor does the text
    PHIS("", "x=1 ?1,2", "-x !x", "!x");
}

TEST(unreachable_blocks)
{
    PHIS("", "x=1 >2", "x=2 >2", "!x");
    PHIS("", "x=1 >3", "x=2 >2", "x=x+x >1", "!x");
}

// A handler is entered from each block of its try, with the values at that block's end.
TEST(guards)
{
    PHIS("2:x 4:x ", "x=1 ^1,2", "x=2 ^3,2", "!x >4", ">4", "!x");
    PHIS("", "x=1 ^1,2", "!x ^3,2", "!x >4", ">4", "!x");
    PHIS("1:x ", "x=1 >1", "x=x+x ^2,3", "?1,4", "!x >4", "!x"); // in a loop
}

TEST(loops_with_two_entries)
{
    PHIS("1:x 2:x 3:x ", "x=1 ?1,2", "x=x+x ?2,3", "x=x+x ?1,3", "!x");
}

static unsigned chance(unsigned *state, unsigned below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

static struct program random_program(unsigned seed)
{
    struct program program = {.block_count = 2 + (int)chance(&seed, BLOCKS - 1)};
    for (int i = 0; i < program.block_count; i++) {
        struct block *block = &program.blocks[i];
        block->statement_count = (int)chance(&seed, STATEMENTS + 1);
        for (int j = 0; j < block->statement_count; j++)
            block->statements[j] = (struct statement){(int)chance(&seed, USE + 1),
                    (int)chance(&seed, VARIABLES), (int)chance(&seed, VARIABLES),
                    (int)chance(&seed, VARIABLES)};
        block->target_count = (int)chance(&seed, 8);
        block->target_count = block->target_count > 2 ? 2 : block->target_count;
        block->is_guard = block->target_count == 2 && chance(&seed, 4) == 0;
        for (int j = 0; j < 2; j++) // no edge leads to the entry
            block->targets[j] = 1 + (int)chance(&seed, (unsigned)program.block_count - 1);
    }
    return program;
}

TEST(random_programs)
{
    for (unsigned seed = 1; seed <= 5000; seed++) {
        struct made made;
        int failures = test_failures;
        struct program program = random_program(seed);
        struct ir_function *function = make_ssa(&made, &program);
        check_function(function);
        CHECK(runs_alike(&program, function));
        if (test_failures != failures) {
            struct str text = {0};
            ir_print(function, &text);
            TEST_FAIL("seed %u:\n%s", seed, str_text(&text));
            str_finish(&text);
            return;
        }
        ir_function_destroy(function);
    }
}
