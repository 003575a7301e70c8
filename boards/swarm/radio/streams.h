/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Streams of programs in virtual time (docs/cosim.md): TCP between addresses of the world. The
 * library of virtual time replaces each by a local socket to the switch, which is this file. The
 * stream then crosses its network as events: by TCP of a simulator outside, or over a built-in
 * network in closed form, where a lost segment is sent again and later segments wait for it.
 *
 * docs/bus.md defines the events.
 */
#ifndef MF_BOARDS_SWARM_STREAMS_H
#define MF_BOARDS_SWARM_STREAMS_H

#include "boards/swarm/radio/network.h"

/** @brief Open the switch for streams. @param base  127.X.0.0
 *  @return SWARM_OK; SWARM_INPUT with an error set */
int swarm_streams_open(struct swarm *w, uint32_t base, int line);

/** @brief Initialise the timer of streams. Call it after mf_engine_init(). */
int swarm_streams_begin(struct swarm *w);

/** @brief Send what programs have written, at the present. All programs must wait, so that a piece
 * has all that a program wrote at one instant. @return true: there was something to send */
bool swarm_streams_read(struct swarm *w);

/** @brief Handle a stream event that a simulator outside has delivered. */
void swarm_streams_receive(struct swarm *w, const struct swarm_arrival *a);

/** @brief Count of changes at programs' sockets; it grows whenever a program has received
 * something. */
uint64_t swarm_streams_count_changes(const struct swarm *w);

void swarm_streams_close(struct swarm *w);

#endif
