/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Templates of instances (docs/controller.md): a pod template of Kubernetes, passed through as it
 * is, and the values that callers may choose.
 *
 *     description: our onboard software against a drone in Zurich
 *     lifetime: {default: 10m, max: 2h, extend: true}
 *     onboard: onboard                # its end is the instance's
 *     values:
 *       home:  {env: MAYFLY_HOME, type: text, default: "47.3977,8.5456,488"}
 *       speed: {env: PX4_SIM_SPEED_FACTOR, type: number, min: 0.1, max: 20}
 *       image: {image: onboard, patterns: ["localhost/acme/ *"]}
 *     local:
 *       onboard: {command: [python3, onboard.py]}
 *     pod:
 *       spec:
 *         initContainers: [{name: emulator, image: localhost/mayfly, restartPolicy: Always, ...}]
 *         containers: [{name: onboard, image: localhost/acme/onboard}]
 */
#ifndef MF_SIMCTL_TEMPLATE_H
#define MF_SIMCTL_TEMPLATE_H

#include "tools/web/error.h"

#include <jansson.h>

#define SIMCTL_NAME_MAX 64u

/** Places from which clients reach the drone. */
enum simctl_reach {
    SIMCTL_REACH_CLUSTER, /**< at the pod's address */
    SIMCTL_REACH_NODE,    /**< at a port of every node, too */
};

/** Effect of a sidecar's restart. */
enum simctl_restarted {
    SIMCTL_RESTARTED_DEGRADED, /**< the instance becomes degraded */
    SIMCTL_RESTARTED_ENDED,    /**< it ends */
};

struct simctl_template {
    char name[SIMCTL_NAME_MAX];
    json_t *document; /**< as it was written; the members below point into it */
    const char *description;
    double lifetime_default_s, lifetime_max_s, ttl_s;
    bool extend; /**< the lifetime may be prolonged, to its max at most */
    enum simctl_reach reach;
    enum simctl_restarted restarted;
    int64_t recording_bytes; /**< 0: no recording */
    const char *recorder;    /**< image with simctl, for recording.h and clock.h */
    bool virtual_time;       /**< the onboard software's clock is the drone's (clock.h) */
    const char *geoid;       /**< fingerprint that planning uses; "": any */
    const char *emulator;    /**< name of its container */
    const char *onboard;     /**< name of the container whose end is the instance's; "": none */
    /** Containers that get certificates, their folders, and the names to certify. Container "":
     * unused. */
    struct {
        const char *container, *path;
        const json_t *names; /**< array; may be NULL */
    } certificates;
    const json_t *values; /**< object; may be NULL */
    const json_t *local;  /**< object; may be NULL */
    bool local_only;      /**< a template without a pod; `local` makes the one below */
    json_t *pod;          /**< own reference: metadata, spec */
};

/**
 * @brief Check and store a template. @param name  name of its file or ConfigMap  @param document
 * the call consumes its reference
 * @return false: @p error says what is wrong; @p t holds nothing then
 */
bool simctl_template_take(struct simctl_template *t, const char *name, json_t *document,
                          struct web_error *error);

void simctl_template_free(struct simctl_template *t);

/** @brief Find a container by name in a pod's spec. @return NULL: not found */
json_t *simctl_container(const json_t *pod, const char *name);

/** @brief Is a container of this name an init container that goes on running (a native sidecar)? */
bool simctl_is_sidecar(const json_t *pod, const char *name);

/** @brief Set a variable of a container's environment, whatever it was before. */
void simctl_set_variable(json_t *container, const char *name, const char *value);

/**
 * @brief Check what a caller chose, and add the defaults.
 * @param chosen  object {name: value}; NULL: nothing
 * @return a new object with a value for each name that has one; NULL: @p error names what is wrong
 *         and what is allowed
 */
json_t *simctl_template_values(const struct simctl_template *t, const json_t *chosen,
                               struct web_error *error);

/** Treatment of variables and arguments by the reader of a pod. */
enum simctl_expander {
    SIMCTL_EXPANDS_NOTHING, /**< on a laptop */
    SIMCTL_EXPANDS_DOLLARS, /**< the kubelet: $(NAME) is a variable of the container, $$ a dollar */
};

/** @brief The pod template with values of simctl_template_values() in their places, such that a
 *  container gets each text as the caller wrote it.
 *  @return a new object with metadata and spec; NULL: no memory */
json_t *simctl_template_apply(const struct simctl_template *t, const json_t *values,
                              enum simctl_expander expander);

#endif
