/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How programs outside reach the vehicles of a swarm (docs/swarm.md): an address for each, a port
 * for each 250, a window of chosen ones, UDP to a host, the control API.
 *
 * A vehicle without a client has no link: memory for links is lent to it with the first one. Its
 * time towards clients then counts with the wall, so that heartbeats and time-outs are the
 * clients'.
 */
#ifndef MF_BOARDS_SWARM_LINKS_H
#define MF_BOARDS_SWARM_LINKS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

struct swarm_links;

/** @return the state; NULL: the run lacks this part */
static inline struct swarm_links *swarm_links_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_LINKS];
}

/** Clients of one vehicle. */
#define SWARM_CLIENTS 7u
/** Vehicles of a group or window: each has a system id of its own. */
#define SWARM_GROUP 250u

/** @brief Open the ports that the scenario asks for; swarm_links_of(w) stays NULL if there are
 * none.
 *  @return SWARM_OK or SWARM_INPUT */
int swarm_links_open(struct swarm *w);

/** @brief Where a client reaches a member, "A.B.C.D:PORT". @param text  out [MF_ADDR_TEXT_MAX]
 *  @return false: it has no address of its own */
bool swarm_links_address(const struct swarm *w, uint32_t i, char *text);

/** @brief Where the control API listens, "A.B.C.D:PORT". @param text  out [MF_ADDR_TEXT_MAX];
 *  "": there is none */
void swarm_links_api(const struct swarm *w, char *text);

/** @brief All vehicles have booted: clients are let in. */
void swarm_links_begin(struct swarm *w);

/** @brief Between two pieces of time: send what vehicles have said, and wait for something to come.
 *  @param wait_s  at most */
void swarm_links_wait(struct swarm *w, double wait_s);

/** @brief Hand what vehicles have said to the system. */
void swarm_links_flush(struct swarm *w);

/** @brief Bytes of clients so far, and clients that came or went; bytes handed to the system. */
void swarm_links_count(const struct swarm *w, uint64_t *in, uint64_t *out);

/** @brief Take in what has come, at the present: once after each swarm_links_wait(). */
void swarm_links_take(struct swarm *w);

/** @brief How far clients let time run: up to the nearest of their barriers, and not at all while
 * one has not read what was sent on a clock that can wait. @return MF_NEVER: any time */
mf_us_t swarm_links_limit(const struct swarm *w);

/** @brief Does anybody listen, so that time goes in short pieces? */
bool swarm_links_listened(const struct swarm *w);

/** @brief Has vehicle @p i a link that is open? */
bool swarm_links_hears(const struct swarm *w, uint32_t i);

/** @brief A whole frame, to all clients of vehicle @p i as if it had sent it, at the present; a
 * client with another system id for it gets only messages that the table has. */
void swarm_links_send(struct swarm *w, uint32_t i, const uint8_t *frame, size_t n);

/** @brief A link of vehicle @p i whose other end is in this program. After swarm_links_begin().
 *  @param number  below MF_SCENARIO_FLOWS_MAX  @param serial  stays valid until the links close
 *  @return NULL, or why there is none */
const char *swarm_links_wire(struct swarm *w, uint32_t i, uint32_t number,
                             const struct mf_serial *serial);

/** @brief Its vehicle reads what it has, at the present. */
void swarm_links_wire_take(struct swarm *w, uint32_t number);

/** @brief Before a checkpoint: clients get what is left, and their links end for the vehicles, too,
 * which have the memory that they booted with. */
void swarm_links_leave(struct swarm *w);

/** @brief Clients get what is left, and their links end. */
void swarm_links_close(struct swarm *w);

/** Clients of vehicles. */
extern const struct swarm_system swarm_links_system;

#endif
