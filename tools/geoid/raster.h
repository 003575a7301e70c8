/* SPDX-License-Identifier: Apache-2.0 */
/** A grid of heights in memory: what readers of files make and the pack writer takes. */
#ifndef MF_TOOLS_GEOID_RASTER_H
#define MF_TOOLS_GEOID_RASTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** Readers set it to zero first, fill it, and leave node_m from malloc() to the caller. */
struct mf_raster {
    uint32_t rows;    /**< north first */
    uint32_t columns; /**< west first; without the column that repeats the first one */
    int64_t north_e9; /**< latitude of the first row [1e-9 deg] */
    int64_t west_e9;  /**< longitude of the first column [1e-9 deg], any turn */
    uint32_t lat_num; /**< spacing of the rows [deg]: a fraction */
    uint32_t lat_den;
    uint32_t lon_num; /**< spacing of the columns [deg]: a fraction */
    uint32_t lon_den;
    bool wraps;                /**< the columns go round the Earth */
    double *node_m;            /**< [rows][columns]; NaN: void */
    char model[32];            /**< [a-z0-9._+-], ends with a zero: "egm96" */
    char frame[16];            /**< "none", "itrf2014" */
    char epoch[16];            /**< decimal year, "none" */
    uint8_t source_sha256[32]; /**< of the file that it was read from */
};

/** @brief Room for rows x columns nodes, all void. @return false: none left, or too many */
bool mf_raster_alloc(struct mf_raster *raster);
void mf_raster_free(struct mf_raster *raster);

/** @brief Step such as 0.25 or 1/24 deg as the simplest fraction within 1e-8 of it, relatively.
 *  @return false: it is not within 1e-6 .. 180 deg, or the denominator would be above 1,000,000 */
bool mf_raster_fraction(double step_deg, uint32_t *num, uint32_t *den);

/** @brief Set @p wraps, and drop a last column that repeats the first one, as the geometry says. */
void mf_raster_close(struct mf_raster *raster);

/** @brief True if @p bytes bytes follow in a file until its end. Readers ask before they make room
 * for the nodes that a header promises: a short file must not take memory for millions of them. */
bool mf_raster_file_has(FILE *file, uint64_t bytes);

/** @brief SHA-256 of a file, for source_sha256. @return false: it cannot be read */
bool mf_raster_hash_file(const char *path, uint8_t digest[32]);

#endif
