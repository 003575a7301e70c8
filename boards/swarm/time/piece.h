/* SPDX-License-Identifier: Apache-2.0 */
/** Pieces of time: members run as far as all systems permit at once. */
#ifndef MF_BOARDS_SWARM_TIME_PIECE_H
#define MF_BOARDS_SWARM_TIME_PIECE_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/time/real.h"

/** State of a run after a piece. */
enum swarm_piece_state {
    SWARM_GOES,   /**< members have run, or wait */
    SWARM_REPLAN, /**< members have run, or wait, and the engine may have an earlier instant now */
    SWARM_ENDS /**< the run ends here: by a signal, a failure, lateness, or since all programs have
                  ended */
};

struct swarm_pieces {
    mf_us_t piece_us; /**< longest piece: about a tenth of a second of the wall */
    struct swarm_real real;
    bool programs_ended; /**< programs in virtual time have all ended */
    bool too_late;       /**< the run is later than the scenario allows */
    bool progress;       /**< a line on stderr each second */
    mf_us_t from_us;     /**< vehicle time at which this process began */
    double from_s;       /**< time of the wall then [s] */
    double line_s;       /**< time of the wall at the last line [s] */
    uint64_t steps;      /**< steps of members that costs have counted */
};

void swarm_pieces_begin(struct swarm_pieces *p, const struct swarm *w, bool progress);

/** @brief Let a piece pass towards @p at_us, which is later than now; its length is 0 while time
 * stands. */
enum swarm_piece_state swarm_piece_run(struct swarm_pieces *p, struct swarm *w, mf_us_t at_us);

#endif
