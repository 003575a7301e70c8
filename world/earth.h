/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What is known of the Earth, as the receiver and the firmware see it (hal/earth.h): the geoid of
 * an ordered list of models, and the ground of an ordered list of packs.
 *
 * The altitude above the geoid (AMSL) is that of the model that serves the place. Where another one
 * begins to serve, the altitude above the ellipsoid takes a step, and a flight that holds its AMSL
 * goes on at the same number.
 */
#ifndef MF_WORLD_EARTH_H
#define MF_WORLD_EARTH_H

#include "hal/earth.h"
#include "hal/gnss.h"
#include "world/geoid.h"
#include "world/terrain.h"

/** The caller allocates it; its fields belong to the implementation. */
struct mf_earth {
    struct mf_geoid *geoid;
    struct mf_terrain *terrain; /**< NULL: the ground is flat, as high as home */
    struct mf_earth_about about;
    bool everywhere; /**< no place is without a model */
    struct {
        double lat_deg, lon_deg, undulation_m;
        int result;
        bool valid;
    } last; /**< asked: whoever asks for the same place again gets the same answer, and soon */
};

/** @brief The Earth by a list of models that others may share; NULL: the mean sea level is the
 *  ellipsoid.
 *  @return MF_E_OK; MF_E_RANGE: no model covers home; MF_E_IO: the one that does is
 *   damaged there */
int mf_earth_init(struct mf_earth *earth, struct mf_geoid *geoid, double home_lat_deg,
                  double home_lon_deg);

/** @brief Its ground, by a list of packs that others may share; NULL, or empty: flat. */
void mf_earth_set_terrain(struct mf_earth *earth, struct mf_terrain *terrain);

/** @brief The contract's undulation, but never MF_E_NOSUPP. */
int mf_earth_at(struct mf_earth *earth, double lat_deg, double lon_deg, double *undulation_m);

/** @brief A fix was moved: give it the altitude above the ellipsoid that belongs to its place.
 * Without an Earth (NULL), or a model there, it keeps the undulation that it had. */
void mf_earth_settle(struct mf_earth *earth, struct mf_fix *fix);

/** @brief Name of a model: its pack's, "constant" or "none". Lives as long as the layer. */
const char *mf_earth_name(const struct mf_geoid_layer *layer);

/** @brief Has it a value for every place? */
bool mf_earth_is_everywhere(const struct mf_geoid_layer *layer);

/** @brief The interpolation of a pack that has a fingerprint [MF_PACK_HASH]. @return
 * MF_PACK_AS_MADE: none has */
enum mf_pack_interpolation mf_earth_how(const struct mf_pack *pack, const uint8_t *fingerprint);

/** @brief Fingerprint of a model as it is used [MF_PACK_HASH]. @return NULL: it has none */
const uint8_t *mf_earth_fingerprint(const struct mf_geoid_layer *layer);

/** @brief The words of enum mf_earth_model and the first bits of the fingerprint. */
struct mf_earth_about mf_earth_describe(const struct mf_geoid_layer *layer);

/** The contract; the context is the struct mf_earth. */
extern const struct mf_earth_ops mf_earth_geoid_ops;

#endif
