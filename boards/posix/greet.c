/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/posix/greet.h"

#include "boards/posix/earth.h"
#include "boards/posix/terrain.h"
#include "firmware/state/version.h"
#include "host/base/json.h"
#include "host/config/config_item.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINE_COLUMNS 100u /* a line of the greeting for people, at most */
#define TEXT_BYTES   512u

const char board_version[] = MF_VERSION;

/* Instructions to connect to each kind of link, with its address three times. */
static const char *const k_hint[MF_LINK_KIND_COUNT] = {
    [MF_LINK_TCP] =
        "  tcp %s: MAVSDK tcpout://%s, mavproxy.py --master=tcp:%s, QGroundControl: a TCP link",
    [MF_LINK_TCP_OUT] = "  tcp %s: connects to it, again and again",
    [MF_LINK_UDP] =
        "  udp %s: MAVSDK udpout://%s, mavproxy.py --master=udpout:%s, QGroundControl: a UDP link",
    [MF_LINK_UDP_OUT] = "  udp %s: sends there; a program that listens there sees this drone",
    [MF_LINK_SERIAL] = "  serial %s",
    [MF_LINK_TIME_SOCKET] = "  time %s: controllers of vehicle time",
    [MF_LINK_TIME_SERVER] = "  time %s: connects to this controller of vehicle time",
    [MF_LINK_WORLD] = "  world %s: drones of the same time connect by --time-server",
    [MF_LINK_API] = "  http://%s/: live picture, control API, metrics",
};

/* Bytes of @p text that go into a line of @p room bytes. The line ends behind a comma if one is
 * beyond its first third, else at a blank; a longer word stays whole. */
static size_t line_bytes(const char *text, size_t room)
{
    size_t blank = 0, comma = 0, n = strspn(text, " ");
    for (; (n <= room || blank == 0) && text[n] != '\0'; n++) {
        if (text[n] == ' ') {
            blank = n;
            comma = text[n - 1] == ',' && n > room / 3u ? n : comma;
        }
    }
    return n <= room && text[n] == '\0' ? n : comma > 0 ? comma : blank > 0 ? blank : n;
}

/* Print a text for people, in lines of so many columns; those behind the first are indented. */
static void print_lines(const char *text, size_t columns)
{
    size_t indent = 0;
    do {
        const size_t n = line_bytes(text, columns - indent);
        (void)dprintf(STDERR_FILENO, "%*s%.*s\n", (int)indent, "", (int)n, text);
        text += n + strspn(text + n, " ");
        indent = 4;
    } while (text[0] != '\0');
}

/* Plain lines for people, an event for programs. */
static void say(struct board *b, enum mf_severity severity, size_t columns, const char *format,
                va_list args)
{
    char text[TEXT_BYTES];
    (void)vsnprintf(text, sizeof text, format, args);
    if (b->config.log == MF_LOG_JSON) {
        board_log(b, severity, "start", text + strspn(text, " "));
    } else if (severity <= b->drone[0].log.level) {
        print_lines(text, columns);
    }
}

void board_say(struct board *b, enum mf_severity severity, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(b, severity, TEXT_BYTES, format, args);
    va_end(args);
}

/* Print a part of the greeting, in narrow lines. */
__attribute__((format(printf, 3, 4))) static void greet(struct board *b, enum mf_severity severity,
                                                        const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(b, severity, LINE_COLUMNS, format, args);
    va_end(args);
}

/* Print how to connect to a link; programs read its kind, as the setting is called, and its
 * address. */
static void greet_link(struct board *b, const struct mf_config_link *link, const char *address)
{
    char text[512], fields[256];
    if (b->config.log != MF_LOG_JSON) {
        greet(b, MF_INFO, k_hint[link->kind], address, address, address);
        return;
    }
    (void)snprintf(text, sizeof text, k_hint[link->kind], address, address, address);
    struct mf_json j = mf_json_writer(fields, sizeof fields);
    mf_json_object(&j, NULL);
    mf_json_text(&j, "link", mf_config_items[link->origin.item].key);
    mf_json_text(&j, "address", address);
    const struct mf_log_event event = {.severity = MF_INFO,
                                       .topic = "start",
                                       .text = text + strspn(text, " "),
                                       .fields = fields + 1, /* behind the brace */
                                       .fields_len = j.full ? 0 : j.len - 1};
    mf_log_write(&b->drone[0].log, &event);
}

/* Print the changed settings, so that users do not mistake a drone in wind, with faults or on a
 * fast clock for an ordinary one. */
static void greet_settings(struct board *b)
{
    char text[400] = ""; /* a long list is cut off: --print-config has all */
    FILE *out = fmemopen(text, sizeof text - 1, "w");
    if (out == NULL) {
        return;
    }
    const bool any = mf_config_print_given(&b->config, out);
    (void)fclose(out);
    if (any) {
        greet(b, MF_INFO, "  %s", text);
    }
}

/* Print what a person may do next, and how the drone ends. A command that the drone starts is next
 * itself, and ends the drone. */
static void greet_next(struct board *b)
{
    const uint16_t links = b->config.link_count;
    const bool page = links > 0 && b->config.link[links - 1u].kind == MF_LINK_API;
    if (b->exec.command == NULL && b->config.log != MF_LOG_JSON) {
        greet(b, MF_INFO,
              page ? "  Next: open that page, or connect a client as docs/clients.md shows. "
                     "Ctrl-C ends the drone."
                   : "  Next: connect a client as docs/clients.md shows. Ctrl-C ends the "
                     "drone.");
    }
}

void board_greet(struct board *b)
{
    const struct mf_config *c = &b->config;
    char earth[BOARD_EARTH_TEXT];
    greet(b, MF_INFO, "Mayfly " MF_VERSION ", instance %d, system id %d, at %.7f, %.7f, %.2f m",
          (int)c->instance, (int)c->sysid, c->home_lat_deg, c->home_lon_deg, c->home_alt_amsl_m);
    board_earth_text(c, &b->geoid, earth);
    greet(b, MF_INFO, "  %s", earth);
    if (b->terrain.count > 0) {
        board_terrain_text(c, &b->terrain, earth);
        greet(b, MF_INFO, "  %s", earth);
    }
    greet_settings(b);
    for (uint16_t i = 0; i < b->net.port_count; i++) {
        const struct mf_net_port *port = &b->net.memory.ports[i];
        const enum mf_link_kind kind = c->link[i].kind;
        char address[MF_ADDR_TEXT_MAX];
        if (kind == MF_LINK_TCP || kind == MF_LINK_UDP || kind == MF_LINK_TIME_SOCKET ||
            kind == MF_LINK_WORLD || kind == MF_LINK_API) {
            board_reachable_text(port, address);
        } else if (kind == MF_LINK_SERIAL) {
            (void)snprintf(address, sizeof address, "%.50s", port->endpoint.host);
        } else {
            mf_addr_text(&port->endpoint.addr, address);
        }
        if (port->endpoint.named) {
            (void)snprintf(address, sizeof address, "%.50s:%u", port->endpoint.host,
                           port->endpoint.port);
        }
        greet_link(b, &c->link[i], address);
        if (c->link[i].is_shared) {
            greet(b, MF_NOTICE,
                  "  instances 9 and up share that port, as in PX4: --udp-out HOST:PORT gives "
                  "this drone one of its own");
        }
        if (kind == MF_LINK_API && b->server.token[0] == '\0' &&
            !mf_addr_is_loopback(&port->local)) {
            greet(b, MF_WARNING,
                  "  control API: without --api-token it serves only /, /docs, /healthz, /readyz, "
                  "/metrics there");
        }
    }
    greet_next(b);
}
