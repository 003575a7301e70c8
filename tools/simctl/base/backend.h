/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The interface of backends, a table of operations with two implementations: Kubernetes, and
 * processes of this machine. Several threads may call all of them at once. Tenants do not see each
 * other's instances.
 */
#ifndef MF_SIMCTL_BACKEND_H
#define MF_SIMCTL_BACKEND_H

#include "tools/simctl/base/instance.h"

#include <stdint.h>

/** Callback of simctl_backend_ops.list() for one instance, which is valid during the call. */
typedef void simctl_each(void *ctx, const struct simctl_instance *instance);

/** Callback for a piece of a log. @return false: stop */
typedef bool simctl_sink(void *ctx, const char *bytes, size_t n);

/** Text of an error "no_recording". @param %s  the instance's id */
#define SIMCTL_NO_RECORDING "nothing is recorded of instance %.60s: its template has no 'recording'"

struct simctl_backend_ops {
    /** Begin an instance. If one of the same request exists, finish that one instead.
     *  @param out  to be released by simctl_instance_free(); its id may be another than the order's
     *  @return false: @p error says why; 409 "conflict": the request stands for another order */
    bool (*create)(void *ctx, const struct simctl_order *order, struct simctl_instance *out,
                   struct web_error *error);
    /** @return false: 404 "unknown_instance" */
    bool (*read)(void *ctx, const char *tenant, const char *id, struct simctl_instance *out,
                 struct web_error *error);
    /** All of a tenant, in the order of their ids. */
    bool (*list)(void *ctx, const char *tenant, simctl_each *each, void *each_ctx,
                 struct web_error *error);
    /** Move the end of a lifetime. @param ends_us  UTC; within what its template allows */
    bool (*extend)(void *ctx, const char *tenant, const char *id, int64_t ends_us,
                   struct web_error *error);
    /** End it; one that has ended is left as it is. @param keep_logs  until its TTL is over */
    bool (*end)(void *ctx, const char *tenant, const char *id, const char *reason, bool keep_logs,
                struct web_error *error);
    /** Read a container's log so far. @param container  "": the drone's */
    bool (*logs)(void *ctx, const char *tenant, const char *id, const char *container,
                 simctl_sink *sink, void *sink_ctx, struct web_error *error);
    /** Read an instance's recording so far. @return false: 404 "no_recording" */
    bool (*recording)(void *ctx, const char *tenant, const char *id, simctl_sink *sink,
                      void *sink_ctx, struct web_error *error);
    /** Wait until anything has changed since version @p seen, or until a time is over.
     *  @return the version now */
    uint64_t (*wait)(void *ctx, uint64_t seen, int timeout_ms);
    /** Could instances of a template run? Called when it is read; nothing is made. NULL: this
     *  backend says so when one is ordered. @return false: @p error says why not; where that cannot
     *  be found out now it is true */
    bool (*check)(void *ctx, const char *tenant, const struct simctl_template *t,
                  struct web_error *error);
    /**
     * List the cluster's events about an instance, such as the reason why it does not start.
     * @param out  array; objects are added: time, object, reason, message, count
     */
    bool (*events)(void *ctx, const char *tenant, const char *id, json_t *out,
                   struct web_error *error);
    /**
     * List a tenant's limits: in a cluster its namespace's ResourceQuotas.
     * @param out  array; objects are added: name, hard and used, quantities by resource
     */
    bool (*limits)(void *ctx, const char *tenant, json_t *out, struct web_error *error);
    /** Could this backend answer now? NULL: as list() says. @return false: @p error says why not */
    bool (*ready)(void *ctx, const char *tenant, struct web_error *error);
    /** Calls of create() and end() that one request makes at a time; 0: 1. */
    unsigned width;
};

struct simctl_backend {
    const struct simctl_backend_ops *ops;
    void *ctx;
};

#endif
