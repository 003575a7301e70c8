/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Model of the Earth for the receiver and the firmware (hal/earth.h): the geoid of an ordered list
 * of models, and the ground of an ordered list of packs.
 *
 * The altitude above the geoid (AMSL) is that of the model that serves the place. At the border to
 * another model the altitude above the ellipsoid takes a step, and a flight that holds its AMSL
 * continues at the same number.
 */
#ifndef MF_WORLD_EARTH_H
#define MF_WORLD_EARTH_H

#include "hal/earth.h"
#include "hal/gnss.h"
#include "world/geoid.h"
#include "world/terrain.h"

/** The caller allocates it; its fields are private. */
struct mf_earth {
    struct mf_geoid *geoid;
    struct mf_terrain *terrain; /**< NULL: the ground is flat, as high as home */
    struct mf_earth_about about;
    bool everywhere; /**< every place has a model */
    struct {
        double lat_deg, lon_deg, undulation_m;
        int result;
        bool valid;
    } last; /**< last query: a repeated one for the same place gets the same answer, fast */
};

/** @brief Begin with a list of models that others may share; NULL: the mean sea level is the
 * ellipsoid.
 * @return MF_E_OK; MF_E_RANGE: no model covers home; MF_E_IO: the model of home is damaged there */
int mf_earth_init(struct mf_earth *earth, struct mf_geoid *geoid, double home_lat_deg,
                  double home_lon_deg);

/** @brief Set the ground, by a list of packs that others may share; NULL, or empty: flat. */
void mf_earth_set_terrain(struct mf_earth *earth, struct mf_terrain *terrain);

/** @brief Undulation of the geoid, as hal/earth.h has it, but never MF_E_NOSUPP. */
int mf_earth_at(struct mf_earth *earth, double lat_deg, double lon_deg, double *undulation_m);

/** @brief Set the altitude above the ellipsoid of a fix that was moved to another place. Without an
 * Earth (NULL), or a model there, the fix keeps its undulation. */
void mf_earth_settle(struct mf_earth *earth, struct mf_fix *fix);

/** @brief Name of a model: its pack's, "constant" or "none". Valid as long as the layer. */
const char *mf_earth_name(const struct mf_geoid_layer *layer);

/** @brief True if a model has a value for every place. */
bool mf_earth_is_everywhere(const struct mf_geoid_layer *layer);

/** @brief Interpolation of the pack that has a fingerprint [MF_PACK_HASH]. @return MF_PACK_AS_MADE:
 * the pack has another one */
enum mf_pack_interpolation mf_earth_how(const struct mf_pack *pack, const uint8_t *fingerprint);

/** @brief Fingerprint of a model with its interpolation [MF_PACK_HASH]. @return NULL: not a pack */
const uint8_t *mf_earth_fingerprint(const struct mf_geoid_layer *layer);

/** @brief Word of enum mf_earth_model, and the first bits of the fingerprint. */
struct mf_earth_about mf_earth_describe(const struct mf_geoid_layer *layer);

/** Operations; their context is the struct mf_earth. */
extern const struct mf_earth_ops mf_earth_geoid_ops;

#endif
