// SPDX-License-Identifier: MIT
// The way from a loop of compiled code to compiler_poll(). A loop must not be worse for
// it that it may go on after the answer: on x86-64 all registers are kept here (LLVM's
// calling convention preserve_all), so that none has to be saved before. Elsewhere it is
// a call.
#include "compiler/support/interrupt.h"

#ifndef __x86_64__
int32_t compiler_poll_keeping(void)
{
    return compiler_poll();
}
#else
// 0xe7: x87, SSE, AVX and AVX-512, in 2,688 bytes at most, whose header has to be zero.
__asm__(".text\n"
        ".globl compiler_poll_keeping\n"
        ".hidden compiler_poll_keeping\n"
        ".type compiler_poll_keeping, @function\n"
        "compiler_poll_keeping:\n"
        "    pushq %rbp\n"
        "    movq %rsp, %rbp\n"
        "    pushq %rcx\n"
        "    pushq %rdx\n"
        "    pushq %rsi\n"
        "    pushq %rdi\n"
        "    pushq %r8\n"
        "    pushq %r9\n"
        "    pushq %r10\n"
        "    pushq %r11\n"
        "    pushq %rbx\n"
        "    subq $2752, %rsp\n"
        "    andq $-64, %rsp\n"
        "    xorl %eax, %eax\n"
        "    leaq 512(%rsp), %rdi\n"
        "    movl $8, %ecx\n"
        "    cld\n"
        "    rep stosq\n"
        "    movl $0xe7, %eax\n"
        "    xorl %edx, %edx\n"
        "    xsave64 (%rsp)\n"
        "    call compiler_poll\n"
        "    movl %eax, %ebx\n"
        "    movl $0xe7, %eax\n"
        "    xorl %edx, %edx\n"
        "    xrstor64 (%rsp)\n"
        "    movl %ebx, %eax\n"
        "    leaq -72(%rbp), %rsp\n"
        "    popq %rbx\n"
        "    popq %r11\n"
        "    popq %r10\n"
        "    popq %r9\n"
        "    popq %r8\n"
        "    popq %rdi\n"
        "    popq %rsi\n"
        "    popq %rdx\n"
        "    popq %rcx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size compiler_poll_keeping, . - compiler_poll_keeping\n");
#endif
