/* SPDX-License-Identifier: Apache-2.0 */
/** One request of the controller's API, as its handlers have it. */
#ifndef MF_SIMCTL_CALL_H
#define MF_SIMCTL_CALL_H

#include "tools/simctl/api.h"

#define SIMCTL_LABELS_MAX 8u
#define SIMCTL_LABEL_MAX  130u

/** One request, and what is said to it. */
struct simctl_call {
    const struct simctl_api *api;
    const struct web_request *request;
    struct web_answer *answer;
    struct simctl_who who;
    char id[SIMCTL_ID_MAX]; /**< of the path */
    const char *rest;       /**< of the path, behind the route's; "" else */
    json_t *body;           /**< of a POST; an object */
    struct web_error error;
    struct {
        char label[SIMCTL_LABELS_MAX][SIMCTL_LABEL_MAX];
        unsigned labels;
        char state[16], after[SIMCTL_ID_MAX], container[SIMCTL_NAME_MAX], wait[16];
        double timeout_s;
        long limit;
        bool keep_logs;
    } query;
    json_t *gives; /**< becomes the answer's body */
};

/** @brief The instance of the path, of the caller's tenant. @param i  out, to be released */
bool simctl_call_find(struct simctl_call *c, struct simctl_instance *i);

#endif
