/* SPDX-License-Identifier: Apache-2.0 */
/* Folders are those of PX4's SD card, where its users and their scripts look: logs below
 * fs/microsd/log, one folder a day, and metadata in etc/extras. A folder of logs is made of the
 * archive's times while it is listed; nothing keeps the tree, so it cannot go stale.
 *
 * A node is a value that a client may hold for long. Metadata never change; a log is known by its
 * time, which is compared with each use, as erasing gives its number to another one. */
#include "firmware/protocol/tree.h"

#include "firmware/core/text.h"
#include "firmware/core/utc.h"
#include "firmware/report/metadata.h"
#include "firmware/state/limits.h"
#include "firmware/state/utc.h"

#include <string.h>

/* A client's path without what does not count. */
struct path {
    char s[MF_PATH_MAX + 1u];
};

/* Name of the folder of logs of every vehicle in MAVLink's file protocol. */
#define LOGS_ALIAS "@MAV_LOG"

static const char *const k_folder[MF_FOLDER_COUNT] = {
#define X(name, path) path,
    MF_FOLDER_LIST(X)
#undef X
};

static const struct {
    const char *folder, *name;
} k_file[MF_METADATA_COUNT] = {
#define X(name, folder, file) {folder, file},
    MF_METADATA_LIST(X)
#undef X
};

/* Make the node of a folder. Nodes are made in two functions only, so that a node's number may be
 * used as an index. */
static struct mf_tree_node folder_node(enum mf_folder folder)
{
    MF_ASSERT((unsigned)folder < MF_FOLDER_COUNT);
    return (struct mf_tree_node){.kind = MF_NODE_FOLDER, .which = (uint16_t)folder};
}

static struct mf_tree_node metadata_node(unsigned file)
{
    MF_ASSERT(file < MF_METADATA_COUNT);
    return (struct mf_tree_node){.kind = MF_NODE_METADATA, .which = (uint16_t)file};
}

bool mf_node_is_folder(const struct mf_tree_node *node)
{
    return node->kind == MF_NODE_FOLDER || node->kind == MF_NODE_DAY;
}

/* Whole parts only: "etcetera" is not in "etc".
 *
 * What is behind @p folder in a path, "" for itself; NULL if it is elsewhere. */
static const char *behind(const char *path, const char *folder)
{
    for (; *folder != '\0'; path++, folder++) {
        if (*path != *folder) {
            return NULL;
        }
    }
    if (*path != '\0' && *path != '/') {
        return NULL;
    }
    return *path == '/' ? path + 1 : path;
}

/* The name of @p path in @p folder, NULL if it is not right in there. */
static const char *child_name(const char *folder, const char *path)
{
    const char *name = folder[0] == '\0' ? path : behind(path, folder);
    return name != NULL && name[0] != '\0' && strchr(name, '/') == NULL ? name : NULL;
}

/* Remove slashes at the ends, double slashes and parts that are a single dot. @return false: too
 * long */
static bool clean(const char *path, size_t n, struct path *out)
{
    size_t len = 0;
    bool inside = false; /* a part that counts */
    MF_ASSERT(path != NULL || n == 0);
    memset(out->s, 0, sizeof out->s);
    for (size_t at = 0; at < n && path[at] != '\0'; at++) {
        const bool is_last = at + 1 >= n || path[at + 1] == '/' || path[at + 1] == '\0';
        if (path[at] == '/' || (!inside && path[at] == '.' && is_last)) {
            inside = false;
            continue;
        }
        const bool slash = !inside && len > 0;
        if (len + slash >= MF_PATH_MAX) {
            return false;
        }
        if (slash) {
            out->s[len++] = '/';
        }
        out->s[len++] = path[at];
        inside = true;
    }
    MF_ASSERT(len <= MF_PATH_MAX);
    return true;
}

/* ---- logs */

/* Find the log of a time, or the first later one, by binary search, since there may be thousands in
 * the order of time. A log that cannot be read counts as late, so that the search ends. @return
 * index, or the count */
