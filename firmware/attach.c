/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/attach.h"

#include "firmware/core/param.h"
#include "firmware/flight/news.h"
#include "firmware/link/barrier.h"
#include "firmware/link/link.h"
#include "firmware/protocol/ftp.h"
#include "firmware/protocol/mission_io.h"
#include "firmware/protocol/shell.h"
#include "firmware/report/stream.h"
#include "firmware/state/vehicle.h"
#include "firmware/vehicle.h"

/* The lowest free place: passes look at the links below the highest open one only. */
static int find_free(struct mf_vehicle *v)
{
    for (uint16_t i = 0; i < v->links_top; i++) {
        if (!v->links[i].open) {
            return i;
        }
    }
    /* The lowest free one: a pass looks at no more links than were ever open at once. */
    return v->links_top < v->link_count ? v->links_top++ : MF_E_FULL;
}

int mf_link_open(struct mf_vehicle *v, const struct mf_serial *serial, const char *name,
                 const int32_t *interval_us)
{
    MF_ASSERT(interval_us != NULL);
    mf_vehicle_catch_up(v);
    (void)mf_vehicle_step(v); /* the vehicle may not have read the clock for hours */
    const int index = find_free(v);
    if (index < 0) {
        return index;
    }
    struct mf_link *link = &v->links[index];
    const uint8_t version = mf_param_i(&v->params, MF_PARAM_MAV_PROTO_VER) == 1 ? 1 : 2;
    mf_link_init(link, serial, name, version);
    mf_barrier_clear(v, link);
    /* The slot was another client's: nothing of it may show here. */
    mf_shell_close(v, link);
    v->links_open++;
    mf_log_event(&v->hal, v->now.vehicle_us, MF_INFO, "link", link->name);
    /* HEARTBEAT first: clients on TCP ask for nothing before it. */
    mf_heartbeat_start(v, link);
    mf_stream_start(v, link, interval_us, v->now.vehicle_us);
    return index;
}

struct mf_serial *mf_link_serial(struct mf_vehicle *v, int index)
{
    MF_ASSERT(index >= 0 && index < v->links_top && v->links[index].open);
    return &v->links[index].serial;
}

/* The place is free at once; a transfer or a file of this link would answer on the next one's. */
void mf_link_close(struct mf_vehicle *v, int index)
{
    MF_ASSERT(index >= 0 && index < v->links_top && v->links[index].open);
    struct mf_link *link = &v->links[index];
    /* a client that is gone must not cause a refusal of the next one */
    mf_mission_link_closed(v, link);
    if (v->ftp != NULL) {
        mf_ftp_link_closed(v->ftp, (uint16_t)index);
    }
    link->open = false;
    MF_ASSERT(v->links_open > 0);
    v->links_open--;
    /* the pool's used part shrinks, so that a pass takes as little time as before the clients
     * came */
    while (v->links_top > 0 && !v->links[v->links_top - 1].open) {
        v->links_top--;
    }
    mf_link_log(&v->hal, link, v->now.vehicle_us);
}

void mf_vehicle_link(struct mf_link *link, const struct mf_serial *serial, const char *name)
{
    mf_link_init(link, serial, name, 2);
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        link->stream.interval_us[i] = MF_STREAM_OFF;
    }
    link->stream.next_us = MF_NEVER;
}

void mf_vehicle_watch(struct mf_vehicle *v, struct mf_journal *journal,
                      const struct mf_log_ops *log, void *log_ctx)
{
    MF_ASSERT(v != NULL && log != NULL);
    v->journal = journal;
    v->hal.log = log;
    v->hal.log_ctx = log_ctx;
}

void mf_vehicle_hand(struct mf_vehicle *v, struct mf_link *link)
{
    MF_ASSERT(v->links_open == (link == NULL ? 1u : 0u));
    MF_ASSERT(link == NULL || (link->open && v->link_count == 0));
    if (link == NULL) { /* what it has begun must not answer on the next vehicle's */
        mf_mission_link_closed(v, v->links);
    }
    v->links = link;
    v->link_count = v->links_top = v->links_open = link == NULL ? 0 : 1;
}
