// SPDX-License-Identifier: MIT
// LLVM's functions for an extension module that is not linked with LLVM: each jumps to the
// address in its place of llvm_places. The first call of any of them has load.c fill these.

#define LLVM_CALL(name) .Lplace_##name: .quad .Lfirst_##name;
    .data
    .balign 8
    .globl llvm_places
    .hidden llvm_places
llvm_places:
#include <llvm_calls.def>
#undef LLVM_CALL

#define LLVM_CALL(name) \
    .globl name; .hidden name; .type name, @function; .balign 8; \
name: jmp *.Lplace_##name(%rip); \
.Lfirst_##name: leaq .Lplace_##name(%rip), %r11; jmp first_call; \
    .size name, . - name;
    .text
#include <llvm_calls.def>

// %r11: the place. The arguments of the call wait on the stack meanwhile.
    .type first_call, @function
first_call:
    pushq %rdi
    pushq %rsi
    pushq %rdx
    pushq %rcx
    pushq %r8
    pushq %r9
    pushq %r11
    subq $128, %rsp
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    call llvm_load_or_die
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    addq $128, %rsp
    popq %r11
    popq %r9
    popq %r8
    popq %rcx
    popq %rdx
    popq %rsi
    popq %rdi
    jmp *(%r11)
    .size first_call, . - first_call

    .section .note.GNU-stack, "", @progbits
