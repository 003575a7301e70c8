/* SPDX-License-Identifier: Apache-2.0 */
/* Decode records of links and of the bus into samples, states and radio packets; ghosts.c calls it.
 */
#include "boards/swarm/core/trace.h"
#include "boards/swarm/ghosts/ghost_internal.h"
#include "boards/swarm/ghosts/ghosts.h"
#include "boards/swarm/minds/minds.h"
#include "boards/swarm/radio/radio.h"

#include <math.h>
#include <string.h>

#define EVENT(name) (1u << MF_SCENARIO_EVENT_##name)

/* ---- events */

static void print_event(const struct ghost *ghost, mf_us_t at_us, const char *what)
{
    (void)fprintf(stderr, "mayfly-swarm: %s: %s at %.3f s\n",
                  swarm_name(ghost->of->w, ghost->i).text, what,
                  (double)(at_us > 0 ? at_us : 0) / 1e6);
}

void ghost_report_events(struct ghost *ghost, mf_us_t at_us, uint32_t more)
{
    struct swarm *w = ghost->of->w;
    struct mf_crowd_state now = swarm_ghost_get_state(w, ghost->i);
    now.at_us = at_us > 0 ? at_us : 0;
    const uint32_t events = swarm_events(&ghost->shown, &now) | more;
    if (events != 0) {
        swarm_systems_changed(w, &(struct swarm_change){0, ghost->i, events, &ghost->shown, &now});
    }
    ghost->shown = now;
}

/* Forget the drone's address and system: a drone that reconnects may have a new address, and must
 * be configured again. */
static void reset_drone(struct ghost *ghost)
{
    ghost->port.sysid = 0;
    ghost->source = -1;
    ghost->mocap_source = -1;
}

void ghost_expire(struct ghost *ghost, mf_us_t at_us)
{
    const mf_us_t lost_us = mf_ghost_lost_at(&ghost->track);
    if (!ghost->steps && mf_ghost_expire(&ghost->track, at_us)) {
        reset_drone(ghost);
        ghost->at_us = lost_us;
        print_event(ghost, lost_us, "is lost");
        ghost_report_events(ghost, lost_us, EVENT(LOST));
    }
}

static void apply_sample(struct ghost *ghost, const struct mf_ghost_sample *s)
{
    const bool lost = ghost->track.lost;
    ghost->at_us = s->at_us;
    if (mf_ghost_take(&ghost->track, s) != MF_E_OK) {
        if (!ghost->reported_refused) {
            print_event(ghost, s->at_us,
                        "its place is refused, as speed_max or the world does not allow it,");
        }
        ghost->reported_refused = true;
        return;
    }
    if (lost) {
        print_event(ghost, s->at_us, ghost->track.losses > 0 ? "is back" : "is there");
        ghost_report_events(ghost, s->at_us, EVENT(FOUND));
        swarm_mind_return(ghost->of->w, ghost->i, ghost->port.view.armed);
    }
}

/* Report that a drone in lockstep is found again, at its first position after a loss. */
static void report_return(struct ghost *ghost, mf_us_t at_us)
{
    ghost->gone = false;
    print_event(ghost, at_us, "is back");
    ghost_report_events(ghost, at_us, EVENT(FOUND));
    swarm_mind_return(ghost->of->w, ghost->i, ghost->port.view.armed);
}

/* ---- frames */

/* True if a frame's sender is not the known one: a second sender has the same system id. Its frames
 * are counted and dropped. */
static bool is_second_sender(struct ghost *ghost, int32_t known, int32_t source, mf_us_t at_us)
{
    if (known < 0 || known == source) {
        return false;
    }
    ghost->doubles++;
    if (!ghost->reported_double) {
        print_event(ghost, at_us, "a second sender has the same system id and is ignored,");
    }
    ghost->reported_double = true;
    return true;
}

static void receive_timesync(struct ghost *ghost, const struct mf_msg_timesync *m)
{
    struct ghost_latency *l = &ghost->latency;
    if (m->tc1 == 0 || m->ts1 != (int64_t)(l->sent_s * 1e9) || ghost->of->replays) {
        return;
    }
    l->last_s = swarm_wall_s() - l->sent_s;
    l->sum_s += l->last_s;
    l->most_s = fmax(l->most_s, l->last_s);
    l->count++;
}

