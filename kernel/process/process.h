// SPDX-License-Identifier: MIT
// The process as the operating system sees it: what happens to it, told to the kernel by
// one function, and the processes around it.
#pragma once

#include <stdbool.h>

struct kernel;

enum process_event {
    PROCESS_INTERRUPTED, // SIGINT came, to any thread
    PROCESS_TERMINATED,  // SIGTERM came, to any thread
    PROCESS_CRASHED,     // a thread took a fatal signal, and waits for crash_end
    PROCESS_STACK_FULL,  // the calling thread's stack is; it goes on when this returns
};

// Both are called in signal handlers, on any thread: they may do only what is
// async-signal-safe.
struct process_hooks {
    void (*report)(struct kernel *kernel, enum process_event event);
    // Writes where the calling thread is in Python code. After a crash it may crash, too.
    void (*write_place)(int fd);
};

// Where the kernel is not the program itself: has all libraries call the functions of
// ours that stand in for the C library's, as they do by themselves where it is. Main
// thread.
void process_stand_in(void);

// A descriptor that becomes readable when the process that launched the kernel ends; -1:
// none.
int process_watch_parent(void);
// Ends what is left of our process group.
void process_end_children(void);
