/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/protocol/ftp.h"

#include "firmware/core/tasks.h"
#include "firmware/core/text.h"
#include "firmware/link/link.h"
#include "firmware/link/route.h"
#include "firmware/protocol/tree.h"
#include "firmware/state/limits.h"
#include "firmware/state/vehicle.h"
#include "math/crc32.h"

#include <string.h>

/* Where things stand in the payload. */
enum {
    AT_SEQ = 0,
    AT_SESSION = 2,
    AT_OPCODE = 3,
    AT_SIZE = 4,
    AT_REQUEST = 5, /* opcode that an answer answers */
    AT_BURST_COMPLETE = 6,
    AT_OFFSET = 8,
    AT_DATA = 12,
    DATA_MAX = 239
};
_Static_assert(AT_DATA + DATA_MAX == sizeof(((struct mf_msg_file_transfer_protocol *)0)->payload),
               "header and data fill the payload");

enum opcode {
    OP_NONE = 0,
    OP_TERMINATE = 1,
    OP_RESET = 2,
    OP_LIST = 3,
    OP_OPEN_RO = 4,
    OP_READ = 5,
    OP_CREATE = 6,
    OP_WRITE = 7,
    OP_REMOVE = 8,
    OP_MAKE_FOLDER = 9,
    OP_REMOVE_FOLDER = 10,
    OP_OPEN_WO = 11,
    OP_TRUNCATE = 12,
    OP_RENAME = 13,
    OP_CRC32 = 14,
    OP_BURST = 15,
    OP_LIST_TIME = 16,
    OP_ACK = 128,
    OP_NAK = 129
};

enum error {
    ERROR_NONE = 0,
    ERROR_FAIL = 1,
    ERROR_SIZE = 3,
    ERROR_SESSION = 4,
    ERROR_NO_SESSIONS = 5,
    ERROR_EOF = 6,
    ERROR_UNKNOWN = 7,
    ERROR_PROTECTED = 9,
    ERROR_NOT_FOUND = 10,
    ERROR_LATER = 255 /* of ours: no answer now */
};

#define BURST_PAUSE_US (10 * MF_MS_US)
#define BURST_CHUNK \
    35000u /* as PX4: the client asks again after so much, and what fills a frame [bytes] */
#define ROOM_MIN  320u /* a frame, and something for the streams [bytes] */
#define BUSY_US   MF_SECOND_US
#define IDLE_US   (10 * MF_SECOND_US)
#define SUM_SLICE 65536u /* [bytes] of one pass */

/* A request, and the answer that is being made of it. */
struct exchange {
    struct mf_ftp_client client;
    uint16_t seq;
    uint8_t session;
    uint8_t opcode;
    uint8_t size;
    uint32_t offset;
    const uint8_t *data;                         /* of the request, [size] */
    struct mf_msg_file_transfer_protocol answer; /* size and data are the handlers' */
};

static uint32_t get_le(const uint8_t *at, size_t n)
{
    uint32_t value = 0;
    for (size_t i = 0; i < n; i++) {
        value |= (uint32_t)at[i] << 8 * i;
    }
    return value;
}

