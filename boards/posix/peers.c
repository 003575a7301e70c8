/* SPDX-License-Identifier: Apache-2.0 */
/* Peers of the network: which of them are links of the vehicle, and who serves the others. */
#include "boards/posix/board.h"
#include "boards/posix/quality.h"

#include <stdio.h>
#include <string.h>

static void on_note(void *ctx, enum mf_severity severity, const char *text)
{
    board_log(ctx, severity, "net", text);
}

/* The drone whose link a configured one is. */
static struct board_drone *drone_of(struct board *b, uint16_t port)
{
    MF_ASSERT(port < BOARD_PORTS && BOARD_DRONES == 1); /* more need a setting that says which */
    return &b->drone[0];
}

static const char *on_opened(void *ctx, uint16_t index, uint16_t port,
                             const struct mf_serial *serial, const char *name)
{
    struct board *b = ctx;
    const enum mf_link_kind kind = b->config.link[port].kind;
    if (kind == MF_LINK_API) {
        const bool local = mf_addr_is_loopback(&b->net.memory.ports[port].local);
        return mf_http_open(&b->http, index, serial, local, b->net.now_us) ? NULL
                                                                           : "too many connections";
    }
    struct board_drone *d = drone_of(b, port);
    if (kind == MF_LINK_WORLD) {
        return board_virtual_drone_came(b, index, serial) ? NULL : "there are too many drones";
    }
    if (kind == MF_LINK_TIME_SOCKET || kind == MF_LINK_TIME_SERVER) {
        return mf_time_control_open(&d->time, index, serial) ? NULL
                                                             : "there are too many controllers";
    }
    struct board_peer *peer = &b->peer[index];
    const struct mf_config_link *link = &b->config.link[port];
    const char *device = kind == MF_LINK_SERIAL ? link->address : "";
    struct mf_drone_link about = {.serial = *serial,
                                  .name = peer->name,
                                  .interval_us = board_intervals(port),
                                  .number = index,
                                  .port = port,
                                  .quality = mf_config_quality(&b->config, link)};
    about.serial.isolated = !(link->forward >= 0 ? link->forward != 0 : b->config.forward);
    about.serial.usb = strstr(device, "ttyACM") != NULL || strstr(device, "ttyGS") != NULL;
    (void)snprintf(peer->name, sizeof peer->name, "%s", name);
    mf_drone_catch_up(d->object, mf_monotonic_us()); /* the last pass may be hours ago */
    const int result = mf_drone_open(d->object, &about);
    peer->port = port;
    peer->drone = result >= 0 ? d : NULL;
    b->peers_came += result >= 0;
    return result >= 0            ? NULL
           : result == MF_E_AGAIN ? "disconnected, as link_quality says"
                                  : "no link is free";
}

static void on_closed(void *ctx, uint16_t index)
{
    struct board *b = ctx;
    if (index >= BOARD_LINKS) {
        mf_http_close(&b->http, index);
        return;
    }
    board_virtual_drone_left(b, index);
    for (size_t i = 0; i < BOARD_DRONES; i++) {
        mf_time_control_close(&b->drone[i].time, index);
    }
    struct board_drone *d = b->peer[index].drone;
    if (d == NULL) {
        return;
    }
    board_quality_log(d, index);
    if (!d->ended) {
        mf_api_link_closing(&b->api[d->index], mf_drone_link(d->object, index));
        mf_drone_close(d->object, index);
        b->peers_went++;
        b->peer[index].drone = NULL;
    }
}

static bool is_silent(void *ctx, uint16_t index)
{
    const struct board *b = ctx;
    const struct board_drone *d = b->peer[index].drone;
    return d != NULL && !mf_drone_hears(d->object, index);
}

const struct mf_net_events board_net_events = {on_opened, on_closed, on_note, is_silent};
