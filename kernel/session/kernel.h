// SPDX-License-Identifier: MIT
// The kernel process: what its two threads share, and the modules that serve it. The main
// thread runs Python and serves requests; the I/O thread owns every socket.
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/queue.h"
#include "base/str.h"
#include "base/vec.h"
#include "kernel/protocol/connection.h"
#include "kernel/interface/front_end.h"
#include "kernel/protocol/message.h"

// How long the process may live after it was asked to end, whatever Python does.
#define SHUTDOWN_LIMIT_MS 1800

// Pipes in place of file descriptors 1 and 2.
struct capture {
    bool is_active;
    int original[2];    // what the descriptors were
    int pipe[2];        // read ends
    int ready_fd;       // readable while one of the pipes holds something
    struct str tail[2]; // an incomplete UTF-8 sequence; guarded by iopub.lock
};

// Stream text that waits to be sent. One request has text of one stream at a time, so
// that the order of its two streams is kept, unless they change too often.
struct pending {
    struct origin *origin;
    enum front_end_stream stream;
    struct str text;
    int64_t deadline_ms;
};

struct iopub {
    pthread_mutex_t lock;
    struct origin *origin;       // of the request that runs or ran last; guarded by lock
    struct origin *control;      // of the last control request; guarded by lock
    VEC(struct pending) pending; // guarded by lock
    struct str spare;            // room that the next pending text takes; guarded by lock
    int64_t flushed_ms;          // by iopub_flush_soon; guarded by lock
    int64_t turns_second;        // of turn_count; guarded by lock
    int turn_count;              // from one stream to the other; guarded by lock
};

// A question that waits behind the cell that runs, until its turn or its time has come.
struct postponed {
    struct origin *origin;
    const char *msg_type; // static
    int64_t deadline_ms;
};

#define POSTPONED_LIMIT_MS 1000

// Execute requests of a session that name their cell are aborted when sent up to then.
struct abort_window {
    char session[80];
    int64_t until_ms; // by the front end's clock; below 1: none
};

// A connection to the IOPub socket, watched while output has to wait.
struct subscriber {
    int fd;
    ino_t inode;
    uint64_t progress;
    int64_t since_ms; // without progress
};

// What waits for front ends, beside wire.unsent_bytes.
struct backlog {
    int64_t limit_bytes, patience_ms;
    int64_t full_ms;                    // of the last look while full; I/O thread
    VEC(struct subscriber) subscribers; // I/O thread
    bool owes_notice;                   // to one that was cut off; I/O thread
    bool wants_trim;                    // the heap, once all is sent; I/O thread
};

struct debugger;

// One thread that serves requests in their order: the main one, or another beside it.
struct lane {
    struct kernel *kernel;
    struct queue requests;   // struct message
    atomic_int queued_count; // requests that wait or are being served
    atomic_llong started_ms; // when the request that is being served had its turn
    atomic_bool is_stopping; // what is left is aborted, then the thread ends
    atomic_bool has_ended;
    char id[37]; // of the subshell; "": none
    pthread_t thread;
    int idle_limit_ms; // after it the thread ends; -1: it stays
    struct lane *next; // guarded by kernel.lanes_lock

    // the lane's own thread
    struct origin *origin;    // of the request that is served; the main lane's is iopub's
    atomic_bool allows_input; // the request that is served, or was last
    json_int_t execution_count; // in the last reply
    bool is_aborting;           // execute requests, until the barrier comes
    struct abort_window abort_window;
    bool asked_exit; // the cell called exit()
};

// So long a cell may have run before questions about code are answered beside it: after a
// short one they see what it did.
#define QUESTION_LIMIT_MS 250

struct kernel {
    struct connection connection;
    struct wire wire;
    struct capture capture;
    struct iopub iopub;
    struct backlog backlog;
    struct lane main;           // of the main thread
    struct queue input_replies; // struct message, for front_end_input
    struct queue outgoing;      // struct packet, for the I/O thread
    char *kernel_info;          // content of kernel_info_reply
    int64_t started_ms;         // by the clock that dates messages
    pthread_t main_thread, io_thread;
    void *zmq_context;
    bool is_bound[CHANNEL_COUNT];
    void *sockets[CHANNEL_COUNT];      // I/O thread, after binding
    uint64_t dropped_count;            // I/O thread
    VEC(struct postponed) postponed;   // I/O thread
    struct debugger *_Atomic debugger; // made by the I/O thread; NULL until asked for

    atomic_bool runs_python;    // a request is inside interp_*: interrupts go there
    atomic_bool is_interrupted; // since the request or the input began
    // when an interrupt came that no Python code saw; 0: none
    atomic_llong interrupted_ms;
    atomic_bool awaits_input; // the main thread is in front_end_input
    atomic_bool has_python;   // interp_start is done
    atomic_bool is_stopping;  // shutdown was asked for: no further request is begun
    atomic_bool wants_stop;   // a signal asked for it
    atomic_bool is_finished; // the main thread is done: the I/O thread sends the rest and
                             // ends

