// SPDX-License-Identifier: MIT
// The control-flow graph of compiled functions as DOT text and as a picture.
#include "tests/unit/test.h"

#include "compiler/backends/cfg/cfg.h"
#include "tests/unit/ir_builder.h"

// collatz-like: while n > 1: n = n // 2 if n % 2 == 0 else 3 n + 1; steps += 1; may
// divide by b
static struct compiled *build_steps(void)
{
    start("steps", PARAMS(type_int64, type_int64), type_int64);
    struct ir_instr *a = arg(0), *b = arg(1), *zero = integer(0);
    struct ir_block *head = ir_block_create(f), *body = ir_block_create(f),
                    *odd = ir_block_create(f), *even = ir_block_create(f),
                    *joined = ir_block_create(f), *done = ir_block_create(f);
    jump(head);
    at = head;
    struct ir_instr *n = phi(type_int64, a), *count = phi(type_int64, zero);
    branch(compare(COMPARE_GT, n, integer(1)), body, done);
    at = body;
    struct ir_instr *rest = binary(BINARY_MOD, n, integer(2));
    branch(compare(COMPARE_NE, rest, integer(0)), odd, even);
    at = odd;
    struct ir_instr *more =
            binary(BINARY_ADD, binary(BINARY_MUL, n, integer(3)), integer(1));
    jump(joined);
    at = even;
    struct ir_instr *less = binary(BINARY_FLOORDIV, n, b);
    jump(joined);
    at = joined;
    struct ir_instr *next = phi(type_int64, more);
    next->operands[1] = less;
    n->operands[1] = next;
    count->operands[1] = binary(BINARY_ADD, count, integer(1));
    jump(head);
    at = done;
    give(count);
    f->may_raise = true;
    return build(COMPILE_FUNCTION, TARGET_HOST);
}

// The graph of build_steps as `draw` writes it, "" if it fails.
static void draw_steps(
        bool (*draw)(struct compiled *, struct str *, struct error *), struct str *out)
{
    struct error err = {0};
    struct compiled *compiled = build_steps();
    REQUIRE(compiled);
    if (!draw(compiled, out, &err))
        TEST_FAIL("%s", err.message);
    drop(compiled, f);
}

TEST(dot_has_the_form_of_llvm)
{
    struct str dot = {0};
    draw_steps(compiled_cfg_dot, &dot);
    const char *text = str_text(&dot);
    CHECK_CONTAINS(text, "digraph \"CFG for 'steps");
    CHECK_CONTAINS(text, "' function\" {\n\tlabel=\"CFG for 'steps");
    CHECK_CONTAINS(text, "shape=record");
    CHECK_CONTAINS(text, "label=\"{entry:\\l|  ");
    CHECK_CONTAINS(text, "|{<s0>T|<s1>F}}\"];");
    CHECK_CONTAINS(text, ":s0 -> Node");
    CHECK(!strstr(text, "entry.steps"));
    str_finish(&dot);
}

static bool boxes_overlap(const struct cfg_node *a, const struct cfg_node *b)
{
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

TEST(layout_keeps_boxes_apart)
{
    struct compiled *compiled = build_steps();
    REQUIRE(compiled);
    struct cfg cfg;
    struct error err = {0};
    REQUIRE(cfg_read(&cfg, compiled->llvm_ir, compiled->private->shown_symbol, &err));
    CHECK(cfg.nodes.len >= 4);
    cfg_layout(&cfg);
    int overlaps = 0, outside = 0, back = 0;
    vec_each (a, &cfg.nodes) {
        outside +=
                a->x < 0 || a->x + a->width > cfg.width || a->y + a->height > cfg.height;
        vec_each (b, &cfg.nodes)
            overlaps += a < b && boxes_overlap(a, b);
    }
    vec_each (edge, &cfg.edges) {
        back += edge->is_back;
        CHECK(edge->points.len >= 2);
        if (!edge->is_back)
            CHECK(cfg.nodes.items[edge->from].rank < cfg.nodes.items[edge->to].rank);
    }
    CHECK_INT(overlaps, 0);
    CHECK_INT(outside, 0);
    CHECK(back >= 1);
    cfg_finish(&cfg);
    drop(compiled, f);
}

TEST(svg_stands_alone)
{
    struct str svg = {0};
    draw_steps(compiled_cfg_svg, &svg);
    const char *text = str_text(&svg);
    CHECK(!strncmp(text, "<svg xmlns=\"http://www.w3.org/2000/svg\"", 39));
    CHECK_CONTAINS(text, "class=\"entry\"");
    CHECK_CONTAINS(text, "class=\"return\"");
    CHECK_CONTAINS(text, "class=\"raise\"");
    CHECK_CONTAINS(text, "raise ZeroDivisionError");
    CHECK_CONTAINS(text, ">integer division by zero<");
    CHECK_CONTAINS(text, "path class=\"true\"");
    CHECK_CONTAINS(text, "path class=\"false\"");
    CHECK_CONTAINS(text, "</svg>\n");
    const char *out = getenv("TEST_CFG_SVG");
    if (out) {
        FILE *file = fopen(out, "w");
        REQUIRE(file);
        fwrite(text, 1, svg.len, file);
        fclose(file);
    }
    str_finish(&svg);
}

TEST(missing_function_is_an_error)
{
    struct cfg cfg;
    struct error err = {0};
    CHECK(!cfg_read(&cfg, "define void @f() {\n ret void\n}\n", "g", &err));
    CHECK_INT(err.kind, ERROR_VALUE);
    struct error broken = {0};
    CHECK(!cfg_read(&cfg, "define nonsense", "f", &broken));
    CHECK_INT(broken.kind, ERROR_INTERNAL);
}