static void put_le(uint8_t *at, uint32_t value, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

static bool is_same(const struct mf_ftp_client *a, const struct mf_ftp_client *b)
{
    return a->link == b->link && a->sysid == b->sysid && a->compid == b->compid;
}

/* The head of an answer. What stands behind it stays. */
static void set_head(struct mf_msg_file_transfer_protocol *m, const struct mf_ftp_client *to,
                     uint16_t seq, uint8_t session, enum opcode request, uint32_t offset,
                     size_t size)
{
    MF_ASSERT(size <= DATA_MAX);
    m->target_system = to->sysid;
    m->target_component = to->compid;
    put_le(m->payload + AT_SEQ, seq, 2);
    m->payload[AT_SESSION] = session;
    m->payload[AT_OPCODE] = OP_ACK;
    m->payload[AT_SIZE] = (uint8_t)size;
    m->payload[AT_REQUEST] = (uint8_t)request;
    put_le(m->payload + AT_OFFSET, offset, 4);
}

static void set_size(struct exchange *x, size_t size)
{
    MF_ASSERT(size <= DATA_MAX);
    x->answer.payload[AT_SIZE] = (uint8_t)size;
}

/* The session that a request names, if it is its sender's. */
static struct mf_ftp_session *own_session(struct mf_vehicle *v, const struct exchange *x)
{
    struct mf_ftp_session *s = NULL;
    if (x->session < MF_FTP_SESSIONS) {
        s = &v->ftp->session[x->session];
    }
    return s != NULL && s->open && is_same(&s->client, &x->client) ? s : NULL;
}

static bool any_open(const struct mf_ftp *ftp)
{
    bool open = false;
    for (size_t i = 0; i < MF_FTP_SESSIONS; i++) {
        open = open || ftp->session[i].open;
    }
    return open;
}

/* ---- what is asked for */

static enum error terminate(struct mf_vehicle *v, struct exchange *x)
{
    struct mf_ftp_session *s = own_session(v, x);
    if (s != NULL) {
        s->open = s->bursting = false;
        s->close_seq = x->seq;
    } else if (x->session >= MF_FTP_SESSIONS ||
               !is_same(&v->ftp->session[x->session].client, &x->client) ||
               v->ftp->session[x->session].open ||
               v->ftp->session[x->session].close_seq != x->seq) {
        return ERROR_SESSION;
    }
    if (!any_open(v->ftp)) {
        v->ftp->asked_us = MF_NEVER;
    }
    return ERROR_NONE;
}

static enum error reset(struct mf_vehicle *v, struct exchange *x)
{
    struct mf_ftp *ftp = v->ftp;
    for (size_t i = 0; i < MF_FTP_SESSIONS; i++) {
        if (is_same(&ftp->session[i].client, &x->client)) {
            ftp->session[i].open = ftp->session[i].bursting = false;
        }
    }
    if (!any_open(ftp)) {
        ftp->asked_us = MF_NEVER;
    }
    return ERROR_NONE;
}

/* "Dname" or "Fname<TAB>size"; with times "Dname<TAB>0<TAB>UTC" or "Fname<TAB>size<TAB>UTC" */
static struct mf_text entry_text(struct mf_vehicle *v, const struct mf_node *entry,
                                 const struct mf_text *name, bool with_time)
{
    struct mf_text text = mf_text(mf_node_is_folder(entry) ? "D" : "F");
    uint32_t size = 0;
    mf_text_add(&text, name->s);
    if (mf_tree_size(v, entry, &size) == MF_E_OK || with_time) {
        mf_text_add(&text, "\t");
        mf_text_add_int(&text, size);
    }
    if (with_time) {
        mf_text_add(&text, "\t");
        mf_text_add_int(&text, mf_tree_utc_s(entry));
    }
    return text;
}

/* As many entries as fit, each with its NUL, from the one that the offset counts. */
static enum error list(struct mf_vehicle *v, struct exchange *x)
{
    struct mf_node folder, entry;
    size_t used = 0;
    if (mf_tree_find(v, (const char *)x->data, x->size, &folder) != MF_E_OK) {
        return ERROR_NOT_FOUND;
    }
    if (!mf_node_is_folder(&folder)) {
        return ERROR_FAIL;
    }
    for (uint32_t index = x->offset;; index++) {
        struct mf_text name = mf_text("");
        if (mf_tree_entry(v, &folder, index, &entry, &name) != MF_E_OK) {
            break;
        }
        const struct mf_text text = entry_text(v, &entry, &name, x->opcode == OP_LIST_TIME);
        if (used + text.len + 1 > DATA_MAX) {
            break;
        }
        memcpy(x->answer.payload + AT_DATA + used, text.s, text.len + 1);
        used += text.len + 1;
    }
    set_size(x, used);
    return used > 0 ? ERROR_NONE : ERROR_EOF;
}

/* The one that this very request opened before, or else one that is free or forgotten. */
static struct mf_ftp_session *session_for(struct mf_vehicle *v, const struct exchange *x,
                                          const struct mf_node *file)
{
    struct mf_ftp_session *free = NULL;
    for (size_t i = 0; i < MF_FTP_SESSIONS; i++) {
        struct mf_ftp_session *s = &v->ftp->session[i];
        if (s->open && is_same(&s->client, &x->client) && s->open_seq == x->seq &&
            s->file.kind == file->kind && s->file.which == file->which && s->file.at == file->at) {
            return s;
        }
        if (!s->open && free == NULL) {
            free = s;
        }
    }
    return free;
}

static enum error open_file(struct mf_vehicle *v, struct exchange *x)
{
    struct mf_node file;
    uint32_t size;
    if (mf_tree_find(v, (const char *)x->data, x->size, &file) != MF_E_OK) {
        return ERROR_NOT_FOUND;
    }
    if (mf_tree_size(v, &file, &size) != MF_E_OK) {
        return ERROR_FAIL;
    }
    struct mf_ftp_session *s = session_for(v, x, &file);
    if (s == NULL) {
        return ERROR_NO_SESSIONS;
    }
    *s = (struct mf_ftp_session){
        .open = true,
        .client = x->client,
        .open_seq = x->seq,
        .used_us = v->now.transport_us,
        .file = file,
    };
    x->answer.payload[AT_SESSION] = (uint8_t)(s - v->ftp->session);
    put_le(x->answer.payload + AT_DATA, size, 4);
    set_size(x, 4);
    return ERROR_NONE;
}

static size_t wanted(const struct exchange *x)
{
    return x->size == 0 ? DATA_MAX : x->size;
}

static enum error read_file(struct mf_vehicle *v, struct exchange *x)
{
    struct mf_ftp_session *s = own_session(v, x);
    if (s == NULL) {
        return ERROR_SESSION;
    }
    const int n =
        mf_tree_read(v, &s->file, &s->mark, x->offset, x->answer.payload + AT_DATA, wanted(x));
    if (n <= 0) {
        return n == 0 ? ERROR_EOF : ERROR_FAIL;
    }
    s->used_us = v->now.transport_us;
    set_size(x, (size_t)n);
    return ERROR_NONE;
}

/* Whole frames: clients take a shorter one for the file's end. */
static uint32_t burst_end(uint32_t offset, uint32_t frame)
{
    MF_ASSERT(frame > 0);
    const uint32_t frames = (BURST_CHUNK + frame - 1) / frame;
    return offset < UINT32_MAX - frames * frame ? offset + frames * frame : UINT32_MAX;
}

/* The frames are the task's, in this same pass. */
static enum error begin_burst(struct mf_vehicle *v, struct exchange *x)
{
    struct mf_ftp_session *s = own_session(v, x);
    if (s == NULL) {
        return ERROR_SESSION;
    }
    s->bursting = true;
    s->burst_bytes = (uint8_t)wanted(x);
    s->burst_seq = (uint16_t)(x->seq + 1u);
    s->burst_at = x->offset;
    s->burst_end = burst_end(x->offset, s->burst_bytes);
    s->used_us = v->now.transport_us;
    mf_wake_at(v, MF_TASK_FTP, v->now.transport_us);
    return ERROR_LATER;
}

static enum error begin_sum(struct mf_vehicle *v, struct exchange *x)
{
    struct mf_ftp_sum *sum = &v->ftp->sum;
    struct mf_node file;
    uint32_t size;
    if (mf_tree_find(v, (const char *)x->data, x->size, &file) != MF_E_OK) {
        return ERROR_NOT_FOUND;
    }
    if (mf_tree_size(v, &file, &size) != MF_E_OK) {
        return ERROR_FAIL;
    }
    if (sum->running && (!is_same(&sum->client, &x->client) || sum->seq == x->seq)) {
        return ERROR_LATER; /* under way, or another's; who does not wait asks again */
    }
    *sum = (struct mf_ftp_sum){
        .running = true, .session = x->session, .client = x->client, .seq = x->seq, .file = file};
    mf_wake_at(v, MF_TASK_FTP, v->now.transport_us);
    return ERROR_LATER;
}

static enum error serve(struct mf_vehicle *v, struct exchange *x)
{
    switch ((enum opcode)x->opcode) {
    case OP_NONE:
        return ERROR_NONE;
    case OP_TERMINATE:
        return terminate(v, x);
    case OP_RESET:
        return reset(v, x);
    case OP_LIST:
    case OP_LIST_TIME:
        return list(v, x);
    case OP_OPEN_RO:
        return open_file(v, x);
    case OP_READ:
        return read_file(v, x);
    case OP_CRC32:
        return begin_sum(v, x);
    case OP_BURST:
        return begin_burst(v, x);
    case OP_CREATE:
    case OP_WRITE:
    case OP_REMOVE:
    case OP_MAKE_FOLDER:
    case OP_REMOVE_FOLDER:
    case OP_OPEN_WO:
    case OP_TRUNCATE:
    case OP_RENAME:
        return ERROR_PROTECTED;
    case OP_ACK:
    case OP_NAK:
    default:
        return ERROR_UNKNOWN;
    }
}

static void refuse(struct mf_msg_file_transfer_protocol *m, enum error error)
{
    MF_ASSERT(error != ERROR_NONE && error != ERROR_LATER);
    m->payload[AT_OPCODE] = OP_NAK;
    m->payload[AT_SIZE] = 1;
    memset(m->payload + AT_DATA, 0, DATA_MAX);
    m->payload[AT_DATA] = (uint8_t)error;
}

static bool is_answer(uint8_t opcode)
{
    return opcode == OP_ACK || opcode == OP_NAK;
}

/* A board without files. PX4 built without FTP says nothing, and its clients wait for their time-outs; the
 * answer to an unknown opcode ends them at once. */
static void refuse_all(struct mf_vehicle *v, struct mf_peer from,
                       const struct mf_msg_file_transfer_protocol *m)
{
    struct mf_msg_file_transfer_protocol answer;
    const struct mf_ftp_client to = {.sysid = from.sysid, .compid = from.compid};
    const uint16_t seq = (uint16_t)(get_le(m->payload + AT_SEQ, 2) + 1u);
    MF_ASSERT(v->ftp == NULL && from.link->open);
    memset(&answer, 0, sizeof answer);
    set_head(&answer, &to, seq, m->payload[AT_SESSION], (enum opcode)m->payload[AT_OPCODE],
             get_le(m->payload + AT_OFFSET, 4), 0);
    refuse(&answer, ERROR_UNKNOWN);
    (void)mf_link_send(v, from.link, MF_MSG_FILE_TRANSFER_PROTOCOL, &answer);
}

void mf_on_file_transfer_protocol(struct mf_vehicle *v, struct mf_peer from,
                                  const struct mf_msg_file_transfer_protocol *m, mf_us_t now_us)
{
    (void)now_us;
    if (!mf_is_for_us(v, m->target_system, m->target_component)) {
        from.link->stats.rx_foreign++;
        return;
    }
    if (is_answer(m->payload[AT_OPCODE])) {
        from.link->stats.rx_rejected++; /* we asked nobody, and answers to answers never end */
        return;
    }
    if (v->ftp == NULL) {
        refuse_all(v, from, m);
        return;
    }
    struct exchange x = {
        .client = {(uint16_t)(from.link - v->links), from.sysid, from.compid},
        .seq = (uint16_t)get_le(m->payload + AT_SEQ, 2),
        .session = m->payload[AT_SESSION],
        .opcode = m->payload[AT_OPCODE],
        .size = m->payload[AT_SIZE],
        .offset = get_le(m->payload + AT_OFFSET, 4),
        .data = m->payload + AT_DATA,
    };
    v->ftp->asked_us = v->now.transport_us;
    set_head(&x.answer, &x.client, (uint16_t)(x.seq + 1u), x.session, (enum opcode)x.opcode,
             x.offset, 0);
    const enum error error = x.size > DATA_MAX ? ERROR_SIZE : serve(v, &x);
    mf_wake_at(v, MF_TASK_FTP, v->now.transport_us + BUSY_US);
    if (error == ERROR_LATER) {
        return;
    }
    if (error != ERROR_NONE) {
        refuse(&x.answer, error);
    }
    (void)mf_link_send(v, from.link, MF_MSG_FILE_TRANSFER_PROTOCOL, &x.answer);
}

/* ---- what goes on by itself */

/* One frame of a burst, or its end. @return whether more can follow at once */
static bool burst_step(struct mf_vehicle *v, struct mf_ftp_session *s)
{
    struct mf_msg_file_transfer_protocol m;
    struct mf_link *link = &v->links[s->client.link];
    MF_ASSERT(s->open && s->bursting && link->open);
    if (mf_serial_room(&link->serial) < ROOM_MIN) {
        return false;
    }
    memset(&m, 0, sizeof m);
    const size_t left = s->burst_end - s->burst_at;
    const size_t want = s->burst_bytes < left ? s->burst_bytes : left;
    const int n = mf_tree_read(v, &s->file, &s->mark, s->burst_at, m.payload + AT_DATA, want);
    set_head(&m, &s->client, s->burst_seq, (uint8_t)(s - v->ftp->session), OP_BURST, s->burst_at,
             n > 0 ? (size_t)n : 0);
    const bool complete = n <= 0 || s->burst_at + (uint32_t)n >= s->burst_end;
    m.payload[AT_BURST_COMPLETE] = complete;
    if (n <= 0) {
        refuse(&m, n == 0 ? ERROR_EOF : ERROR_FAIL);
    }
    if (!mf_link_send(v, link, MF_MSG_FILE_TRANSFER_PROTOCOL, &m)) {
        return false;
    }
    s->burst_seq++;
    s->burst_at += n > 0 ? (uint32_t)n : 0;
    s->used_us = v->now.transport_us;
    s->bursting = !complete;
    return s->bursting;
}

/* A slice of the checksum, and at the end the answer. */
static void sum_step(struct mf_vehicle *v)
{
    struct mf_ftp_sum *sum = &v->ftp->sum;
    struct mf_msg_file_transfer_protocol m;
    uint8_t bytes[512];
    int n = 1;
    for (uint32_t done = 0; n > 0 && done < SUM_SLICE; done += (uint32_t)n) {
        n = mf_tree_read(v, &sum->file, &sum->mark, sum->at, bytes, sizeof bytes);
        if (n > 0) {
            sum->crc = mf_crc32(sum->crc, bytes, (size_t)n);
            sum->at += (uint32_t)n;
        }
    }
    if (n > 0) {
        return;
    }
    sum->running = false;
    memset(&m, 0, sizeof m);
    set_head(&m, &sum->client, (uint16_t)(sum->seq + 1u), sum->session, OP_CRC32, 0, 4);
    put_le(m.payload + AT_DATA, sum->crc, 4);
    if (n < 0) {
        refuse(&m, ERROR_FAIL);
    }
    (void)mf_link_send(v, &v->links[sum->client.link], MF_MSG_FILE_TRANSFER_PROTOCOL, &m);
}

/* @return when the session wants to be looked at again */
static mf_us_t run_session(struct mf_vehicle *v, struct mf_ftp_session *s)
{
    const mf_us_t now_us = v->now.transport_us;
    if (!s->open) {
        return MF_NEVER;
    }
    for (unsigned n = 0; s->bursting && n < MF_FTP_BURST && burst_step(v, s); n++) {
    }
    if (now_us - s->used_us >= IDLE_US) {
        s->open = s->bursting = false;
        return MF_NEVER;
    }
    return s->bursting ? now_us + BURST_PAUSE_US : s->used_us + IDLE_US;
}

mf_us_t mf_ftp_run(struct mf_vehicle *v, mf_us_t due_us)
{
    struct mf_ftp *ftp = v->ftp;
    mf_us_t next_us = MF_NEVER;
    MF_ASSERT(due_us <= v->now.transport_us);
    if (ftp == NULL) {
        return MF_NEVER;
    }
    if (ftp->sum.running) {
        sum_step(v);
    }
    if (ftp->sum.running) {
        next_us = v->now.transport_us + MF_MS_US;
    }
    for (size_t i = 0; i < MF_FTP_SESSIONS; i++) {
        next_us = mf_earlier(next_us, run_session(v, &ftp->session[i]));
    }
    if (ftp->asked_us != MF_NEVER) {
        const mf_us_t calm_us = ftp->asked_us + BUSY_US;
        if (calm_us > v->now.transport_us) {
            next_us = mf_earlier(next_us, calm_us);
        } else {
            ftp->asked_us = MF_NEVER;
        }
    }
    return next_us;
}

bool mf_ftp_busy(const struct mf_vehicle *v)
{
    bool bursting = false;
    if (v->ftp == NULL) {
        return false;
    }
    for (size_t i = 0; i < MF_FTP_SESSIONS; i++) {
        bursting = bursting || v->ftp->session[i].bursting;
    }
    return bursting || v->ftp->sum.running || v->ftp->asked_us != MF_NEVER;
}

void mf_ftp_link_closed(struct mf_vehicle *v, uint16_t link)
{
    struct mf_ftp *ftp = v->ftp;
    for (size_t i = 0; ftp != NULL && i < MF_FTP_SESSIONS; i++) {
        if (ftp->session[i].client.link == link) {
            ftp->session[i] = (struct mf_ftp_session){0};
        }
    }
    if (ftp != NULL && ftp->sum.client.link == link) {
        ftp->sum.running = false;
    }
}

void mf_ftp_reset(struct mf_ftp *ftp)
{
    memset(ftp, 0, sizeof *ftp);
    ftp->asked_us = MF_NEVER;
}
