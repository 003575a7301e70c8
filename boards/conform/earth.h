/* SPDX-License-Identifier: Apache-2.0 */
/** The models of the geoid that a drone without a host can have: the packs that are at hand, and
 * the list of those that a recording names. */
#ifndef MF_BOARDS_CONFORM_EARTH_H
#define MF_BOARDS_CONFORM_EARTH_H

#include "world/geoid.h"
#include "world/terrain.h"

#define DRONE_PACKS     8u
#define DRONE_WHY_BYTES 320u

struct drone_earth {
    struct mf_geoid geoid;     /**< geoid models that the settings name, in order */
    struct mf_terrain terrain; /**< terrain that the settings name, in order */
    struct mf_pack pack[DRONE_PACKS];
    size_t count;
    char why[DRONE_WHY_BYTES]; /**< after an error */
};

/** @brief Have a pack at hand. @param bytes  stay where they are
 *  @return MF_E_OK; an error with why set */
int drone_earth_have(struct drone_earth *earth, const uint8_t *bytes, size_t size);

/** @brief Setting "terrain": the hash of a pack's grid, behind those before it.
 *  @return MF_E_OK; an error with why set */
int drone_earth_set_terrain(struct drone_earth *earth, const char *value);

/** Read a setting: "egm96", "egm96 FINGERPRINT", "constant:47.3" or "none", after those before it.
 * @return MF_E_OK; an error with why set */
int drone_earth_set(struct drone_earth *earth, const char *value);

#endif
