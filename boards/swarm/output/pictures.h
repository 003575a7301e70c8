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

struct swarm_page_ops;

/** Begin with zeros; let go of the bytes. */
struct swarm_picture {
    uint8_t *bytes; /**< [room], n of them are the picture */
    size_t n, room;
    mf_us_t at_us;
    uint32_t number; /**< from 0: the first one has what never changes, too */
    struct swarm_onlooker onlooker;
    struct mf_bus_writer writer;
};

/** @brief The frames of an instant are put together. @param ctx  of @p ops */
void swarm_picture_take(struct swarm *w, struct swarm_picture *p, mf_us_t at_us,
                        const struct swarm_page_ops *ops, void *ctx);

/** @brief The file, if the scenario wants it. @return SWARM_OK or SWARM_INPUT */
int swarm_pictures_open(struct swarm *w);

/** @brief There is a picture if one is due. Nothing happens without a file. */
void swarm_pictures_turn(struct swarm *w, mf_us_t at_us, const struct swarm_page_ops *ops,
                         void *ctx);

/** @brief The file is complete. @return false: it took not all */
bool swarm_pictures_close(struct swarm *w);

#endif
