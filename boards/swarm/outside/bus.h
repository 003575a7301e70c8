/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The bus (docs/bus.md): other programs take part in a swarm, in lockstep. Controllers receive the
 * state of each tick, and time waits for their orders. Observers receive the same frames, and feeds
 * send poses and packets; time does not wait for these.
 */
#ifndef MF_BOARDS_SWARM_BUS_H
#define MF_BOARDS_SWARM_BUS_H

#include "boards/swarm/core/swarm.h"
#include "fleet/bus.h"

/** Maximum number of participants at a time. */
#define SWARM_BUS_PARTICIPANTS 16u

struct swarm_bus;

/** Functions of a turn, from the file that calls swarm_bus_turn(). */
struct swarm_bus_ops {
    /** Send all frames of the instant, by swarm_bus_frame() and swarm_bus_send(). */
    void (*send)(struct swarm *w, void *ctx);
    /** Read a frame PATH, ORDERS, POSES or PACKETS.
     *  @return NULL, or the fault for which the bus disconnects the participant */
    const char *(*receive)(struct swarm *w, void *ctx, uint32_t participant,
                           const struct mf_bus_frame *frame);
};

/** @brief Listen at bus.listen, if the scenario has it.
 *  @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_bus_open(struct swarm *w);

/** @brief Wait for the controllers and the network simulator that time 0 needs.
 *  @param greet  NULL, or sends more frames to a new participant, by swarm_bus_send_to()
 *  @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_bus_gather(struct swarm *w, void (*greet)(struct swarm *w, void *ctx, uint32_t i),
                     void *ctx);

/** Why a turn may be due: a tick, a report of a camera, or a packet that a member has received, for
 * which only those get a turn who want one on reports. */
enum swarm_bus_cause { SWARM_BUS_TICK, SWARM_BUS_REPORT, SWARM_BUS_PACKET };

/** @brief True if a turn is due. */
bool swarm_bus_is_due(const struct swarm *w, mf_us_t at_us, enum swarm_bus_cause cause);

/** @brief Take a turn: greet new participants, send the state to all, then read the answer of each
 *  controller that is due, in the order of their names.
 *  @return SWARM_OK, or SWARM_INPUT with an error set: a controller was silent for too long */
int swarm_bus_turn(struct swarm *w, mf_us_t at_us, enum swarm_bus_cause cause,
                   const struct swarm_bus_ops *ops, void *ctx);

/** @brief Name of a participant; "" without a bus. */
const char *swarm_bus_get_name(const struct swarm *w, uint32_t participant);

/** @brief Send the frame that the caller has begun and filled in to the first controller, and wait
 *  for its answer.
 *  @return NULL with an error set: no controller answered */
const struct mf_bus_frame *swarm_bus_ask(struct swarm *w, enum mf_bus_type answer);

/** @brief Number of connected controllers. */
uint32_t swarm_bus_count_controllers(const struct swarm *w);

/** @brief True if a controller will have another turn. False if each has declined all further
 *  ones. */
bool swarm_bus_acts(const struct swarm *w);

/** @brief Begin a frame with the present tick and time. @return its writer, which the bus owns */
struct mf_bus_writer *swarm_bus_frame(struct swarm *w, enum mf_bus_type type);

/** @brief Send frames STATE of all members, each with as many members as fit.
 *  @param put  adds a member's MF_BUS_STATE_BYTES */
void swarm_bus_send_states(struct swarm *w, uint32_t count,
                           void (*put)(struct swarm *w, void *ctx, struct mf_bus_writer *f,
                                       uint32_t i),
                           void *ctx);

/** @brief Send the frame that the caller has begun: to all participants, or to one. */
void swarm_bus_send(struct swarm *w);
void swarm_bus_send_to(struct swarm *w, uint32_t participant);

/** @brief Set the time of all following frames. */
void swarm_bus_set_time(struct swarm *w, mf_us_t at_us);

/** @brief Send END with the exit code to all participants, and disconnect them. */
void swarm_bus_close(struct swarm *w, int code);

/** @brief Send the frame that the caller has begun to all participants of a role. */
void swarm_bus_send_to_role(struct swarm *w, enum mf_bus_role role);

/** @brief True if a controller will have another turn, or an observer looks on. */
bool swarm_bus_listens(const struct swarm *w);

/** @brief True if the participant is a controller. */
bool swarm_bus_controls(const struct swarm *w, uint32_t participant);

#endif
