/* SPDX-License-Identifier: Apache-2.0 */
/** Files that appear whole or not at all, and downloads that may go on later. */
#ifndef MF_GEOID_FOLDER_H
#define MF_GEOID_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define GEOID_PATH_MAX      4096u
#define GEOID_FILE_ERROR    512u
#define GEOID_FILE_SIZE_MAX (INT64_C(1) << 31)

/** @brief Write a file: it is as it was until it is whole on disk.
 *  @param error  out [GEOID_FILE_ERROR] */
bool geoid_file_write(const char *path, const uint8_t *bytes, size_t size, char *error);

/** @brief Read a file whole. @param bytes  out: from malloc()  @return false: it cannot be read */
bool geoid_file_read(const char *path, uint8_t **bytes, size_t *size);

/** @brief A file without a name, gone when it is closed: where such files go, or else beside
 * another one, since a container may have no folder for them. @param beside  path of a file, which
 *         need not be there; NULL: in the present folder */
FILE *geoid_temporary(const char *beside);

/** A download under way. */
struct geoid_part {
    FILE *file;
    int64_t size;              /**< what an earlier one left [bytes] */
    char path[GEOID_PATH_MAX]; /**< empty: it has no name and goes when it is closed */
};

/** @brief Open "FOLDER/TAG.part", or a file without a name if there is no folder, or somebody else
 *         downloads the same just now. The folder is made if its parent is there.
 *  @param beside  of geoid_temporary() */
bool geoid_part_open(struct geoid_part *part, const char *folder, const char *tag,
                     const char *beside);
/** @brief Begin again. */
void geoid_part_clear(struct geoid_part *part);
/** @param keep  a later one may go on with it */
void geoid_part_close(struct geoid_part *part, bool keep);

#endif
