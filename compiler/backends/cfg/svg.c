// SPDX-License-Identifier: MIT
// The control-flow graph as a standalone SVG picture: boxes with the code of the blocks,
// edges green where a condition holds and red where it does not.
#include "compiler/backends/cfg/cfg.h"

#include <limits.h>
#include <string.h>

static void append_escaped(struct str *out, const char *text, size_t len)
{
    static const char *const entities[UCHAR_MAX + 1] = {
            ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;"};
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (entities[c])
            str_append(out, entities[c]);
        else if (c >= ' ')
            str_append_char(out, (char)c);
    }
}

static void append_text(struct str *out, double x, double y, const char *class,
        const char *text, size_t len)
{
    str_printf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
    append_escaped(out, text, len);
    str_append(out, "</text>\n");
}

static const char *const box_classes[] = {[CFG_PLAIN] = "plain",
        [CFG_ENTRY] = "entry",
        [CFG_RETURN] = "return",
        [CFG_RAISE] = "raise"};
static const char *const edge_classes[] = {[CFG_ALWAYS] = "always",
        [CFG_TRUE] = "true",
        [CFG_FALSE] = "false",
        [CFG_CASE] = "always"};

static void append_style(struct str *out)
{
    str_append(out,
            "<style>\n"
            "text{font:12px 'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1c2330;"
            "white-space:pre}\n"
            ".title{font-weight:bold;font-size:13px}\n"
            ".name{font-weight:bold}\n"
            ".port{text-anchor:middle;font-size:11px}\n"
            "rect{stroke-width:1.2}\n"
            ".page{fill:#ffffff;stroke:none}\n"
            ".plain{fill:#f3f5f9;stroke:#7b8798}\n"
            ".entry{fill:#dbe8fb;stroke:#2f6fc4}\n"
            ".return{fill:#dff3e1;stroke:#2e8540}\n"
            ".raise{fill:#fde4dc;stroke:#c0392b}\n"
            "path{fill:none;stroke-width:1.5}\n"
            "path.always{stroke:#56637a}\n"
            "path.true{stroke:#2e8540}\n"
            "path.false{stroke:#c0392b}\n"
            "</style>\n");
}

static void append_marker(struct str *out, const char *class, const char *color)
{
    str_printf(out,
            "<marker id=\"arrow-%s\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
            "markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">"
            "<path d=\"M0 0L8 4L0 8z\" style=\"fill:%s;stroke:none\"/></marker>\n",
            class, color);
}

static void append_lines(struct str *out, const struct cfg_node *node)
{
    double x = node->x + CFG_PADDING, y = node->y + CFG_PADDING + 11;
    str_printf(out, "<text class=\"name\" x=\"%.1f\" y=\"%.1f\">", x, y);
    append_escaped(out, node->name, strlen(node->name));
    str_append(out, ":</text>\n");
    vec_each (line, &node->lines) {
        const char *rest = *line;
        size_t left = strlen(rest);
        bool is_first = true;
        while (left) {
            size_t len = left > CFG_MAX_COLUMNS ? CFG_MAX_COLUMNS : left;
            y += CFG_LINE_HEIGHT;
            append_text(out, is_first ? x : x + 4 * CFG_CHARACTER_WIDTH, y, "code", rest,
                    len);
            rest += len;
            left -= len;
            is_first = false;
        }
    }
}

static void append_ports(struct str *out, const struct cfg *cfg, int index)
{
    const struct cfg_node *node = &cfg->nodes.items[index];
    if (node->port_count < 2)
        return;
    double line = node->y + node->height - CFG_LINE_HEIGHT - 6;
    str_printf(out,
            "<path class=\"always\" style=\"stroke-width:0.6\" d=\"M%.1f %.1fH%.1f\"/>\n",
            node->x, line, node->x + node->width);
    vec_each (edge, &cfg->edges)
        if (edge->from == index) {
            double x = node->x + node->width * (edge->port + 0.5) / node->port_count;
            append_text(out, x, node->y + node->height - 6, "port", edge->label,
                    strlen(edge->label));
        }
}

static void append_node(struct str *out, const struct cfg *cfg, int index)
{
    const struct cfg_node *node = &cfg->nodes.items[index];
    str_printf(out,
            "<g><title>%s</title><rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
            "height=\"%.1f\" rx=\"4\"/>\n",
            box_classes[node->kind], box_classes[node->kind], node->x, node->y,
            node->width, node->height);
    append_lines(out, node);
    append_ports(out, cfg, index);
    str_append(out, "</g>\n");
}

// Forward edges bend smoothly from point to point; back edges run in straight lines.
static void append_edge(struct str *out, const struct cfg_edge *edge)
{
    const struct cfg_point *points = edge->points.items;
    const char *class = edge_classes[edge->branch];
    str_printf(out, "<path class=\"%s\" marker-end=\"url(#arrow-%s)\" d=\"M%.1f %.1f",
            class, class, points[0].x, points[0].y);
    for (size_t i = 1; i < edge->points.len; i++) {
        double middle = (points[i - 1].y + points[i].y) / 2;
        if (edge->is_back || points[i].x == points[i - 1].x)
            str_printf(out, "L%.1f %.1f", points[i].x, points[i].y);
        else
            str_printf(out, "C%.1f %.1f %.1f %.1f %.1f %.1f", points[i - 1].x, middle,
                    points[i].x, middle, points[i].x, points[i].y);
    }
    str_append(out, "\"/>\n");
}

bool cfg_svg(const char *llvm_ir, const char *function, const struct raise_site *sites,
        size_t site_count, struct str *out, struct error *err)
{
    struct cfg cfg;
    if (!cfg_read(&cfg, llvm_ir, function, err))
        return false;
    cfg_name_exits(&cfg, sites, site_count);
    cfg_layout(&cfg);
    double title_width = ((double)strlen(cfg.function) + 10) * 8 + 32;
    double width = cfg.width > title_width ? cfg.width : title_width;
    str_printf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\">\n",
            width, cfg.height, width, cfg.height);
    append_style(out);
    str_append(out, "<defs>\n");
    append_marker(out, "always", "#56637a");
    append_marker(out, "true", "#2e8540");
    append_marker(out, "false", "#c0392b");
    str_append(out, "</defs>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n");
    str_append(out, "<text class=\"title\" x=\"16\" y=\"24\">CFG for '");
    append_escaped(out, cfg.function, strlen(cfg.function));
    str_append(out, "'</text>\n");
    vec_each (edge, &cfg.edges)
        append_edge(out, edge);
    for (size_t i = 0; i < cfg.nodes.len; i++)
        append_node(out, &cfg, (int)i);
    str_append(out, "</svg>\n");
    cfg_finish(&cfg);
    return true;
}
