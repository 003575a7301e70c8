/* SPDX-License-Identifier: Apache-2.0 */
/** The raster of a part of a grid as bytes: little-endian int32, north first, west to east. */
#ifndef MF_ELEVATION_RASTER_H
#define MF_ELEVATION_RASTER_H

#include "tools/elevation/library.h"

/** Reads a part, forwards mostly: the nodes of one row of tiles are held. Uses the heap. */
struct elevation_raster {
    struct elevation_part part;
    struct mf_pack_cache cache;
    uint8_t *band;      /**< the rows that are held, as they are sent */
    uint32_t row, rows; /**< of the part: first one held, number */
};

/** @return false: out of memory */
bool elevation_raster_open(struct elevation_raster *raster, const struct elevation_part *part);
void elevation_raster_close(struct elevation_raster *raster);

/** @brief Bytes from @p position on, as many as there are in the rows at hand.
 *  @return their number, 1 .. max; 0: behind the end; -1: the pack is damaged */
int64_t elevation_raster_read(struct elevation_raster *raster, int64_t position, uint8_t *bytes,
                              size_t max);

#endif
