/* SPDX-License-Identifier: Apache-2.0 */
/** Instances that have reported, and whether they kept to the volumes. Several threads may share
 * one. */
#ifndef MF_STANDIN_MONITOR_H
#define MF_STANDIN_MONITOR_H

#include "tools/standin/volume.h"

#include <jansson.h>
#include <pthread.h>
#include <stdint.h>

#define STANDIN_INSTANCES_MAX 1024u
#define STANDIN_NAME_MAX      256u

/** A position that an instance reports. */
struct standin_report {
    int64_t time_us; /**< of its vehicle */
    struct mf_geo place;
    double alt_m; /**< above WGS84 */
};

struct standin_known {
    char name[STANDIN_NAME_MAX];
    uint64_t reports, outside;   /**< how many came; how many of them were in no volume */
    struct standin_report first; /**< that was in none */
    double alt_min_m, alt_max_m;
};

/** Zero it, set the volumes and init the lock. Large: keep it off the stack. */
struct standin_monitor {
    pthread_mutex_t lock;
    struct standin_volumes volumes; /**< none: everywhere conforms */
    struct standin_known known[STANDIN_INSTANCES_MAX];
    unsigned count;
};

/** @brief Take `{"reports": [{"time_us", "lat_deg", "lon_deg", "alt_wgs84_m"}, ...]}` of one; the
 * list may be empty. All of them or none.
 *  @return a new document that says whether it conforms; NULL: @p why says what is wrong */
json_t *standin_monitor_take(struct standin_monitor *m, const char *name, const char *body,
                             const char **why);

/** @brief `{"instances": [...]}`. @return a new document */
json_t *standin_monitor_list(struct standin_monitor *m);

#endif
