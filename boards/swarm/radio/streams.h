/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Streams of programs in virtual time (docs/cosim.md): TCP between addresses of the world. The
 * library of virtual time makes them local sockets to the switch, which is here. Between its two
 * ends a stream crosses the network as events: by simulated TCP outside, or built in, in closed
 * form, where a segment that is lost is sent again, and what follows waits for it.
 *
 * Events are those of docs/bus.md.
 */
#ifndef MF_BOARDS_SWARM_STREAMS_H
#define MF_BOARDS_SWARM_STREAMS_H

#include "boards/swarm/radio/network.h"

/** @brief The switch listens. @param base  127.X.0.0
 *  @return SWARM_OK; SWARM_INPUT with an error set */
int swarm_streams_open(struct swarm *w, uint32_t base, int line);

/** @brief Its timer is set. After mf_engine_init(). */
void swarm_streams_begin(struct swarm *w);

/** @brief What programs have said leaves at the present, if all of them wait: a piece is what they
 * have said at an instant. @return whether there was anything */
bool swarm_streams_take(struct swarm *w);

/** @brief Is it an event as docs/bus.md says? From outside. */
bool swarm_streams_is_event(const uint8_t *bytes, size_t n);

/** @brief An event has arrived from outside. */
void swarm_streams_hear(struct swarm *w, const struct swarm_arrival *a);

/** @brief What programs have got so far, counted. */
uint64_t swarm_streams_out(const struct swarm *w);

void swarm_streams_close(struct swarm *w);

#endif
