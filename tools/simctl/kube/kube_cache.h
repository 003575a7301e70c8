/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The instances of one namespace, kept up to date by watches of Jobs, pods and Services. The cache
 * keeps only the members that answers need, and the API server can supply all of it again.
 */
#ifndef MF_SIMCTL_KUBE_CACHE_H
#define MF_SIMCTL_KUBE_CACHE_H

#include "tools/simctl/base/backend.h"
#include "tools/simctl/kube/kube_client.h"
#include "tools/simctl/kube/kube_state.h"

/**
 * Number of instances of a namespace that the cache keeps. Of others each request reads its own,
 * and lists omit them.
 */
#define SIMCTL_KUBE_INSTANCES_MAX 20000u

struct simctl_kube_cache;

/** Facts about an instance that calls need. */
struct simctl_kube_about {
    char job[64], uid[48], version[24]; /**< name and the like of the Job */
    char hash[65];
    char pod[64], pod_uid[48]; /**< "": none */
    char emulator[SIMCTL_NAME_MAX];
    int64_t asked_us;
    bool ended, recorded;
    bool told;    /**< the Job notes how the instance ended */
    bool decided; /**< the instance's own end has begun: an order to end it changes nothing */
};

/** Callbacks for changes; a thread of the cache calls them. */
struct simctl_kube_listener {
    void (*changed)(void *ctx);
    /** A Job is to say what has become of its instance. */
    void (*must_tell)(void *ctx, const char *name_space, const char *id,
                      const struct simctl_kube_verdict *verdict);
    /** The lifetime of an instance was over, and it has ended. */
    void (*expired)(void *ctx, const char *name_space, const char *id,
                    const struct simctl_kube_about *about);
    void *ctx;
};

/** Objects of an instance. */
enum simctl_kube_kind {
    SIMCTL_KUBE_JOB,
    SIMCTL_KUBE_POD,
    SIMCTL_KUBE_SERVICE,
    SIMCTL_KUBE_FAILURE, /**< Events with the reason FailedCreate, of Jobs */
    SIMCTL_KUBE_KINDS
};

/** @brief An empty one. @return NULL: no memory */
struct simctl_kube_cache *simctl_kube_cache_open(const char *name_space,
                                                 const struct simctl_kube_listener *listener);

/** @brief Begin to watch. @return false: no memory or threads */
bool simctl_kube_cache_start(struct simctl_kube_cache *c, struct simctl_kube *k);

void simctl_kube_cache_close(struct simctl_kube_cache *c);

/** @brief An object as a call has answered it; older than what is known, it changes nothing. */
void simctl_kube_cache_take(struct simctl_kube_cache *c, enum simctl_kube_kind kind,
                            const json_t *object);

/**
 * @brief Read an instance. @param out  a copy, which the caller releases; NULL: not wanted
 * @param about  may be NULL  @return false: the cache does not know it
 */
bool simctl_kube_cache_read(struct simctl_kube_cache *c, const char *id,
                            struct simctl_instance *out, struct simctl_kube_about *about);

/** @brief All, in the order of their ids. */
void simctl_kube_cache_list(struct simctl_kube_cache *c, simctl_each *each, void *ctx);

/** @brief Have all kinds been listed? @param error  why not, or "not yet" */
bool simctl_kube_cache_ready(struct simctl_kube_cache *c, struct web_error *error);

#endif
