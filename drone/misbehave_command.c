/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks of commands, and of requests for messages. Called by drone/misbehave. */
#include "drone/misbehave_hook.h"
#include "mavlink/enums.h"

#define COMMANDS                                                      \
    (MF_RULE_BIT(COMMAND_DENIED) | MF_RULE_BIT(COMMAND_REJECTED) |    \
     MF_RULE_BIT(COMMAND_UNSUPPORTED) | MF_RULE_BIT(COMMAND_FAILED) | \
     MF_RULE_BIT(COMMAND_STALLED) | MF_RULE_BIT(COMMAND_IGNORED))
#define NO_MESSAGE UINT32_MAX

/* Commands that request one message. */
static const struct {
    uint16_t command;
    uint32_t message;
} k_request[] = {
    {MAV_CMD_GET_HOME_POSITION, MF_MSG_HOME_POSITION},
    {MAV_CMD_REQUEST_PROTOCOL_VERSION, MF_MSG_PROTOCOL_VERSION},
    {MAV_CMD_REQUEST_AUTOPILOT_CAPABILITIES, MF_MSG_AUTOPILOT_VERSION},
    {MAV_CMD_REQUEST_STORAGE_INFORMATION, MF_MSG_STORAGE_INFORMATION},
    {MAV_CMD_REQUEST_FLIGHT_INFORMATION, MF_MSG_FLIGHT_INFORMATION},
};

static void acknowledge(const struct mf_passing *p, uint16_t command, uint8_t result)
{
    const struct mf_msg_command_ack ack = {
        .command = command,
        .result = result,
        .progress = result == MAV_RESULT_IN_PROGRESS ? UINT8_MAX : 0,
        .target_system = p->frame->sysid,
        .target_component = p->frame->compid,
    };
    mf_misbehave_send(p, MF_MSG_COMMAND_ACK, &ack);
}

/* Find the message that a command requests. @return false: another command */
static bool is_request(uint16_t command, float param1, struct mf_subject *subject)
{
    if (command == MAV_CMD_REQUEST_MESSAGE || command == MAV_CMD_SET_MESSAGE_INTERVAL) {
        const bool is_id = param1 >= 0.0f && param1 <= (float)0xFFFFFF;
        subject->id = is_id ? (uint32_t)param1 : NO_MESSAGE;
        return true;
    }
    for (size_t i = 0; i < sizeof k_request / sizeof k_request[0]; i++) {
        if (k_request[i].command == command) {
            subject->id = k_request[i].message;
            return true;
        }
    }
    return false;
}

static bool on_command(const struct mf_passing *p, uint16_t command, float param1)
{
    static const uint8_t k_result[MF_RULE_COUNT] = {
        [MF_RULE_COMMAND_DENIED] = MAV_RESULT_DENIED,
        [MF_RULE_COMMAND_REJECTED] = MAV_RESULT_TEMPORARILY_REJECTED,
        [MF_RULE_COMMAND_UNSUPPORTED] = MAV_RESULT_UNSUPPORTED,
        [MF_RULE_COMMAND_FAILED] = MAV_RESULT_FAILED,
        [MF_RULE_COMMAND_STALLED] = MAV_RESULT_IN_PROGRESS,
    };
    struct mf_subject subject = {.id = command};
    struct mf_misbehave_rule *r = mf_misbehave_find(p->m, COMMANDS, subject);
    if (r != NULL) {
        r->fired++;
        if (r->rule.kind != MF_RULE_COMMAND_IGNORED) {
            acknowledge(p, command, k_result[r->rule.kind]);
        }
        return false;
    }
    if (is_request(command, param1, &subject) &&
        mf_misbehave_fires(p->m, MF_RULE_BIT(REQUEST_UNANSWERED), subject)) {
        acknowledge(p, command, MAV_RESULT_ACCEPTED);
        return false;
    }
    return true;
}

bool mf_misbehave_in_command_long(const struct mf_passing *p)
{
    return on_command(p, p->msg->command_long.command, p->msg->command_long.param1);
}

bool mf_misbehave_in_command_int(const struct mf_passing *p)
{
    return on_command(p, p->msg->command_int.command, p->msg->command_int.param1);
}

/* Hook of SET_MODE, the old form of a command, which the vehicle acknowledges as one. */
bool mf_misbehave_in_set_mode(const struct mf_passing *p)
{
    return on_command(p, MAV_CMD_DO_SET_MODE, 0.0f);
}

/* Hook of REQUEST_DATA_STREAM, which names a group of messages and never gets an answer. */
bool mf_misbehave_in_data_stream(const struct mf_passing *p)
{
    const struct mf_subject subject = {.id = NO_MESSAGE};
    return !mf_misbehave_fires(p->m, MF_RULE_BIT(REQUEST_UNANSWERED), subject);
}

bool mf_misbehave_out_command_ack(const struct mf_passing *p)
{
    const mf_rule_set kinds = MF_RULE_BIT(COMMAND_UNACKNOWLEDGED) | MF_RULE_BIT(COMMAND_LATE);
    const struct mf_subject subject = {.id = p->msg->command_ack.command};
    struct mf_misbehave_rule *r = mf_misbehave_find(p->m, kinds, subject);
    if (r == NULL || (r->rule.kind == MF_RULE_COMMAND_LATE &&
                      !mf_misbehave_hold(p, p->m->all->now_us + r->rule.delay_us))) {
        return true;
    }
    r->fired++;
    return false;
}
