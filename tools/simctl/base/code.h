/* SPDX-License-Identifier: Apache-2.0 */
/** The words of errors: one table, which docs/controller.md and the OpenAPI document show.
 *  ci/error_codes.py fails where a word of the code is not here, or one here is nowhere in
 *  the code. */
#ifndef MF_SIMCTL_CODE_H
#define MF_SIMCTL_CODE_H

/* Word, statuses, what it means and what to do. */
// clang-format off
#define SIMCTL_CODE_LIST(X)                                                                                            \
    X(json, "400", "the body is not JSON; the text says line and column")                                              \
    X(token, "401", "the request has no token, or one that is unknown or has expired")                                 \
    X(extend, "403", "the template does not allow that a lifetime is extended")                                        \
    X(forbidden, "403", "without tenants only programs of this machine are served: `serve --config`")                  \
    X(origin, "403", "without tenants no page from elsewhere may use the API in a browser of this machine")            \
    X(tenant, "403", "the ServiceAccount belongs to no tenant, or its tenant has no namespace")                        \
    X(no_logs, "404", "the instance has no pod yet, or ended without keeping its logs")                                \
    X(no_recording, "404", "its template has no `recording`")                                                          \
    X(unknown, "404, 410", "an object of the cluster does not exist, such as the namespace")                           \
    X(unknown_container, "404", "the instance has no log of that container")                                           \
    X(unknown_instance, "404", "the tenant has no such instance, or its TTL is over")                                  \
    X(unknown_path, "404", "nothing is served at this path")                                                           \
    X(method, "405", "the path serves other methods: header `Allow`")                                                  \
    X(conflict, "409", "the id of the request was used for another request")                                           \
    X(exists, "409", "an object of the cluster exists already")                                                        \
    X(ended, "409, 410", "the instance ends or has ended: it cannot be extended, and its drone does not answer")       \
    X(body, "413", "the body is too long; a path without a body takes none")                                           \
    X(too_long, "414", "path and query are too long, or have too many parameters")                                     \
    X(arguments, "422", "the drone would have too many arguments")                                                     \
    X(certificates, "422, 500", "the template needs certificates, and the controller has no CA or could make none")    \
    X(container, "422", "the name of the container is not valid")                                                      \
    X(count, "422", "the number of instances is out of its range")                                                     \
    X(environment, "422", "a container's environment would be too large")                                              \
    X(label, "422", "a label must say which instances are meant")                                                      \
    X(labels, "422", "the name or text of a label is not one of Kubernetes, or the name is reserved")                  \
    X(lifetime, "422", "the lifetime is out of the template's range")                                                  \
    X(missing_member, "422", "a required member is missing")                                                           \
    X(no_local_command, "422", "without a cluster a container needs a command")                                        \
    X(parameter, "422", "a parameter is unknown here, or its value is not allowed")                                    \
    X(template, "422", "the cluster, or the check of the template, refuses what the template asks for")                \
    X(unknown_member, "422", "a member is unknown; the text names the nearest")                                        \
    X(unknown_template, "422", "there is no such template; the text lists all")                                        \
    X(unknown_value, "422", "the template takes no such value; the text lists all")                                    \
    X(value, "422", "a value is out of its range, or fits no pattern")                                                 \
    X(value_from, "422", "a variable comes from the cluster, and there is none")                                       \
    X(wrong_type, "422", "a member has another type")                                                                  \
    X(busy, "429, 503", "the API server is busy, or a former instance is being cleaned up: try again")                 \
    X(full, "429", "this machine runs as many instances as its limit allows")                                          \
    X(quota, "429", "a ResourceQuota has no room; the text names it")                                                  \
    X(emulator, "500", "the drone's program could not be started")                                                     \
    X(folder, "500, 507", "a folder could not be made or written")                                                     \
    X(memory, "500, 503", "the controller has no memory left")                                                         \
    X(drone, "502", "the drone does not answer")                                                                       \
    X(kubernetes, "502, 503", "the API server does not answer, or its answer is wrong")                                \
    X(places, "503", "the tenant's requests take all its places: try again after `Retry-After`")                       \
    X(not_ready, "503", "the instance has no address yet: `?wait=ready`")
// clang-format on

#endif