    // I/O thread, interrupts.c
    int interrupt_stage;
    bool awaits_choice; // of the user, between waiting and the end
    bool ends_now;

    pthread_mutex_t lanes_lock;
    struct lane *lanes; // beside the main one; guarded by lanes_lock
    struct lane *side;  // that of questions; NULL: none now; guarded by lanes_lock
    bool is_closed;     // no further lane begins; guarded by lanes_lock
    VEC(int64_t) question_deadlines; // ascending; I/O thread
    struct comm_routes *comm_routes; // NULL: none yet; guarded by lanes_lock
};

// ---- kernel.c
// `gridcell kernel`: runs until shutdown; the exit status.
int kernel_run(const char *connection_file, const struct interp_options *options);
int64_t clock_ms(void);

// ---- abort.c (the lane's thread)
// A request failed after so long: those that were sent before anybody saw it are aborted.
void abort_begin(struct lane *lane, const struct message *failed, int64_t took_ms);
// When a request was sent, in milliseconds by its own clock, without its zone; -1:
// unknown.
int64_t message_sent_ms(const struct message *message);
bool abort_covers(struct lane *lane, const struct message *message);

// ---- lanes.c (I/O thread unless said)
bool lane_init(struct lane *lane, struct kernel *kernel, struct error *err);
// Drops what is queued; safe on one that was not initialised.
void lane_finish(struct lane *lane);
void lane_push(struct lane *lane, struct message *message_stolen);
// The lane whose thread calls; the main one's for threads that cells started.
struct lane *lane_current(struct kernel *kernel);
// Gives a request to the subshell that its header names. False: it names none.
bool lanes_take(struct kernel *kernel, struct message *message_stolen);
// Gives a question to the side lane.
void lanes_ask(struct kernel *kernel, struct message *message_stolen);
// A request is about to be queued on the main lane: if it is a question, and must wait,
// then not for ever.
void lanes_note_question(struct kernel *kernel, struct message *message);
// Moves questions that waited long enough to the side lane; the milliseconds until the
// next, or -1.
int lanes_poll(struct kernel *kernel);
// Queues a barrier if the lane is still there.
void lanes_pass_barrier(
        struct kernel *kernel, struct lane *lane, struct message *barrier_stolen);
// Frees lanes whose threads have ended.
void lanes_collect(struct kernel *kernel);
// Main thread: ends the threads, as far as Python lets it.
void lanes_stop(struct kernel *kernel);
void lanes_answer_create(struct kernel *kernel, const struct message *message);
void lanes_answer_delete(struct kernel *kernel, const struct message *message);
// A list of the ids of the subshells, oldest first. Any thread.
json_t *lanes_subshells(struct kernel *kernel);
void lanes_answer_list(struct kernel *kernel, const struct message *message);

// ---- comm_routes.c
// The calling thread sends a comm message with this content.
void comm_routes_note(struct kernel *kernel, const json_t *content);
// Whether the message answers such a one; gives the id of the lane that sent it.
bool comm_routes_take(
        struct kernel *kernel, const struct message *message, char lane[37]);
void comm_routes_finish(struct kernel *kernel);

// ---- io_thread.c
// Binds the five sockets; fills in the ports that were 0.
bool sockets_bind(struct kernel *kernel, struct error *err);
void sockets_close(struct kernel *kernel);
// In a forked child: closes what would keep the ports from a kernel that follows.
void sockets_after_fork(const struct connection *connection);
bool io_thread_start(struct kernel *kernel, struct error *err);
// Asks the I/O thread to stop once all is sent, and waits for it.
void io_thread_finish(struct kernel *kernel);

// Hands a request to the main thread.
void requests_push(struct kernel *kernel, struct message *message_stolen);

// ---- control.c (I/O thread unless said)
// Serves a request of the control channel; takes it.
void control_serve(struct kernel *kernel, struct message *message_stolen);
// Answers what needs no Python. False when the message is not of that kind, or has to
// wait behind other requests.
bool control_answer_at_once(struct kernel *kernel, const struct message *message);
// Main thread: the same, in the order of requests, unless it was answered since.
bool control_answer_in_turn(struct kernel *kernel, const struct message *message);
// Answers what waited too long; the milliseconds until the next, or -1.
int control_poll(struct kernel *kernel);
void control_finish(struct kernel *kernel);
// Any thread: shutdown on the shell channel waits its turn.
void control_answer_shutdown(struct kernel *kernel, const struct message *message);
// Starts the end: interrupts what runs and makes the main thread leave its loop.
void control_begin_shutdown(struct kernel *kernel);

// ---- interrupts.c (I/O thread)
// Sees to interrupts that no Python code looks at; the milliseconds until the next step,
// or -1.
int interrupts_poll(struct kernel *kernel);
// Takes an input_reply that answers the question about such an interrupt.
bool interrupts_take_answer(struct kernel *kernel, struct message *message);

