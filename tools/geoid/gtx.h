/* SPDX-License-Identifier: Apache-2.0 */
/** GTX, NOAA's grid format as PROJ ships it: 40 bytes of geometry, then big-endian float32. */
#ifndef MF_TOOLS_GEOID_GTX_H
#define MF_TOOLS_GEOID_GTX_H

#include "tools/geoid/raster.h"

/** @brief Read a file. The model is its name without folder and ending; frame and epoch are "none".
 *  @param error  out: what is wrong  @return false with a text, and nothing to free */
bool mf_gtx_read(const char *path, struct mf_raster *raster, char *error, size_t error_size);

#endif
