/* SPDX-License-Identifier: Apache-2.0 */
/** Contract: what the vehicle knows of the Earth. On a microcontroller it lies in flash. */
#ifndef MF_HAL_EARTH_H
#define MF_HAL_EARTH_H

#include "hal/types.h"

/* Models of the geoid, by the names of their packs: name, number in MF_GEOID, word. A pack with
 * another name is OTHER. */
/* clang-format off */
#define MF_EARTH_MODEL_LIST(X)  \
    X(NONE,     0,  "none")     \
    X(CONSTANT, 1,  "constant") \
    X(EGM96,    2,  "egm96")    \
    X(EGM2008,  3,  "egm2008")  \
    X(NAVD88,   4,  "navd88")   \
    X(EGM84,    5,  "egm84")    \
    X(OTHER,    99, "other")
/* clang-format on */

enum mf_earth_model {
#define X(name, number, word) MF_EARTH_##name = (number),
    MF_EARTH_MODEL_LIST(X)
#undef X
};

/** Which geoid served the place of the start, and what is known of the ground. */
struct mf_earth_about {
    enum mf_earth_model model;
    uint32_t fingerprint;      /**< first 32 bits of the model's hash; 0: without a hash */
    uint16_t ground_spacing_m; /**< between known heights of the ground; 0: none is known */
};

struct mf_earth_ops {
    /** Height of the geoid above the ellipsoid of WGS84 at a place, -90 .. 90 and any longitude.
     * @param m  out; unchanged on errors
     * @return MF_E_OK; MF_E_RANGE: no model covers the place; MF_E_IO: the model is damaged there;
     * MF_E_NOSUPP: without a model, only the receiver knows both altitudes */
    int (*undulation)(void *ctx, double lat_deg, double lon_deg, double *m);
    /** Height of the ground above the geoid at a place.
     * @param amsl_m  out; untouched on errors
     * @return MF_E_OK; MF_E_NOENT: not known there; MF_E_NOSUPP: nowhere */
    int (*ground)(void *ctx, double lat_deg, double lon_deg, double *amsl_m);
    /** Description of the models; constant. */
    struct mf_earth_about (*about)(void *ctx);
};

#endif
