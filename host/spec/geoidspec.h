/* SPDX-License-Identifier: Apache-2.0 */
/** Models of the geoid as users write them: "egm2008:/data/egm2008.mfpk", "egm96", "constant:47.3",
 * "none". */
#ifndef MF_HOST_SPEC_GEOIDSPEC_H
#define MF_HOST_SPEC_GEOIDSPEC_H

#include "hal/types.h"

#define MF_GEOID_NAME_MAX 32u  /**< longest name of a model, with its NUL */
#define MF_GEOID_FILE_MAX 208u /**< longest name of a file, with its NUL */
/** Longest reason for refusing a specification, with its NUL. */
#define MF_GEOID_REASON_MAX 256u
#define MF_GEOID_HASH_BYTES 32u
/** All forms, for errors. */
#define MF_GEOID_FORMS "egm96, MODEL:FILE, constant:METRES, none"

enum mf_geoid_source {
    MF_GEOID_FROM_NONE,     /**< the mean sea level is the ellipsoid, as in other simulators */
    MF_GEOID_FROM_NUMBER,   /**< one undulation for all places */
    MF_GEOID_FROM_EMBEDDED, /**< a pack in the program */
    MF_GEOID_FROM_FILE,     /**< a pack in a file */
};

struct mf_geoid_spec {
    enum mf_geoid_source source;
    char name[MF_GEOID_NAME_MAX]; /**< name of the model, or "constant", "none" */
    char file[MF_GEOID_FILE_MAX];
    double constant_m; /**< -120 .. 120 */
};

/** @brief Read one specification.
 *  @param reason  out on error: one line [MF_GEOID_REASON_MAX]  @return MF_E_OK or MF_E_RANGE */
int mf_geoid_spec_parse(const char *text, struct mf_geoid_spec *spec, char *reason);

/** @brief Read a fingerprint: 64 hexadecimal digits. @param hash  out [MF_GEOID_HASH_BYTES] */
bool mf_geoid_hash_parse(const char *text, uint8_t *hash);

/** @brief Write a fingerprint as digits. @param text  out [2 * MF_GEOID_HASH_BYTES + 1]
 * @return @p text */
const char *mf_geoid_hash_text(const uint8_t *hash, char *text);

#endif