static int find_log(const struct mf_tree *tree, int64_t utc_s)
{
    int low = 0, high = mf_archive_count(tree->hal);
    MF_ASSERT(high >= 0 && high <= UINT16_MAX);
    while (low < high) {
        const int middle = (low + high) / 2;
        struct mf_archive_info info;
        if (mf_archive_info(tree->hal, (uint16_t)middle, &info) == MF_E_OK && info.utc_s < utc_s) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The log that is at or after @p utc_s and before @p end_s. @param skip  so many of them are left
 * out: a client's word, of any size */
static int log_node(const struct mf_tree *tree, int64_t utc_s, int64_t end_s, uint32_t skip,
                    struct mf_tree_node *node)
{
    struct mf_archive_info info;
    const int64_t index = (int64_t)find_log(tree, utc_s) + skip;
    if (index > UINT16_MAX || mf_archive_info(tree->hal, (uint16_t)index, &info) != MF_E_OK ||
        info.utc_s >= end_s) {
        return MF_E_NOENT;
    }
    *node = (struct mf_tree_node){.kind = MF_NODE_LOG, .which = (uint16_t)index, .at = info.utc_s};
    return MF_E_OK;
}

/* Find the first day with logs from @p day on. @return MF_E_NOENT: none */
static int64_t day_from(const struct mf_tree *tree, int64_t day)
{
    struct mf_tree_node log;
    const int err = log_node(tree, day * MF_DAY_S, INT64_MAX, 0, &log);
    return err == MF_E_OK ? log.at / MF_DAY_S : err;
}

/* Make the node of a day's folder; days without logs are left out. One search per day: a folder of
 * a year needs 365. */
static int day_node(const struct mf_tree *tree, uint32_t index, struct mf_tree_node *node)
{
    int64_t day = day_from(tree, 0);
    for (uint32_t i = 0; i < index && day >= 0; i++) {
        day = day_from(tree, day + 1);
    }
    if (day < 0) {
        return MF_E_NOENT;
    }
    *node = (struct mf_tree_node){.kind = MF_NODE_DAY, .at = day};
    return MF_E_OK;
}

/* "2026-03-01" or "2026-03-01/12_00_00.ulg" */
static int find_in_logs(const struct mf_tree *tree, const char *path, struct mf_tree_node *node)
{
    const size_t n = strlen(path);
    const size_t whole = MF_UTC_DAY_CHARS + 1u + MF_UTC_LOG_CHARS;
    if (n != MF_UTC_DAY_CHARS && n != whole) {
        return MF_E_NOENT;
    }
    const int64_t day = mf_utc_day(path);
    if (day < 0) {
        return MF_E_NOENT;
    }
    if (n == MF_UTC_DAY_CHARS) {
        struct mf_tree_node log;
        *node = (struct mf_tree_node){.kind = MF_NODE_DAY, .at = day};
        return log_node(tree, day * MF_DAY_S, (day + 1) * MF_DAY_S, 0, &log);
    }
    const int64_t second = mf_utc_log(path + MF_UTC_DAY_CHARS + 1u);
    if (path[MF_UTC_DAY_CHARS] != '/' || second < 0) {
        return MF_E_NOENT;
    }
    const int64_t utc_s = day * MF_DAY_S + second;
    return log_node(tree, utc_s, utc_s + 1, 0, node);
}

/* ---- all of it */

/* Both names of the folder of logs lead to it; whatever stands behind is a day or a log. Everything
 * else is in the tables. */
int mf_tree_find(const struct mf_tree *tree, const char *path, size_t n, struct mf_tree_node *node)
{
    struct path clear;
    MF_ASSERT(node != NULL);
    if (!clean(path, n, &clear)) {
        return MF_E_NOENT;
    }
    const char *logs = behind(clear.s, k_folder[MF_FOLDER_LOGS]);
    logs = logs != NULL ? logs : behind(clear.s, LOGS_ALIAS);
    if (logs != NULL && logs[0] != '\0') {
        return find_in_logs(tree, logs, node);
    }
    if (logs != NULL) {
        *node = folder_node(MF_FOLDER_LOGS);
        return MF_E_OK;
    }
    for (unsigned i = 0; i < MF_FOLDER_COUNT; i++) {
        if (strcmp(k_folder[i], clear.s) == 0) {
            *node = folder_node((enum mf_folder)i);
            return MF_E_OK;
        }
    }
    for (unsigned i = 0; i < MF_METADATA_COUNT; i++) {
        const char *name = child_name(k_file[i].folder, clear.s);
        if (name != NULL && strcmp(name, k_file[i].name) == 0) {
            *node = metadata_node(i);
            return MF_E_OK;
        }
    }
    return MF_E_NOENT;
}

/* Folders first, then files, each in the order of its table. */
static int folder_entry(enum mf_folder folder, uint32_t index, struct mf_tree_node *entry,
                        struct mf_text *name)
{
    MF_ASSERT((unsigned)folder < MF_FOLDER_COUNT);
    for (unsigned i = 0; i < MF_FOLDER_COUNT; i++) {
        const char *child = child_name(k_folder[folder], k_folder[i]);
        if (child != NULL && index-- == 0) {
            *entry = folder_node((enum mf_folder)i);
            mf_text_add(name, child);
            return MF_E_OK;
        }
    }
    for (unsigned i = 0; i < MF_METADATA_COUNT; i++) {
        if (strcmp(k_file[i].folder, k_folder[folder]) == 0 && index-- == 0) {
            *entry = metadata_node(i);
            mf_text_add(name, k_file[i].name);
            return MF_E_OK;
        }
    }
    return MF_E_NOENT;
}

/* An index behind the last is how a listing ends, not an error of the client's. */
int mf_tree_entry(const struct mf_tree *tree, const struct mf_tree_node *folder, uint32_t index,
                  struct mf_tree_node *entry, struct mf_text *name)
{
    MF_ASSERT(mf_node_is_folder(folder));
    if (folder->kind == MF_NODE_DAY) {
        const int64_t from_s = folder->at * MF_DAY_S;
        const int err = log_node(tree, from_s, from_s + MF_DAY_S, index, entry);
        if (err == MF_E_OK) {
            mf_utc_add_log(name, entry->at % MF_DAY_S);
        }
        return err;
    }
    if (folder->which == MF_FOLDER_LOGS) {
        const int err = day_node(tree, index, entry);
        if (err == MF_E_OK) {
            mf_utc_add_day(name, entry->at);
        }
        return err;
    }
    return folder_entry((enum mf_folder)folder->which, index, entry, name);
}

int mf_tree_size(struct mf_tree *tree, const struct mf_tree_node *file, uint32_t *size)
{
    if (file->kind == MF_NODE_METADATA) {
        *size = mf_metadata_seal(tree->seal, (enum mf_metadata)file->which).size;
        return MF_E_OK;
    }
    struct mf_archive_info info;
    if (file->kind != MF_NODE_LOG || mf_archive_info(tree->hal, file->which, &info) != MF_E_OK ||
        info.utc_s != file->at) {
        return MF_E_NOENT; /* logs were erased, and the number is another's now */
    }
    *size = info.size;
    return MF_E_OK;
}

int64_t mf_tree_utc_s(const struct mf_tree_node *node)
{
    MF_ASSERT(node != NULL);
    return node->kind == MF_NODE_LOG ? node->at : 0;
}

/* Read a part of a file. A part after the end is empty, and not an error: see read_file() in
 * ftp.c. */
int mf_tree_read(struct mf_tree *tree, const struct mf_tree_node *file,
                 struct mf_metadata_mark *mark, const struct mf_extent *want)
{
    uint32_t size;
    MF_ASSERT(want->bytes != NULL);
    const int err = mf_tree_size(tree, file, &size);
    if (err != MF_E_OK || want->offset >= size) {
        return err;
    }
    if (file->kind == MF_NODE_METADATA) {
        return (int)mf_metadata_read(tree->seal, (enum mf_metadata)file->which, mark, want);
    }
    return mf_archive_read(tree->hal, file->which, want->offset, want->bytes, want->n);
}
