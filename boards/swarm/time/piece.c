/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of time. Between two of them signals, clients, controllers and the progress line have
 * their turn; where a piece ends changes nothing of what members do. time/run.c calls it. */
#include "boards/swarm/time/piece.h"

#include "boards/swarm/members/members.h"
#include "boards/swarm/processes/patience.h"
#include "boards/swarm/time/checkpoint.h"
#include "boards/swarm/time/control.h"
#include "boards/swarm/time/hold.h"
#include "boards/swarm/time/steps.h"

#define PIECE_MIN_US MF_SECOND_US /* a vehicle that acts often stays in the caches meanwhile */
#define PIECE_MAX_US (10000 * MF_SECOND_US)
#define PIECE_WALL_S 0.1

void swarm_pieces_begin(struct swarm_pieces *p, const struct swarm *w, bool progress)
{
    *p = (struct swarm_pieces){.piece_us = PIECE_MIN_US,
                               .progress = progress,
                               .from_us = w->now_us,
                               .from_s = swarm_wall_s(),
                               .steps = swarm_count_steps(w)};
    p->line_s = p->from_s;
    swarm_real_restart(&p->real, w);
}

static void write_progress(struct swarm_pieces *p, const struct swarm *w, double wall_s)
{
    uint32_t armed = 0, finished = 0;
    if (!p->progress || wall_s - p->line_s < 1.0) {
        return;
    }
    for (uint32_t i = 0; i < w->scenario->members; i++) {
        const struct mf_crowd_state now = swarm_state(w, i);
        armed += now.armed ? 1u : 0u;
        finished += now.finished ? 1u : 0u;
    }
    p->line_s = wall_s;
    const mf_us_t end_us = mf_earlier(swarm_end_us(w), swarm_checkpoint_us(w));
    const double speed = (double)(w->now_us - p->from_us) / 1e6 / (wall_s - p->from_s);
    (void)fprintf(stderr, "%10.1f s  x%-8.1f %u armed, %u missions finished",
                  (double)w->now_us / 1e6, speed, armed, finished);
    swarm_wall_end_progress(
        end_us < MF_NEVER && speed > 0.0 ? (double)(end_us - w->now_us) / 1e6 / speed : -1.0);
}

/* Advance members to a time, which is not far. */
static void advance_members(struct swarm_pieces *p, struct swarm *w, mf_us_t to_us)
{
    const double from_s = swarm_wall_s();
    swarm_costs_skip(w);
    swarm_advance(w, to_us);
    w->now_us = swarm_steps_reached_us(w, to_us);
    const uint64_t steps = swarm_count_steps(w);
    swarm_costs_lap(w, SWARM_COST_BODIES, steps - p->steps);
    p->steps = steps;
    (void)swarm_systems_do(w, SWARM_DRAIN);
    swarm_costs_lap(w, SWARM_COST_OUTPUTS, 0);
    swarm_costs_record(w);
    const double until_s = swarm_wall_s(), took_s = until_s - from_s;
    if (took_s < PIECE_WALL_S / 2 && p->piece_us < PIECE_MAX_US) {
        p->piece_us *= 2;
    } else if (took_s > 2 * PIECE_WALL_S && p->piece_us > PIECE_MIN_US) {
        p->piece_us /= 2;
    }
    write_progress(p, w, until_s);
}

/* The next instant at which anything happens. Members in other processes answer only if a client, a
 * controller or the wall may stop time before @p at_us. */
static mf_us_t next_event_us(const struct swarm *w, mf_us_t at_us)
{
    const bool matters = !w->members.carrier[MF_SCENARIO_KIND_VEHICLE]->far ||
                         w->hold.awaits_clients || swarm_has(w, SWARM_SLOT_CONTROL) ||
                         w->hold.at_us != MF_NEVER ||
                         w->scenario->time.clock == MF_SCENARIO_CLOCK_REAL;
    return matters ? mf_earlier(at_us, swarm_next_us(w)) : at_us;
}

/* Let time pass with the wall while members are idle and clients may come, on a clock that runs
 * free: else the second in which a client thinks would be minutes. @return how far time may go */
