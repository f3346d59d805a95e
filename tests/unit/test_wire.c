// SPDX-License-Identifier: MIT
// Frames to message and back: what a front end sends, and what an enemy would.
#include "tests/unit/test.h"

#include "kernel/protocol/message.h"

#define FRAME_LIMIT 16

struct frames {
    zmq_msg_t list[FRAME_LIMIT];
    size_t count;
};

static void add_bytes(struct frames *frames, const void *bytes, size_t len)
{
    zmq_msg_t *frame = &frames->list[frames->count++];
    zmq_msg_init_size(frame, len);
    memcpy(zmq_msg_data(frame), bytes, len);
}

static void add(struct frames *frames, const char *text)
{
    add_bytes(frames, text, strlen(text));
}

static void close_frames(struct frames *frames)
{
    for (size_t i = 0; i < frames->count; i++)
        zmq_msg_close(&frames->list[i]);
    frames->count = 0;
}

static struct wire signed_wire(void)
{
    struct wire wire;
    struct error err = {0};
    CHECK(wire_init(&wire, "hmac-sha256", "secret", &err));
    return wire;
}

// Identity, delimiter, right signature, the four parts.
static void add_signed(struct frames *frames, struct wire *wire, const char *header,
        const char *metadata, const char *content)
{
    struct signed_part parts[4] = {{header, strlen(header)}, {"{}", 2},
            {metadata, strlen(metadata)}, {content, strlen(content)}};
    char hex[SIGNATURE_HEX_SIZE];
    CHECK(signature_make(&wire->signature, parts, hex));
    add(frames, "client");
    add(frames, "<IDS|MSG>");
    add(frames, hex);
    add(frames, header);
    add(frames, "{}");
    add(frames, metadata);
    add(frames, content);
}

// Delimiter, this signature, and the same text for each of the parts.
static void add_plain(struct frames *frames, const char *signature, const char *part)
{
    add(frames, "<IDS|MSG>");
    add(frames, signature);
    for (int i = 0; i < 4; i++)
        add(frames, part);
}

static struct message *decode(struct wire *wire, struct frames *frames, struct error *err)
{
    *err = (struct error){0};
    return wire_decode(wire, CHANNEL_SHELL, frames->list, frames->count, err);
}

// The message must be refused, with these words.
static void check_refused(struct wire *wire, struct frames *frames, const char *why)
{
    struct error err;
    struct message *message = decode(wire, frames, &err);
    CHECK(!message);
    CHECK_CONTAINS(err.message, why);
    message_destroy(message);
    close_frames(frames);
}

static const char good_header[] =
        "{\"msg_id\": \"1\", \"msg_type\": \"execute_request\", \"x\": 1.50}";

TEST(decodes_identities_parts_and_buffers)
{
    struct wire wire = signed_wire();
    struct frames frames = {0};
    struct error err;
    add(&frames, "router");
    add_signed(&frames, &wire, good_header, "{\"cellId\": \"a\"}",
            "{\"code\": \"a\\u0000b\"}");
    add_bytes(&frames, "\0\1\2", 3);
    struct message *message = decode(&wire, &frames, &err);
    REQUIRE(message);
    CHECK_STR(message->msg_type, "execute_request");
    CHECK_STR(message->msg_id, "1");
    CHECK_INT(message->origin->identity_count, 2);
    CHECK_INT(message->origin->identities[1].len, 6);
    CHECK(!memcmp(message->origin->identities[1].bytes, "client", 6));
    CHECK_INT(json_string_length(json_object_get(message->content, "code")), 3);
    CHECK_INT(message->origin->header.len, strlen(good_header));
    CHECK(!memcmp(message->origin->header.bytes, good_header, strlen(good_header)));
    size_t count;
    struct message_buffer *buffers = message_buffers(message, &count);
    CHECK_INT(count, 1);
    CHECK_INT(buffers[0].len, 3);
    CHECK(!memcmp(buffers[0].bytes, "\0\1\2", 3));
    free(buffers);
    message_destroy(message);
    close_frames(&frames);
    wire_finish(&wire);
}