static void receive_tunnel(struct ghost *ghost, const struct mf_msg_tunnel *m)
{
    struct mf_ghost_packet p;
    const char *why = mf_ghost_tunnel_read(m, &p);
    if (why == NULL) {
        why = swarm_radio_enter(ghost->of->w, ghost->i, &p, ghost->at_us);
    }
    if (why != NULL && why[0] != '\0') {
        if (ghost->bad_packets++ == 0) {
            print_event(ghost, ghost->at_us, why);
        }
    }
}

static void receive_from_drone(struct ghost *ghost, int32_t source, const struct mf_frame *f,
                               mf_us_t at_us)
{
    union mf_msg m;
    struct mf_ghost_sample s;
    const bool known = ghost->port.sysid != 0;
    if ((known && f->sysid == ghost->port.sysid &&
         is_second_sender(ghost, ghost->source, source, at_us)) ||
        !mf_port_mavlink_hear(&ghost->port, f)) {
        return;
    }
    ghost->source = source;
    if (ghost->of->tap != NULL) {
        ghost->of->tap(ghost->of->w, ghost->i, at_us, f->raw, f->raw_len);
    }
    if (!known) {
        const float period_us = (float)mf_behaviour_period_us(&ghost->e->behaviour);
        (void)mf_port_mavlink_stream(&ghost->port, MF_MSG_GLOBAL_POSITION_INT, period_us);
    }
    mf_msg_unpack(f->info, f->payload, f->len, &m);
    ghost->at_us = at_us > ghost->at_us ? at_us : ghost->at_us;
    switch (f->info->id) {
    case MF_MSG_GLOBAL_POSITION_INT:
        if (ghost->mocap < 0 && !ghost->steps) {
            mf_ghost_from_position(&m.global_position_int, ghost->of->w->scenario->origin, at_us,
                                   &s);
            apply_sample(ghost, &s);
        }
        if (ghost->gone) {
            report_return(ghost, at_us);
        }
        break;
    case MF_MSG_TIMESYNC:
        receive_timesync(ghost, &m.timesync);
        break;
    case MF_MSG_TUNNEL:
        receive_tunnel(ghost, &m.tunnel);
        break;
    default:
        break;
    }
}

static void receive_mocap(struct ghost *ghost, int32_t source, const struct mf_frame *f,
                          mf_us_t at_us)
{
    union mf_msg m;
    struct mf_ghost_sample s;
    if (f->info->id != MF_MSG_ATT_POS_MOCAP ||
        (ghost->mocap_system != 0 && f->sysid != ghost->mocap_system) ||
        is_second_sender(ghost, ghost->mocap_source, source, at_us)) {
        return;
    }
    ghost->mocap_source = source;
    mf_msg_unpack(f->info, f->payload, f->len, &m);
    mf_ghost_from_mocap(&m.att_pos_mocap, at_us, &s);
    apply_sample(ghost, &s);
}

static void receive_frame(struct swarm_ghosts *g, const struct ghost_record *r,
                          const struct mf_frame *f)
{
    for (uint32_t k = 0; k < g->count; k++) {
        struct ghost *ghost = &g->ghost[k];
        if (ghost->link == (int32_t)r->link) {
            receive_from_drone(ghost, r->source, f, r->at_us);
        }
        if (ghost->mocap == (int32_t)r->link) {
            receive_mocap(ghost, r->source, f, r->at_us);
        }
    }
}

static void receive_bytes(struct swarm_ghosts *g, const struct ghost_record *r)
{
    struct ghost_link *l = &g->link[r->link];
    struct mf_frame frame;
    if (l->to.kind == MF_PORT_UDP_SERVER || l->to.kind == MF_PORT_UDP_CLIENT) {
        memset(&l->parser, 0, sizeof l->parser); /* a frame never spans two datagrams */
    }
    for (uint32_t at = 0; at < r->n;) {
        at += (uint32_t)mf_parser_feed(&l->parser, r->bytes + at, r->n - at);
        while (mf_parser_next(&l->parser, &frame)) {
            if (frame.info != NULL) {
                receive_frame(g, r, &frame);
            }
        }
    }
}

