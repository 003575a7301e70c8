/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tables of the routes that the controller serves. Requests are dispatched by them, and
 * docs/controller-openapi.json is made from them.
 */
#ifndef MF_SIMCTL_ROUTES_H
#define MF_SIMCTL_ROUTES_H

#include "tools/simctl/api/call.h"
#include "tools/simctl/base/shape.h"
#include "tools/simctl/base/text.h"

/* Parameter, what it may be ("|" between words; a range; "" any text), what it does. */
#define SIMCTL_PARAMETER_LIST(X)                                                                 \
    X(LABEL, "label", "", "label NAME=TEXT, or NAME with any text; may be repeated")             \
    X(STATE, "state", "pending|starting|ready|degraded|ending|ended", "state of the instances")  \
    X(AFTER, "after", "", "id of an instance: the answer has those after it, as in next")        \
    X(LIMIT, "limit", "1 .. 5000", "maximum number of instances in the answer; 500 by default")  \
    X(CONTAINER, "container", "", "container whose log is wanted; the drone by default")         \
    X(LOGS, "logs", "keep", "keep: logs stay until the TTL is over; the end takes 0.5 s longer") \
    X(WAIT, "wait", "ready", "ready: answer when all are ready or have ended")                   \
    X(TIMEOUT, "timeout", "0 .. 600", "longest wait [s]; 60 by default")

enum simctl_parameter {
#define X(NAME, name, allowed, help) SIMCTL_##NAME##_PARAMETER,
    SIMCTL_PARAMETER_LIST(X)
#undef X
        SIMCTL_PARAMETERS
};
#define SIMCTL_TAKES(name) (1u << SIMCTL_##name##_PARAMETER)

/** Handling of a request's body and parameters. */
enum simctl_body {
    SIMCTL_NO_BODY,    /**< there may be none */
    SIMCTL_A_DOCUMENT, /**< JSON */
    SIMCTL_PASSED_ON,  /**< as it is, with all parameters */
};

struct simctl_route {
    const char *method; /**< NULL: any */
    const char *path;   /**< {id} is a part without a slash; a last "/..." whatever follows */
    void (*serve)(struct simctl_call *c);
    enum simctl_body body;
    const struct simctl_field *fields; /**< of a document */
    unsigned takes;                    /**< parameters: SIMCTL_TAKES() */
    bool anyone;                       /**< needs no token */
    unsigned status;                   /**< of a good answer */
    const char *gives; /**< schema of the answer, or its media type; NULL: the drone's */
    const char *summary;
};

extern const struct simctl_route simctl_routes[];
extern const size_t simctl_route_count;
extern const struct simctl_field simctl_create_fields[], simctl_extend_fields[];

/** @brief Name of a parameter. @param allowed, help  out; may be NULL */
const char *simctl_parameter(enum simctl_parameter parameter, const char **allowed,
                             const char **help);

/** @brief The API as OpenAPI 3.0 has it. @param routes  [count]  @return a new object */
json_t *simctl_openapi(const struct simctl_route *routes, size_t count);

/** @brief A text to answer with. @param type  static  @param text  its bytes go to the answer */
void simctl_call_text(struct simctl_call *c, const char *type, const struct simctl_text *text);

void simctl_api_create(struct simctl_call *c);
void simctl_api_list(struct simctl_call *c);
void simctl_api_end_labelled(struct simctl_call *c);
void simctl_api_read_one(struct simctl_call *c);
void simctl_api_end_one(struct simctl_call *c);
void simctl_api_extend(struct simctl_call *c);
void simctl_api_page(struct simctl_call *c);
void simctl_api_docs(struct simctl_call *c);
void simctl_api_logs(struct simctl_call *c);
void simctl_api_recording(struct simctl_call *c);
void simctl_api_events(struct simctl_call *c);
void simctl_api_templates(struct simctl_call *c);
void simctl_api_capacity(struct simctl_call *c);
void simctl_api_health(struct simctl_call *c);
void simctl_api_ready(struct simctl_call *c);
void simctl_api_openapi(struct simctl_call *c);

#endif
