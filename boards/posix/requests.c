/* SPDX-License-Identifier: Apache-2.0 */
/* Requests to the control API: when they have their turn, and what the API asks of the process. */
#include "boards/posix/api.h"
#include "boards/posix/board.h"
#include "boards/posix/greet.h"
#include "boards/posix/quality.h"
#include "drone/inside.h"
#include "host/config/config_item.h"

#include <string.h>

_Static_assert(sizeof((struct mf_api_port *)NULL)->address == MF_CONFIG_TEXT_MAX,
               "an address fits");
_Static_assert((int)MF_NET_SORT_COUNT == (int)MF_API_PLACES, "every sort of peers has its figures");

const enum mf_pace_mode board_pace_mode[MF_CLOCK_COUNT] = {
#define X(name, word) [MF_CLOCK_##name] = MF_PACE_##name,
    MF_CLOCK_LIST(X)
#undef X
};

static void api_figures(void *ctx, struct mf_api_figures *f)
{
    const struct board_drone *d = ctx;
    const struct board *b = d->board;
    static const char *const k_sort[] = {
#define X(name, spelling) [MF_NET_##name] = (spelling),
        MF_NET_SORT_LIST(X)
#undef X
    };
    *f = (struct mf_api_figures){
        .version = board_version,
        .clock = d->time.clock,
        .rate = d->pace.rate,
        .achieved_rate = d->achieved.rate,
        .behind = d->achieved.behind,
        .late_us = d->pace.late_us,
        .waited_us = d->pace.waited_us,
        .wall_us = mf_monotonic_us() - d->booted_us,
        .utc_us = mf_utc_us(),
        .resident_bytes = board_resident_bytes(),
        .peers_opened = b->peers_came,
        .peers_turned_away = b->net.stats.turned_away - b->net.stats.http_turned_away,
        .http_turned_away = b->net.stats.http_turned_away,
        .peers_dropped = b->net.stats.dropped_slow,
    };
    for (int i = 0; i < MF_NET_SORT_COUNT; i++) {
        const struct mf_net_places *p = &b->net.places[i];
        f->places[i] = (struct mf_api_places){k_sort[i], p->used,
                                              mf_net_places_max(&b->net, (enum mf_net_sort)i),
                                              p->refused, p->displaced};
    }
}

static void api_link(void *ctx, uint16_t link, struct mf_api_link *about)
{
    const struct board_drone *d = ctx;
    const struct board *b = d->board;
    about->port = MF_API_NO_PORT;
    about->transport = "api";
    for (uint16_t i = 0; i < b->net.peer_top && i < BOARD_LINKS; i++) {
        if (b->peer[i].drone == d && mf_drone_link(d->object, i) == (int)link) {
            about->port = b->peer[i].port;
            about->transport = mf_port_kind_name(b->endpoint[b->peer[i].port].kind);
            about->queued = mf_queue_used(&b->net.memory.peers[i].queue);
            about->quality = mf_drone_quality(d->object, i);
        }
    }
}

static int api_set_clock(void *ctx, const char *word, double rate)
{
    struct board_drone *d = ctx;
    const int kind = mf_clock_find(word);
    if (kind < 0) {
        return MF_E_RANGE;
    }
    if (d->pace.granted && kind != MF_CLOCK_LOCKSTEP) {
        return MF_E_DENIED;
    }
    mf_pace_change(&d->pace, board_pace_mode[kind], rate, mf_monotonic_us());
    mf_achieved_start(&d->achieved, &d->pace, mf_monotonic_us());
    d->time.lockstep = kind == MF_CLOCK_LOCKSTEP;
    d->time.clock = mf_clock_name[kind];
    return MF_E_OK;
}

/* Name of a kind of link in the configuration. */
static const char *kind_of(enum mf_link_kind kind)
{
    for (int i = 0; i < MF_CONFIG_ITEM_COUNT; i++) {
        const struct mf_config_item *item = &mf_config_items[i];
        if (item->type == MF_TYPE_LINK && (enum mf_link_kind)item->low == kind) {
            return item->key;
        }
    }
    return "";
}

static int api_port(void *ctx, uint16_t port, struct mf_api_port *about)
{
    const struct board *b = ((const struct board_drone *)ctx)->board;
    if (port >= b->net.port_count) {
        return MF_E_NOENT;
    }
    const struct mf_config_link *link = &b->config.link[port];
    const bool listens = link->kind == MF_LINK_TCP || link->kind == MF_LINK_UDP;
    if (!listens && link->kind != MF_LINK_TCP_OUT && link->kind != MF_LINK_UDP_OUT &&
        link->kind != MF_LINK_SERIAL) {
        return MF_E_NOSUPP;
    }
    about->kind = kind_of(link->kind);
    about->quality = mf_config_quality(&b->config, link);
    memcpy(about->address, link->address, sizeof about->address);
    if (listens) {
        board_reachable_text(&b->net.memory.ports[port], about->address);
    }
    return MF_E_OK;
}

static void api_set_quality(void *ctx, uint16_t port, const struct mf_link_quality *quality)
{
    board_quality_set(ctx, port, quality);
}

static int api_command(void *ctx, struct mf_msg_command_int *m, struct mf_msg_command_ack *ack)
{
    struct board_drone *d = ctx;
    mf_drone_catch_up(d->object, mf_monotonic_us());
    return mf_inside_command(d->memory.inside, d->object, m, ack);
}

static int api_upload(void *ctx, uint8_t type, struct mf_msg_mission_item_int *items,
                      uint16_t count, uint8_t *result)
{
    struct board_drone *d = ctx;
    mf_drone_catch_up(d->object, mf_monotonic_us());
    return mf_inside_upload(d->memory.inside, d->object, type, items, count, result);
}

static int api_set_param(void *ctx, struct mf_msg_param_set *m, uint8_t *error,
                         struct mf_msg_param_value *now)
{
    struct board_drone *d = ctx;
    mf_drone_catch_up(d->object, mf_monotonic_us());
    return mf_inside_set_param(d->memory.inside, d->object, m, error, now);
}

const struct mf_api_ops board_api_ops = {api_figures, api_link,        api_set_clock,
                                         api_port,    api_set_quality, api_command,
                                         api_upload,  api_set_param};

mf_us_t board_serve_requests(struct board *b)
{
    if (b->server.http == NULL) {
        return MF_NEVER;
    }
    b->http.utc_us = mf_utc_us();
    const mf_us_t due_us = mf_api_turn(&b->server, mf_monotonic_us());
    for (int done = mf_http_done(&b->http); done >= 0; done = mf_http_done(&b->http)) {
        mf_http_close(&b->http, (uint16_t)done);
        mf_net_drop(&b->net, (uint16_t)done, NULL);
    }
    return due_us;
}
