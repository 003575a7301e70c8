/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The network of a grid world: an ordered list of messages with typed contents. Whoever takes part
 * has an address; a message stands in the list until its receiver takes it.
 */
#ifndef MF_FLEET_MESSAGES_H
#define MF_FLEET_MESSAGES_H

#include "world/field.h"

/** Types, and which fields of struct mf_message_content each has. */
#define MF_MESSAGE_LIST(X)                                             \
    X(INFO_UPDATE) /* cell, task, battery_uah, state */                \
    X(REQ_TASK)    /* cell */                                          \
    X(REQ_PATH)    /* cell, task */                                    \
    X(CELL_ATTR)   /* cell, name, value; name "blocked" */             \
    X(TASK)        /* task */                                          \
    X(PATH)        /* cell: where to, cost: moves, task */             \
    X(TASK_DONE)   /* task, cost: estimated, ticks: actual, battery */ \
    X(TASK_FAILED) /* task, name: why */                               \
    X(REVOKE)      /* task, name: why */                               \
    X(GO_HOME)     /* nothing */                                       \
    X(CHARGE)      /* cell: of the charger, cost: its number */        \
    X(GOTO)        /* cell: an operator's order */                     \
    X(PLAY)        /* nothing: an operator lets it go on */

#define X(name) MF_MESSAGE_##name,
enum mf_message_type { MF_MESSAGE_LIST(X) MF_MESSAGE_TYPES };
#undef X

/** Addresses: controllers by their id, drones by their number from 1. */
#define MF_ADDRESS_DRONE       0x10000u
#define MF_ADDRESS_IS_DRONE(a) (((a)&MF_ADDRESS_DRONE) != 0u)
#define MF_ADDRESS_NUMBER(a)   ((a)&0xFFFFu)
#define MF_CONTROLLER_ID_MAX   0xFFFFu

struct mf_message_content {
    uint32_t cell;
    uint32_t task; /**< 0: none */
    int32_t cost;
    uint32_t ticks;
    int32_t state;
    int64_t battery_uah;
    char name[MF_FIELD_NAME_MAX];
    struct mf_field_value value;
};

struct mf_message {
    uint64_t number; /**< from 1, in the order in which they were sent */
    uint64_t tick;
    enum mf_message_type type;
    uint32_t sender, receiver;
    struct mf_message_content content;
};

struct mf_messages {
    struct mf_message *message; /**< [capacity], in order */
    uint32_t count, capacity;
    uint64_t sent, lost; /**< lost: the list was full */
};

/** @brief Bytes that mf_messages_init() takes at most. */
size_t mf_messages_bytes(uint32_t capacity);

/** @brief An empty list. @return MF_E_OK; MF_E_FULL: no memory */
int mf_messages_init(struct mf_messages *m, uint32_t capacity, struct mf_memory *memory);

/** @brief Add one to the end. @return the message in the list, or NULL: it is full, which counts */
const struct mf_message *mf_messages_add(struct mf_messages *m, uint64_t tick,
                                         enum mf_message_type type, uint32_t sender,
                                         uint32_t receiver,
                                         const struct mf_message_content *content);

/** @brief The first one for somebody. @return false: there is none */
bool mf_messages_take(struct mf_messages *m, uint32_t receiver, struct mf_message *taken);

/** @brief The first one of a type between two. @return NULL: there is none */
const struct mf_message *mf_messages_search(const struct mf_messages *m, enum mf_message_type type,
                                            uint32_t sender, uint32_t receiver);

/** @brief Remove all from and to somebody. @return how many */
uint32_t mf_messages_remove(struct mf_messages *m, uint32_t address);

/** @brief Which fields of its content a type has, for outputs and for checks. */
struct mf_message_fields {
    const char *type;
    bool cell, task, cost, ticks, state, battery, name, value;
};
extern const struct mf_message_fields mf_message_fields[MF_MESSAGE_TYPES];

#endif
