/* SPDX-License-Identifier: Apache-2.0 */
/** The state of a leaf, shared by the files leaf*.c. */
#ifndef MF_BOARDS_SWARM_HOSTS_LEAF_INTERNAL_H
#define MF_BOARDS_SWARM_HOSTS_LEAF_INTERNAL_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/hosts/branches.h"
#include "fleet/order_queue.h"
#include "hal-posix/net.h"

#include <pthread.h>

struct swarm_leaf {
    struct swarm *w;
    struct swarm_command *c;
    int (*read)(struct swarm *w, const struct swarm_command *c); /* reads the scenario */
    int fd;
    struct mf_addr up;
    uint32_t place;
    struct swarm_branches down;   /* leaves below */
    struct swarm_leaf_link *link; /* [members * SWARM_CLIENTS]; NULL without links */
    struct swarm_frame in;
    struct swarm_frame *below; /* [branches]: replies of leaves below */
    struct mf_hosts_writer out;
    pthread_mutex_t lock; /* protects `out` */
    uint8_t *here;        /* [members]: 1: this leaf carries the vehicle */
    uint32_t *own;        /* [owns]: its vehicles */
    uint32_t owns;
    struct mf_order_queue orders;
    mf_us_t acted_us; /* instant of the last command that acted on vehicles */
    char set[SWARM_SETS_MAX][MF_KEYS_TEXT_MAX];
    char file[MF_SCENARIO_FILE_MAX], variation[MF_SCENARIO_NAME_MAX];
    bool runs[MF_SCENARIO_PROCESSES_MAX]; /* [processes]: those of the scenario that run here */
    bool booted, ended;
};

/** @return the state; NULL: the run lacks this part */
static inline struct swarm_leaf *swarm_leaf_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_LEAF];
}

/** @brief Begin a record for the root. @param bytes  room for that many more
 *  @return the writer of its values */
struct mf_hosts_writer *swarm_leaf_put(struct swarm_leaf *l, enum mf_hosts_kind kind, uint32_t key,
                                       size_t bytes);

/** @brief Allocate links of vehicles, whose clients the root has, if the scenario has any.
 *  @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_leaf_make_links(struct swarm_leaf *l);

/** @brief Carry out a record of the root: open a link, close it, pass bytes of its client to the
 * vehicle. */
void swarm_leaf_open_link(struct swarm_leaf *l, struct mf_hosts_record *r);
void swarm_leaf_close_link(struct swarm_leaf *l, struct mf_hosts_record *r);
void swarm_leaf_pass_bytes(struct swarm_leaf *l, struct mf_hosts_record *r);

/** @brief Note that a phase has ended, after which the root's queues to clients are empty. */
void swarm_leaf_flush_links(struct swarm_leaf *l);

#endif
