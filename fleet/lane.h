/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Lane: one direction of a flow over a built-in network, with the bytes in transit in closed form.
 *
 * A datagram arrives or is lost. All segments of a stream arrive, in order: a lost segment leaves
 * again after 0.2 s, then after 0.4 s, 0.8 s and so on up to 60 s, and later segments wait for it.
 */
#ifndef MF_FLEET_LANE_H
#define MF_FLEET_LANE_H

#include "hal/types.h"

/** Longest segment of a stream, and longest datagram of whole MAVLink frames [bytes]. */
#define MF_LANE_SEGMENT_MAX 1400u

/** A datagram or segment under way; only fleet/lane.c uses its fields. */
struct mf_parcel {
    mf_us_t at_us;    /**< time of arrival, or of the next attempt to leave */
    mf_us_t retry_us; /**< delay of the attempt after the next one */
    bool arrives;     /**< at_us is the time of arrival */
    size_t n;
    uint8_t *bytes; /**< [n], of the heap */
};

/** The caller fills in the fields above the parcels; the others begin as zeros. */
struct mf_lane {
    bool stream;
    size_t head; /**< number of bytes before the payload of each send, which take no time; the
                    payload is MF_LANE_SEGMENT_MAX bytes at most, unless this is 0 */
    double delay_s, bits_per_s; /**< bits_per_s 0: the length adds no delay */
    double loss;                /**< probability, 0 to 1 */
    uint64_t key;               /**< of its chance (math/chance.h) */
    /** True if both ends are within reach of each other now. */
    bool (*reaches)(void *ctx, mf_us_t now_us);
    /** Called for each parcel that arrives. */
    void (*arrived)(void *ctx, const uint8_t *bytes, size_t n);
    void *ctx;                /**< first argument of both functions */
    struct mf_parcel *parcel; /**< datagrams by time of arrival, segments by time of departure */
    size_t count, capacity;
    uint64_t tries; /**< number of attempts so far, the counter of its chance */
};

/** @brief Send a datagram, or bytes of a stream, which leave in segments of at most
 *  MF_LANE_SEGMENT_MAX.
 *  @return MF_E_OK, also if a datagram is lost; MF_E_FULL: no memory */
int mf_lane_send(struct mf_lane *l, const uint8_t *bytes, size_t n, mf_us_t now_us);

/** @brief Time of the next arrival or attempt. @return MF_NEVER: no parcel is under way */
mf_us_t mf_lane_next(const struct mf_lane *l);

/** @brief Carry out the arrivals and attempts up to @p now_us.
 *  @param now_us  at most mf_lane_next() */
void mf_lane_run(struct mf_lane *l, mf_us_t now_us);

/** @brief Free all parcels; the lane may be used again. */
void mf_lane_free(struct mf_lane *l);

#endif
