/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Watches objects of a kind: a LIST, page by page, then a WATCH from its version. After a lost
 * connection it goes on from the last known version. After an error in the stream, a forgotten
 * version (410) or an unreadable line it begins a new LIST. The pause between failing tries grows
 * to 5 s.
 */
#ifndef MF_SIMCTL_KUBE_WATCH_H
#define MF_SIMCTL_KUBE_WATCH_H

#include "tools/simctl/kube/kube_client.h"

/** Callbacks of a watch. All are called from the watch's own thread. */
struct simctl_kube_watch_ops {
    /** A LIST begins: what it does not bring is gone. */
    void (*begin)(void *ctx);
    /** The list is complete. */
    void (*end)(void *ctx);
    /** An object as it is now. @param gone  it was deleted */
    void (*object)(void *ctx, const json_t *object, bool gone);
    /** A try failed; the watch goes on trying. May be NULL. */
    void (*failed)(void *ctx, const struct web_error *error);
};

struct simctl_kube_watch;

/** @brief Watch a kind. @param path  of its list, "/api/v1/namespaces/N/pods"
 *  @param query  "labelSelector=..." or "fieldSelector=...", escaped  @param ops  kept
 *  @return NULL: no memory or thread */
struct simctl_kube_watch *simctl_kube_watch_start(struct simctl_kube *k, const char *path,
                                                  const char *query,
                                                  const struct simctl_kube_watch_ops *ops,
                                                  void *ctx);

/** @brief End it. Takes a second at most where the server is silent in a watch; what else it may
 *  wait for ends simctl_kube_cancel(). */
void simctl_kube_watch_stop(struct simctl_kube_watch *w);

/** Bytes of one line of a watch. */
#define SIMCTL_KUBE_LINE_MAX (4u << 20)

/** Reader of a watch's stream, line by line; pure. All zero at the beginning. */
struct simctl_kube_lines {
    char *bytes;
    size_t len, cap;
    char version[24]; /**< the last that was seen, "" before */
    bool broken; /**< an error, a version that is forgotten, or no line of a watch: LIST again */
};

/** @brief The next bytes. @return false: nothing more is to be read */
bool simctl_kube_lines_feed(struct simctl_kube_lines *l, const char *bytes, size_t n,
                            const struct simctl_kube_watch_ops *ops, void *ctx);

void simctl_kube_lines_free(struct simctl_kube_lines *l);

#endif
