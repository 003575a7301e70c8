/* SPDX-License-Identifier: Apache-2.0 */
/** What the files of the local backend share: an instance, its folder, and how it begins. */
#ifndef MF_SIMCTL_LOCAL_INSTANCE_H
#define MF_SIMCTL_LOCAL_INSTANCE_H

#include "tools/simctl/base/instance.h"
#include "tools/simctl/local/probe.h"

#include <sys/types.h>

#define SIMCTL_PATH_BYTES   4096u
#define SIMCTL_FOLDER_BYTES 3800u
/** The drone's log, in the folder of its instance. */
#define SIMCTL_EMULATOR_LOG "emulator.log"
/** Of the environment of all processes of an instance: its id. */
#define SIMCTL_VARIABLE "SIMCTL_INSTANCE"

struct simctl_local_instance {
    bool used;
    struct simctl_instance i;
    char tenant[SIMCTL_NAME_MAX];
    char request[SIMCTL_ID_MAX]; /**< of its order; "": none */
    char hash[65];
    pid_t pid;  /**< of the drone; 0: none runs */
    bool child; /**< ours; else one that an earlier run began */
    bool onboard, extend, told;
    double lifetime_max_s;
    struct simctl_probe probe; /**< of its drone, until that is ready */
    int64_t told_us;           /**< UTC: when it was told to end */
};

/** Programs and places of a local backend. */
struct simctl_local_site {
    char folder[SIMCTL_FOLDER_BYTES];
    char mayfly[SIMCTL_PATH_BYTES], self[SIMCTL_PATH_BYTES];
    const struct simctl_ca *ca; /**< NULL: none */
};

/** @brief A file of an instance. @param file  "": its folder  @param path
 * out [SIMCTL_PATH_BYTES] */
void simctl_local_path(const struct simctl_local_site *site, const char *id, const char *file,
                       char *path);

/** @brief Write its order down, as a whole: who is killed meanwhile leaves the old one. */
bool simctl_local_save(const struct simctl_local_site *site, const struct simctl_local_instance *x);

/** @brief The order of an earlier run. @return false: there is none, or another's */
bool simctl_local_load(const struct simctl_local_site *site, const char *id,
                       struct simctl_local_instance *x);

/** @brief Remove its folder, and what is in it. */
void simctl_local_remove(const struct simctl_local_site *site, const char *id);

/** @brief Keep certificates in its folder, for its owner alone. */
bool simctl_local_certify(const struct simctl_local_site *site, const char *id,
                          const struct simctl_minted *minted);

/** @brief Begin: its drone, which begins everything else.
 *  @param pod  of simctl_template_apply()  @return false: @p error says why, and nothing runs */
bool simctl_local_begin(const struct simctl_local_site *site, struct simctl_local_instance *x,
                        const struct simctl_template *t, const json_t *pod,
                        struct web_error *error);

#endif
