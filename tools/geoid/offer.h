/* SPDX-License-Identifier: Apache-2.0 */
/** Offer of an elevation service: a grid that it has, as struct and JSON (docs/elevation.md). */
#ifndef MF_GEOID_OFFER_H
#define MF_GEOID_OFFER_H

#include "tools/geoid/box.h"
#include "world/pack.h"

#include <jansson.h>

/** The most nodes of one raster: 256 MiB. Whole grids may have more. */
#define GEOID_OFFER_NODES_MAX (UINT32_C(1) << 26)

/** A grid, whole or a part of one. */
struct geoid_offer {
    char model[MF_PACK_MODEL]; /**< its name in the service */
    char above[MF_PACK_MODEL]; /**< terrain: the model of its pack, which its heights are above;
                                  "": a geoid, or the service does not say it */
    char frame[MF_PACK_FRAME];
    char epoch[MF_PACK_EPOCH];
    enum mf_pack_kind kind;
    enum mf_pack_interpolation interpolation; /**< the service's own */
    uint32_t quantum_um;
    struct geoid_grid grid;
    uint8_t source[MF_PACK_HASH];   /**< of the file that the whole grid was made of */
    uint8_t hash[MF_PACK_HASH];     /**< of the grid */
    uint8_t bilinear[MF_PACK_HASH]; /**< fingerprints; geoid_offer_read() sets that of the */
    uint8_t cubic[MF_PACK_HASH];    /**< service's interpolation only */
};

/** A hash as text, with its end. */
#define GEOID_HASH_TEXT (2u * MF_PACK_HASH + 1u)

/** @param text  out [GEOID_HASH_TEXT]: lower case */
void geoid_hash_text(const uint8_t *hash, char *text);
/** @return false if it is not 64 hexadecimal digits */
bool geoid_hash_parse(const char *text, uint8_t *hash);

/** @brief The fingerprint for the service's own interpolation, or another one. */
const uint8_t *geoid_offer_fingerprint(const struct geoid_offer *offer,
                                       enum mf_pack_interpolation how);

/** @brief "bilinear", "cubic". */
const char *geoid_how_name(enum mf_pack_interpolation how);
/** @return MF_PACK_AS_MADE if it is the name of none */
enum mf_pack_interpolation geoid_how_find(const char *name);

/** @brief "geoid", "terrain". */
const char *geoid_kind_name(enum mf_pack_kind kind);
/** @return false if it is the name of none */
bool geoid_kind_find(const char *name, enum mf_pack_kind *kind);

/** @brief Are these too many nodes for one raster? */
bool geoid_offer_is_large(const struct geoid_offer *offer);

/** @brief Length of the raster [bytes]. */
int64_t geoid_offer_bytes(const struct geoid_offer *offer);

/** @brief Name the model in the header of a pack of it. */
const char *geoid_offer_pack_model(const struct geoid_offer *offer);

/** @brief Copy the header of a pack; the caller names terrain. */
void geoid_offer_of_pack(const struct mf_pack *pack, struct geoid_offer *offer);

/** @brief Convert an offer to JSON. @return a new reference; NULL: out of memory */
json_t *geoid_offer_json(const struct geoid_offer *offer);

/**
 * @brief Read an offer from JSON; ignores unknown members, and checks the bounds of all others.
 * @return false, and what is wrong in @p error
 */
bool geoid_offer_read(json_t *json, struct geoid_offer *offer, char *error, size_t error_size);

#endif
