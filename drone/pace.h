/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How vehicle time passes: in step with the wall, faster or slower, as fast as possible, or from
 * event to event. Pure arithmetic: wall times are handed in, nothing here asks the system.
 *
 * Only real time skips what a host is too late for. Every other clock waits: it goes from due time
 * to due time, and a host or a client that is too slow makes it slower.
 *
 * Only manoeuvres run free. While nothing moves, vehicle time passes with the wall on every clock:
 * otherwise a client's thinking would be minutes, and automatic disarming would always win.
 * docs/time.md is the specification.
 */
#ifndef MF_DRONE_PACE_H
#define MF_DRONE_PACE_H

#include "hal/clock.h"

enum mf_pace_mode {
    MF_PACE_SCALED,   /**< vehicle time = wall time times the rate; 1 is real time */
    MF_PACE_FAST,     /**< manoeuvres: from due time to due time without sleeping */
    MF_PACE_EVENT,    /**< manoeuvres: from event to event, what lies between is jumped over */
    MF_PACE_LOCKSTEP, /**< from due time to due time, as far as somebody outside permits */
};

/** What the vehicle wants and what holds time, after a pass. */
struct mf_pace_demand {
    mf_us_t essential_us; /**< vehicle time of the next event; MF_NEVER */
    mf_us_t periodic_us;  /**< vehicle time of the next sample; MF_NEVER */
    mf_us_t limit_us;     /**< vehicle time that clients permit at most; MF_NEVER: no limit */
    bool moving;          /**< a manoeuvre is under way */
    bool busy;    /**< a client is in the middle of something that must not be jumped over */
    bool guarded; /**< a client holds a barrier: it needs no gap */
    bool backlog; /**< a client has not taken yet what was sent */
};

struct mf_pace {
    enum mf_pace_mode mode;
    double rate;        /**< SCALED: vehicle seconds per wall second, > 0 */
    mf_us_t gap_us;     /**< EVENT: wall time left to clients after each event */
    bool every_sample;  /**< EVENT: stop at every sample too, not only at events */
    bool granted;       /**< LOCKSTEP: transport time is vehicle time too, and stands with it */
    mf_us_t start_us;   /**< of the boot, in the time of mf_pace_transport() */
    mf_us_t vehicle_us; /**< the present vehicle time */
    mf_us_t base_us;    /**< vehicle time ... */
    mf_us_t wall_us;    /**< ... and wall time from which the wall counts */
    mf_us_t jumped_us;  /**< wall time of the last jump */
    mf_us_t late_us;    /**< wall time lost up to now: the host was late */
    mf_us_t waited_us;  /**< ... and: a client did not read */
    struct mf_pace_demand demand;
};

/** @brief Does it count with the wall at another rate than real time? */
bool mf_pace_is_scaled(const struct mf_pace *pace);

/** @brief Where time-outs towards clients are counted: the wall's time, or, if it is granted, the
 * boot's plus vehicle time. It never decreases, over reboots too. */
mf_us_t mf_pace_transport(const struct mf_pace *pace, mf_us_t wall_us);

/** The clock contract; the context is the pace. */
struct mf_now mf_pace_now(const struct mf_pace *pace, mf_us_t wall_us);

/** @brief Vehicle time 0 is now. Mode, rate, gap, every_sample, granted and what was lost are
 * kept. @param now_us  wall time; at a second boot that of mf_pace_transport() */
void mf_pace_start(struct mf_pace *pace, mf_us_t now_us);

/** @brief Another mode or rate from now on; vehicle time does not jump. */
void mf_pace_change(struct mf_pace *pace, enum mf_pace_mode mode, double rate, mf_us_t wall_us);

/** @brief The vehicle time that a pass at wall time @p wall_us would begin with, where the wall
 * moves it; else the present one. For log lines between passes. */
mf_us_t mf_pace_shown(const struct mf_pace *pace, mf_us_t wall_us);

/** @brief Let vehicle time pass up to wall time @p wall_us, by the demand of the last pass.
 * @return true if it jumped over samples: the vehicle wants to know (mf_vehicle_jump_to) */
bool mf_pace_advance(struct mf_pace *pace, mf_us_t wall_us);

/** @brief The same outside a pass, for what begins between two: a clock that counts with the wall
 * shows what it shows now; one that jumps stays where it is. */
void mf_pace_catch_up(struct mf_pace *pace, mf_us_t wall_us);

/** @brief Take the demand of a pass. @return wall time of the next pass, MF_NEVER if only input can
 * bring one */
mf_us_t mf_pace_due(struct mf_pace *pace, const struct mf_pace_demand *demand, mf_us_t wall_us);

#endif
