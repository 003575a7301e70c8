/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/vehicle.h"

#include "firmware/core/param.h"
#include "firmware/core/tasks.h"
#include "firmware/flight/calibration.h"
#include "firmware/flight/commander.h"
#include "firmware/flight/control_inputs.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/failsafe.h"
#include "firmware/flight/fence.h"
#include "firmware/flight/gcs.h"
#include "firmware/flight/health.h"
#include "firmware/flight/mission.h"
#include "firmware/flight/navigator.h"
#include "firmware/flight/news.h"
#include "firmware/flight/state.h"
#include "firmware/link/barrier.h"
#include "firmware/link/route.h"
#include "firmware/link/signing.h"
#include "firmware/peers.h"
#include "firmware/protocol/download.h"
#include "firmware/protocol/ftp.h"
#include "firmware/protocol/ftp_io.h"
#include "firmware/protocol/mission_io.h"
#include "firmware/protocol/param_change.h"
#include "firmware/protocol/param_io.h"
#include "firmware/protocol/receive.h"
#include "firmware/protocol/shell.h"
#include "firmware/report/logger.h"
#include "firmware/report/stream.h"
#include "firmware/state/vehicle.h"

#include <string.h>

enum clock { CLOCK_VEHICLE, CLOCK_TRANSPORT, CLOCK_COUNT };
enum kind { KIND_ESSENTIAL, KIND_PERIODIC };

static const struct {
    mf_us_t (*run)(struct mf_vehicle *v, mf_us_t due_us);
    enum kind kind;
} k_task[MF_TASK_COUNT] = {
#define X(name, entry, clock, kind) {entry, KIND_##kind},
    MF_TASK_LIST(X)
#undef X
};

