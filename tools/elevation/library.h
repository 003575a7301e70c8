/* SPDX-License-Identifier: Apache-2.0 */
/** The grids that a service has: packs, mapped as long as it runs. */
#ifndef MF_ELEVATION_LIBRARY_H
#define MF_ELEVATION_LIBRARY_H

#include "tools/geoid/offer.h"

#include <pthread.h>

#define ELEVATION_MODELS_MAX 64u
#define ELEVATION_BOXES_MAX  32u /* whose fingerprints are kept */

/** A part of a grid, and what it is as a grid of its own. */
struct elevation_part {
    const struct mf_pack *pack;
    struct geoid_crop crop;
    struct geoid_offer offer;
};

/** Add models, then look only; any number of threads may. Set to zero to begin with. */
struct elevation_library {
    struct mf_pack pack[ELEVATION_MODELS_MAX];
    struct geoid_offer offer[ELEVATION_MODELS_MAX];
    size_t count;
    pthread_mutex_t lock; /**< of what follows */
    struct elevation_part part[ELEVATION_BOXES_MAX];
    size_t parts; /**< so far; the oldest gives way */
};

void elevation_library_init(struct elevation_library *library);

/**
 * @brief Add packs, behind those that are there, in the order of preference.
 * @param list  "FILE", "NAME:FILE" (of a geoid NAME must be the pack's model), "egm96" (the one
 *              within this program), several with commas between them
 * @return false, and why in @p error
 */
bool elevation_library_add(struct elevation_library *library, enum mf_pack_kind kind,
                           const char *list, char *error, size_t error_size);

/** @brief The model of that name. @return its number; -1 */
int elevation_library_find(const struct elevation_library *library, const char *model);

/** Result of a search for a part. */
enum elevation_found { ELEVATION_FOUND, ELEVATION_OUTSIDE, ELEVATION_LARGE, ELEVATION_DAMAGED };

/**
 * @brief A whole grid if @p box is NULL, or the part that covers a box, with its hashes. Reads all
 *        its nodes, unless the cache has its hashes.
 */
enum elevation_found elevation_library_part(struct elevation_library *library, size_t model,
                                            const struct geoid_box *box,
                                            struct elevation_part *part);

#endif
