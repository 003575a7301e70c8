/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Pictures of a run as frames of the bus (docs/bus.md): in the making, and as a file that
 * mayfly-view shows afterwards (outputs.pictures, docs/swarm-page.md). The file is counted in the
 * run's own time, so equal runs write equal bytes.
 */
#ifndef MF_BOARDS_SWARM_PICTURES_H
#define MF_BOARDS_SWARM_PICTURES_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/radio/receptions.h"
#include "fleet/bus.h"

/** Begin with zeros; let go of the bytes. */
struct swarm_picture {
    uint8_t *bytes; /**< [room], n of them are the picture */
    size_t n, room;
    mf_us_t at_us;
    uint32_t number; /**< from 0: the first one has what never changes, too */
    struct swarm_onlooker onlooker;
    struct mf_bus_writer writer;
};

/** @return the state; NULL: the run lacks this part */
static inline struct swarm_picture *swarm_picture_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_PICTURE];
}

/** Frames of an instant, by swarm_picture_frame() and swarm_picture_add().
 *  @param first  with the frames that never change */
typedef void swarm_picture_fn(struct swarm *w, bool first);

/** @brief Put the frames of an instant together. */
void swarm_picture_take(struct swarm *w, struct swarm_picture *p, mf_us_t at_us,
                        swarm_picture_fn *tell);

/** @brief Begin a frame of swarm_picture_of(w). @return its writer */
struct mf_bus_writer *swarm_picture_frame(struct swarm *w, enum mf_bus_type type);

/** @brief Add the frame to swarm_picture_of(w). */
void swarm_picture_add(struct swarm *w);

/** @brief The file, if the scenario wants it. @return SWARM_OK or SWARM_INPUT */
int swarm_pictures_open(struct swarm *w);

/** @brief Write a picture if one is due, and the run has a file. */
void swarm_pictures_turn(struct swarm *w, mf_us_t at_us, swarm_picture_fn *tell);

/** @brief The file is complete. @return false: it took not all */
bool swarm_pictures_close(struct swarm *w);

#endif
