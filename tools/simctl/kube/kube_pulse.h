/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A thread that asks an API server for one object every 2 s. A server that hangs keeps its
 * connections, so watches, which may be silent for a minute, do not notice it.
 */
#ifndef MF_SIMCTL_KUBE_PULSE_H
#define MF_SIMCTL_KUBE_PULSE_H

#include "tools/simctl/kube/kube_client.h"

struct simctl_kube_pulse;

/** @brief Begin. @param path  of a list that the controller may read  @return NULL: no memory or
 *  thread */
struct simctl_kube_pulse *simctl_kube_pulse_start(struct simctl_kube *k, const char *path);

/** @brief True if the server has answered the last question. @param error  else the cause */
bool simctl_kube_pulse_good(struct simctl_kube_pulse *p, struct web_error *error);

/** @brief End. After simctl_kube_cancel(), within a second. @param p  may be NULL */
void simctl_kube_pulse_stop(struct simctl_kube_pulse *p);

#endif
