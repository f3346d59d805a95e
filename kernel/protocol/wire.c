// SPDX-License-Identifier: MIT
// Frames to message and back. A frame is not parsed before the signature over it is
// right.
#include "kernel/protocol/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/str.h"
#include "kernel/cells/text.h"

static const char delimiter[] = "<IDS|MSG>";

#define COPIED_BYTES 4096 // texts below are cheaper copied

enum { PART_HEADER, PART_PARENT, PART_METADATA, PART_CONTENT, PART_COUNT };

struct origin *origin_acquire(struct origin *origin)
{
    if (origin)
        atomic_fetch_add(&origin->references, 1);
    return origin;
}

void origin_release(struct origin *origin)
{
    if (origin && atomic_fetch_sub(&origin->references, 1) == 1)
        free(origin);
}

static struct signed_part frame_part(zmq_msg_t *frame)
{
    return (struct signed_part){zmq_msg_data(frame), zmq_msg_size(frame)};
}

// One block: the struct, the list of identities, and the bytes of both.
static struct origin *origin_create(enum channel channel, zmq_msg_t *frames,
        size_t identity_count, struct signed_part header)
{
    size_t size = sizeof(struct origin) + identity_count * sizeof(struct signed_part) +
                  header.len;
    for (size_t i = 0; i < identity_count; i++)
        size += zmq_msg_size(&frames[i]);
    struct origin *origin = malloc(size);
    if (!origin)
        return NULL;
    *origin = (struct origin){.references = 1,
            .channel = channel,
            .identity_count = identity_count,
            .identities = (struct signed_part *)(origin + 1)};
    char *bytes = (char *)(origin->identities + identity_count);
    for (size_t i = 0; i <= identity_count; i++) {
        struct signed_part part = i < identity_count ? frame_part(&frames[i]) : header;
        memcpy(bytes, part.bytes, part.len);
        part.bytes = bytes;
        bytes += part.len;
        if (i < identity_count)
            origin->identities[i] = part;
        else
            origin->header = part;
    }
    return origin;
}

void message_destroy(struct message *message)
{
    if (!message)
        return;
    for (size_t i = 0; i < message->frame_count; i++)
        zmq_msg_close(&message->frames[i]);
    free(message->frames);
    json_decref(message->header);
    json_decref(message->metadata);
    json_decref(message->content);
    origin_release(message->origin);
    free(message);
}

struct message_buffer *message_buffers(const struct message *message, size_t *count)
{
    *count = message->frame_count - message->first_buffer;
    struct message_buffer *buffers = memory_alloc((*count + 1) * sizeof *buffers);
    for (size_t i = 0; i < *count; i++) {
        zmq_msg_t *frame = &message->frames[message->first_buffer + i];
        buffers[i] = (struct message_buffer){zmq_msg_data(frame), zmq_msg_size(frame)};
    }
    return buffers;
}

static bool find_delimiter(zmq_msg_t *frames, size_t frame_count, size_t *index)
{
    for (size_t i = 0; i < frame_count; i++) {
        struct signed_part part = frame_part(&frames[i]);
        if (part.len == sizeof delimiter - 1 &&
                !memcmp(part.bytes, delimiter, part.len)) {
            *index = i;
            return true;
        }
    }
    return false;
}

// A browser sends half of a character, cut apart in an editor, as a lone surrogate.
static json_t *parse_unpaired(struct signed_part part)
{
    struct str paired = {0};
    text_append_paired(&paired, part.bytes, part.len);
    json_t *object = json_loadb(str_text(&paired), paired.len, JSON_ALLOW_NUL, NULL);
    str_finish(&paired);
    return object;
}

static json_t *parse_object(struct signed_part part, const char *what, struct error *err)
{
    json_error_t problem;
    json_t *object = json_loadb(part.bytes, part.len, JSON_ALLOW_NUL, &problem);
    if (!object && json_error_code(&problem) == json_error_invalid_syntax)
        object = parse_unpaired(part);
    if (object && json_is_object(object))
        return object;
    if (object)
        error_set(err, ERROR_VALUE, SPAN_NONE, "the %s is not a JSON object", what);
    else
        error_set(err, ERROR_VALUE, SPAN_NONE, "the %s is not JSON: %s", what,
                problem.text);
    json_decref(object);
    return NULL;
}

static bool parse_parts(
        struct message *message, const struct signed_part *parts, struct error *err)
{
    message->header = parse_object(parts[PART_HEADER], "header", err);
    message->metadata =
            message->header ? parse_object(parts[PART_METADATA], "metadata", err) : NULL;
    message->content =
            message->metadata ? parse_object(parts[PART_CONTENT], "content", err) : NULL;
    if (!message->content)
        return false;
    message->msg_type = json_string_value(json_object_get(message->header, "msg_type"));
    message->msg_id = json_string_value(json_object_get(message->header, "msg_id"));
    if (!message->msg_type || !message->msg_id)
        return error_set(
                err, ERROR_VALUE, SPAN_NONE, "the header lacks msg_type or msg_id");
    return true;
}

