/* SPDX-License-Identifier: Apache-2.0 */
/** Declarations that files of the local backend share: an instance, its folder, and its start. */
#ifndef MF_SIMCTL_LOCAL_INSTANCE_H
#define MF_SIMCTL_LOCAL_INSTANCE_H

#include "tools/simctl/base/instance.h"
#include "tools/simctl/local/probe.h"
#include "tools/simctl/local/process.h"
#include "tools/simctl/local/run_state.h"

#define SIMCTL_PATH_BYTES   4096u
#define SIMCTL_FOLDER_BYTES 3800u
/** The drone's log, in the folder of its instance. */
#define SIMCTL_EMULATOR_LOG "emulator.log"
/** Variable with the instance's id in the environment of all its processes. */
#define SIMCTL_VARIABLE "SIMCTL_INSTANCE"
/** The drone's folder as an absolute path; of a command, its log there. Ids of two controllers may
 *  be equal, folders are not. */
#define SIMCTL_FOLDER_VARIABLE "SIMCTL_FOLDER"
/** The order, in the folder of its instance. */
#define SIMCTL_ORDER_FILE "order.json"
/** The end of a lifetime that may be extended, for the drone's --lifetime-file. */
#define SIMCTL_ENDS_FILE "ends"

struct simctl_local_instance {
    bool used;
    struct simctl_instance i;
    char tenant[SIMCTL_NAME_MAX];
    char request[SIMCTL_ID_MAX]; /**< of its order; "": none */
    char hash[65];
    struct simctl_process drone;
    bool child;   /**< the drone is a child of this process; else an earlier run has begun it */
    bool onboard; /**< a runner runs, too, for commands */
    bool extend;
    double lifetime_max_s;
    struct simctl_probe probe; /**< of its drone, until that is ready */
    int64_t told_us;           /**< UTC of the order to end; 0: not ordered */
    int64_t alone_us;          /**< UTC of the drone's end, while others may run; 0: before that */
    bool found;                /**< after that: a look at all processes may find one of it */
    enum simctl_run_state run; /**< of its commands */
    int64_t run_us;            /**< UTC of the last look at it, when all was ready */
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

/** @brief Write the end of its lifetime, if that may be extended. The file is replaced as a whole.
 */
bool simctl_local_save_end(const struct simctl_local_site *site,
                           const struct simctl_local_instance *x);

/** @brief Write its order. The file is replaced as a whole. */
bool simctl_local_save(const struct simctl_local_site *site, const struct simctl_local_instance *x);

/** @brief Load the order of an earlier run. @return false: not found, or another instance's */
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

/** @brief Read the drone's addresses from its log, unless they are known. */
void simctl_local_read_addresses(const struct simctl_local_site *site,
                                 struct simctl_local_instance *x);

/** @brief True if the commands have come to their end, whose reason is the instance's. */
bool simctl_local_is_run_over(const struct simctl_local_instance *x);

/** @brief Set the outcome, and its reason as printf() does. */
void simctl_local_set_outcome(struct simctl_local_instance *x, enum simctl_outcome outcome,
                              const char *format, ...) __attribute__((format(printf, 3, 4)));

/** @brief Find the outcome of an instance whose drone has ended: the end of the onboard software
 *  decides, then the order to end, then the drone.
 *  @param status  of waitpid(); 0 for a drone of an earlier run, whose status is lost */
void simctl_local_judge(const struct simctl_local_site *site, struct simctl_local_instance *x,
                        int status);

#endif
