/* SPDX-License-Identifier: Apache-2.0 */
/** Files that a scenario names: outputs, and inputs that a root may send to its leaves. */
#ifndef MF_BOARDS_SWARM_CORE_FILE_H
#define MF_BOARDS_SWARM_CORE_FILE_H

#include "fleet/scenario.h"

#include <stdio.h>

struct swarm;

/** @brief Make the path of an output: in the folder of --out, unless @p file begins with '/'.
 *  @param path  out [size]
 *  @return true: in the folder of --out */
bool swarm_output_path(const struct swarm *w, const char *file, char *path, size_t size);

/** @brief Open a file of an output.
 *  @param member  number of a member from 0; its number from 1 replaces "%n"
 *  @return NULL with an error set */
FILE *swarm_open(struct swarm *w, const struct mf_scenario_output *o, uint32_t member);

/** @brief Close a file; NULL: do nothing.
 *  @return false: a write has failed, so the file is incomplete */
bool swarm_close(const struct swarm *w, FILE *file);

/** @brief Refuse the run, with the name of the first file that swarm_close() found incomplete.
 *  @return SWARM_INPUT */
int swarm_refuse_incomplete(struct swarm *w, int line);

/** @brief Remember a file that the run has written; swarm_close() does it for each file. */
void swarm_file_add_written(const struct swarm *w, const char *path);

/** @brief Print the files that the run has written, with their sizes, on the standard output: the
 *  last 20 by name, those before them by number. Devices and pipes are left out. */
void swarm_files_print_written(const struct swarm *w);

/** @brief Find the path of a plan, whose name is relative to the folder of the scenario. */
void swarm_plan_path(const struct swarm *w, const char *name, char *path, size_t size);

/** @brief Read a file, and add a NUL.
 *  @param w  the run that reads it; NULL: none does
 *  @param n  out: number of bytes without it
 *  @return the bytes, which the caller frees; NULL with errno set */
char *swarm_read_file(const struct swarm *w, const char *path, size_t *n);

/** @brief Path of the @p k th file that the run has read, from 0: a root sends these files to
 *  its leaves.
 *  @return NULL: @p k is beyond the last */
const char *swarm_file_get_path(const struct swarm *w, uint32_t k);

/** @brief Set the bytes that swarm_read_file() returns for a path.
 *  @return false: memory is exhausted */
bool swarm_file_set_bytes(struct swarm *w, const char *path, const void *bytes, size_t n);

/** @brief Free the bytes that swarm_file_set_bytes() has set. */
void swarm_files_free(struct swarm *w);

extern const size_t swarm_files_bytes;

#endif
