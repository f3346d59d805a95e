// SPDX-License-Identifier: MIT
// The flag that compiled loops poll. It has a file of its own, as programs without the
// JIT link it too.
#include "compiler/support/interrupt.h"
#include "compiler/types/abi.h"

#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

volatile int compiler_interrupt_flag, compiler_poll_flag;
int32_t (*compiler_poll_answer)(void);

// A semaphore, as a signal handler may post it.
static sem_t requests;
static atomic_bool is_watched; // once set, there is the semaphore

void compiler_interrupt_request(void)
{
    compiler_interrupt_flag = 1;
    compiler_poll_flag = 1;
    if (atomic_load(&is_watched))
        sem_post(&requests);
}

void compiler_poll_request(void)
{
    compiler_poll_flag = 1;
}

void compiler_interrupt_clear(void)
{
    compiler_poll_flag = 0;
    compiler_interrupt_flag = 0;
}

int32_t compiler_poll(void)
{
    if (compiler_interrupt_flag)
        return STATUS_INTERRUPTED;
    return compiler_poll_answer ? compiler_poll_answer() : STATUS_OK;
}

void compiler_interrupt_wait(void)
{
    if (!atomic_load(&is_watched)) {
        sem_init(&requests, 0, 0);
        atomic_store(&is_watched, true);
    }
    while (sem_wait(&requests) != 0) // another signal came
        continue;
}
