// SPDX-License-Identifier: MIT
// What the kernel says of itself.
#include "kernel/session/kernel_info.h"

#include "kernel/interface/interp.h"
#include "kernel/protocol/channels.h"

char *kernel_info_content(bool has_debugger)
{
    json_t *features = json_pack("[s]", "kernel subshells");
    if (has_debugger)
        json_array_append_new(features, json_string("debugger"));
    json_t *content = json_pack("{s:s, s:s, s:s, s:s, s:b, s:o}", "status", "ok",
            "protocol_version", PROTOCOL_VERSION, "implementation", "gridcell",
            "implementation_version", GRIDCELL_VERSION, "debugger", has_debugger,
            "supported_features", features);
    json_t *language = interp_language_info();
    json_object_update(content, language);
    json_decref(language);
    return json_text_stolen(content);
}

json_t *connect_content(const struct connection *connection)
{
    const int *ports = connection->ports;
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:i}", "status", "ok", "shell_port",
            ports[CHANNEL_SHELL], "iopub_port", ports[CHANNEL_IOPUB], "stdin_port",
            ports[CHANNEL_STDIN], "hb_port", ports[CHANNEL_HEARTBEAT], "control_port",
            ports[CHANNEL_CONTROL]);
}