// A request that a front end may send, whose frames are closed.
static struct message *good_message(struct wire *wire)
{
    struct frames frames = {0};
    struct error err;
    add_signed(&frames, wire, good_header, "{}", "{}");
    struct message *message = decode(wire, &frames, &err);
    close_frames(&frames);
    return message;
}

TEST(refuses_frames_of_the_wrong_shape)
{
    struct wire wire = signed_wire();
    struct frames frames = {0};
    check_refused(&wire, &frames, "no <IDS|MSG>");
    add(&frames, "junk");
    check_refused(&wire, &frames, "no <IDS|MSG>");
    add(&frames, "<IDS|MSG>");
    check_refused(&wire, &frames, "only 0 frames");
    add(&frames, "<IDS|MSG>");
    for (int i = 0; i < 4; i++)
        add(&frames, "{}");
    check_refused(&wire, &frames, "only 4 frames");
    wire_finish(&wire);
}

TEST(refuses_wrong_signatures_before_parsing)
{
    struct wire wire = signed_wire();
    struct frames frames = {0};
    add_plain(&frames, "", "not json");
    check_refused(&wire, &frames, "signature is missing");
    add_plain(&frames, "0123456789012345678901234567890123456789012345678901234567890123",
            "not json");
    check_refused(&wire, &frames, "signature is wrong");
    add_plain(&frames, "short", "{}");
    check_refused(&wire, &frames, "signature is wrong");
    wire_finish(&wire);
}

TEST(refuses_signed_nonsense)
{
    struct wire wire = signed_wire();
    struct frames frames = {0};
    add_signed(&frames, &wire, "{", "{}", "{}");
    check_refused(&wire, &frames, "the header is not JSON");
    add_signed(&frames, &wire, "[]", "{}", "{}");
    check_refused(&wire, &frames, "the header is not a JSON object");
    add_signed(&frames, &wire, good_header, "1", "{}");
    check_refused(&wire, &frames, "the metadata is not");
    add_signed(&frames, &wire, good_header, "{}", "\"\xff\"");
    check_refused(&wire, &frames, "the content is not JSON");
    add_signed(&frames, &wire, "{\"msg_id\": \"1\"}", "{}", "{}");
    check_refused(&wire, &frames, "lacks msg_type");
    add_signed(&frames, &wire, "{\"msg_id\": 1, \"msg_type\": \"x\"}", "{}", "{}");
    check_refused(&wire, &frames, "lacks msg_type or msg_id");
    wire_finish(&wire);
}

TEST(refuses_deep_nesting)
{
    struct wire wire = signed_wire();
    struct frames frames = {0};
    char *deep = malloc(200001);
    memset(deep, '[', 200000);
    deep[200000] = '\0';
    add_signed(&frames, &wire, good_header, "{}", deep);
    check_refused(&wire, &frames, "the content is not JSON");
    free(deep);
    wire_finish(&wire);
}

TEST(refuses_replays)
{
    struct wire wire = signed_wire();
    struct frames frames = {0};
    struct message *message = good_message(&wire);
    CHECK(message);
    message_destroy(message);
    add_signed(&frames, &wire, good_header, "{}", "{}");
    check_refused(&wire, &frames, "used before");
    wire_finish(&wire);
}

TEST(remembers_65536_signatures)
{
    struct wire wire = signed_wire();
    struct error err = {0};
    char text[16], hex[SIGNATURE_HEX_SIZE];
    int wrong = 0;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 65536; i++) {
            int len = snprintf(text, sizeof text, "%d", i);
            struct signed_part parts[4] = {
                    {text, (size_t)len}, {"", 0}, {"", 0}, {"", 0}};
            signature_make(&wire.signature, parts, hex);
            error_clear(&err);
            wrong += signature_accept(&wire.signature, parts, hex, strlen(hex), &err) !=
                     !round;
        }
    }
    CHECK_INT(wrong, 0);
    wire_finish(&wire);
}

