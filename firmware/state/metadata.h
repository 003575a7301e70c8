/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/report/metadata.h, without functions. */
#ifndef MF_FIRMWARE_STATE_METADATA_H
#define MF_FIRMWARE_STATE_METADATA_H

#include "hal/types.h"

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

/** Addresses of the files: COMPONENT_METADATA has the first, and the first file has the second. */
#define MF_METADATA_GENERAL_URI    "mftp://etc/extras/component_general.json"
#define MF_METADATA_PARAMETERS_URI "mftp://etc/extras/parameters.json"

/** Size and checksum of a file, known once it has been made for the first time. */
struct mf_metadata_seal {
    uint32_t size; /**< [bytes]; 0: not made yet */
    uint32_t crc;  /**< mf_crc32() from 0, as clients check it */
};

/** Part of a file that is read at once. */
struct mf_extent {
    uint32_t offset; /**< [bytes] */
    size_t n;        /**< at most so many */
    uint8_t *bytes;  /**< [n], of the reader */
};

/** Place at which reading can continue without starting at the beginning. Zero is the beginning. */
struct mf_metadata_mark {
    uint32_t at;    /**< offset of a piece [bytes] */
    uint16_t piece; /**< which, from 0 */
};

#endif
