/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The ghosts of a swarm: whoever's state comes from outside, by MAVLink, motion capture or the bus.
 * They are where they were last seen, extrapolated, then held, then lost (fleet/ghost.h); orders
 * leave on their links. A drone with a time socket (docs/time.md) runs in lockstep: it stands at
 * the swarm's time whenever somebody looks at it or gives it orders.
 *
 * Input takes effect at instants of vehicle time that a recording keeps, so a replay has
 * the same outcome.
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

/** @brief The first entity of ghosts; NULL: there are none. */
const struct mf_scenario_entity *swarm_first_ghost(const struct mf_scenario *s);

void swarm_ghosts_free(struct swarm *w);

/** @brief All run up to and including @p until_us, as far as their time is granted here. */
void swarm_ghosts_run(struct swarm *w, mf_us_t until_us);

/** @brief Drones of processes serve their clients once more, at the instant at which they stand. */
void swarm_ghosts_serve(struct swarm *w);

/** @brief Bytes of their clients are added. */
void swarm_ghosts_count(const struct swarm *w, uint64_t *in, uint64_t *out);

/** @brief Ghosts that are lost at present. */
uint32_t swarm_ghosts_lost(const struct swarm *w);

/** Figures of all ghosts for Prometheus (ghost_figures.c). */
extern const struct swarm_metrics swarm_ghosts_metrics;

/** @brief The line of the summary on stdout, if there are any. */
void swarm_ghosts_tell(const struct swarm *w);

/** @brief The recording is complete. @return false: it took not all */
bool swarm_ghosts_close(struct swarm *w);

struct mf_crowd_state swarm_ghost_state(const struct swarm *w, uint32_t i);

struct mf_pose swarm_ghost_pose(const struct swarm *w, uint32_t i, mf_us_t at_us);

/** @brief The MAVLink system of the drone behind a ghost; 0: its link has ended, or it has not
 * shown yet where it is. */
uint8_t swarm_ghost_system(const struct swarm *w, uint32_t i);

/** @brief A whole frame to that drone. */
void swarm_ghost_write(const struct swarm *w, uint32_t i, const uint8_t *frame, size_t n);

/** The contract for one ghost, whose time stands until it has answered. */
extern const struct mf_order_ops swarm_ghost_ops;

/** Its context. */
struct swarm_ghost_port {
    struct swarm *w;
    uint32_t i; /**< member */
};
/* ---- by the bus */

/** @brief A frame of a participant has come: a recording has it. @param participant  its number */
void swarm_ghosts_record(struct swarm *w, mf_us_t at_us, uint32_t participant,
                         const struct mf_bus_frame *frame);

/** @brief Does the run replay a recording? */
bool swarm_ghosts_replay(const struct swarm *w);

/** @brief Of a replay: the next frame of the bus that came at @p at_us or before.
 *  @return false: there is none. The frame is good until the next call */
bool swarm_ghosts_replayed(struct swarm *w, mf_us_t at_us, uint32_t *participant,
                           struct mf_bus_frame *frame);

/** @brief What participant @p name says of a member. @return NULL, or why it must leave */
const char *swarm_ghost_feed(struct swarm *w, uint32_t participant, const char *name,
                             const struct mf_bus_pose *pose, mf_us_t at_us);
const char *swarm_ghost_feed_packet(struct swarm *w, uint32_t participant, const char *name,
                                    const struct mf_bus_packet *packet, mf_us_t at_us);

/** Called with each frame of a drone that is a ghost, for its recording. @param frame  [n] */
typedef void swarm_ghost_tap_fn(const struct swarm *w, uint32_t i, mf_us_t at_us,
                                const uint8_t *frame, size_t n);

/** @brief Call @p tap with frames from now on. After SWARM_BOOT of ghosts. */
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

/** @brief Send to participants by these functions. After SWARM_BOOT of ghosts. */
void swarm_ghosts_set_feeder(struct swarm *w, const struct swarm_ghost_feeder *feeder);

/** @brief A participant has left: another may feed its ghosts. */
void swarm_ghosts_unfeed(struct swarm *w, uint32_t participant, mf_us_t at_us);

/** @brief The ghost that is member @p i. */
struct ghost *swarm_ghost_of(const struct swarm *w, uint32_t i);

/** Drones that run in other processes. */
extern const struct swarm_system swarm_ghosts_system;

#endif
