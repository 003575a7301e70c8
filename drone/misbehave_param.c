/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks of parameters and files. Called by drone/misbehave. */
#include "drone/misbehave_hook.h"
#include "firmware/core/param.h"
#include "firmware/state/param.h"
#include "mavlink/enums.h"

#include <string.h>

#define NO_PARAM UINT32_MAX

/* ---- parameters */

static struct mf_subject named(const char id[MF_PARAM_NAME_MAX])
{
    const int param = mf_param_find(id);
    return (struct mf_subject){.id = param >= 0 ? (uint32_t)param : NO_PARAM};
}

static void does_not_exist(const struct mf_passing *p, const char *id, int16_t index)
{
    struct mf_msg_param_error m;
    memset(&m, 0, sizeof m);
    m.param_index = index;
    m.target_system = p->frame->sysid;
    m.target_component = p->frame->compid;
    m.error = MAV_PARAM_ERROR_DOES_NOT_EXIST;
    memcpy(m.param_id, id, sizeof m.param_id);
    mf_misbehave_send(p, MF_MSG_PARAM_ERROR, &m);
}

bool mf_misbehave_in_param_read(const struct mf_passing *p)
{
    const struct mf_msg_param_request_read *m = &p->msg->param_request_read;
    struct mf_subject subject = {.id = (uint32_t)m->param_index};
    if (m->param_index < 0) {
        subject = named(m->param_id);
    }
    if (mf_misbehave_fires(p->m, MF_RULE_BIT(PARAM_MISSING), subject)) {
        does_not_exist(p, m->param_id, m->param_index);
        return false;
    }
    return true;
}

/* Hook of PARAM_SET. A refused one becomes a request for the value, of the same number. */
bool mf_misbehave_in_param_set(const struct mf_passing *p)
{
    const struct mf_msg_param_set *m = &p->msg->param_set;
    const struct mf_subject subject = named(m->param_id);
    if (mf_misbehave_fires(p->m, MF_RULE_BIT(PARAM_MISSING), subject)) {
        does_not_exist(p, m->param_id, -1);
        return false;
    }
    if (mf_misbehave_fires(p->m, MF_RULE_BIT(PARAM_REFUSED), subject)) {
        const struct mf_sender client = {p->frame->version, p->frame->seq, p->frame->sysid,
                                         p->frame->compid};
        struct mf_msg_param_request_read read;
        memset(&read, 0, sizeof read);
        read.param_index = -1;
        read.target_system = m->target_system;
        read.target_component = m->target_component;
        memcpy(read.param_id, m->param_id, sizeof read.param_id);
        mf_misbehave_tell(p->m, &client, MF_MSG_PARAM_REQUEST_READ, &read);
        return false;
    }
    return true;
}

static int32_t to_integer(float value)
{
    const double v = (double)value;
    if (!(v > (double)INT32_MIN)) {
        return v == v ? INT32_MIN : 0;
    }
    return v < (double)INT32_MAX ? (int32_t)v : INT32_MAX;
}

static void swap_type(struct mf_msg_param_value *m)
{
    if (m->param_type == MAV_PARAM_TYPE_REAL32) {
        m->param_type = MAV_PARAM_TYPE_INT32;
        m->param_value = (uint32_t)to_integer(mf_f32_from_bits(m->param_value));
    } else {
        m->param_type = MAV_PARAM_TYPE_REAL32;
        m->param_value = mf_f32_bits((float)(int32_t)m->param_value);
    }
}

bool mf_misbehave_out_param_value(const struct mf_passing *p)
{
    const struct mf_subject subject = named(p->msg->param_value.param_id);
    if (mf_misbehave_fires(p->m, MF_RULE_BIT(PARAM_LOST) | MF_RULE_BIT(PARAM_MISSING), subject)) {
        return false;
    }
    if (mf_misbehave_fires(p->m, MF_RULE_BIT(PARAM_WRONG_TYPE), subject)) {
        struct mf_msg_param_value m = p->msg->param_value;
        swap_type(&m);
        mf_misbehave_send(p, MF_MSG_PARAM_VALUE, &m);
        return false;
    }
    return true;
}

/* ---- files: MAVLink FTP, by its guide */

enum {
    AT_SEQ = 0,
    AT_OPCODE = 3,
    AT_SIZE = 4,
    AT_REQUEST = 5, /* opcode to which an answer belongs */
    AT_BURST_COMPLETE = 6,
    AT_DATA = 12,
    OPCODE_ACK = 128,
    OPCODE_NAK = 129,
    FAIL_ERRNO = 2, /* a second byte follows */
    ERRNO_IO = 5
};

static void refuse_operation(const struct mf_passing *p, uint8_t error)
{
    struct mf_msg_file_transfer_protocol m = p->msg->file_transfer_protocol;
    uint8_t *payload = m.payload;
    const unsigned seq = (unsigned)(payload[AT_SEQ] | payload[AT_SEQ + 1] << 8) + 1u;
    m.target_system = p->frame->sysid;
    m.target_component = p->frame->compid;
    payload[AT_SEQ] = (uint8_t)seq;
    payload[AT_SEQ + 1] = (uint8_t)(seq >> 8);
    payload[AT_REQUEST] = payload[AT_OPCODE];
    payload[AT_OPCODE] = OPCODE_NAK;
    payload[AT_BURST_COMPLETE] = 0;
    memset(payload + AT_DATA, 0, sizeof m.payload - AT_DATA);
    payload[AT_DATA] = error;
    payload[AT_DATA + 1] = error == FAIL_ERRNO ? ERRNO_IO : 0;
    payload[AT_SIZE] = error == FAIL_ERRNO ? 2 : 1;
    mf_misbehave_send(p, MF_MSG_FILE_TRANSFER_PROTOCOL, &m);
}

bool mf_misbehave_in_ftp(const struct mf_passing *p)
{
    const mf_rule_set kinds = MF_RULE_BIT(FTP_ERROR) | MF_RULE_BIT(FTP_IGNORED);
    const struct mf_subject subject = {.id = p->msg->file_transfer_protocol.payload[AT_OPCODE]};
    struct mf_misbehave_rule *r =
        subject.id < OPCODE_ACK ? mf_misbehave_find(p->m, kinds, subject) : NULL;
    if (r == NULL) { /* another frame, or an answer, to which the vehicle does not answer */
        return true;
    }
    r->fired++;
    if (r->rule.kind == MF_RULE_FTP_ERROR) {
        refuse_operation(p, (uint8_t)r->rule.value);
    }
    return false;
}

bool mf_misbehave_out_ftp(const struct mf_passing *p)
{
    const struct mf_subject subject = {.id = p->msg->file_transfer_protocol.payload[AT_REQUEST]};
    return !mf_misbehave_fires(p->m, MF_RULE_BIT(FTP_LOST), subject);
}
