// SPDX-License-Identifier: MIT
// Frames of the Debug Adapter Protocol: header lines, of which Content-Length counts, an
// empty line, JSON.
#include "kernel/debugger/dap.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LARGEST_MESSAGE ((size_t)256 << 20)
#define LARGEST_HEADER 4096

bool dap_connect(struct dap *dap, const char *address, int port, struct error *err)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int at_once = 1;
    *dap = (struct dap){.fd = -1};
    if (inet_pton(AF_INET, address, &to.sin_addr) != 1)
        return error_set(err, ERROR_VALUE, SPAN_NONE, "%s is not an address", address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to)) {
        error_set(err, ERROR_SYSTEM, SPAN_NONE, "the debug adapter at %s:%d: %s", address,
                port, strerror(errno));
        if (fd >= 0)
            close(fd);
        return false;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
    dap->fd = fd;
    return true;
}

void dap_close(struct dap *dap)
{
    if (dap->fd >= 0)
        close(dap->fd);
    str_finish(&dap->input);
    *dap = (struct dap){.fd = -1};
}

static bool send_all(int fd, const char *bytes, size_t len)
{
    while (len) {
        ssize_t sent = send(fd, bytes, len, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        bytes += sent > 0 ? sent : 0;
        len -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

bool dap_send(struct dap *dap, const json_t *message, struct error *err)
{
    char *text = json_dumps(message, JSON_COMPACT);
    if (!text)
        return error_set(err, ERROR_VALUE, SPAN_NONE, "the message is not JSON");
    struct str frame = {0};
    str_printf(&frame, "Content-Length: %zu\r\n\r\n%s", strlen(text), text);
    free(text);
    bool is_sent = dap->fd >= 0 && send_all(dap->fd, str_text(&frame), frame.len);
    str_finish(&frame);
    if (!is_sent)
        return error_set(
                err, ERROR_SYSTEM, SPAN_NONE, "the debug adapter does not listen");
    return true;
}

bool dap_receive(struct dap *dap, struct error *err)
{
    char bytes[65536];
    ssize_t got = recv(dap->fd, bytes, sizeof bytes, 0);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (got <= 0)
        return error_set(err, ERROR_SYSTEM, SPAN_NONE, "the debug adapter has ended");
    str_append_bytes(&dap->input, bytes, (size_t)got);
    return true;
}

// The value of Content-Length among the header lines.
static bool read_length(const char *header, const char *end, size_t *length)
{
    static const char field[] = "content-length:";
    for (const char *line = header; line && line < end;) {
        if (!strncasecmp(line, field, sizeof field - 1)) {
            // strtoul alone would pass over the end of the line, into the message
            const char *digits = line + sizeof field - 1;
            digits += strspn(digits, " \t");
            *length = strtoul(digits, NULL, 10);
            return *digits >= '0' && *digits <= '9' && *length <= LARGEST_MESSAGE;
        }
        line = memmem(line, (size_t)(end - line), "\r\n", 2);
        line = line ? line + 2 : NULL;
    }
    return false;
}

// Forgets what was read, once that is worth a copy of the rest.
static void drop_taken(struct dap *dap)
{
    if (dap->taken < dap->input.len && dap->taken < 65536)
        return;
    size_t left = dap->input.len - dap->taken;
    memmove(dap->input.text, dap->input.text + dap->taken, left);
    dap->input.len = left;
    dap->taken = 0;
}

json_t *dap_next(struct dap *dap, struct error *err)
{
    if (!dap->input.len)
        return NULL;
    const char *start = dap->input.text + dap->taken;
    size_t left = dap->input.len - dap->taken, length;
    const char *end = memmem(start, left, "\r\n\r\n", 4);
    if (!end) {
        if (left > LARGEST_HEADER)
            error_set(err, ERROR_VALUE, SPAN_NONE, "the debug adapter sends no header");
        return NULL;
    }
    if (!read_length(start, end, &length)) {
        error_set(err, ERROR_VALUE, SPAN_NONE,
                "the debug adapter sends a message without a length");
        return NULL;
    }
    size_t header = (size_t)(end - start) + 4;
    if (left - header < length)
        return NULL;
    json_error_t problem;
    json_t *message = json_loadb(start + header, length, JSON_ALLOW_NUL, &problem);
    dap->taken += header + length;
    drop_taken(dap);
    if (!message)
        error_set(err, ERROR_VALUE, SPAN_NONE, "the debug adapter sends no JSON: %s",
                problem.text);
    return message;
}
