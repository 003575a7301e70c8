/* SPDX-License-Identifier: Apache-2.0 */
/* Send orders, sticks, TIMESYNC and radio packets to the drones of ghosts; ghosts.c calls it. */
#include "boards/swarm/core/trace.h"
#include "boards/swarm/ghosts/ghost_internal.h"
#include "boards/swarm/ghosts/ghosts.h"
#include "math/trig.h"
#include "mavlink/enums.h"

#include <math.h>

#define STICK_US      20000  /* 50 Hz */
#define STICK_LAST_US 500000 /* sticks are repeated for so long after the last order */
#define ASK_S         1.0

/* Trace a message to the drone of a ghost, at the time of the ghost's turn or of the run. */
static void trace_message(const struct ghost *ghost, const uint8_t *bytes, size_t n)
{
    const struct swarm *w = ghost->of->w;
    const mf_us_t run_us = w->now_us > w->engine.last.at_us ? w->now_us : w->engine.last.at_us;
    const mf_us_t at_us = ghost->look_us > run_us ? ghost->look_us : run_us;
    if (swarm_trace_of(w) != NULL) {
        swarm_trace_carry(swarm_trace_of(w), (uint64_t)at_us * 1000u, true, bytes, n, "%s gets",
                          swarm_name(w, ghost->i).text);
    }
}

int ghost_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct ghost *ghost = ctx;
    if (ghost->link < 0 || ghost->gone) {
        return MF_E_IO;
    }
    struct ghost_link *l = &ghost->of->link[ghost->link];
    const bool known = l->to.kind != MF_PORT_UDP_SERVER || ghost->source >= 0;
    if (l->up && known) {
        trace_message(ghost, bytes, n);
    }
    return ghost_link_write(ghost->of, (uint32_t)ghost->link, ghost->source, bytes, n);
}

/* ---- orders */

static int send_mavlink_order(struct ghost *ghost, uint32_t msgid, const void *msg, uint8_t *result)
{
    *result = MAV_RESULT_UNSUPPORTED;
    if (ghost->link < 0) {
        return MF_E_OK; /* without a link, a ghost takes no orders */
    }
    return ghost->port.sysid != 0 ? mf_port_mavlink_ops.give(&ghost->port, msgid, msg, result)
                                  : MF_E_IO;
}

static int send_order(void *ctx, uint32_t msgid, const void *msg, uint8_t *result)
{
    struct ghost *ghost = ctx;
    if (msgid == MF_MSG_MANUAL_CONTROL && !ghost->bus) {
        ghost->sticks = *(const struct mf_msg_manual_control *)msg;
        ghost->stick_us = ghost->look_us + STICK_US;
        ghost->stick_until_us = ghost->look_us + STICK_LAST_US;
    }
    if (!ghost->bus) {
        return send_mavlink_order(ghost, msgid, msg, result);
    }
    *result = MAV_RESULT_IN_PROGRESS;
    if (!mf_ghost_is_there(&ghost->track, ghost->look_us)) {
        return MF_E_IO;
    }
    const struct swarm_ghosts *g = ghost->of;
    if (g->feeder != NULL && ghost->poses.participant >= 0) {
        g->feeder->command(g->w, ghost->poses.participant, ghost->i, msgid, msg);
    }
    return MF_E_AGAIN;
}

void ghost_repeat_sticks(struct ghost *ghost)
{
    uint8_t result;
    const mf_us_t next_us = ghost->stick_us + STICK_US;
    (void)send_mavlink_order(ghost, MF_MSG_MANUAL_CONTROL, &ghost->sticks, &result);
    ghost->stick_us = next_us <= ghost->stick_until_us ? next_us : MF_NEVER;
}

void ghost_send_timesync(struct ghost *ghost)
{
    const double now_s = swarm_wall_s();
    if (ghost->link < 0 || ghost->steps || now_s - ghost->latency.sent_s < ASK_S) {
        return;
    }
    ghost->latency.sent_s = now_s;
    const struct mf_msg_timesync m = {.ts1 = (int64_t)(now_s * 1e9),
                                      .target_system = ghost->port.sysid,
                                      .target_component = ghost->port.compid};
    (void)mf_port_mavlink_send(&ghost->port, MF_MSG_TIMESYNC, &m);
}

/* ---- state for behaviours */

static int16_t to_centi(double x)
{
    return (int16_t)mf_round_i32(fmin(fmax(x * 100.0, -32767.0), 32767.0));
}

static void get_view(void *ctx, struct mf_order_view *view)
{
    const struct ghost *ghost = ctx;
    *view = ghost->port.view;
    if (ghost->steps) {
        return;
    }
    const struct swarm *w = ghost->of->w;
    const struct mf_pose p = swarm_ghost_get_pose(w, ghost->i, ghost->look_us);
    const double from_m = view->known
                              ? (double)(view->position.alt - view->position.relative_alt) / 1e3
                              : w->scenario->origin[2];
    view->known = mf_ghost_is_there(&ghost->track, ghost->look_us);
    /* the view's time is that of the last sample */
    view->position.time_boot_ms = (uint32_t)(ghost->track.last.at_us / MF_MS_US);
    view->position.lat = mf_round_i32(p.lat_deg * 1e7);
    view->position.lon = mf_round_i32(p.lon_deg * 1e7);
    view->position.alt = mf_round_i32(p.alt_amsl_m * 1e3);
    view->position.relative_alt = mf_round_i32((p.alt_amsl_m - from_m) * 1e3);
    view->position.vx = to_centi((double)p.vel_ned_mps[0]);
    view->position.vy = to_centi((double)p.vel_ned_mps[1]);
    view->position.vz = to_centi((double)p.vel_ned_mps[2]);
    view->position.hdg = (uint16_t)fmod(mf_deg((double)p.yaw_rad) * 100.0 + 36000.5, 36000.0);
}

static int upload_mission(void *ctx, struct mf_msg_mission_item_int *items, uint16_t count,
                          uint8_t *result)
{
    struct ghost *ghost = ctx;
    *result = MAV_MISSION_ERROR;
    return ghost->port.sysid != 0 ? mf_port_mavlink_ops.upload(&ghost->port, items, count, result)
                                  : MF_E_IO;
}

const struct mf_order_ops ghost_order_ops = {send_order, get_view, upload_mission};

/* ---- radio packets */

void swarm_ghost_send(struct swarm *w, uint32_t i, const struct mf_ghost_packet *p)
{
    struct ghost *ghost = swarm_ghost_of(w, i);
    struct mf_msg_tunnel m;
    const int32_t feeder =
        ghost->packets.participant >= 0 ? ghost->packets.participant : ghost->poses.participant;
    if (feeder >= 0) {
        if (swarm_ghosts_of(w)->feeder != NULL) {
            swarm_ghosts_of(w)->feeder->packet(w, feeder, i, p);
        }
        return;
    }
    if (ghost->port.sysid == 0 || mf_ghost_tunnel_write(p, &m) != MF_E_OK) {
        ghost->bad_packets += ghost->port.sysid != 0 ? 1u : 0u;
        return;
    }
    m.target_system = ghost->port.sysid;
    (void)mf_port_mavlink_send(&ghost->port, MF_MSG_TUNNEL, &m);
}
