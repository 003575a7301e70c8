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

/**
 * @brief Open a file without a name, which closing deletes. It lies in the system's folder for
 * temporary files or, since a container may lack one, in that of a file. @param beside  path of the
 * file, which need not exist; NULL: the present folder
 */
FILE *geoid_temporary(const char *beside);

/** A download under way. */
struct geoid_part {
    FILE *file;
    int64_t size;              /**< what an earlier one left [bytes] */
    char path[GEOID_PATH_MAX]; /**< empty: the file is nameless, and closing deletes it */
};

/**
 * @brief Open "FOLDER/TAG.part", or a nameless file if @p folder is NULL, or if another process
 *        downloads the same now. Makes the folder if its parent exists.
 * @param beside  of geoid_temporary()
 */
bool geoid_part_open(struct geoid_part *part, const char *folder, const char *tag,
                     const char *beside);
/** @brief Begin again. */
void geoid_part_clear(struct geoid_part *part);
/** @param keep  a later one may go on with it */
void geoid_part_close(struct geoid_part *part, bool keep);

#endif
