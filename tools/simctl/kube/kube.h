/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Instances on Kubernetes: each is a Job, a Secret that it owns, and if its template wants one a
 * Service. All state is the cluster's, so any number of controllers work side by side, and one that
 * dies between two calls leaves only objects that expire.
 */
#ifndef MF_SIMCTL_KUBE_H
#define MF_SIMCTL_KUBE_H

#include "tools/simctl/base/backend.h"
#include "tools/simctl/base/certificate.h"
#include "tools/simctl/base/drone_token.h"
#include "tools/simctl/kube/kube_client.h"

/** Tenants of one controller. */
#define SIMCTL_KUBE_TENANTS_MAX 32u

struct simctl_kube_backend;

extern const struct simctl_backend_ops simctl_kube_ops;

/** @brief Begin. @param k  used until simctl_kube_stop()  @param key  copied
 *  @param ca  used until then; NULL: templates with certificates are refused
 *  @param images  of simctl_tenants_images(); used until then; NULL: none
 *  @return NULL: no memory */
struct simctl_kube_backend *simctl_kube_start(struct simctl_kube *k, const struct simctl_key *key,
                                              const struct simctl_ca *ca, const json_t *images);

/** @brief Serve a tenant from a namespace; before the first call for it.
 *  @return false: there are too many, or no memory */
bool simctl_kube_add(struct simctl_kube_backend *b, const char *tenant, const char *name_space,
                     struct web_error *error);

/** @brief Stop the controller's threads; instances go on. */
void simctl_kube_stop(struct simctl_kube_backend *b);

#endif
