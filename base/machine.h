// SPDX-License-Identifier: MIT
// All that differs between processors, but for what compilers do by themselves: x86-64,
// and arm64 (AArch64). compiler/llvm/calls.S and codegen/values/c_abi.c have two parts,
// too.
#pragma once

#include <elf.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#if defined(__aarch64__)

// LLVM's names of the code generator, and of the register that holds the stack's end.
#define MACHINE_LLVM(call) LLVMInitializeAArch64##call()
#define MACHINE_STACK_REGISTER "sp"
// How folders of Debian's and of NVIDIA's packages name it.
#define MACHINE_SYSTEM "aarch64-linux-gnu"
#define MACHINE_CUDA "sbsa-linux"

// Which entries of a library's imports hold the address of a symbol; of the last kind an
// addend is part.
enum {
    MACHINE_IMPORT_CALL = R_AARCH64_JUMP_SLOT,
    MACHINE_IMPORT_ADDRESS = R_AARCH64_GLOB_DAT,
    MACHINE_IMPORT_SUM = R_AARCH64_ABS64,
};

// On which side of the thread's base address its record lies.
enum { MACHINE_RECORD_STEP = -(int)sizeof(uintptr_t) };

static inline const char *machine_thread_base(void)
{
    return __builtin_thread_pointer();
}

static inline void machine_pause(void)
{
    __asm__ volatile("yield");
}

static inline bool machine_has_fma(void)
{
    return true;
}

// Whether vectors may leave lanes out.
static inline bool machine_has_masks(void)
{
    return false;
}

// Of a signal's context: the address of the instruction, and of the stack's end.
static inline uintptr_t machine_instruction(const ucontext_t *context)
{
    return context->uc_mcontext.pc;
}

static inline uintptr_t machine_stack(const ucontext_t *context)
{
    return context->uc_mcontext.sp;
}

// Whether a refused access was a write: by a bit of the exception's syndrome, which
// stands in one of the records behind the registers.
static inline bool machine_is_write(const ucontext_t *context)
{
    enum { IS_WRITE = 1 << 6 };
    const uint8_t *at = context->uc_mcontext.__reserved;
    const uint8_t *end = at + sizeof context->uc_mcontext.__reserved;
    while (at + sizeof(struct esr_context) <= end) {
        const struct _aarch64_ctx *record = (const struct _aarch64_ctx *)at;
        if (record->magic == ESR_MAGIC)
            return ((const struct esr_context *)at)->esr & IS_WRITE;
        if (record->size == 0)
            return false;
        at += record->size;
    }
    return false;
}

#else

enum {
    MACHINE_IMPORT_CALL = R_X86_64_JUMP_SLOT,
    MACHINE_IMPORT_ADDRESS = R_X86_64_GLOB_DAT,
    MACHINE_IMPORT_SUM = R_X86_64_64,
};

enum { MACHINE_RECORD_STEP = sizeof(uintptr_t) };

#define MACHINE_LLVM(call) LLVMInitializeX86##call()
#define MACHINE_STACK_REGISTER "rsp"
#define MACHINE_SYSTEM "x86_64-linux-gnu"
#define MACHINE_CUDA "x86_64-linux"

static inline const char *machine_thread_base(void)
{
    const char *base;
    __asm__("mov %%fs:0, %0" : "=r"(base));
    return base;
}

static inline void machine_pause(void)
{
    __builtin_ia32_pause();
}

static inline bool machine_has_fma(void)
{
    return __builtin_cpu_supports("fma");
}

static inline bool machine_has_masks(void)
{
    return __builtin_cpu_supports("avx512vl");
}

static inline uintptr_t machine_instruction(const ucontext_t *context)
{
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
}

static inline uintptr_t machine_stack(const ucontext_t *context)
{
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
}

static inline bool machine_is_write(const ucontext_t *context)
{
    enum { IS_WRITE = 2 };
    return context->uc_mcontext.gregs[REG_ERR] & IS_WRITE;
}

#endif