struct message *wire_decode(struct wire *wire, enum channel channel, zmq_msg_t *frames,
        size_t frame_count, struct error *err)
{
    size_t at = 0;
    if (!find_delimiter(frames, frame_count, &at)) {
        error_set(err, ERROR_VALUE, SPAN_NONE, "there is no %s frame", delimiter);
        return NULL;
    }
    if (frame_count - at < 2 + PART_COUNT) {
        error_set(err, ERROR_VALUE, SPAN_NONE, "only %zu frames follow %s",
                frame_count - at - 1, delimiter);
        return NULL;
    }
    struct signed_part parts[PART_COUNT], hex = frame_part(&frames[at + 1]);
    for (int i = 0; i < PART_COUNT; i++)
        parts[i] = frame_part(&frames[at + 2 + (size_t)i]);
    if (!signature_accept(&wire->signature, parts, hex.bytes, hex.len, err))
        return NULL;
    struct message *message = memory_zalloc(sizeof *message);
    message->channel = channel;
    if (!parse_parts(message, parts, err)) {
        message_destroy(message);
        return NULL;
    }
    message->origin = origin_create(channel, frames, at, parts[PART_HEADER]);
    message->frames = malloc(frame_count * sizeof *frames);
    if (!message->origin || !message->frames) {
        error_set(err, ERROR_MEMORY, SPAN_NONE, "no memory for a message");
        message_destroy(message);
        return NULL;
    }
    for (; message->frame_count < frame_count; message->frame_count++) {
        zmq_msg_init(&message->frames[message->frame_count]);
        zmq_msg_move(
                &message->frames[message->frame_count], &frames[message->frame_count]);
    }
    message->first_buffer = at + 2 + PART_COUNT;
    return message;
}

void wire_random_uuid(char text[37])
{
    unsigned char bytes[16];
    for (size_t got = 0; got < sizeof bytes;) {
        ssize_t more = getrandom(bytes + got, sizeof bytes - got, 0);
        got += more > 0 ? (size_t)more : 0;
    }
    bytes[6] = (unsigned char)((bytes[6] & 0x0f) | 0x40);
    bytes[8] = (unsigned char)((bytes[8] & 0x3f) | 0x80);
    char *at = text;
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *at++ = '-';
        at += sprintf(at, "%02x", bytes[i]);
    }
}

bool wire_init(struct wire *wire, const char *signature_scheme, const char *key,
        struct error *err)
{
    *wire = (struct wire){0};
    if (!signature_init(&wire->signature, signature_scheme, key, err))
        return false;
    wire_random_uuid(wire->session);
    const char *user = getenv("USER");
    struct str valid = {0}, quoted = {0};
    text_append_valid(&valid, user ? user : "username", strlen(user ? user : "username"));
    text_append_json(&quoted, str_text(&valid), valid.len);
    wire->username = str_take(&quoted);
    str_finish(&valid);
    return true;
}

void wire_finish(struct wire *wire)
{
    signature_finish(&wire->signature);
    free(wire->username);
    wire->username = NULL;
}

