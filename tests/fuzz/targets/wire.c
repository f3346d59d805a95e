// SPDX-License-Identifier: MIT
// Frames of a message, one a line. `sign` in place of a signature is replaced by the
// right one of the four lines that follow: so that what lies behind the check is reached,
// too.
#include "tests/fuzz/targets/target.h"

#include "kernel/protocol/message.h"

enum { MOST_FRAMES = 32 };

static size_t split(
        const uint8_t *data, size_t size, struct signed_part parts[MOST_FRAMES])
{
    const char *at = (const char *)data, *end = at + size;
    size_t count = 0;
    while (count < MOST_FRAMES && size) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        parts[count++] = (struct signed_part){at, (size_t)((stop ? stop : end) - at)};
        if (!stop)
            break;
        at = stop + 1;
    }
    return count;
}

static void add(zmq_msg_t *frame, struct signed_part part)
{
    REQUIRE(!zmq_msg_init_size(frame, part.len));
    memcpy(zmq_msg_data(frame), part.bytes, part.len);
}

static void use(const struct message *message)
{
    size_t count;
    struct message_buffer *buffers = message_buffers(message, &count);
    REQUIRE(message->msg_type && message->msg_id && message->content && message->origin);
    for (size_t i = 0; i < count; i++)
        REQUIRE(buffers[i].bytes || !buffers[i].len);
    free(buffers);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wire wire;
    struct error err = {0};
    struct signed_part parts[MOST_FRAMES];
    zmq_msg_t frames[MOST_FRAMES];
    char hex[SIGNATURE_HEX_SIZE];
    bool is_signed = false;
    REQUIRE(wire_init(&wire, "hmac-sha256", "secret", &err));
    size_t count = split(data, size, parts);
    for (size_t i = 0; i < count; i++) {
        bool is_place = parts[i].len == 4 && !memcmp(parts[i].bytes, "sign", 4);
        if (is_place && i + 4 < count) {
            REQUIRE(signature_make(&wire.signature, parts + i + 1, hex));
            add(&frames[i], (struct signed_part){hex, strlen(hex)});
            is_signed = true;
        } else {
            add(&frames[i], parts[i]);
        }
    }
    struct message *message = wire_decode(&wire, CHANNEL_SHELL, frames, count, &err);
    REQUIRE(!message || is_signed); // nobody guesses a signature
    REQUIRE(!message == (err.kind != ERROR_NONE));
    if (message)
        use(message);
    message_destroy(message);
    for (size_t i = 0; i < count; i++)
        zmq_msg_close(&frames[i]);
    wire_finish(&wire);
    return 0;
}
