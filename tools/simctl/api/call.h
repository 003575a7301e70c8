/* SPDX-License-Identifier: Apache-2.0 */
/** A request of the controller's API, as its handlers see it. */
#ifndef MF_SIMCTL_CALL_H
#define MF_SIMCTL_CALL_H

#include "tools/simctl/api/api.h"
#include "tools/simctl/api/audit.h"

#define SIMCTL_LABELS_MAX 8u
#define SIMCTL_LABEL_MAX  130u

/** What stands behind '?'. */
struct simctl_query {
    char label[SIMCTL_LABELS_MAX][SIMCTL_LABEL_MAX];
    unsigned labels;
    char state[16], after[SIMCTL_ID_MAX], container[SIMCTL_NAME_MAX], wait[16];
    double timeout_s;
    long limit;
    bool keep_logs;
};

struct simctl_route;

/** A request and its answer. */
struct simctl_call {
    const struct simctl_api *api;
    const struct web_request *request;
    struct web_answer *answer;
    const struct simctl_route *routes; /**< [route_count], of the API */
    size_t route_count;
    struct simctl_who who;
    const struct simctl_catalogue *templates; /**< as they are during this request */
    char id[SIMCTL_ID_MAX];                   /**< of the path */
    const char *rest;                         /**< of the path, behind the route's; "" else */
    json_t *body;                             /**< of a POST; an object */
    struct web_error error;
    struct simctl_query query;
    json_t *gives; /**< becomes the answer's body */
};

/** @brief The instance of the path, of the caller's tenant. @param i  out, to be released */
bool simctl_call_find(struct simctl_call *c, struct simctl_instance *i);

/** @brief Has an instance all the labels of a query? */
bool simctl_call_fits(const struct simctl_query *query, const json_t *labels);

/** @brief A line of the audit about this request. @param id  of an instance; "": none
 *  @param result  "done", the code of an error, or what the drone answered */
void simctl_call_audit(const struct simctl_call *c, const char *what, const char *id,
                       const char *result);

/** @brief Does its method ask for a change? */
bool simctl_call_changes(const struct simctl_call *c);

/** @brief GET /v1/holds: an answer that does not end. When its client is gone, all instances with
 *  the labels of the query end (api_hold.c). */
void simctl_api_hold(struct simctl_call *c);

#endif
