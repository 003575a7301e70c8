/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Pictures of a run as frames of the bus (docs/bus.md): built for the live page, and written to the
 * file of outputs.pictures, which mayfly-view shows after the run (docs/swarm-page.md). The file
 * has pictures at times of the run, not of the wall, so equal runs write equal bytes.
 */
#ifndef MF_BOARDS_SWARM_PICTURES_H
#define MF_BOARDS_SWARM_PICTURES_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/radio/receptions.h"
#include "fleet/bus.h"

/** A picture. Begin with zeros; the owner frees @c bytes. */
struct swarm_picture {
    uint8_t *bytes; /**< [room], of which the picture has n */
    size_t n, room;
    mf_us_t at_us;
    uint32_t number; /**< index; picture 0 has the frames that never change, too */
    struct swarm_onlooker onlooker;
    struct mf_bus_writer writer;
};

/** @return the state; NULL: the run lacks this part */
static inline struct swarm_picture *swarm_picture_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_PICTURE];
}

/** Function that writes the frames of an instant, by swarm_picture_frame() and
 *  swarm_picture_add().
 *  @param first  write the frames that never change, too */
typedef void swarm_picture_fn(struct swarm *w, bool first);

/** @brief Build the picture of an instant. @param add_frames  writes its frames */
void swarm_picture_take(struct swarm *w, struct swarm_picture *p, mf_us_t at_us,
                        swarm_picture_fn *add_frames);

/** @brief Begin a frame of swarm_picture_of(w). @return its writer */
struct mf_bus_writer *swarm_picture_frame(struct swarm *w, enum mf_bus_type type);

/** @brief Append the frame that was begun to swarm_picture_of(w). */
void swarm_picture_add(struct swarm *w);

/** @brief Open the file, if the scenario has outputs.pictures. @param add_frames  writes the frames
 * of its pictures
 *  @return SWARM_OK or SWARM_INPUT */
int swarm_pictures_open(struct swarm *w, swarm_picture_fn *add_frames);

/** @brief Write a picture to the file, if the run has one and a picture is due. */
void swarm_pictures_write_due(struct swarm *w, mf_us_t at_us);

/** System of the file of pictures (outputs.pictures). */
extern const struct swarm_system swarm_pictures_system;

#endif
