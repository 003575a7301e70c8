/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of vehicle time. Called by drone/wiring, boards/posix, hal-posix/clock and
 * net_peer. */
#include "drone/pace.h"

/* Longest wall time that a clock which counts with the wall makes up for [us]. */
#define LATE_MAX_US (20 * MF_MS_US)

static mf_us_t later(mf_us_t a_us, mf_us_t b_us)
{
    return a_us > b_us ? a_us : b_us;
}

mf_us_t mf_pace_transport(const struct mf_pace *pace, mf_us_t wall_us)
{
    MF_ASSERT(!pace->granted || pace->mode == MF_PACE_LOCKSTEP);
    return pace->granted ? pace->start_us + pace->vehicle_us : wall_us;
}

struct mf_now mf_pace_now(const struct mf_pace *pace, mf_us_t wall_us)
{
    return (struct mf_now){pace->vehicle_us, mf_pace_transport(pace, wall_us) - pace->start_us};
}

/* Count vehicle time from the present pair of times on. */
static void rebase(struct mf_pace *pace, mf_us_t wall_us)
{
    pace->base_us = pace->vehicle_us;
    pace->wall_us = wall_us;
}

void mf_pace_start(struct mf_pace *pace, mf_us_t now_us)
{
    MF_ASSERT(pace->rate > 0.0);
    pace->start_us = now_us;
    pace->vehicle_us = 0;
    pace->jumped_us = now_us - pace->gap_us;
    pace->demand =
        (struct mf_pace_demand){MF_NEVER, MF_NEVER, MF_NEVER, false, false, false, false};
    rebase(pace, now_us);
}

void mf_pace_change(struct mf_pace *pace, enum mf_pace_mode mode, double rate, mf_us_t wall_us)
{
    MF_ASSERT(rate > 0.0);
    pace->mode = mode;
    pace->rate = rate;
    rebase(pace, wall_us);
}

/* Is it real time, which skips time that the host is too late for? */
static bool is_real(const struct mf_pace *pace)
{
    return pace->mode == MF_PACE_SCALED && pace->rate == 1.0;
}

bool mf_pace_is_scaled(const struct mf_pace *pace)
{
    return pace->mode == MF_PACE_SCALED && !is_real(pace);
}

static mf_us_t next_due(const struct mf_pace *pace)
{
    return mf_earlier(pace->demand.essential_us, pace->demand.periodic_us);
}

static bool jumps(const struct mf_pace *pace)
{
    return pace->mode == MF_PACE_EVENT && pace->demand.moving && !pace->demand.busy;
}

/* Vehicle seconds per wall second in the present state; 0: vehicle time does not count with the
 * wall. */
static double rate_now(const struct mf_pace *pace)
{
    const bool free_running = pace->mode == MF_PACE_FAST && pace->demand.moving;
    if (pace->mode == MF_PACE_LOCKSTEP || free_running || jumps(pace)) {
        return 0.0;
    }
    return pace->mode == MF_PACE_SCALED ? pace->rate : 1.0;
}

static mf_us_t gap_end(const struct mf_pace *pace)
{
    return pace->demand.guarded ? pace->jumped_us : pace->jumped_us + pace->gap_us;
}

/* Vehicle time to which a clock that does not count with the wall may advance now. */
static mf_us_t target(const struct mf_pace *pace, mf_us_t wall_us)
{
    const struct mf_pace_demand *d = &pace->demand;
    mf_us_t to_us = next_due(pace);
    if (d->backlog || (jumps(pace) && wall_us < gap_end(pace))) {
        return pace->vehicle_us;
    }
    if (jumps(pace) && !pace->every_sample) {
        to_us = d->essential_us;
    }
    if (to_us == MF_NEVER) { /* idle: advance as far as permitted, or not at all */
        to_us = d->limit_us != MF_NEVER ? d->limit_us : pace->vehicle_us;
    }
    return to_us;
}

/* Does vehicle time wait for a client? Free-running clocks wait only while they run free. */
static bool is_held_up(const struct mf_pace *pace)
{
    return pace->demand.backlog && (mf_pace_is_scaled(pace) || !(rate_now(pace) > 0.0));
}

/* Latest end of a pass of a clock that counts with the wall: the next due time, so that the pass
 * skips nothing; the present while a client does not read. */
