/* SPDX-License-Identifier: Apache-2.0 */
/** `simctl serve`: the controller as a program. */
#ifndef MF_SIMCTL_SERVE_H
#define MF_SIMCTL_SERVE_H

struct simctl_serving {
    const char *listen;    /**< HOST:PORT */
    const char *templates; /**< a folder; NULL: the built-in one alone */
    const char *folder;    /**< of instances on this machine; NULL: one that goes at the end */
    const char *mayfly;    /**< the emulator's program; NULL: beside this one, or in PATH */
};

/** @brief Serve until SIGINT or SIGTERM; then all instances of this machine end. @return an
 * exit code */
int simctl_serve(const struct simctl_serving *serving);

#endif
