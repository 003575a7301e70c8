/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The live page of a run (docs/swarm-page.md): a stream of frames of the bus to a thread that
 * serves browsers (page_server.h), and what they want back. The run never waits for it: while the
 * last picture is still on its way, there is no other.
 */
#ifndef MF_BOARDS_SWARM_PAGE_H
#define MF_BOARDS_SWARM_PAGE_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "fleet/bus.h"

/** What a kind of run shows and obeys. */
struct swarm_page_ops {
    /** Frames of an instant, by swarm_page_frame() and swarm_page_add().
     *  @param first  with what never changes */
    void (*tell)(struct swarm *w, void *ctx, bool first);
    /** A frame ORDERS or CLOCK of a browser. @return NULL, or why it is not obeyed */
    const char *(*hear)(struct swarm *w, void *ctx, const struct mf_bus_frame *frame);
};

/** @brief Serve, if the scenario says so. @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_page_open(struct swarm *w);

/** @brief Browsers are heard, and there is a picture if one is due. @param now  it is due */
void swarm_page_turn(struct swarm *w, mf_us_t at_us, const struct swarm_page_ops *ops, void *ctx,
                     bool now);

/** @brief A frame of the picture begins; it is part of it. */
struct mf_bus_writer *swarm_page_frame(struct swarm *w, enum mf_bus_type type);
void swarm_page_add(struct swarm *w);

/** @brief Browsers are told of the end, and the page ends with the run. */
void swarm_page_close(struct swarm *w, int code);

/** The live page. */
extern const struct swarm_system swarm_page_system;

#endif
