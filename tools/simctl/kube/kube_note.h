/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Events of Kubernetes on the Jobs of instances, which report the controller's actions to people. A
 * thread sends them, so callers do not wait. An event that the API server refuses, or that does not
 * fit the queue, is lost.
 */
#ifndef MF_SIMCTL_KUBE_NOTE_H
#define MF_SIMCTL_KUBE_NOTE_H

#include "tools/simctl/base/instance.h"
#include "tools/simctl/kube/kube_cache.h"
#include "tools/simctl/kube/kube_client.h"

/* Reason of an event, and its type. */
#define SIMCTL_KUBE_NOTE_LIST(X)      \
    X(CREATED, "Created", "Normal")   \
    X(EXTENDED, "Extended", "Normal") \
    X(ENDED, "Ended", "Normal")       \
    X(EXPIRED, "Expired", "Normal")   \
    X(RESTARTED, "EndedByRestart", "Warning")

enum simctl_kube_note {
#define X(NAME, reason, type) SIMCTL_KUBE_NOTE_##NAME,
    SIMCTL_KUBE_NOTE_LIST(X)
#undef X
        SIMCTL_KUBE_NOTE_KINDS
};

struct simctl_kube_notes;

/** @brief Begin. @return NULL: no memory or thread */
struct simctl_kube_notes *simctl_kube_notes_start(struct simctl_kube *k);

/**
 * @brief Queue an event. All controllers that notice the same thing send one event together: its
 *        name is made of the Job, the reason and @p turn.
 * @param notes  NULL: nothing is sent
 * @param about  with the Job of instance @p id
 * @param turn   sets apart events of one reason: 0, or the new end of the lifetime [s]
 */
void simctl_kube_note(struct simctl_kube_notes *notes, const char *name_space, const char *id,
                      const struct simctl_kube_about *about, enum simctl_kube_note kind,
                      int64_t turn, const char *message);

/** @brief End; what is still queued is lost. After simctl_kube_cancel(), within a second. */
void simctl_kube_notes_stop(struct simctl_kube_notes *notes);

#endif
