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

#if defined(__aarch64__)

#define LLVM_CALL(name) \
    .globl name; .hidden name; .type name, %function; .balign 8; \
name: adrp x16, .Lplace_##name; ldr x16, [x16, :lo12:.Lplace_##name]; br x16; \
.Lfirst_##name: adrp x17, .Lplace_##name; add x17, x17, :lo12:.Lplace_##name; b first_call; \
    .size name, . - name;
    .text
#include <llvm_calls.def>

// x17: the place. The arguments of the call wait on the stack meanwhile.
    .type first_call, %function
first_call:
    stp x29, x30, [sp, #-224]!
    mov x29, sp
    stp x0, x1, [sp, #16]
    stp x2, x3, [sp, #32]
    stp x4, x5, [sp, #48]
    stp x6, x7, [sp, #64]
    stp x8, x17, [sp, #80]
    stp q0, q1, [sp, #96]
    stp q2, q3, [sp, #128]
    stp q4, q5, [sp, #160]
    stp q6, q7, [sp, #192]
    bl llvm_load_or_die
    ldp q6, q7, [sp, #192]
    ldp q4, q5, [sp, #160]
    ldp q2, q3, [sp, #128]
    ldp q0, q1, [sp, #96]
    ldp x8, x17, [sp, #80]
    ldp x6, x7, [sp, #64]
    ldp x4, x5, [sp, #48]
    ldp x2, x3, [sp, #32]
    ldp x0, x1, [sp, #16]
    ldp x29, x30, [sp], #224
    ldr x16, [x17]
    br x16
    .size first_call, . - first_call

    .section .note.GNU-stack, "", %progbits

#else

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

#endif
