/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/link/barrier.h, without functions. */
#ifndef MF_FIRMWARE_STATE_BARRIER_H
#define MF_FIRMWARE_STATE_BARRIER_H

#include "hal/types.h"

/** param1 of the command. */
enum mf_barrier_action {
    MF_BARRIER_LEAVE = 0, /**< time is no longer this client's concern */
    MF_BARRIER_HOLD = 1,  /**< time stands still */
    MF_BARRIER_RUN = 2,   /**< time runs for param2 seconds, then stands still */
    MF_BARRIER_EVENT = 3, /**< time runs up to the next event, then stands still */
};

/** Barrier of a link; the board owns the array, with one barrier for each link of its pool. */
struct mf_barrier {
    uint8_t action;   /**< enum mf_barrier_action, the last one */
    uint8_t sysid;    /**< who waits for the second acknowledgement */
    uint8_t compid;   /**< of the same */
    uint32_t events;  /**< EVENT: mf_counters.events when it began; it is over when they differ */
    mf_us_t until_us; /**< HOLD, RUN: vehicle time at which time stands still */
};

#endif
