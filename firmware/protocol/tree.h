/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The files that clients see: component metadata, made of tables, and the flight logs of the
 * archive, in the folders in which PX4 has them. Read only.
 */
#ifndef MF_FIRMWARE_TREE_H
#define MF_FIRMWARE_TREE_H

#include "firmware/state/metadata.h"
#include "firmware/state/text.h"
#include "firmware/state/tree.h"
#include "hal/types.h"

/** @brief Is it a folder? */
bool mf_node_is_folder(const struct mf_tree_node *node);

/** @brief Find a node by its path. Slashes at the ends, double slashes and single dots are ignored.
 * "@MAV_LOG" is MAVLink's name for the folder of logs, wherever it is.
 * @param path  [n], may have any content @return MF_E_OK, MF_E_NOENT */
int mf_tree_find(const struct mf_tree *tree, const char *path, size_t n, struct mf_tree_node *node);

/** @brief Read an entry of a folder. @param index  from 0 @param name  out: appended @return
 * MF_E_OK; MF_E_NOENT after the last entry */
int mf_tree_entry(const struct mf_tree *tree, const struct mf_tree_node *folder, uint32_t index,
                  struct mf_tree_node *entry, struct mf_text *name);

/** @brief Size of a file [bytes]. @return MF_E_OK; MF_E_NOENT: a folder, or a log that is gone */
int mf_tree_size(struct mf_tree *tree, const struct mf_tree_node *file, uint32_t *size);

/** @brief Time of a node's last change [s since 1970, UTC]: for logs, the time of their begin.
 * @return 0: unknown */
int64_t mf_tree_utc_s(const struct mf_tree_node *node);

/** @brief Read from a file. @param mark  of this reader, zero at first
 *  @return bytes, 0 at the end; MF_E_NOENT, MF_E_IO */
int mf_tree_read(struct mf_tree *tree, const struct mf_tree_node *file,
                 struct mf_metadata_mark *mark, const struct mf_extent *want);

#endif
