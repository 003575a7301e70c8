/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The bus (docs/bus.md): programs outside that take part in a swarm, in lockstep. Controllers are
 * told what is at an instant, and time waits until each has said what it wants; observers are told
 * the same, and nothing waits for them.
 */
#ifndef MF_BOARDS_SWARM_BUS_H
#define MF_BOARDS_SWARM_BUS_H

#include "boards/swarm/core/swarm.h"
#include "fleet/bus.h"

/** Participants at once. */
#define SWARM_BUS_PARTICIPANTS 16u

struct swarm_bus;

/** The board's part of a turn. */
struct swarm_bus_ops {
    /** All frames of the instant, by swarm_bus_frame() and swarm_bus_send(). */
    void (*tell)(struct swarm *w, void *ctx);
    /** A frame PATH, ORDERS, POSES or PACKETS. @return NULL, or why the participant must leave */
    const char *(*hear)(struct swarm *w, void *ctx, uint32_t participant,
                        const struct mf_bus_frame *frame);
};

/** @brief Listen, if the scenario says so. @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_bus_open(struct swarm *w);

/** @brief Wait for the controllers that time 0 waits for. @param greet  NULL, or what each
 *  participant is told besides: frames for it by swarm_bus_send_to()
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_bus_gather(struct swarm *w, void (*greet)(struct swarm *w, void *ctx, uint32_t i),
                     void *ctx);

/** @brief Must there be a turn at a time? @param reported  somebody reported something */
bool swarm_bus_due(const struct swarm *w, mf_us_t at_us, bool reported);

/** @brief A turn: newcomers are greeted, all are told, controllers are heard, in their order.
 *  @return SWARM_OK; else an error is set: SWARM_INPUT: a controller was silent */
int swarm_bus_turn(struct swarm *w, mf_us_t at_us, bool reported, const struct swarm_bus_ops *ops,
                   void *ctx);

/** @brief How a participant is called; "" without a bus. */
const char *swarm_bus_name(const struct swarm *w, uint32_t participant);

/** @brief The first controller answers a frame that was just begun and filled in.
 *  @return NULL with an error set: nobody does */
const struct mf_bus_frame *swarm_bus_ask(struct swarm *w, enum mf_bus_type answer);

/** @brief Controllers that are there. */
uint32_t swarm_bus_controllers(const struct swarm *w);

/** @brief Will any controller have another turn? False if all have put off their next one for ever.
 */
bool swarm_bus_acts(const struct swarm *w);

/** @brief The frame that is begun. */
struct mf_bus_writer *swarm_bus_frame(struct swarm *w, enum mf_bus_type type);

/** @brief Frames STATE of all members leave, as many members in each as fit. @param put  adds a
 *  member's MF_BUS_STATE_BYTES */
void swarm_bus_tell_states(struct swarm *w, uint32_t count,
                           void (*put)(struct swarm *w, void *ctx, struct mf_bus_writer *f,
                                       uint32_t i),
                           void *ctx);

/** @brief It leaves for everybody; for one. */
void swarm_bus_send(struct swarm *w);
void swarm_bus_send_to(struct swarm *w, uint32_t participant);

/** @brief What is told from now on is of this time. */
void swarm_bus_now(struct swarm *w, mf_us_t at_us);

/** @brief The run is over: all are told, and let go. */
void swarm_bus_close(struct swarm *w, int code);

/** @brief The frame, to observers alone. */
void swarm_bus_send_to_observers(struct swarm *w);

#endif
