/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Passage of vehicle time: in step with the wall, faster or slower, as fast as possible, or from
 * event to event. Pure arithmetic: the caller passes wall times; the code here calls no operating
 * system.
 *
 * Only real time skips time that a host is too late for. Every other clock waits: it advances from
 * due time to due time, and a host or a client that is too slow makes it slower.
 *
 * Only manoeuvres run free. While nothing moves, vehicle time passes with the wall on every clock:
 * otherwise minutes would pass while a client thinks, and automatic disarming would always win.
 * docs/time.md is the specification.
 */
#ifndef MF_DRONE_PACE_H
#define MF_DRONE_PACE_H

#include "hal/clock.h"

enum mf_pace_mode {
    MF_PACE_SCALED,   /**< vehicle time = wall time times the rate; 1 is real time */
    MF_PACE_FAST,     /**< manoeuvres: from due time to due time without sleeping */
    MF_PACE_EVENT,    /**< manoeuvres: from event to event; the clock jumps over the time between */
    MF_PACE_LOCKSTEP, /**< from due time to due time, as far as a controller outside permits */
};

/** State of the vehicle, and holds of time, after a pass. */
struct mf_pace_demand {
    mf_us_t essential_us; /**< vehicle time of the next event; MF_NEVER */
    mf_us_t periodic_us;  /**< vehicle time of the next sample; MF_NEVER */
    mf_us_t limit_us;     /**< latest vehicle time that clients permit; MF_NEVER: no limit */
    bool moving;          /**< a manoeuvre is under way */
    bool busy;            /**< a client is within an exchange that the clock must not jump over */
    bool guarded;         /**< a client holds a barrier, so it needs no gap */
    bool backlog;         /**< a client has not read all data sent to it */
};

struct mf_pace {
    enum mf_pace_mode mode;
    double rate;        /**< SCALED: vehicle seconds per wall second, > 0 */
    mf_us_t gap_us;     /**< EVENT: wall time for clients after each event */
    bool every_sample;  /**< EVENT: also stop at every sample, not only at events */
    bool granted;       /**< LOCKSTEP: transport time is vehicle time, too, and stands with it */
    mf_us_t start_us;   /**< time of the boot, in the time of mf_pace_transport() */
    mf_us_t vehicle_us; /**< the present vehicle time */
    mf_us_t base_us;    /**< vehicle time at wall_us, from which the wall counts */
    mf_us_t wall_us;    /**< wall time at base_us */
    mf_us_t jumped_us;  /**< wall time of the last jump */
    mf_us_t late_us;    /**< wall time lost up to now because the host was late */
    mf_us_t waited_us;  /**< wall time lost up to now because a client did not read */
    struct mf_pace_demand demand;
};

/** @brief True if vehicle time counts with the wall at another rate than real time. */
bool mf_pace_is_scaled(const struct mf_pace *pace);

/** @brief Transport time, in which time-outs of clients count: the wall's time, or, if it is
 * granted, the boot's plus vehicle time. It never decreases, also over reboots. */
mf_us_t mf_pace_transport(const struct mf_pace *pace, mf_us_t wall_us);

/** Reading of a clock by a pace. */
struct mf_now mf_pace_now(const struct mf_pace *pace, mf_us_t wall_us);

/** @brief Begin vehicle time 0 now. Keeps mode, rate, gap, every_sample, granted and lost times.
 * @param now_us  wall time; at a second boot that of mf_pace_transport() */
void mf_pace_start(struct mf_pace *pace, mf_us_t now_us);

/** @brief Change mode or rate from now on; vehicle time does not jump. */
void mf_pace_change(struct mf_pace *pace, enum mf_pace_mode mode, double rate, mf_us_t wall_us);

/** @brief Vehicle time with which a pass at wall time @p wall_us would begin, if the wall moves it;
 * else the present one. For log lines between passes. */
mf_us_t mf_pace_shown(const struct mf_pace *pace, mf_us_t wall_us);

/** @brief Advance vehicle time up to wall time @p wall_us, by the demand of the last pass.
 * @return true: it jumped over samples, and the caller must call mf_vehicle_jump_to() */
bool mf_pace_advance(struct mf_pace *pace, mf_us_t wall_us);

/** @brief Advance vehicle time outside a pass, before an event between two passes: a clock that
 * counts with the wall shows its present time; one that jumps stays. */
void mf_pace_catch_up(struct mf_pace *pace, mf_us_t wall_us);

/** @brief Set the demand of a pass. @return wall time of the next pass; MF_NEVER: only input can
 * make one due */
mf_us_t mf_pace_due(struct mf_pace *pace, const struct mf_pace_demand *demand, mf_us_t wall_us);

#endif
