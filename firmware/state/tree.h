/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/protocol/tree.h, without functions. */
#ifndef MF_FIRMWARE_STATE_TREE_H
#define MF_FIRMWARE_STATE_TREE_H

#include "firmware/state/metadata.h"
#include "firmware/state/text.h"
#include "hal/hal.h"

/** Folders that are always there: name, path without slashes at the ends. */
#define MF_FOLDER_LIST(X)    \
    X(TOP, "")               \
    X(ETC, "etc")            \
    X(EXTRAS, "etc/extras")  \
    X(FS, "fs")              \
    X(MICROSD, "fs/microsd") \
    X(LOGS, "fs/microsd/log")

/* clang-format off */
enum mf_folder {
#define X(name, path) MF_FOLDER_##name,
    MF_FOLDER_LIST(X)
#undef X
    MF_FOLDER_COUNT
};
/* clang-format on */

/** Kinds of nodes; the kind decides the meaning of the other members. */
enum mf_tree_node_kind {
    MF_NODE_FOLDER,   /**< which: enum mf_folder */
    MF_NODE_DAY,      /**< at: day, since 1970; a folder of logs */
    MF_NODE_METADATA, /**< which: enum mf_metadata */
    MF_NODE_LOG,      /**< which: index in the archive; at: its UTC [s] */
};

/** Sources of the files. */
struct mf_tree {
    const struct mf_hal *hal; /**< whose archive has the logs */
    struct mf_metadata_seal seal[MF_METADATA_COUNT];
};

/** A file or a folder. A value: it may be kept, and its use says whether the file is
 * still there. */
struct mf_tree_node {
    uint8_t kind; /**< enum mf_tree_node_kind */
    uint16_t which;
    int64_t at;
};

#endif
