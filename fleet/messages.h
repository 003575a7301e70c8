/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Network of a world of cells: an ordered list of messages with typed contents. Each drone and each
 * controller has an address; a message stays in the list until its receiver takes it.
 */
#ifndef MF_FLEET_MESSAGES_H
#define MF_FLEET_MESSAGES_H

#include "world/field.h"

/** Types, and the fields of struct mf_message_content that each uses. */
#define MF_MESSAGE_LIST(X)                                               \
    X(INFO_UPDATE) /* cell, task, battery_uah, state */                  \
    X(REQ_TASK)    /* cell */                                            \
    X(REQ_PATH)    /* cell, task */                                      \
    X(CELL_ATTR)   /* cell, name, value; name "blocked" */               \
    X(TASK)        /* task */                                            \
    X(PATH)        /* cell: goal, cost: moves, task */                   \
    X(TASK_DONE)   /* task, cost: estimated, ticks: actual, battery */   \
    X(TASK_FAILED) /* task, name: reason */                              \
    X(REVOKE)      /* task, name: reason */                              \
    X(GO_HOME)     /* no fields */                                       \
    X(CHARGE)      /* cell: of the charger, cost: its index */           \
    X(GOTO)        /* cell: goal of an operator's order */               \
    X(PLAY)        /* no fields: the operator lets the drone continue */ \
    X(DATA)        /* from drone to drone: cell of the sender, name, value */

#define X(name) MF_MESSAGE_##name,
enum mf_message_type { MF_MESSAGE_LIST(X) MF_MESSAGE_TYPES };
#undef X

/** Addresses: a controller's id, or a drone's number from 1 with MF_ADDRESS_DRONE. */
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
    uint64_t number; /**< sequence number, from 1 */
    uint64_t tick;
    enum mf_message_type type;
    uint32_t sender, receiver;
    struct mf_message_content content;
};

struct mf_messages {
    struct mf_message *message; /**< [capacity], in the order of sending */
    uint32_t count, capacity;
    uint64_t sent, lost; /**< lost: messages refused because the list was full */
};

/** @brief Largest memory that mf_messages_init() reserves [bytes]. */
size_t mf_messages_bytes(uint32_t capacity);

/** @brief Begin an empty list. @return MF_E_OK; MF_E_FULL: not enough memory */
int mf_messages_init(struct mf_messages *m, uint32_t capacity, struct mf_memory *memory);

/** @brief Append a message. @return the message in the list; NULL: the list is full, and "lost"
 * counts it */
const struct mf_message *mf_messages_add(struct mf_messages *m, uint64_t tick,
                                         enum mf_message_type type, uint32_t sender,
                                         uint32_t receiver,
                                         const struct mf_message_content *content);

/** @brief Remove and return the first message to a receiver. @return false: none waits */
bool mf_messages_take(struct mf_messages *m, uint32_t receiver, struct mf_message *taken);

/** @brief Find the first message of a type between two addresses. @return NULL: none waits */
const struct mf_message *mf_messages_search(const struct mf_messages *m, enum mf_message_type type,
                                            uint32_t sender, uint32_t receiver);

/** @brief Remove all messages from and to an address. @return their number */
uint32_t mf_messages_remove(struct mf_messages *m, uint32_t address);

/** Fields of the content that a type uses, for outputs and checks. */
struct mf_message_fields {
    const char *type;
    bool cell, task, cost, ticks, state, battery, name, value;
};
extern const struct mf_message_fields mf_message_fields[MF_MESSAGE_TYPES];

#endif
