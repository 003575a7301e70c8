/* SPDX-License-Identifier: Apache-2.0 */
/* List of messages of a world of cells. Called by fleet/grid, grid_ways, grid_drone and
 * grid_controller. */
#include "fleet/messages.h"

#include <string.h>

/* clang-format off */
const struct mf_message_fields mf_message_fields[MF_MESSAGE_TYPES] = {
    [MF_MESSAGE_INFO_UPDATE] = {"INFO_UPDATE", .cell = true, .task = true, .state = true, .battery = true},
    [MF_MESSAGE_REQ_TASK]    = {"REQ_TASK", .cell = true},
    [MF_MESSAGE_REQ_PATH]    = {"REQ_PATH", .cell = true, .task = true},
    [MF_MESSAGE_CELL_ATTR]   = {"CELL_ATTR", .cell = true, .name = true, .value = true},
    [MF_MESSAGE_TASK]        = {"TASK", .task = true},
    [MF_MESSAGE_PATH]        = {"PATH", .cell = true, .task = true, .cost = true},
    [MF_MESSAGE_TASK_DONE]   = {"TASK_DONE", .task = true, .cost = true, .ticks = true, .battery = true},
    [MF_MESSAGE_TASK_FAILED] = {"TASK_FAILED", .task = true, .name = true},
    [MF_MESSAGE_REVOKE]      = {"REVOKE", .task = true, .name = true},
    [MF_MESSAGE_GO_HOME]     = {"GO_HOME", .cell = false},
    [MF_MESSAGE_CHARGE]      = {"CHARGE", .cell = true, .cost = true},
    [MF_MESSAGE_GOTO]        = {"GOTO", .cell = true},
    [MF_MESSAGE_PLAY]        = {"PLAY", .cell = false},
    [MF_MESSAGE_DATA]        = {"DATA", .cell = true, .name = true, .value = true},
};
/* clang-format on */

size_t mf_messages_bytes(uint32_t capacity)
{
    return MF_MEMORY_BYTES((size_t)capacity * sizeof(struct mf_message));
}

int mf_messages_init(struct mf_messages *m, uint32_t capacity, struct mf_memory *memory)
{
    MF_ASSERT(capacity > 0);
    *m = (struct mf_messages){.capacity = capacity};
    m->message = mf_memory_part(memory, NULL, (size_t)capacity * sizeof(struct mf_message));
    return m->message != NULL ? MF_E_OK : MF_E_FULL;
}

const struct mf_message *mf_messages_add(struct mf_messages *m, uint64_t tick,
                                         enum mf_message_type type, uint32_t sender,
                                         uint32_t receiver,
                                         const struct mf_message_content *content)
{
    MF_ASSERT(type < MF_MESSAGE_TYPES && content != NULL);
    if (m->count == m->capacity) {
        m->lost++;
        return NULL;
    }
    struct mf_message *added = &m->message[m->count++];
    *added = (struct mf_message){++m->sent, tick, type, sender, receiver, *content};
    return added;
}

static void remove_at(struct mf_messages *m, uint32_t i)
{
    const size_t after = m->count - i - 1u;
    memmove(&m->message[i], &m->message[i + 1u], after * sizeof m->message[0]);
    m->count--;
}

bool mf_messages_take(struct mf_messages *m, uint32_t receiver, struct mf_message *taken)
{
    for (uint32_t i = 0; i < m->count; i++) {
        if (m->message[i].receiver == receiver) {
            *taken = m->message[i];
            remove_at(m, i);
            return true;
        }
    }
    return false;
}

const struct mf_message *mf_messages_search(const struct mf_messages *m, enum mf_message_type type,
                                            uint32_t sender, uint32_t receiver)
{
    for (uint32_t i = 0; i < m->count; i++) {
        const struct mf_message *at = &m->message[i];
        if (at->type == type && at->sender == sender && at->receiver == receiver) {
            return at;
        }
    }
    return NULL;
}

uint32_t mf_messages_remove(struct mf_messages *m, uint32_t address)
{
    uint32_t kept = 0;
    const uint32_t before = m->count;
    for (uint32_t i = 0; i < before; i++) {
        if (m->message[i].sender != address && m->message[i].receiver != address) {
            m->message[kept++] = m->message[i];
        }
    }
    m->count = kept;
    return before - kept;
}
