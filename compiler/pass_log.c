// SPDX-License-Identifier: MIT
// Times and dumps of passes, on stderr.
#include "compiler/pass_log.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/activity.h"

// A compilation runs on one thread from its start to its end. It may ask Python for an
// overload or a function of the library, and Python may compile others meanwhile: those
// logs lie on top of this one.
static _Thread_local struct pass_log *current;

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

bool pass_log_open(struct pass_log *log)
{
    // read at each compilation: a cell may set it
    const char *wanted = getenv("GRIDCELL_DUMP");
    wanted = wanted ? wanted : "";
    if (!*wanted && !atomic_load_explicit(&activity_is_kept, memory_order_relaxed))
        return false;
    *log = (struct pass_log){.outer = current, .begin = activity_clock()};
    snprintf(log->wanted, sizeof log->wanted, "%s", wanted);
    current = log;
    return true;
}

struct pass_mark pass_log_mark(void)
{
    return (struct pass_mark){current, current ? current->running : NULL};
}

void pass_log_return(struct pass_mark mark)
{
    current = mark.log;
    if (current)
        current->running = mark.running;
}

// Whole words only: "ir" is not asked for by "first".
bool pass_log_wants(const char *name)
{
    static const char separators[] = ", ;:";
    const char *at = current ? current->wanted : "";
    while (*(at += strspn(at, separators))) {
        size_t len = strcspn(at, separators);
        if (len == strlen(name) && !memcmp(at, name, len))
            return true;
        at += len;
    }
    return false;
}

// What ran within a pass is its own row, so that the rows add up to the whole.
void pass_log_close(struct pass_log *log, const char *const *names, size_t name_count,
        const char *what)
{
    assert(current == log && !log->running && name_count <= PASS_LOG_ROWS);
    if (pass_log_wants("passes")) {
        double total = 0;
        fprintf(stderr, "passes of %s\n", what);
        fprintf(stderr, "  %-12s %6s %10s  %s\n", "pass", "runs", "ms", "instructions");
        for (size_t i = 0; i < name_count; i++) {
            const struct pass_times *times = &log->times[i];
            if (!times->runs)
                continue;
            total += times->ms;
            fprintf(stderr, "  %-12s %6u %10.3f  %zu -> %zu\n", names[i], times->runs,
                    times->ms, times->before, times->after);
        }
        fprintf(stderr, "  %-12s %6s %10.3f\n", "total", "", total);
    }
    activity_note(ACTIVITY_COMPILE, what, log->begin, 0, NULL);
    current = log->outer;
}

void pass_log_show_ir(const struct ir_function *function)
{
    if (!pass_log_wants("ir"))
        return;
    struct str text = {0};
    ir_print(function, &text);
    fputs(str_text(&text), stderr);
    str_finish(&text);
}

static size_t count_ir(const struct ir_function *function)
{
    size_t count = 0;
    if (function)
        vec_each (block, &function->blocks)
            ir_each_instr(instr, *block) count++;
    return count;
}

// A walk over the module, which only a log pays for.
static size_t count_llvm(LLVMModuleRef module)
{
    size_t count = 0;
    LLVMValueRef function = module ? LLVMGetFirstFunction(module) : NULL;
    for (; function; function = LLVMGetNextFunction(function)) {
        LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
        for (; block; block = LLVMGetNextBasicBlock(block)) {
            LLVMValueRef instr = LLVMGetFirstInstruction(block);
            for (; instr; instr = LLVMGetNextInstruction(instr))
                count++;
        }
    }
    return count;
}

// Counted before the clock starts and after it stops: dumps must not show as time.
static void start(struct pass_run *run, size_t row, size_t before)
{
    assert(row < PASS_LOG_ROWS);
    *run = (struct pass_run){
            .log = current, .outer = current->running, .row = row, .before = before};
    current->running = run;
    run->start_ms = now_ms();
}

// Runs end in the reverse order of their starts, also where a pass has failed.
static void stop(struct pass_run *run, double ms, size_t after)
{
    struct pass_times *times = &run->log->times[run->row];
    assert(run->log->running == run);
    times->runs++;
    times->ms += ms - run->inside_ms;
    times->before += run->before;
    times->after += after;
    if (run->outer)
        run->outer->inside_ms += ms;
    run->log->running = run->outer;
}

void pass_begin(struct pass_run *run, size_t row, const struct ir_function *function)
{
    run->log = NULL;
    if (current)
        start(run, row, count_ir(function));
}

void pass_end(struct pass_run *run, const char *name, const struct ir_function *function)
{
    if (!run->log)
        return;
    activity_note(ACTIVITY_PASS, name, run->start_ms * 1e-3, 0, NULL);
    stop(run, now_ms() - run->start_ms, count_ir(function));
    if (!pass_log_wants(name))
        return;
    struct str text = {0};
    ir_print(function, &text);
    fprintf(stderr, "--- after %s: %s\n%s", name, function->name, str_text(&text));
    str_finish(&text);
}

void pass_begin_module(struct pass_run *run, size_t row, LLVMModuleRef module)
{
    run->log = NULL;
    if (current)
        start(run, row, count_llvm(module));
}

void pass_end_module(struct pass_run *run, const char *name, LLVMModuleRef module)
{
    if (!run->log)
        return;
    activity_note(ACTIVITY_PASS, name, run->start_ms * 1e-3, 0, NULL);
    stop(run, now_ms() - run->start_ms, count_llvm(module));
    if (!module || !pass_log_wants(name))
        return;
    char *text = LLVMPrintModuleToString(module);
    fprintf(stderr, "--- after %s\n%s", name, text);
    LLVMDisposeMessage(text);
}
