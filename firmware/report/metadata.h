/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Component metadata: two files of JSON, from which ground stations learn names, units and ranges
 * of the parameters. Made of params.def piece by piece as they are read; nothing holds them whole.
 * Source: MAVLink component information protocol (general and parameter schema, version 1).
 */
#ifndef MF_FIRMWARE_METADATA_H
#define MF_FIRMWARE_METADATA_H

#include "firmware/state/metadata.h"
#include "hal/types.h"

/** @brief Size and checksum of a file. The tables never change, so both are made once, which takes
 * as long as reading both files; later calls cost nothing.
 * @param seal  [MF_METADATA_COUNT], of the caller; zero before the first call */
struct mf_metadata_seal mf_metadata_seal(struct mf_metadata_seal *seal, enum mf_metadata file);

/** @brief Read from a file. @param seal  [MF_METADATA_COUNT], as for mf_metadata_seal()
 * @param mark  in, out: place of the last read; reading on from there takes time only for the bytes
 * read
 * @return bytes, 0 at the end */
size_t mf_metadata_read(struct mf_metadata_seal *seal, enum mf_metadata file,
                        struct mf_metadata_mark *mark, const struct mf_extent *want);

#endif