TEST(takes_unsigned_messages_without_a_key)
{
    struct wire wire;
    struct error err = {0};
    struct frames frames = {0};
    REQUIRE(wire_init(&wire, "hmac-sha256", "", &err));
    for (int round = 0; round < 2; round++) {
        add(&frames, "<IDS|MSG>");
        add(&frames, round ? "whatever" : "");
        add(&frames, good_header);
        for (int i = 0; i < 3; i++)
            add(&frames, "{}");
        struct message *message = decode(&wire, &frames, &err);
        CHECK(message);
        message_destroy(message);
        close_frames(&frames);
    }
    wire_finish(&wire);
}

TEST(knows_signature_schemes)
{
    struct wire wire;
    struct error err = {0};
    CHECK(wire_init(&wire, "hmac-sha512", "k", &err));
    wire_finish(&wire);
    CHECK(!wire_init(&wire, "hmac-nonsense", "k", &err));
    CHECK_CONTAINS(err.message, "hmac-nonsense");
    error_clear(&err);
    CHECK(!wire_init(&wire, "rot13", "k", &err));
}

// RFC 4231, test case 2
TEST(signs_as_the_standard_says)
{
    struct wire wire;
    struct error err = {0};
    char hex[SIGNATURE_HEX_SIZE];
    REQUIRE(wire_init(&wire, "hmac-sha256", "Jefe", &err));
    struct signed_part parts[4] = {
            {"what do ", 8}, {"ya want ", 8}, {"for ", 4}, {"nothing?", 8}};
    CHECK(signature_make(&wire.signature, parts, hex));
    CHECK_STR(hex, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    wire_finish(&wire);
}

TEST(encodes_what_it_can_decode)
{
    struct wire wire = signed_wire();
    struct error err;
    struct message *request = good_message(&wire);
    REQUIRE(request);
    struct message_buffer buffer = {"bytes", 5};
    struct packet *packet =
            wire_encode(&wire, &(struct message_spec){.channel = CHANNEL_SHELL,
                                       .origin = request->origin,
                                       .msg_type = "a \"quoted\" type",
                                       .content_stolen = strdup("{\"a\": 1}"),
                                       .buffers = &buffer,
                                       .buffer_count = 1});
    REQUIRE(packet);
    CHECK_INT(packet->frame_count, 8);
    CHECK_INT(zmq_msg_size(&packet->frames[4]), strlen(good_header));
    CHECK(!memcmp(zmq_msg_data(&packet->frames[4]), good_header, strlen(good_header)));
    struct message *back =
            wire_decode(&wire, CHANNEL_SHELL, packet->frames, packet->frame_count, &err);
    REQUIRE(back);
    CHECK_STR(back->msg_type, "a \"quoted\" type");
    CHECK_STR(json_string_value(json_object_get(back->header, "session")), wire.session);
    CHECK_STR(json_string_value(json_object_get(back->header, "version")),
            PROTOCOL_VERSION);
    const char *date = json_string_value(json_object_get(back->header, "date"));
    CHECK_INT(strlen(date), 27);
    CHECK(date[10] == 'T' && date[19] == '.' && date[26] == 'Z');
    message_destroy(back);
    packet_destroy(packet);
    message_destroy(request);
    wire_finish(&wire);
}

TEST(publishes_under_a_topic)
{
    struct wire wire = signed_wire();
    struct packet *packet =
            wire_encode(&wire, &(struct message_spec){.channel = CHANNEL_IOPUB,
                                       .topic = "stream.stdout",
                                       .msg_type = "stream"});
    REQUIRE(packet);
    CHECK_INT(zmq_msg_size(&packet->frames[0]), 13);
    CHECK(!memcmp(zmq_msg_data(&packet->frames[4]), "{}", 2));
    packet_destroy(packet);
    wire_finish(&wire);
}
