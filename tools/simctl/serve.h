/* SPDX-License-Identifier: Apache-2.0 */
/** `simctl serve`: the controller as a program. */
#ifndef MF_SIMCTL_SERVE_H
#define MF_SIMCTL_SERVE_H

struct simctl_serving {
    const char *listen;    /**< HOST:PORT */
    const char *templates; /**< a folder; NULL: the built-in one alone */
    const char *folder;    /**< of instances on this machine; NULL: one that goes at the end */
    const char
        *mayfly; /**< the emulator's program; NULL: that in this program's folder, or in PATH */
    const char *backend;    /**< "local", "kubernetes"; NULL: kubernetes in a pod, else local */
    const char *kubeconfig; /**< of the cluster; NULL: that of this pod */
    const char *name_space; /**< of the instances; NULL: that of the pod or kubeconfig */
    const char *config;     /**< who may (tenant.h); NULL: this machine alone */
    const char *drone_key;  /**< file of the drones' key; NULL: one of this process */
    const char *ca_certificate, *ca_key; /**< of instances' certificates; NULL: none are minted */
    const char *certificate, *secret;    /**< TLS: files with PEM, both; NULL: without */
};

/** @brief Serve until SIGINT or SIGTERM; then all instances of this machine end, those of a cluster
 * go on. @return an exit code */
int simctl_serve(const struct simctl_serving *serving);

#endif