// ---- kernel_info.c
char *kernel_info_content(bool has_debugger);
json_t *connect_content(const struct connection *connection);

// ---- iopub.c: kernel_* from any thread, iopub_* not from the I/O thread unless said
bool iopub_init(struct kernel *kernel, struct error *err);
void iopub_finish(struct kernel *kernel);
// Encodes and queues, with no regard to pending stream text.
void kernel_send(struct kernel *kernel, const struct message_spec *spec);
void kernel_status(struct kernel *kernel, const struct origin *origin, const char *state);
// A reply on the request's own channel; `metadata_stolen` may be NULL.
void kernel_reply(struct kernel *kernel, const struct origin *origin,
        const char *msg_type, json_t *content_stolen, json_t *metadata_stolen);
// Sends pending stream text first; takes the spec's texts.
void iopub_send(struct kernel *kernel, const struct message_spec *spec);
// From now on output belongs to this request.
void iopub_set_origin(struct kernel *kernel, struct origin *origin);
// I/O thread: the control channel's last request, for those who ask.
void iopub_note_control(struct kernel *kernel, struct origin *origin);
void iopub_stream(struct kernel *kernel, struct origin *origin,
        enum front_end_stream stream, const char *text, size_t len);
void iopub_flush(struct kernel *kernel);
// The same, unless it was done just now: then what is pending leaves in its time.
void iopub_flush_soon(struct kernel *kernel);
// Reads what was captured and sends pending text whose time has come; the milliseconds
// until there is more to do, or -1. I/O thread.
int iopub_poll(struct kernel *kernel);
// Sends all that was printed, though a thread that crashed may hold the lock. I/O thread.
void iopub_flush_at_crash(struct kernel *kernel);
char *json_text_stolen(json_t *value_stolen);

// ---- backlog.c
void backlog_init(struct backlog *backlog);
void backlog_finish(struct backlog *backlog);
// False while front ends take output more slowly than it comes. Any thread.
bool backlog_has_room(struct kernel *kernel);
// Waits for room, that long at most, or until a signal. Any thread but the I/O thread.
void backlog_await_room(struct kernel *kernel, int limit_ms);
// I/O thread: cuts off those who take nothing; the milliseconds until the next look, or
// -1.
int backlog_poll(struct kernel *kernel);
// I/O thread, somebody subscribed: says that output was dropped, if it was.
void backlog_tell(struct kernel *kernel);

// ---- stdio_capture.c
bool capture_start(struct capture *capture, struct error *err);
// Gives the descriptors back.
void capture_stop(struct capture *capture);
// True when one of the pipes holds something.
bool capture_has_text(const struct capture *capture);
// Moves what the pipe holds (up to 64 KiB) to `text` as valid UTF-8; false when it is
// empty.
bool capture_read(
        struct capture *capture, enum front_end_stream stream, struct str *text);

// ---- shell.c (the lane's thread)
// Serves the main lane's requests until shutdown.
void shell_loop(struct kernel *kernel);
// Serves one request; takes it.
void shell_serve(struct lane *lane, struct message *message_stolen);
// Lets background tasks run; the milliseconds until they want to again, or -1, and the
// descriptor that they wait for, or -1.
int shell_idle(struct lane *lane, int *fd);
// Whether it asks about code, and changes nothing.
bool message_is_question(const struct message *message);
// Serves the comm messages that wait, while a cell waits for something itself.
void shell_serve_comms(struct kernel *kernel);
bool message_is_comm(const struct message *message);

// ---- front_end.c
void front_end_attach(struct kernel *kernel);
void front_end_detach(void);

// ---- input.c (a lane's thread)
bool input_ask(struct kernel *kernel, const char *prompt, bool is_password,
        struct str *value, struct error *err);

// ---- signals.c
// SIGINT is harmless from here on.
void signals_install(void);
// Once more, after Python code may have replaced the handler.
void signals_reinstall(void);
void signals_attach(struct kernel *kernel);
void signals_detach(void);
// In a forked child: ends at SIGTERM as any process does.
void signals_after_fork(void);
void signals_block_all(void);
// For threads that run Python: programs that they start inherit it.
void signals_unblock_all(void);
// Any thread: as SIGINT does.
void signals_interrupt(struct kernel *kernel);

// ---- crash.c
// From now on a fatal signal is told to the front end before the process ends by it.
void crash_watch(struct kernel *kernel);
void crash_unwatch(void);
bool crash_is_pending(void);
// I/O thread: queues the last words; and when they are sent, lets the process end.
void crash_prepare_report(struct kernel *kernel);
void crash_finish_report(struct kernel *kernel) __attribute__((noreturn));

// ---- process.c
// A descriptor that becomes readable when the process that launched the kernel ends; -1:
// none.
int process_watch_parent(void);
// Ends what is left of our process group.
void process_end_children(void);
