/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What there is of a kind, and what becomes of it: a LIST, page by page, then a WATCH from its
 * version. After a connection that was lost it goes on from the last version that it knows, after
 * all else, an error in the stream, a version that the server has forgotten (410) or a line that
 * cannot be read, by a new LIST. Tries that do not last are made ever less often, every 5 s at
 * last.
 */
#ifndef MF_SIMCTL_KUBE_WATCH_H
#define MF_SIMCTL_KUBE_WATCH_H

#include "tools/simctl/kube/kube_client.h"

/** Who is told. All calls come from the watch's own thread. */
struct simctl_kube_watch_ops {
    /** A LIST begins: what it does not bring is gone. */
    void (*begin)(void *ctx);
    /** It is over, and was whole. */
    void (*end)(void *ctx);
    /** An object as it is now. @param gone  it was deleted */
    void (*object)(void *ctx, const json_t *object, bool gone);
    /** It does not get through, and goes on trying. May be NULL. */
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

/** What a watch's stream says, line by line; pure. All zero at the beginning. */
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
