/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Ghosts of a swarm: members that fly elsewhere, whose state MAVLink, motion capture or the bus
 * reports. A ghost is shown at its last reported place, extrapolated, then held, then lost
 * (fleet/ghost.h); orders are sent on its link. A drone with a time socket (docs/time.md) runs in
 * lockstep: it has run to the swarm's time before a caller reads its state or sends it an order.
 *
 * Input takes effect at instants of vehicle time that a recording stores, so a replay has the same
 * outcome.
 */
#ifndef MF_BOARDS_SWARM_GHOSTS_H
#define MF_BOARDS_SWARM_GHOSTS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "fleet/bus.h"
#include "fleet/ghost.h"
#include "fleet/order.h"
#include "world/space_solid.h"

struct ghost;

void swarm_ghosts_free(struct swarm *w);

/** @brief Deliver input and do turns up to and including @p until_us; drones in lockstep run to
 * that time. */
void swarm_ghosts_run(struct swarm *w, mf_us_t until_us);

/** @brief Let the drones of processes serve their clients again, without a step of time. */
void swarm_ghosts_serve(struct swarm *w);

/** @brief Add the traffic of drones of processes. @param in  bytes from clients, connects and
 * disconnects, and drones that have exited  @param out  bytes to clients */
void swarm_ghosts_count(const struct swarm *w, uint64_t *in, uint64_t *out);

/** @brief Number of ghosts that are lost now. */
uint32_t swarm_ghosts_count_lost(const struct swarm *w);

/** Figures of all ghosts for Prometheus (ghost_figures.c). */
extern const struct swarm_metrics swarm_ghosts_metrics;

/** @brief Print the line of the summary on the standard output; nothing without ghosts. */
void swarm_ghosts_print_summary(const struct swarm *w);

struct mf_crowd_state swarm_ghost_get_state(const struct swarm *w, uint32_t i);

struct mf_pose swarm_ghost_get_pose(const struct swarm *w, uint32_t i, mf_us_t at_us);

/** @brief MAVLink system id of the drone behind a ghost; 0: the ghost is lost, or the drone has not
 * reported a position yet. */
uint8_t swarm_ghost_get_system(const struct swarm *w, uint32_t i);

/** @brief Send a complete MAVLink frame to the drone behind a ghost. */
void swarm_ghost_write(const struct swarm *w, uint32_t i, const uint8_t *frame, size_t n);

/** Order port of one ghost that waits for each answer, while the swarm's time stands. Its context
 * is a struct swarm_ghost_port. */
extern const struct mf_order_ops swarm_ghost_ops;

/** Context of swarm_ghost_ops. */
struct swarm_ghost_port {
    struct swarm *w;
    uint32_t i; /**< member */
};
/* ---- the bus and recordings */

/** @brief Add a frame that a participant of the bus has sent to the recording, if one is written.
 * @param participant  its number */
void swarm_ghosts_record(struct swarm *w, mf_us_t at_us, uint32_t participant,
                         const struct mf_bus_frame *frame);

/** @brief True if the run replays a recording. */
bool swarm_ghosts_is_replay(const struct swarm *w);

/** @brief Next frame of the bus in a replayed recording, at @p at_us or before.
 *  @return false: no frame is due. The frame is valid until the next call */
bool swarm_ghosts_next_replayed(struct swarm *w, mf_us_t at_us, uint32_t *participant,
                                struct mf_bus_frame *frame);

/** @brief Time of that next frame; MF_NEVER: the recording has no more. */
mf_us_t swarm_ghosts_find_replayed_us(const struct swarm *w);

/** @brief Store a pose or a packet that participant @p name sends for a ghost; it takes effect at
 * @p at_us.
 *  @return NULL; else why the participant is disconnected, valid until the next call */
const char *swarm_ghost_feed(struct swarm *w, uint32_t participant, const char *name,
                             const struct mf_bus_pose *pose, mf_us_t at_us);
const char *swarm_ghost_feed_packet(struct swarm *w, uint32_t participant, const char *name,
                                    const struct mf_bus_packet *packet, mf_us_t at_us);

/** Function that logs a frame received from the drone behind a ghost. @param frame  [n] */
typedef void swarm_ghost_tap_fn(const struct swarm *w, uint32_t i, mf_us_t at_us,
                                const uint8_t *frame, size_t n);

/** @brief Call @p tap with each frame that a drone sends from now on. Has no effect before
 * SWARM_BOOT of ghosts. */
void swarm_ghosts_set_tap(struct swarm *w, swarm_ghost_tap_fn *tap);

/** Functions that send to the participant of the bus that feeds a ghost (outside/bus_world.c). */
struct swarm_ghost_feeder {
    /** @param msgid, msg  an order, as a MAVLink message */
    void (*command)(struct swarm *w, int32_t participant, uint32_t member, uint32_t msgid,
                    const void *msg);
    /** A packet that the ghost's radio has received. */
    void (*packet)(struct swarm *w, int32_t participant, uint32_t member,
                   const struct mf_ghost_packet *p);
};

/** @brief Set the functions that send to participants. Has no effect before SWARM_BOOT of ghosts.
 * @param feeder  must outlive the run */
void swarm_ghosts_set_feeder(struct swarm *w, const struct swarm_ghost_feeder *feeder);

/** @brief Detach a participant that has disconnected from its ghosts, so that another may feed
 * them; the recording keeps that. */
void swarm_ghosts_detach_feed(struct swarm *w, uint32_t participant, mf_us_t at_us);

/** @brief Ghost with member number @p i, which must be a ghost. */
struct ghost *swarm_ghost_of(const struct swarm *w, uint32_t i);

/** System of all ghosts (program/systems.c). */
extern const struct swarm_system swarm_ghosts_system;

/** Ghosts of a world that goes by steps. The world moves them. */
extern const struct swarm_system swarm_stepped_ghosts_system;

#endif
