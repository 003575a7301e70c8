/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The newest frame of the bus of each kind, for watchers that ask from time to time. A kind is a
 * type and, for types with several frames, the first number of the payload. Answers and turns are
 * for others than watchers, and are not kept.
 */
#ifndef MF_FLEET_BUS_NEWEST_H
#define MF_FLEET_BUS_NEWEST_H

#include "fleet/bus.h"

/** Kinds at most: a million members have 734 of STATE. Frames of more kinds are left out. */
#define MF_BUS_NEWEST_MAX 4096u
/** Newest frames of RECEPTIONS and REPORTS, each of which has rows that no other one has. */
#define MF_BUS_NEWEST_ROWS 16u

struct mf_bus_newest_slot;

/** Zero it to begin. */
struct mf_bus_newest {
    struct mf_bus_newest_slot *slots; /**< of the heap */
    uint32_t count;
    uint64_t sequence; /**< number of frames so far: that of the newest one */
};

/** @brief Keep a frame in place of the one before it. Without memory it is left out.
 *  @param f  its payload lies behind its header */
void mf_bus_newest_keep(struct mf_bus_newest *n, const struct mf_bus_frame *f);

/** @brief Copy frames that are new to a watcher, the oldest first, as many as fit.
 *  @param after  in: number of the last frame that it has, 0: none; out: of the last one here. A
 *                number beyond the newest is of another run, and counts as 0
 *  @param to  out [room]  @return length [bytes] */
size_t mf_bus_newest_copy(const struct mf_bus_newest *n, uint64_t *after, uint8_t *to, size_t room);

/** @brief Find the payload of the newest frame of a type. @param length  out @return NULL: no such
 * frame so far */
const uint8_t *mf_bus_newest_find(const struct mf_bus_newest *n, enum mf_bus_type type,
                                  size_t *length);

/** @brief Free all frames. */
void mf_bus_newest_free(struct mf_bus_newest *n);

/** @brief True if bytes are whole frames ORDERS, CLOCK or TASK, at least one, and no more. */
bool mf_bus_is_operators(const uint8_t *bytes, size_t n);

#endif