void wire_date(char date[32])
{
    struct timespec now;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    size_t len = strftime(date, 32, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(date + len, 32 - len, ".%06ldZ", now.tv_nsec / 1000);
}

int64_t wire_clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static char *make_header(struct wire *wire, const char *msg_type)
{
    struct str out = {0};
    char date[32];
    wire_date(date);
    unsigned long long number = atomic_fetch_add(&wire->message_count, 1);
    str_printf(&out, "{\"msg_id\":\"%s_%ld_%llu\",\"session\":\"%s\",\"username\":%s,",
            wire->session, (long)getpid(), number, wire->session, wire->username);
    str_append(&out, "\"msg_type\":");
    text_append_json(&out, msg_type, strlen(msg_type));
    str_printf(&out, ",\"date\":\"%s\",\"version\":\"" PROTOCOL_VERSION "\"}", date);
    return str_take(&out);
}

void packet_destroy(struct packet *packet)
{
    if (!packet)
        return;
    for (size_t i = 0; i < packet->frame_count; i++)
        zmq_msg_close(&packet->frames[i]);
    free(packet);
}

static bool packet_add(struct packet *packet, const void *bytes, size_t len)
{
    zmq_msg_t *frame = &packet->frames[packet->frame_count];
    if (zmq_msg_init_size(frame, len))
        return false;
    if (len)
        memcpy(zmq_msg_data(frame), bytes, len);
    packet->frame_count++;
    return true;
}

static void free_frame_bytes(void *bytes, void *hint)
{
    (void)hint;
    free(bytes);
}

// The content of a message on IOPub, which tells when ZeroMQ has no more use for it.
struct counted_text {
    atomic_llong *unsent_bytes;
    long long bytes; // that it stands for
    char *text;      // NULL: it lies behind
    char copy[];
};

static void free_counted_text(void *bytes, void *hint)
{
    struct counted_text *counted = hint;
    (void)bytes;
    atomic_fetch_sub(counted->unsent_bytes, counted->bytes);
    free(counted->text);
    free(counted);
}

static bool packet_add_counted(struct packet *packet, char *text_stolen, size_t len,
        atomic_llong *unsent_bytes, size_t packet_bytes)
{
    zmq_msg_t *frame = &packet->frames[packet->frame_count];
    bool is_large = len >= COPIED_BYTES;
    struct counted_text *counted = malloc(sizeof *counted + (is_large ? 0 : len));
    if (!counted) {
        free(text_stolen);
        return false;
    }
    *counted = (struct counted_text){
            unsent_bytes, (long long)packet_bytes, is_large ? text_stolen : NULL};
    if (!is_large) {
        memcpy(counted->copy, text_stolen, len);
        free(text_stolen);
    }
    char *bytes = is_large ? text_stolen : counted->copy;
    if (zmq_msg_init_data(frame, bytes, len, free_counted_text, counted)) {
        free(counted->text);
        free(counted);
        return false;
    }
    atomic_fetch_add(unsent_bytes, counted->bytes);
    packet->frame_count++;
    return true;
}

// Large text is handed to ZeroMQ as it is; small text is cheaper copied.
static bool packet_add_text(struct packet *packet, char *text_stolen, size_t len)
{
    zmq_msg_t *frame = &packet->frames[packet->frame_count];
    if (len < COPIED_BYTES) {
        bool is_added = packet_add(packet, text_stolen, len);
        free(text_stolen);
        return is_added;
    }
    if (zmq_msg_init_data(frame, text_stolen, len, free_frame_bytes, NULL)) {
        free(text_stolen);
        return false;
    }
    packet->frame_count++;
    return true;
}

// The frames before the delimiter: the topic on IOPub, elsewhere the request's
// identities.
static bool packet_add_route(
        struct packet *packet, const struct wire *wire, const struct message_spec *spec)
{
    if (spec->channel != CHANNEL_IOPUB) {
        for (size_t i = 0; i < spec->origin->identity_count; i++) {
            struct signed_part identity = spec->origin->identities[i];
            if (!packet_add(packet, identity.bytes, identity.len))
                return false;
        }
        return true;
    }
    if (spec->topic)
        return packet_add(packet, spec->topic, strlen(spec->topic));
    char topic[128];
    int len =
            snprintf(topic, sizeof topic, "kernel.%s.%s", wire->session, spec->msg_type);
    return packet_add(
            packet, topic, (size_t)len < sizeof topic ? (size_t)len : sizeof topic - 1);
}

// What a packet takes until it is sent.
static size_t packet_bytes(
        const struct message_spec *spec, const struct signed_part *parts)
{
    enum { OVERHEAD_BYTES = 1024 };
    size_t bytes = OVERHEAD_BYTES + parts[PART_METADATA].len + parts[PART_CONTENT].len;
    for (size_t i = 0; i < spec->buffer_count; i++)
        bytes += spec->buffers[i].len;
    return bytes;
}

static bool packet_add_message(
        struct packet *packet, struct wire *wire, const struct message_spec *spec)
{
    char *texts[PART_COUNT] = {make_header(wire, spec->msg_type), NULL,
            spec->metadata_stolen, spec->content_stolen};
    struct signed_part parts[PART_COUNT];
    for (int i = 0; i < PART_COUNT; i++)
        parts[i] = texts[i] ? (struct signed_part){texts[i], strlen(texts[i])}
                            : (struct signed_part){"{}", 2};
    if (spec->origin)
        parts[PART_PARENT] = spec->origin->header;
    char hex[SIGNATURE_HEX_SIZE];
    bool is_good = signature_make(&wire->signature, parts, hex) &&
                   packet_add(packet, delimiter, sizeof delimiter - 1) &&
                   packet_add(packet, hex, strlen(hex));
    for (int i = 0; i < PART_COUNT; i++) {
        if (is_good && i == PART_CONTENT && texts[i] && spec->channel == CHANNEL_IOPUB)
            is_good = packet_add_counted(packet, texts[i], parts[i].len,
                    &wire->unsent_bytes, packet_bytes(spec, parts));
        else if (is_good && texts[i])
            is_good = packet_add_text(packet, texts[i], parts[i].len);
        else if (is_good)
            is_good = packet_add(packet, parts[i].bytes, parts[i].len);
        else
            free(texts[i]);
    }
    for (size_t i = 0; is_good && i < spec->buffer_count; i++)
        is_good = packet_add(packet, spec->buffers[i].bytes, spec->buffers[i].len);
    return is_good;
}

struct packet *wire_encode(struct wire *wire, const struct message_spec *spec)
{
    size_t route = spec->channel == CHANNEL_IOPUB ? 1 : spec->origin->identity_count;
    size_t most = route + 2 + PART_COUNT + spec->buffer_count;
    struct packet *packet = malloc(sizeof *packet + most * sizeof(zmq_msg_t));
    if (!packet) {
        free(spec->content_stolen);
        free(spec->metadata_stolen);
        return NULL;
    }
    packet->channel = spec->channel;
    packet->frame_count = 0;
    packet->lane = NULL;
    bool is_routed = packet_add_route(packet, wire, spec);
    if (packet_add_message(packet, wire, spec) && is_routed)
        return packet;
    packet_destroy(packet);
    return NULL;
}