static mf_us_t pass_end(const struct mf_pace *pace)
{
    const struct mf_pace_demand *d = &pace->demand;
    if (is_real(pace)) {
        return d->limit_us;
    }
    return is_held_up(pace) ? pace->vehicle_us : mf_earlier(next_due(pace), d->limit_us);
}

/* Vehicle time to which the wall has moved the clock, within the permitted limit. */
static mf_us_t counted(const struct mf_pace *pace, double rate, mf_us_t wall_us)
{
    const mf_us_t to_us = pace->base_us + (mf_us_t)((double)(wall_us - pace->wall_us) * rate);
    return later(pace->vehicle_us, mf_earlier(to_us, pass_end(pace)));
}

/* Wall time at which a clock that counts with the wall reaches a vehicle time. */
static mf_us_t wall_of(const struct mf_pace *pace, mf_us_t vehicle_us, double rate)
{
    const double ahead_us = (double)(vehicle_us - pace->base_us) / rate;
    const mf_us_t whole_us = (mf_us_t)ahead_us;
    return pace->wall_us + whole_us + ((double)whole_us < ahead_us ? 1 : 0);
}

/* Drop the wall time for which vehicle time had to wait for the host or for a client: made up for
 * in one burst, it would leave clients no time to act. */
static void fall_behind(struct mf_pace *pace, double rate, mf_us_t wall_us)
{
    const bool waited = is_held_up(pace);
    const mf_us_t end_us = pass_end(pace);
    if (is_real(pace) || end_us == MF_NEVER || pace->demand.limit_us <= pace->vehicle_us) {
        return;
    }
    const mf_us_t lost_us = wall_us - wall_of(pace, end_us, rate) - (waited ? 0 : LATE_MAX_US);
    if (lost_us > 0) {
        pace->wall_us += lost_us;
        *(waited ? &pace->waited_us : &pace->late_us) += lost_us;
    }
}

mf_us_t mf_pace_shown(const struct mf_pace *pace, mf_us_t wall_us)
{
    const double rate = rate_now(pace);
    return rate > 0.0 ? counted(pace, rate, wall_us) : pace->vehicle_us;
}

bool mf_pace_advance(struct mf_pace *pace, mf_us_t wall_us)
{
    const double rate = rate_now(pace);
    if (rate > 0.0) {
        fall_behind(pace, rate, wall_us);
    }
    const mf_us_t to_us =
        rate > 0.0
            ? counted(pace, rate, wall_us)
            : later(pace->vehicle_us, mf_earlier(target(pace, wall_us), pace->demand.limit_us));
    const bool jumped = rate == 0.0 && to_us > pace->vehicle_us;
    const bool held = rate > 0.0 && to_us >= pace->demand.limit_us;
    pace->vehicle_us = to_us;
    if (jumped) {
        pace->jumped_us = wall_us;
    }
    if (rate == 0.0 || held) {
        rebase(pace, wall_us);
    }
    return jumped && pace->mode == MF_PACE_EVENT && to_us > pace->demand.periodic_us;
}

void mf_pace_catch_up(struct mf_pace *pace, mf_us_t wall_us)
{
    if (rate_now(pace) > 0.0) {
        (void)mf_pace_advance(pace, wall_us);
    }
}

mf_us_t mf_pace_due(struct mf_pace *pace, const struct mf_pace_demand *demand, mf_us_t wall_us)
{
    const double before = rate_now(pace);
    pace->demand = *demand;
    const double rate = rate_now(pace);
    if (rate != before) {
        rebase(pace, wall_us);
    }
    if (is_held_up(pace)) {
        return MF_NEVER; /* the client's reading makes the next pass due */
    }
    if (rate > 0.0) {
        const mf_us_t due_us = mf_earlier(next_due(pace), demand->limit_us);
        /* a client or controller has granted no more time */
        const bool stands = demand->limit_us <= pace->vehicle_us;
        return due_us == MF_NEVER || stands ? MF_NEVER : wall_of(pace, due_us, rate);
    }
    if (jumps(pace) && wall_us < gap_end(pace)) {
        return gap_end(pace);
    }
    return mf_earlier(target(pace, wall_us), demand->limit_us) > pace->vehicle_us ? wall_us
                                                                                  : MF_NEVER;
}