/* The list has the tasks of vehicle time first, so that those of one clock are a range. */
#define X(name, entry, clock, kind) +(CLOCK_##clock == CLOCK_VEHICLE ? 1 : 0)
enum { VEHICLE_TASKS = 0 MF_TASK_LIST(X) };
#undef X
#define X(name, entry, clock, kind)                                                                \
    _Static_assert((CLOCK_##clock == CLOCK_VEHICLE) == ((int)MF_TASK_##name < (int)VEHICLE_TASKS), \
                   #name);
MF_TASK_LIST(X)
#undef X

static int first_of(enum clock clock)
{
    return clock == CLOCK_VEHICLE ? 0 : (int)VEHICLE_TASKS;
}

static int end_of(enum clock clock)
{
    return clock == CLOCK_VEHICLE ? (int)VEHICLE_TASKS : (int)MF_TASK_COUNT;
}

/* A vehicle that boots in the air is falling: its motors are off. */
static void begin_on_ground_or_fall(struct mf_vehicle *v)
{
    struct mf_pose pose;
    const bool body = mf_airframe_sample(&v->hal, v->now.vehicle_us, &pose) == MF_E_OK;
    if (body && !pose.on_ground) {
        mf_state_init(&v->commander, MF_LANDED_IN_AIR);
        mf_navigator_fall(v, v->now.vehicle_us);
    }
}

int mf_vehicle_init(struct mf_vehicle *v, const struct mf_setup *setup)
{
    MF_ASSERT(v != NULL && setup != NULL && (setup->links != NULL || setup->link_count == 0));
    /* 0 means all, and ground stations use 255 for themselves */
    if (setup->sysid == 0 || setup->sysid == 255 || setup->compid == 0 || setup->compid == 255) {
        return MF_E_RANGE;
    }
    /* Padding, too: two vehicles with one history are alike in every byte. */
    memset(v, 0, sizeof *v);
    v->hal = setup->hal;
    v->links = setup->links;
    v->shells = setup->shells;
    v->barriers = setup->barriers;
    v->signing = setup->signing;
    v->ftp = setup->ftp;
    v->link_count = setup->link_count;
    v->sysid = setup->sysid;
    v->compid = setup->compid;
    v->uid = setup->uid;
    v->options = setup->options;
    v->journal = setup->journal;
    if (v->journal != NULL) {
        memset(v->journal, 0, sizeof *v->journal);
    }
    v->remote_id.card = setup->remote_id;
    mf_state_init(&v->commander, MF_LANDED_ON_GROUND);
    mf_failsafe_clear(&v->failsafe);
    mf_navigator_init(&v->navigator);
    mf_fence_init(&v->fence);
    mf_inputs_init(&v->inputs);
    mf_estimate_expire(&v->estimate);
    if (v->ftp != NULL) {
        mf_ftp_reset(v->ftp, &v->hal);
    }
    for (int i = 0; i < MF_TASK_COUNT; i++) {
        v->due_us[i] = MF_NEVER;
    }
    v->now = mf_clock_read(&v->hal);
    v->instant_us = v->now.vehicle_us;
    mf_param_reset(&v->params, &v->options);
    (void)mf_param_load(&v->params, &v->options, &v->hal);
    mf_vehicle_set_launched(v);
    mf_gcs_init(&v->gcs);
    mf_signing_init(v->signing, &v->hal, &v->now, setup->utc_us);
    mf_mission_load(v);
    /* before the health task, whose result depends on whether the body flies */
    begin_on_ground_or_fall(v);
    v->due_us[MF_TASK_HEALTH] = mf_health_run(v, v->now.vehicle_us);
    return MF_E_OK;
}

/* The task on @p clock that is due first; at the same time the first of the list. @return
 * MF_TASK_COUNT if none is due */
static int due_first(const struct mf_vehicle *v, enum clock clock, mf_us_t now_us)
{
    int first = MF_TASK_COUNT;
    mf_us_t first_us = MF_NEVER;
    for (int i = first_of(clock); i < end_of(clock); i++) {
        /* Less, not equal: at one instant the order of the list decides, and runs repeat. */
        if (v->due_us[i] <= now_us && v->due_us[i] < first_us) {
            first = i;
            first_us = v->due_us[i];
        }
    }
    return first;
}

static void run_due(struct mf_vehicle *v, enum clock clock, mf_us_t now_us)
{
    for (int i = due_first(v, clock, now_us); i < MF_TASK_COUNT; i = due_first(v, clock, now_us)) {
        const mf_us_t due_us = v->due_us[i];
        /* A task of transport time does not have a due time on the vehicle's clock: it acts now. */
        v->instant_us = clock == CLOCK_VEHICLE ? due_us : v->now.vehicle_us;
        v->due_us[i] =
            /* so that the task, and functions that it calls, can request an earlier time than it
             * returns */
            MF_NEVER;
        mf_wake_at(v, (enum mf_task)i, k_task[i].run(v, due_us));
        v->counters.tasks++;
    }
}

static void run_all_due(struct mf_vehicle *v)
{
    /* Events come before reports of silence. */
    run_due(v, CLOCK_VEHICLE, v->now.vehicle_us);
    run_due(v, CLOCK_TRANSPORT, v->now.transport_us);
}

static mf_us_t earliest(const struct mf_vehicle *v, enum clock clock, enum kind kind)
{
    mf_us_t at_us = MF_NEVER;
    for (int i = first_of(clock); i < end_of(clock); i++) {
        if (k_task[i].kind == kind && v->due_us[i] < at_us) {
            at_us = v->due_us[i];
        }
    }
    return at_us;
}

void mf_vehicle_catch_up(struct mf_vehicle *v)
{
    const struct mf_now now = mf_clock_read(&v->hal);
    MF_ASSERT(now.vehicle_us >= v->now.vehicle_us && now.transport_us >= v->now.transport_us);
    v->now = now;
    run_all_due(v);
    v->instant_us = now.vehicle_us;
}

void mf_vehicle_jump_to(struct mf_vehicle *v, mf_us_t at_us)
{
    MF_ASSERT(at_us >= v->now.vehicle_us);
    v->instant_us = at_us;
    /* Streams and the log show the instant of the jump; the HEARTBEATs in between are left out,
     * since the last one represents them. */
    if (v->due_us[MF_TASK_STREAMS] <= at_us) {
        v->due_us[MF_TASK_STREAMS] = MF_NEVER;
        mf_wake_at(v, MF_TASK_STREAMS, mf_streams_run(v, at_us));
    }
    if (v->due_us[MF_TASK_LOGGER] <= at_us) {
        v->due_us[MF_TASK_LOGGER] = MF_NEVER;
        mf_wake_at(v, MF_TASK_LOGGER, mf_logger_run(v, at_us));
    }
    if (v->due_us[MF_TASK_HEARTBEAT] < at_us) {
        v->due_us[MF_TASK_HEARTBEAT] = at_us;
    }
}

bool mf_vehicle_moving(const struct mf_vehicle *v)
{
    const struct mf_commander *c = &v->commander;
    MF_ASSERT(c->armed || c->disarm_us == MF_NEVER);
    const bool disarms = c->armed && c->took_off && c->disarm_us != MF_NEVER;
    const bool acts = c->armed && v->failsafe.act_us != MF_NEVER;
    const bool begins = v->navigator.begin && c->armed;
    /* A client that steers decides on the next event, so a clock must wait for it, however fast it
     * may run. */
    return !mf_navigator_steered(v) &&
           (v->navigator.phase != MF_NAV_IDLE || begins || disarms || acts);
}

bool mf_vehicle_busy(const struct mf_vehicle *v)
{
    bool lists = false;
    for (uint16_t i = 0; i < v->links_top; i++) {
        lists = lists || (v->links[i].open && (v->links[i].param_next < MF_PARAM_COUNT ||
                                               mf_shell_busy(v, &v->links[i])));
    }
    return lists || v->transfer.state != MF_TRANSFER_IDLE ||
           (v->ftp != NULL && mf_ftp_busy(v->ftp)) || mf_download_busy(v);
}

int mf_message(struct mf_vehicle *v, int link, struct mf_address from, uint32_t msgid,
               const void *msg)
{
    MF_ASSERT(link >= 0 && link < v->links_top && v->links[link].open);
    struct mf_link *on = &v->links[link];
    const struct mf_peer peer = {on, from.system, from.component};
    /* Due tasks run first, as for a frame that arrives between two passes. */
    mf_vehicle_catch_up(v);
    on->rx_us = v->now.transport_us;
    on->stats.rx_frames++;
    if (!mf_senders_have(&on->senders, from.system, from.component)) {
        const struct mf_frame frame = {
            .info = mf_msg_find(msgid), .sysid = from.system, .compid = from.component};
        (void)mf_senders_learn(&on->senders, &frame);
    }
    return mf_receive_message(v, peer, msgid, msg, v->now.vehicle_us) ? MF_E_OK : MF_E_NOSUPP;
}

struct mf_wake mf_vehicle_step(struct mf_vehicle *v)
{
    MF_ASSERT(v->links_open <= v->links_top && v->links_top <= v->link_count);
    v->counters.passes++;
    mf_vehicle_catch_up(v);
    /* Input is read after the tasks that were due before it, so that it finds the vehicle's state
     * of its own instant. */
    if (v->links_open > 0) {
        mf_links_receive(v, v->now.vehicle_us);
    }
    run_all_due(v); /* what input made due, and a timeout of the wall */
    /* Only now is known whether a client's barrier has been reached in this pass. */
    mf_barriers_settle(v);
    const mf_us_t essential_us = earliest(v, CLOCK_VEHICLE, KIND_ESSENTIAL);
    MF_ASSERT(essential_us > v->now.vehicle_us); /* what was due has run */
    return (struct mf_wake){
        .essential_us = essential_us,
        .periodic_us = earliest(v, CLOCK_VEHICLE, KIND_PERIODIC),
        .transport_us = earliest(v, CLOCK_TRANSPORT, KIND_PERIODIC),
        .limit_us = mf_barriers_limit(v, essential_us),
    };
}

void mf_vehicle_lend(struct mf_vehicle *v, struct mf_link *links, uint16_t count)
{
    MF_ASSERT(v->links_open == 0 && v->links_top == 0 && (links != NULL || count == 0));
    MF_ASSERT(v->shells == NULL && v->barriers == NULL);
    v->links = links;
    v->link_count = count;
}

void mf_vehicle_lend_barriers(struct mf_vehicle *v, struct mf_barrier *barriers)
{
    MF_ASSERT(v->links_open == 0 && v->links_top == 0);
    v->barriers = barriers;
}

struct mf_status mf_vehicle_status(const struct mf_vehicle *v)
{
    return (struct mf_status){
        .now = v->now,
        .counters = v->counters,
        .links_open = v->links_open,
        .sysid = v->sysid,
        .mode = v->commander.mode,
        .landed = v->commander.landed,
        .on_ground = v->commander.landed == MF_LANDED_ON_GROUND,
        .armed = v->commander.armed,
        .failsafe = v->commander.failsafe,
        .reboot = v->reboot,
        .shutdown = v->shutdown,
    };
}

const mf_us_t *mf_vehicle_clock(const struct mf_vehicle *v)
{
    return &v->now.vehicle_us;
}

const struct mf_hal *mf_vehicle_devices(const struct mf_vehicle *v)
{
    return &v->hal;
}

const struct mf_journal *mf_vehicle_journal(const struct mf_vehicle *v)
{
    return v->journal;
}
