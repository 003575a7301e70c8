/* SPDX-License-Identifier: Apache-2.0 */
/** Models by name or file, opened. */
#ifndef MF_TOOLS_GEOID_MODELS_H
#define MF_TOOLS_GEOID_MODELS_H

#include "world/geoid.h"

/** Packs and the bytes that they are views of. Set to zero to begin with. */
struct geoid_models {
    struct mf_geoid geoid;
    uint8_t *bytes[MF_GEOID_LAYERS]; /**< from malloc; NULL: constant data */
};

/** @brief Read a pack. Complains on stderr.
 *  @param bytes  out: what it is a view of, from malloc */
bool geoid_pack_read(const char *path, struct mf_pack *pack, uint8_t **bytes);

/** @brief Print a pack's header (geoid info). */
void geoid_show(const struct mf_pack *pack, const char *path);

/** @brief Compare a pack with another one node by node, and print what differs (geoid
 * check --nodes).
 *  @param path  of the other one  @return exit code */
int geoid_check_nodes(const struct mf_pack *pack, const char *path, double tolerance_m);

/** @brief Open a list as mayfly's --geoid takes it: `egm96` (built in), a file, or NAME:FILE, which
 *  must be of that model; several, separated by commas, in the order in which they serve. Complains
 *  on stderr. */
bool geoid_models_open(struct geoid_models *models, const char *list,
                       enum mf_pack_interpolation how);

void geoid_models_close(struct geoid_models *models);

/** @brief `bilinear`, `cubic`; NULL: as the pack was made. Complains on stderr. */
bool geoid_interpolation_named(const char *name, enum mf_pack_interpolation *how);
const char *geoid_interpolation_name(enum mf_pack_interpolation how);

#endif
