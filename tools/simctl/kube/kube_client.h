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

/** Address of an API server, and credentials. PEM texts and names are owned:
 * simctl_kube_settings_free(). */
struct simctl_kube_settings {
    char *server;            /**< "https://HOST:PORT" */
    char *ca;                /**< PEM; NULL: those of the system */
    char *certificate, *key; /**< PEM, both; NULL: none */
    char *token;             /**< NULL: none, or token_file */
    char *token_file;        /**< read again when the server wants a newer one; NULL: none */
    char *name_space;        /**< of the pod, or of the kubeconfig's context; "default" else */
};

/**
 * @brief Read the settings of a pod. @return false: this process is not in a pod with a
 * ServiceAccount, or its files are missing
 */
bool simctl_kube_settings_pod(struct simctl_kube_settings *s, struct web_error *error);

/**
 * @brief Read the current context of a kubeconfig; certificates and tokens stand in it, or in files
 * that it names. @return false: 422, the part that is not understood
 */
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
 * @brief Send a request and wait for its answer, from any thread. Reads an expired token again;
 * repeats a request for 10 s at most if the server is busy (429), for 30 s if it does not answer.
 * @param path  "/apis/...", with its query
 * @param body  NULL: none. A PATCH has a merge patch
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

/** Callback for a piece of a text. @return false: stop */
typedef bool simctl_kube_sink(void *ctx, const char *bytes, size_t n);

/** @brief A GET whose answer is a text that may be long: logs. */
bool simctl_kube_text(struct simctl_kube *k, const char *path, simctl_kube_sink *sink, void *ctx,
                      struct web_error *error);

/**
 * @brief Send a GET whose answer is endless. It ends when @p stop, called once a second, returns
 * true, when the server closes, or after @p idle_s without a byte. @return false: see
 * simctl_kube_call()
 */
bool simctl_kube_stream(struct simctl_kube *k, const char *path, unsigned idle_s,
                        simctl_kube_sink *sink, bool (*stop)(void *ctx), void *ctx,
                        struct web_error *error);

/** @brief Make an error of a server's Status. @param status  of HTTP  @param body  may be NULL, or
 * anything */
void simctl_kube_refusal(unsigned status, const json_t *body, struct web_error *error);

#endif