static mf_us_t let_clients_think(struct swarm *w, mf_us_t to_us)
{
    const bool idle = w->scenario->time.clock != MF_SCENARIO_CLOCK_LOCKSTEP &&
                      w->scenario->links.transport == MF_SCENARIO_TRANSPORT_WALL &&
                      swarm_is_idle(w);
    const double from_s = swarm_wall_s();
    swarm_systems_sleep(w, idle ? SWARM_REAL_WALL_S : 0.0);
    return idle ? mf_earlier(to_us, w->now_us + (mf_us_t)((swarm_wall_s() - from_s) * 1e6)) : to_us;
}

/* Rest while a controller, a client or a pause holds time. @return true: the run is over */
static bool rest_while_held(struct swarm_pieces *p, struct swarm *w, mf_us_t next_us)
{
    if (next_us <= w->now_us) {
        /* what holds time learns what is next after this instant */
        advance_members(p, w, w->now_us);
    }
    const bool ended = swarm_systems_on_standstill(w, swarm_control_has_command(w));
    swarm_control_wait(w);
    swarm_real_restart(&p->real, w); /* what holds time makes the run not late */
    return ended;
}

/* End of a piece without a limit. A step of a world may be longer than a piece. */
static mf_us_t piece_end(const struct swarm_pieces *p, const struct swarm *w, mf_us_t next_us)
{
    const mf_us_t end_us = w->now_us + p->piece_us;
    return swarm_steps_of(w) != NULL && end_us < next_us ? next_us : end_us;
}

/* Wait until members may run. @param to_us  later than now  @return the time up to which they may;
 * SWARM_TOO_LATE */
static mf_us_t wait_until_due(struct swarm_pieces *p, struct swarm *w, mf_us_t to_us,
                              mf_us_t next_us)
{
    mf_us_t until_us;
    if (swarm_real_counts(&p->real, w)) {
        until_us = swarm_real_follow(&p->real, w, to_us, next_us);
    } else {
        to_us = w->hold.awaits_clients ? let_clients_think(w, to_us) : to_us;
        until_us = mf_earlier(to_us, piece_end(p, w, next_us));
    }
    return until_us != SWARM_TOO_LATE && until_us < to_us ? swarm_hold_whole_us(w, until_us)
                                                          : until_us;
}

/* @return whether the engine may have an earlier instant now */
static bool run_a_piece(struct swarm_pieces *p, struct swarm *w, mf_us_t at_us)
{
    const mf_us_t next_us = next_event_us(w, at_us);
    const mf_us_t limit_us = swarm_systems_limit_us(w, next_us);
    if (limit_us <= w->now_us) {
        p->programs_ended = rest_while_held(p, w, next_us);
        return false;
    }
    const mf_us_t to_us = wait_until_due(p, w, mf_earlier(at_us, limit_us), next_us);
    p->too_late = to_us == SWARM_TOO_LATE;
    if (p->too_late || to_us <= w->now_us) {
        return false;
    }
    const mf_us_t led_us =
        swarm_has(w, SWARM_SLOT_CONTROL) ? swarm_systems_advance_outside(w, to_us) : to_us;
    if (led_us > w->now_us && !swarm_systems_have_failed(w)) {
        advance_members(p, w, led_us);
    }
    return led_us < to_us;
}

enum swarm_piece_state swarm_piece_run(struct swarm_pieces *p, struct swarm *w, mf_us_t at_us)
{
    bool replan =
        swarm_has(w, SWARM_SLOT_CONTROL) && swarm_systems_sync(w, swarm_control_has_command(w));
    replan = replan || run_a_piece(p, w, at_us);
    replan = swarm_systems_serve(w) || replan;
    const bool ends = p->programs_ended || p->too_late || *w->hold.stop ||
                      swarm_silence_of(w)->stops || swarm_systems_have_failed(w) ||
                      swarm_systems_are_done(w);
    return ends ? SWARM_ENDS : replan ? SWARM_REPLAN : SWARM_GOES;
}
