/* SPDX-License-Identifier: Apache-2.0 */
/** An API server of Kubernetes: where it is, who we are there, and one function for all calls. */
#ifndef MF_SIMCTL_KUBE_CLIENT_H
#define MF_SIMCTL_KUBE_CLIENT_H

#include "tools/web/error.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes of a path with its query. */
#define SIMCTL_KUBE_PATH_MAX 1024u

/** Who connects where. PEM texts and names are owned: simctl_kube_settings_free(). */
struct simctl_kube_settings {
    char *server;            /**< "https://HOST:PORT" */
    char *ca;                /**< PEM; NULL: those of the system */
    char *certificate, *key; /**< PEM, both; NULL: none */
    char *token;             /**< NULL: none, or token_file */
    char *token_file;        /**< read again when the server wants a newer one; NULL: none */
    char *name_space;        /**< of the pod, or of the kubeconfig's context; "default" else */
};

/** @brief As a pod of the cluster. @return false: this is no pod with a ServiceAccount, or its
 * files are not there */
bool simctl_kube_settings_pod(struct simctl_kube_settings *s, struct web_error *error);

/** @brief As a kubeconfig's current context says: certificates and tokens in the file or beside
 *  it. @return false: 422, what of it is not understood */
bool simctl_kube_settings_load(struct simctl_kube_settings *s, const char *path,
                               struct web_error *error);

void simctl_kube_settings_free(struct simctl_kube_settings *s);

struct simctl_kube;

/** @brief Nothing is sent yet. @param s  taken over; freed by simctl_kube_close()
 *  @return NULL: no memory */
struct simctl_kube *simctl_kube_open(struct simctl_kube_settings *s);

/** @brief Calls that run, and all others from now on, end within a second: 503. */
void simctl_kube_cancel(struct simctl_kube *k);

/** @brief No call may run any more. */
void simctl_kube_close(struct simctl_kube *k);

/** @brief Namespace of the settings. */
const char *simctl_kube_namespace(const struct simctl_kube *k);

/**
 * @brief One request and its answer, from any thread. A token that has expired is read again, a
 * server that is busy (429) is waited for, for ten seconds at most; one that does not answer, for
 * 30 s.
 * @param path  "/apis/...", with its query
 * @param body  NULL: none. Of a PATCH a merge patch
 * @param out   the answer, a new reference; may be NULL
 * @return false: @p error has the server's words. Status 409 with code "exists" or "conflict", 429
 *         with code "quota" and the quota's name, 404 "unknown", 503 "kubernetes": not reached
 */
bool simctl_kube_call(struct simctl_kube *k, const char *method, const char *path,
                      const json_t *body, json_t **out, struct web_error *error);

/** @brief A GET whose answer does not matter. @param max_ms  time for the answer  @return false:
 * see simctl_kube_call() */
bool simctl_kube_probe(struct simctl_kube *k, const char *path, long max_ms,
                       struct web_error *error);

/** Who gets a piece of a text. @return false: no more, please */
typedef bool simctl_kube_sink(void *ctx, const char *bytes, size_t n);

/** @brief A GET whose answer is a text that may be long: logs. */
bool simctl_kube_text(struct simctl_kube *k, const char *path, simctl_kube_sink *sink, void *ctx,
                      struct web_error *error);

/** @brief A GET whose answer does not end by itself: until @p stop says so, asked once a second, or
 *  the server or @p idle_s without a byte ends it. @return false: see simctl_kube_call() */
bool simctl_kube_stream(struct simctl_kube *k, const char *path, unsigned idle_s,
                        simctl_kube_sink *sink, bool (*stop)(void *ctx), void *ctx,
                        struct web_error *error);

/** @brief What a server's Status says, as an error. @param status  of HTTP  @param body  may be
 *  NULL, or anything */
void simctl_kube_refusal(unsigned status, const json_t *body, struct web_error *error);

#endif
