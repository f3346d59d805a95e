// SPDX-License-Identifier: MIT
// The channels from opening to closing, and what any thread may send on them.
#include "kernel/protocol/channels.h"

#include <stdio.h>

#include "base/log.h"
#include "base/memory.h"
#include "kernel/protocol/sockets.h"
#include "kernel/protocol/trust.h"

bool channels_open(struct channels *channels, const char *connection_file,
        const struct protocol_hooks *hooks, struct kernel *kernel, struct error *err)
{
    channels->hooks = hooks;
    channels->kernel = kernel;
    channels->captured_fd = -1;
    backlog_init(&channels->backlog);
    return connection_read(&channels->connection, connection_file, err) &&
           wire_init(&channels->wire, channels->connection.signature_scheme,
                   channels->connection.key, err) &&
           trust_check(&channels->connection, channels->allows_unsigned, err) &&
           queue_init(&channels->outgoing, err) && sockets_bind(channels, err) &&
           iopub_init(channels, err);
}

void channels_close(struct channels *channels)
{
    struct queue_node *node;
    sockets_close(channels);
    while (channels->outgoing.last && (node = queue_pop(&channels->outgoing)))
        packet_destroy((struct packet *)node);
    queue_finish(&channels->outgoing);
    iopub_finish(channels);
    backlog_finish(&channels->backlog);
    wire_finish(&channels->wire);
    connection_finish(&channels->connection);
}

char *json_text_stolen(json_t *value)
{
    char *text = value ? json_dumps(value, JSON_COMPACT) : NULL;
    json_decref(value);
    return text;
}

void channels_send(struct channels *channels, const struct message_spec *spec)
{
    struct packet *packet = wire_encode(&channels->wire, spec);
    if (packet)
        queue_push(&channels->outgoing, &packet->node);
    else
        log_write(LOG_ERROR, "no memory to send a %s message", spec->msg_type);
}

void channels_status(
        struct channels *channels, const struct origin *origin, const char *state)
{
    char *content = NULL;
    if (asprintf(&content, "{\"execution_state\":\"%s\"}", state) < 0)
        return;
    channels_send(channels, &(struct message_spec){.channel = CHANNEL_IOPUB,
                                    .origin = origin,
                                    .msg_type = "status",
                                    .content_stolen = content});
}

void channels_reply(struct channels *channels, const struct origin *origin,
        const char *msg_type, json_t *content, json_t *metadata)
{
    char *text = json_text_stolen(content);
    if (!text)
        text = memory_strdup(
                "{\"status\":\"error\",\"ename\":\"InternalError\",\"evalue\":"
                "\"the reply could not be written as JSON\",\"traceback\":[]}");
    channels_send(channels, &(struct message_spec){.channel = origin->channel,
                                    .origin = origin,
                                    .msg_type = msg_type,
                                    .content_stolen = text,
                                    .metadata_stolen = json_text_stolen(metadata)});
}

void channels_send_barrier(struct channels *channels, struct lane *lane)
{
    struct packet *barrier = memory_zalloc(sizeof *barrier);
    barrier->lane = lane;
    queue_push(&channels->outgoing, &barrier->node);
}
