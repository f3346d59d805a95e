// SPDX-License-Identifier: MIT
// Messages of the Jupyter protocol as they come in and go out, and the wire that carries
// them: identities, delimiter, signature, header, parent header, metadata, content,
// buffers.
#pragma once

#include <jansson.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <zmq.h>

#include "base/error.h"
#include "base/queue.h"
#include "kernel/protocol/connection.h"
#include "kernel/protocol/payload.h"
#include "kernel/protocol/signature.h"

#define PROTOCOL_VERSION "5.5"

// Where a request came from: what its replies and outputs repeat. Counted; any thread.
struct origin {
    atomic_int references;
    atomic_bool is_claimed; // by the thread that answers, where two may
    enum channel channel;
    size_t identity_count;
    struct signed_part *identities;
    struct signed_part header; // the request's header, byte for byte
};

struct origin *origin_acquire(struct origin *origin);
void origin_release(struct origin *origin);

// A request. Strings are borrowed from its JSON.
struct message {
    struct queue_node node;
    enum channel channel;
    size_t frame_count, first_buffer;
    zmq_msg_t *frames;
    json_t *header, *metadata, *content;
    const char *msg_type, *msg_id;
    struct origin *origin;
    int64_t deadline_ms; // of a question that waits behind cells; 0: none
};

void message_destroy(struct message *message);
// The binary frames after the content, as views into the message; free() the list.
struct message_buffer *message_buffers(const struct message *message, size_t *count);

struct lane;

// A message that is ready to be sent: the I/O thread needs only its frames.
struct packet {
    struct queue_node node;
    enum channel channel;
    struct lane *lane; // without frames: a barrier for it
    size_t frame_count;
    zmq_msg_t frames[];
};

void packet_destroy(struct packet *packet);

// What a message to send consists of. `content` and `metadata` are JSON text.
struct message_spec {
    enum channel channel;
    const struct origin *origin; // NULL: no parent
    const char *topic;           // on IOPub; NULL: kernel.<session>.<msg_type>
    const char *msg_type;
    char *content_stolen;                 // NULL: {}
    char *metadata_stolen;                // NULL: {}
    const struct message_buffer *buffers; // copied
    size_t buffer_count;
};

struct wire {
    struct signature signature;
    char session[37];
    char *username; // a JSON string, with its quotes
    atomic_ullong message_count;
    atomic_llong
            unsent_bytes; // on IOPub: of packets that some subscriber has yet to take
};

bool wire_init(struct wire *wire, const char *signature_scheme, const char *key,
        struct error *err);
void wire_finish(struct wire *wire);

// Checks the signature, then parses. On success the frames are moved into the message;
// the caller closes its own in any case. I/O thread.
struct message *wire_decode(struct wire *wire, enum channel channel, zmq_msg_t *frames,
        size_t frame_count, struct error *err);
// Serialises and signs. Takes the spec's JSON texts. NULL when memory is short. Any
// thread.
struct packet *wire_encode(struct wire *wire, const struct message_spec *spec);
void wire_random_uuid(char text[37]);
// The present time as the protocol writes it: 2026-11-20T20:54:35.617577Z.
void wire_date(char date[32]);
// The same in milliseconds.
int64_t wire_clock_ms(void);
