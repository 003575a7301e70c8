/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Component metadata: two files of JSON, from which ground stations learn names, units and ranges
 * of the parameters. Made of params.def piece by piece as they are read; nothing holds them whole.
 * Source: MAVLink component information protocol (general and parameter schema, version 1).
 */
#ifndef MF_FIRMWARE_METADATA_H
#define MF_FIRMWARE_METADATA_H

#include "hal/types.h"

struct mf_vehicle;

/* clang-format off */
/** Name, where it is served, the file's name there. */
#define MF_METADATA_LIST(X)                            \
    X(GENERAL, "etc/extras", "component_general.json") \
    X(PARAMETERS, "etc/extras", "parameters.json")

enum mf_metadata {
#define X(name, folder, file) MF_METADATA_##name,
    MF_METADATA_LIST(X)
#undef X
    MF_METADATA_COUNT
};
/* clang-format on */

#define MF_METADATA_GENERAL_URI    "mftp://etc/extras/component_general.json"
#define MF_METADATA_PARAMETERS_URI "mftp://etc/extras/parameters.json"

/** What is known of a file once it has been made for the first time. */
struct mf_metadata_seal {
    uint32_t size; /**< [bytes]; 0: not made yet */
    uint32_t crc;  /**< mf_crc32() from 0, as clients check it */
};

/** Where reading may go on without beginning anew. Zero is the beginning. */
struct mf_metadata_mark {
    uint32_t at;    /**< offset of a piece [bytes] */
    uint16_t piece; /**< which */
};

/** @brief Size and checksum of a file. Made once, which takes as long as reading it. */
struct mf_metadata_seal mf_metadata_seal(struct mf_vehicle *v, enum mf_metadata file);

/** @brief Read from a file.
 *  @param mark  in, out: where the last read was; reading forward from there costs no more than
 *               what is read
 *  @return bytes, up to @p n; 0 at the end */
size_t mf_metadata_read(struct mf_vehicle *v, enum mf_metadata file, struct mf_metadata_mark *mark,
                        uint32_t offset, uint8_t *bytes, size_t n);

#endif
