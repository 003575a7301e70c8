/* SPDX-License-Identifier: Apache-2.0 */
/**
 * One direction of a flow over a network that is built in: bytes that are on their way. As
 * datagrams each arrives or is lost. As a stream all arrive in order: a segment that is lost leaves
 * again after 0.2 s, then 0.4 s, 0.8 s and so on up to 60 s later, and what has left behind it
 * waits for it.
 */
#ifndef MF_BOARDS_SWARM_LANE_H
#define MF_BOARDS_SWARM_LANE_H

#include "hal/types.h"

/** Longest segment of a stream, longest datagram of whole frames [bytes]. */
#define SWARM_LANE_PIECE 1400u

/** A datagram or segment that is on its way; inside. */
struct swarm_parcel {
    mf_us_t at_us;    /**< it arrives, or leaves again */
    mf_us_t retry_us; /**< if it is lost, it leaves again so much later */
    bool arrives;
    size_t n;
    uint8_t *bytes;
};

/** The caller fills in what stands before the parcels. */
struct swarm_lane {
    bool stream;
    double delay_s, bits_per_s; /**< bits_per_s 0: long ones take no longer */
    double loss;
    uint64_t key; /**< of its chance (math/chance.h) */
    /** Are both ends within reach of each other, now? */
    bool (*reaches)(void *ctx, mf_us_t now_us);
    /** Bytes have arrived. */
    void (*arrived)(void *ctx, const uint8_t *bytes, size_t n);
    void *ctx;
    struct swarm_parcel *parcel; /**< in the order in which they arrive, of a stream have left */
    size_t count, capacity;
    uint64_t tries; /**< of all so far */
};

/** @brief A datagram leaves now, or bytes of a stream. @return MF_E_OK; MF_E_FULL: no memory */
int swarm_lane_send(struct swarm_lane *l, const uint8_t *bytes, size_t n, mf_us_t now_us);

/** @brief When something happens next. @return MF_NEVER: nothing is on its way */
mf_us_t swarm_lane_next(const struct swarm_lane *l);

/** @brief What is to happen now does. @param now_us  swarm_lane_next(), or before it */
void swarm_lane_run(struct swarm_lane *l, mf_us_t now_us);

void swarm_lane_free(struct swarm_lane *l);

#endif
