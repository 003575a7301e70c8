/* SPDX-License-Identifier: Apache-2.0 */
/** An instance as its backend knows it, and an order for one. */
#ifndef MF_SIMCTL_INSTANCE_H
#define MF_SIMCTL_INSTANCE_H

#include "tools/simctl/base/certificate.h"
#include "tools/simctl/base/template.h"

#include <stdint.h>

/* State, its word, what it means. */
#define SIMCTL_STATE_LIST(X)                                             \
    X(PENDING, "pending", "requested; no part of it runs yet")           \
    X(STARTING, "starting", "at least one part runs; not all are ready") \
    X(READY, "ready", "all its parts are ready")                         \
    X(DEGRADED, "degraded", "a sidecar has restarted since the start")   \
    X(ENDING, "ending", "its end has begun; some part still runs")       \
    X(ENDED, "ended", "no part of it runs; outcome has the cause")

enum simctl_state {
#define X(NAME, word, help) SIMCTL_##NAME,
    SIMCTL_STATE_LIST(X)
#undef X
        SIMCTL_STATES
};

/* Outcome, its code, what it means. */
#define SIMCTL_OUTCOME_LIST(X)                                                           \
    X(OPEN, "", "it has not ended")                                                      \
    X(COMPLETED, "completed", "the onboard software, or the drone, came to its end")     \
    X(BY_CALLER, "ended", "a caller ended it")                                           \
    X(EXPIRED, "expired", "its lifetime was over")                                       \
    X(ONBOARD_FAILED, "onboard_failed", "a container that is not the drone failed")      \
    X(EMULATOR_FAILED, "emulator_failed", "the drone ended with an error")               \
    X(GEOID_MISMATCH, "geoid_mismatch", "the drone's geoid is not that of planning")     \
    X(OUT_OF_MEMORY, "out_of_memory", "a container needed more memory than it may have") \
    X(IMAGE, "image", "an image could not be fetched")                                   \
    X(UNSCHEDULABLE, "unschedulable", "no node had room for it")                         \
    X(EVICTED, "evicted", "its node was drained, lost or needed its room")

enum simctl_outcome {
#define X(NAME, code, help) SIMCTL_OUTCOME_##NAME,
    SIMCTL_OUTCOME_LIST(X)
#undef X
        SIMCTL_OUTCOMES
};

/** Bytes of an instance's id, with its NUL. */
#define SIMCTL_ID_MAX      40u
#define SIMCTL_ADDRESS_MAX 80u
#define SIMCTL_REASON_MAX  256u

/** "HOST:PORT" each; "" without such an address. */
struct simctl_addresses {
    char tcp[SIMCTL_ADDRESS_MAX], udp[SIMCTL_ADDRESS_MAX], api[SIMCTL_ADDRESS_MAX];
};

struct simctl_instance {
    char id[SIMCTL_ID_MAX];
    char template_name[SIMCTL_NAME_MAX];
    json_t *labels; /**< object, own reference */
    json_t *values; /**< the caller's values, an object */
    enum simctl_state state;
    enum simctl_outcome outcome;
    char reason[SIMCTL_REASON_MAX];  /**< for people: of the outcome, or why it is not ready */
    struct simctl_addresses within;  /**< for clients in the cluster; on a laptop: for all */
    struct simctl_addresses outside; /**< for clients elsewhere, with SIMCTL_REACH_NODE */
    unsigned restarts;               /**< of sidecars */
    double ttl_s;                    /**< time after its end during which the API still shows it */
    /** UTC [us]; 0: not yet. ends_us is when its lifetime is over. */
    int64_t asked_us, scheduled_us, started_us, ready_us, ends_us, ended_us;
};

/** A request for an instance, checked. */
struct simctl_order {
    const struct simctl_template *template;
    const char *tenant;
    char id[SIMCTL_ID_MAX];      /**< if the instance is new */
    char request[SIMCTL_ID_MAX]; /**< the request's name for it; "": a request without a name */
    char hash[65]; /**< of what was ordered: the same request with another one is a conflict */
    const json_t *values; /**< of simctl_template_values() */
    const json_t *labels; /**< object of texts */
    double lifetime_s;
};

/** @brief Release what it holds. */
void simctl_instance_free(struct simctl_instance *i);

/** @brief Make the API's JSON of an instance. @return a new object */
json_t *simctl_instance_json(const struct simctl_instance *i);

const char *simctl_state_word(enum simctl_state state);
const char *simctl_outcome_code(enum simctl_outcome outcome);

/** @brief UTC now [us]. */
int64_t simctl_utc_us(void);

/** Latest time that a text with a year of four digits can express [us]. */
#define SIMCTL_UTC_MAX_US INT64_C(253402300799999999)

/** @brief Write "2026-03-01T12:00:00.123Z". Times before 1970 and after SIMCTL_UTC_MAX_US become
 * these.
 *  @param text  out [32] */
void simctl_utc_text(int64_t utc_us, char *text);

/** @brief The certificate of an order, for as long as its instance may live.
 *  @param ca  NULL: refused  @param out  to be released by simctl_minted_free() */
bool simctl_order_certify(const struct simctl_order *order, const struct simctl_ca *ca,
                          struct simctl_minted *out, struct web_error *error);

/** @brief Store the hash of a request's body in an order. The order of members does not change it.
 */
void simctl_order_hash(struct simctl_order *order, const json_t *body);

/**
 * @brief Set the id and the request's name of the n-th instance of an order. The ids of an order
 *        are random, and differ in their last number only. The request's name is a hash of tenant,
 *        caller and request: a backend finds by it the instance of a repeated request, as long as
 *        that exists, and gives it the id that it has.
 * @param n        0: draw a new id; else number the one that @p order has
 * @param caller   within the tenant
 * @param request  the caller's id of the request; "": none
 */
void simctl_order_name(struct simctl_order *order, const char *caller, const char *request,
                       unsigned n);

#endif
