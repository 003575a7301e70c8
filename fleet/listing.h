/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The JSON files of a published grid simulator (docs/papers.md), converted to a scenario: an
 * environment, drones, and a scheduler with tasks, in one file or several. Keys may be written with
 * capitals and blanks, and be broken by the end of a printed line. A file may be a part of an
 * object, without its braces, and lack brackets, which a note names.
 */
#ifndef MF_FLEET_LISTING_H
#define MF_FLEET_LISTING_H

#include "fleet/keys.h"

#include <stdio.h>

struct mf_listing_file {
    const char *name; /**< name of the file, for errors */
    const char *text; /**< text of the file [n bytes] */
    size_t n;
};

/** @brief Read the files, and write the scenario. It begins with a comment "# ..." for each thing
 * that the files lack and that has one meaning only.
 * @param error  out [MF_KEYS_ERROR_MAX]: one line
 * @return MF_E_OK; MF_E_RANGE: nothing was written */
int mf_listing_convert(const struct mf_listing_file *files, size_t count, FILE *to, char *error);

#endif