/* ---- records */

/* End the time of a ghost in lockstep when its link goes down, and continue it when the link is up.
 */
static void change_lockstep(struct ghost *ghost, mf_us_t at_us, bool up)
{
    if (up && ghost->away) {
        ghost->away = false;
        ghost->returns = true;
        ghost->at_us = ghost->due_us = at_us;
    } else if (!up) {
        ghost->gone = ghost->away = true;
        ghost->returns = false;
        ghost->due_us = MF_NEVER;
        ghost->track.losses++;
        ghost_report_events(ghost, at_us, EVENT(LOST));
    }
}

static void change_link(struct swarm_ghosts *g, const struct ghost_record *r)
{
    struct ghost_link *l = &g->link[r->link];
    l->up = r->type == GHOST_UP;
    memset(&l->parser, 0, sizeof l->parser);
    for (uint32_t k = 0; k < g->count; k++) {
        struct ghost *ghost = &g->ghost[k];
        if (ghost->link != (int32_t)r->link) {
            continue;
        }
        if (!l->up && !ghost->away) {
            print_event(ghost, r->at_us, "its link has closed");
            reset_drone(ghost);
        }
        if (ghost->steps && ghost->process == NULL && l->up == ghost->away) {
            change_lockstep(ghost, r->at_us, l->up);
        }
    }
}

/* Take over a pose or a packet from the bus. The record begins with the member's number, 4 bytes.
 */
static void receive_from_bus(struct swarm_ghosts *g, const struct ghost_record *r)
{
    uint32_t i;
    memcpy(&i, r->bytes, sizeof i);
    struct ghost *ghost = swarm_ghost_of(g->w, i);
    ghost->at_us = r->at_us;
    if (r->type == GHOST_POSE) {
        struct mf_ghost_sample s;
        MF_ASSERT(r->n == sizeof i + sizeof s);
        memcpy(&s, r->bytes + sizeof i, sizeof s);
        s.at_us = r->at_us;
        apply_sample(ghost, &s);
        return;
    }
    struct mf_ghost_packet p;
    memcpy(&p, r->bytes + sizeof i, sizeof p);
    p.bytes = r->bytes + sizeof i + sizeof p;
    const char *why = swarm_radio_enter(g->w, i, &p, r->at_us);
    if (why != NULL && ghost->bad_packets++ == 0) {
        print_event(ghost, r->at_us, why);
    }
}

/* Trace what a link says; outside/bus.c traces frames of the bus. */
static void trace_record(const struct swarm_ghosts *g, const struct ghost_record *r)
{
    const uint64_t at_ns = r->at_us > 0 ? (uint64_t)r->at_us * 1000u : 0;
    if (r->type == GHOST_BYTES) {
        const enum mf_port_kind kind = g->link[r->link].to.kind;
        swarm_trace_carry(swarm_trace_of(g->w), at_ns,
                          kind == MF_PORT_UDP_SERVER || kind == MF_PORT_UDP_CLIENT, r->bytes, r->n,
                          "ghosts' link %u sends", (unsigned)r->link);
    } else if (r->type == GHOST_UP || r->type == GHOST_DOWN) {
        swarm_trace(swarm_trace_of(g->w), at_ns, "ghosts' link %u is %s", (unsigned)r->link,
                    r->type == GHOST_UP ? "up" : "down");
    }
}

void ghost_deliver(struct swarm_ghosts *g, const struct ghost_record *r)
{
    trace_record(g, r);
    switch (r->type) {
    case GHOST_BYTES:
        receive_bytes(g, r);
        break;
    case GHOST_UP:
    case GHOST_DOWN:
        change_link(g, r);
        break;
    default:
        receive_from_bus(g, r);
        return;
    }
    for (uint32_t k = 0; k < g->count; k++) {
        struct ghost *ghost = &g->ghost[k];
        if (ghost->link == (int32_t)r->link && !ghost->steps) {
            ghost_report_events(ghost, r->at_us, 0);
        }
    }
}

void swarm_ghosts_set_tap(struct swarm *w, swarm_ghost_tap_fn *tap)
{
    if (swarm_ghosts_of(w) != NULL) {
        swarm_ghosts_of(w)->tap = tap;
    }
}
