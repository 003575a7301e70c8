/* SPDX-License-Identifier: Apache-2.0 */
/* Source: MAVLink file transfer protocol; numbers of opcodes and errors are its own, answers are
 * PX4's (mavlink_ftp).
 *
 * The protocol has no connection: any request may be lost or come twice, and so may its answer.
 * Hence nothing here depends on what was asked before but the sessions, and those know the sequence
 * number of the request that opened or closed them, so that the same request gives the same answer.
 *
 * Whatever the payload says is a client's word: sizes, offsets, sessions and paths are checked here
 * and nowhere else (tests/prove/ftp.c shows that no byte outside is read). */
#include "firmware/protocol/ftp.h"

#include "firmware/core/text.h"
#include "firmware/link/link.h"
#include "firmware/protocol/tree.h"
#include "firmware/state/limits.h"
#include "math/crc32.h"

#include <string.h>

/* Offsets of fields in the payload; numbers of more than a byte are little-endian. */
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

/* Opcodes. Those that write are known, to be refused as "protected": after "unknown" a client would
 * try another way. */
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

/* ERRNO (2) and the others that are missing speak of a file system of the operating system's, which
 * is not here. */
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
    /* of ours: no answer now */
    ERROR_LATER, /* what runs already goes on */
    ERROR_BEGUN  /* the task begins with it in this pass */
};

#define BURST_PAUSE_US (10 * MF_MS_US)
/* A client at work keeps an event clock from jumping for so long after its last request. */
#define BUSY_US MF_SECOND_US
/* Time until an idle session ends. There are few sessions, and a client that left without TERMINATE
 * must not keep one for long. */
#define IDLE_US (10 * MF_SECOND_US)
/* Pause between two slices of a checksum. */
#define SUM_PAUSE_US MF_MS_US

/* A request, and the answer that is being made of it. Handlers take this alone: what they may touch
 * is in it. */
struct exchange {
    struct mf_ftp *ftp;
    mf_us_t now_us; /* transport */
    struct mf_client client;
    uint16_t seq;
    uint8_t session;
    uint8_t opcode;
    uint8_t size;
    uint32_t offset;
    const uint8_t *data;                          /* of the request, [size] */
    struct mf_msg_file_transfer_protocol *answer; /* size and data are the handlers' */
};

/* Answer's parts that depend on its request. */
struct head {
    struct mf_client to;
    uint16_t seq; /* of the answer */
    uint8_t session;
    uint8_t request; /* opcode */
    uint32_t offset;
};

static uint32_t get_le(const uint8_t *at, size_t n)
{
    uint32_t value = 0;
    MF_ASSERT(n <= sizeof value);
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

/* The head of an answer. What stands behind it stays. */
static void set_head(struct mf_msg_file_transfer_protocol *m, const struct head *head, size_t size)
{
    MF_ASSERT(size <= DATA_MAX);
    m->target_system = head->to.sysid;
    m->target_component = head->to.compid;
    put_le(m->payload + AT_SEQ, head->seq, 2);
    m->payload[AT_SESSION] = head->session;
    m->payload[AT_OPCODE] = OP_ACK;
    m->payload[AT_SIZE] = (uint8_t)size;
    m->payload[AT_REQUEST] = head->request;
    put_le(m->payload + AT_OFFSET, head->offset, 4);
}

/* The head of the answer to a request. */
static struct head head_of(struct mf_client from, const struct mf_msg_file_transfer_protocol *m)
{
    return (struct head){
        .to = from,
        .seq = (uint16_t)(get_le(m->payload + AT_SEQ, 2) + 1u),
        .session = m->payload[AT_SESSION],
        .request = m->payload[AT_OPCODE],
        .offset = get_le(m->payload + AT_OFFSET, 4),
    };
}

static void set_size(struct exchange *x, size_t size)
{
    MF_ASSERT(size <= DATA_MAX);
    x->answer->payload[AT_SIZE] = (uint8_t)size;
}

/* The session that a request names, if it is its sender's. */
static struct mf_ftp_session *own_session(const struct exchange *x)
{
    struct mf_ftp_session *s = NULL;
    if (x->session < MF_FTP_SESSIONS) {
        s = &x->ftp->session[x->session];
    }
    return s != NULL && s->open && mf_client_is(s->client, x->client) ? s : NULL;
}

/* True if a session is open. Without one, no client waits for a file, and an event clock may jump
 * again. */
static bool any_open(const struct mf_ftp *ftp)
{
    bool open = false;
    for (size_t i = 0; i < MF_FTP_SESSIONS; i++) {
        open = open || ftp->session[i].open;
    }
    return open;
}

/* ---- what is asked for */

/* A session that is closed already is closed again only by the very request that closed it. */
static enum error terminate(struct exchange *x)
{
    struct mf_ftp_session *s = own_session(x);
    if (s != NULL) {
        s->open = s->bursting = false;
        s->close_seq = x->seq;
    } else if (x->session >= MF_FTP_SESSIONS ||
               !mf_client_is(x->ftp->session[x->session].client, x->client) ||
               x->ftp->session[x->session].open ||
               x->ftp->session[x->session].close_seq != x->seq) {
        return ERROR_SESSION;
    }
    if (!any_open(x->ftp)) {
        x->ftp->asked_us = MF_NEVER;
    }
    return ERROR_NONE;
}

/* End the client's own sessions; those of other clients continue. */
static enum error reset(struct exchange *x)
{
    struct mf_ftp *ftp = x->ftp;
    for (size_t i = 0; i < MF_FTP_SESSIONS; i++) {
        if (mf_client_is(ftp->session[i].client, x->client)) {
            ftp->session[i].open = ftp->session[i].bursting = false;
        }
    }
    if (!any_open(ftp)) {
        ftp->asked_us = MF_NEVER;
    }
    return ERROR_NONE;
}

/* "Dname" or "Fname<TAB>size"; with times "Dname<TAB>0<TAB>UTC" or "Fname<TAB>size<TAB>UTC" */
static struct mf_text entry_text(struct mf_tree *tree, const struct mf_tree_node *entry,
                                 const struct mf_text *name, bool with_time)
{
    struct mf_text text = mf_text(mf_node_is_folder(entry) ? "D" : "F");
    uint32_t size = 0;
    mf_text_add(&text, name->s);
    if (mf_tree_size(tree, entry, &size) == MF_E_OK || with_time) {
        mf_text_add(&text, "\t");
        mf_text_add_int(&text, size);
    }
    if (with_time) {
        mf_text_add(&text, "\t");
        mf_text_add_int(&text, mf_tree_utc_s(entry));
    }
    return text;
}

/* List as many entries as fit, each with its NUL, from the one that the offset counts: here an
 * offset is an index, not bytes. The client continues until EOF, so an entry that does not fit is
 * in the next answer. */
static enum error list(struct exchange *x)
{
    struct mf_tree_node folder, entry;
    size_t used = 0;
    if (mf_tree_find(&x->ftp->tree, (const char *)x->data, x->size, &folder) != MF_E_OK) {
        return ERROR_NOT_FOUND;
    }
    if (!mf_node_is_folder(&folder)) {
        return ERROR_FAIL;
    }
    for (uint32_t index = x->offset;; index++) {
        struct mf_text name = mf_text("");
        if (mf_tree_entry(&x->ftp->tree, &folder, index, &entry, &name) != MF_E_OK) {
            break;
        }
        const struct mf_text text =
            entry_text(&x->ftp->tree, &entry, &name, x->opcode == OP_LIST_TIME);
        if (used + text.len + 1 > DATA_MAX) {
            break;
        }
        memcpy(x->answer->payload + AT_DATA + used, text.s, text.len + 1);
        used += text.len + 1;
    }
    MF_ASSERT(used <= DATA_MAX);
    set_size(x, used);
    return used > 0 ? ERROR_NONE : ERROR_EOF;
}

/* The one that this very request opened before, or else one that is free or forgotten. */
static struct mf_ftp_session *session_for(const struct exchange *x, const struct mf_tree_node *file)
{
    struct mf_ftp_session *free = NULL;
    for (size_t i = 0; i < MF_FTP_SESSIONS; i++) {
        struct mf_ftp_session *s = &x->ftp->session[i];
        if (s->open && mf_client_is(s->client, x->client) && s->open_seq == x->seq &&
            s->file.kind == file->kind && s->file.which == file->which && s->file.at == file->at) {
            return s;
        }
        if (!s->open && free == NULL) {
            free = s;
        }
    }
    return free;
}

/* The answer has the size, by which clients show progress; what a log grows by later is
 * read, too. */
static enum error open_file(struct exchange *x)
{
    struct mf_tree_node file;
    uint32_t size;
    if (mf_tree_find(&x->ftp->tree, (const char *)x->data, x->size, &file) != MF_E_OK) {
        return ERROR_NOT_FOUND;
    }
    if (mf_tree_size(&x->ftp->tree, &file, &size) != MF_E_OK) {
        return ERROR_FAIL;
    }
    struct mf_ftp_session *s = session_for(x, &file);
    if (s == NULL) {
        return ERROR_NO_SESSIONS;
    }
    *s = (struct mf_ftp_session){
        .open = true,
        .client = x->client,
        .open_seq = x->seq,
        .used_us = x->now_us,
        .file = file,
    };
    MF_ASSERT(s - x->ftp->session < (ptrdiff_t)MF_FTP_SESSIONS);
    x->answer->payload[AT_SESSION] = (uint8_t)(s - x->ftp->session);
    put_le(x->answer->payload + AT_DATA, size, 4);
    set_size(x, 4);
    return ERROR_NONE;
}

/* PX4 fills the frame where a request does not say how much it wants. */
static size_t wanted(const struct exchange *x)
{
    return x->size == 0 ? DATA_MAX : x->size;
}

/* An offset behind the end is EOF, not an error: that is how a client finds the end. */
static enum error read_file(struct exchange *x)
{
    struct mf_ftp_session *s = own_session(x);
    if (s == NULL) {
        return ERROR_SESSION;
    }
    const struct mf_extent want = {x->offset, wanted(x), x->answer->payload + AT_DATA};
    const int n = mf_tree_read(&x->ftp->tree, &s->file, &s->mark, &want);
    if (n <= 0) {
        return n == 0 ? ERROR_EOF : ERROR_FAIL;
    }
    s->used_us = x->now_us;
    set_size(x, (size_t)n);
    return ERROR_NONE;
}

/* Whole frames: clients take a shorter one for the file's end. */
static uint32_t burst_end(uint32_t offset, uint32_t frame)
{
    MF_ASSERT(frame > 0);
    const uint32_t frames = (MF_FTP_BURST_BYTES + frame - 1) / frame;
    return offset < UINT32_MAX - frames * frame ? offset + frames * frame : UINT32_MAX;
}

/* Begin a burst. The task sends its frames in this same pass: they share the link with streams, and
 * wait for room. A running burst restarts, since a client that lost frames asks again from
 * there. */
static enum error begin_burst(struct exchange *x)
{
    struct mf_ftp_session *s = own_session(x);
    if (s == NULL) {
        return ERROR_SESSION;
    }
    s->bursting = true;
    s->burst_bytes = (uint8_t)wanted(x);
    s->burst_seq = (uint16_t)(x->seq + 1u);
    s->burst_at = x->offset;
    s->burst_end = burst_end(x->offset, s->burst_bytes);
    s->used_us = x->now_us;
    MF_ASSERT(s->burst_bytes > 0 && s->burst_bytes <= DATA_MAX);
    return ERROR_BEGUN;
}

/* A checksum needs the whole file, which may be a log of many MB: it is made in
 * slices (MF_FTP_SUM_BYTES). */
static enum error begin_sum(struct exchange *x)
{
    struct mf_ftp_sum *sum = &x->ftp->sum;
    struct mf_tree_node file;
    uint32_t size;
    if (mf_tree_find(&x->ftp->tree, (const char *)x->data, x->size, &file) != MF_E_OK) {
        return ERROR_NOT_FOUND;
    }
    if (mf_tree_size(&x->ftp->tree, &file, &size) != MF_E_OK) {
        return ERROR_FAIL;
    }
    if (sum->running && (!mf_client_is(sum->client, x->client) || sum->seq == x->seq)) {
        return ERROR_LATER; /* under way, or another's; who does not wait asks again */
    }
    *sum = (struct mf_ftp_sum){
        .running = true, .session = x->session, .client = x->client, .seq = x->seq, .file = file};
    return ERROR_BEGUN;
}

/* Run a request. Each opcode has a line, so that -Wswitch-enum finds a forgotten one. */
static enum error serve_request(struct exchange *x)
{
    switch ((enum opcode)x->opcode) {
    case OP_NONE:
        return ERROR_NONE;
    case OP_TERMINATE:
        return terminate(x);
    case OP_RESET:
        return reset(x);
    case OP_LIST:
    case OP_LIST_TIME:
        return list(x);
    case OP_OPEN_RO:
        return open_file(x);
    case OP_READ:
        return read_file(x);
    case OP_CRC32:
        return begin_sum(x);
    case OP_BURST:
        return begin_burst(x);
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

/* A NAK has the error as its only byte of data. */
static void refuse(struct mf_msg_file_transfer_protocol *m, enum error error)
{
    MF_ASSERT(error > ERROR_NONE && error < ERROR_LATER);
    m->payload[AT_OPCODE] = OP_NAK;
    m->payload[AT_SIZE] = 1;
    memset(m->payload + AT_DATA, 0, DATA_MAX);
    m->payload[AT_DATA] = (uint8_t)error;
}

void mf_ftp_refuse(struct mf_client from, const struct mf_msg_file_transfer_protocol *request,
                   struct mf_msg_file_transfer_protocol *answer)
{
    const struct head head = head_of(from, request);
    memset(answer, 0, sizeof *answer);
    set_head(answer, &head, 0);
    refuse(answer, ERROR_UNKNOWN);
}

/* The head is made first, as if all were well: a handler changes in it what it knows better.
 * Serving takes the present instant alone, so the same request at another time is served by the
 * files of that time. */
enum mf_ftp_reply mf_ftp_answer(struct mf_ftp *ftp, struct mf_client from,
                                const struct mf_msg_file_transfer_protocol *request,
                                struct mf_msg_file_transfer_protocol *answer, mf_us_t now_us)
{
    const struct head head = head_of(from, request);
    struct exchange x = {
        .ftp = ftp,
        .now_us = now_us,
        .client = from,
        .seq = (uint16_t)(head.seq - 1u),
        .session = head.session,
        .opcode = head.request,
        .size = request->payload[AT_SIZE],
        .offset = head.offset,
        .data = request->payload + AT_DATA,
        .answer = answer,
    };
    MF_ASSERT(now_us >= 0 && request != answer);
    memset(answer, 0, sizeof *answer);
    set_head(answer, &head, 0);
    ftp->asked_us = now_us;
    const enum error error = x.size > DATA_MAX ? ERROR_SIZE : serve_request(&x);
    if (error == ERROR_LATER || error == ERROR_BEGUN) {
        return error == ERROR_BEGUN ? MF_FTP_BEGUN : MF_FTP_LATER;
    }
    if (error != ERROR_NONE) {
        refuse(answer, error);
    }
    return MF_FTP_NOW;
}

/* A client that sends answers is another server, or an echo. */
bool mf_ftp_is_answer(const struct mf_msg_file_transfer_protocol *m)
{
    return m->payload[AT_OPCODE] == OP_ACK || m->payload[AT_OPCODE] == OP_NAK;
}

/* ---- what goes on by itself */

/* The offset says where the frame belongs, so a client that lost one knows which: frames are not
 * repeated, it asks again. The last of the burst carries burst_complete; at the file's end that is
 * a NAK with EOF, as PX4 sends it. */
void mf_ftp_burst(struct mf_ftp *ftp, struct mf_ftp_session *s,
                  struct mf_msg_file_transfer_protocol *m)
{
    MF_ASSERT(s->open && s->bursting && s->burst_at <= s->burst_end);
    const struct head head = {s->client, s->burst_seq, (uint8_t)(s - ftp->session), OP_BURST,
                              s->burst_at};
    memset(m, 0, sizeof *m);
    const size_t left = s->burst_end - s->burst_at;
    const struct mf_extent want = {s->burst_at, s->burst_bytes < left ? s->burst_bytes : left,
                                   m->payload + AT_DATA};
    const int n = mf_tree_read(&ftp->tree, &s->file, &s->mark, &want);
    set_head(m, &head, n > 0 ? (size_t)n : 0);
    m->payload[AT_BURST_COMPLETE] = n <= 0 || s->burst_at + (uint32_t)n >= s->burst_end;
    if (n <= 0) {
        refuse(m, n == 0 ? ERROR_EOF : ERROR_FAIL);
    }
}

/* Note a frame of a burst that was sent. A refused frame does not advance the offset. */
void mf_ftp_burst_sent(struct mf_ftp_session *s, const struct mf_msg_file_transfer_protocol *m,
                       mf_us_t now_us)
{
    MF_ASSERT(s->open && s->bursting && get_le(m->payload + AT_SEQ, 2) == s->burst_seq);
    s->burst_seq++;
    s->burst_at += m->payload[AT_OPCODE] == OP_ACK ? m->payload[AT_SIZE] : 0u;
    s->used_us = now_us;
    s->bursting = m->payload[AT_BURST_COMPLETE] == 0;
}

/* Compute a slice of a checksum. MAVLink's CRC-32 of a file begins with 0, and is not inverted at
 * the end (mf_crc32()). The file may grow meanwhile: the checksum of a log that is being written is
 * outdated at once. */
bool mf_ftp_sum_step(struct mf_ftp *ftp, struct mf_msg_file_transfer_protocol *m)
{
    struct mf_ftp_sum *sum = &ftp->sum;
    uint8_t bytes[MF_CHUNK_BYTES];
    int n = 1;
    MF_ASSERT(sum->running);
    for (uint32_t done = 0; n > 0 && done < MF_FTP_SUM_BYTES; done += (uint32_t)n) {
        const struct mf_extent want = {sum->at, sizeof bytes, bytes};
        n = mf_tree_read(&ftp->tree, &sum->file, &sum->mark, &want);
        if (n > 0) {
            sum->crc = mf_crc32(sum->crc, bytes, (size_t)n);
            sum->at += (uint32_t)n;
        }
    }
    if (n > 0) {
        return false;
    }
    const struct head head = {sum->client, (uint16_t)(sum->seq + 1u), sum->session, OP_CRC32, 0};
    sum->running = false;
    memset(m, 0, sizeof *m);
    set_head(m, &head, 4);
    put_le(m->payload + AT_DATA, sum->crc, 4);
    if (n < 0) {
        refuse(m, ERROR_FAIL);
    }
    return true;
}

/* End a session after its time. A burst without room uses this time, too: a link that takes nothing
 * for ten seconds does not have a client any more. @return time of the next look at the session */
static mf_us_t rest_session(struct mf_ftp_session *s, mf_us_t now_us)
{
    MF_ASSERT(s->open || !s->bursting);
    if (!s->open) {
        return MF_NEVER;
    }
    if (now_us - s->used_us >= IDLE_US) {
        s->open = s->bursting = false;
        return MF_NEVER;
    }
    return s->bursting ? now_us + BURST_PAUSE_US : s->used_us + IDLE_US;
}

mf_us_t mf_ftp_rest(struct mf_ftp *ftp, mf_us_t now_us)
{
    mf_us_t next_us = ftp->sum.running ? now_us + SUM_PAUSE_US : MF_NEVER;
    for (size_t i = 0; i < MF_FTP_SESSIONS; i++) {
        next_us = mf_earlier(next_us, rest_session(&ftp->session[i], now_us));
    }
    if (ftp->asked_us == MF_NEVER) {
        return next_us;
    }
    const mf_us_t calm_us = ftp->asked_us + BUSY_US;
    if (calm_us <= now_us) {
        ftp->asked_us = MF_NEVER;
        return next_us;
    }
    return mf_earlier(next_us, calm_us);
}

bool mf_ftp_busy(const struct mf_ftp *ftp)
{
    bool bursting = false;
    for (size_t i = 0; i < MF_FTP_SESSIONS; i++) {
        bursting = bursting || ftp->session[i].bursting;
    }
    return bursting || ftp->sum.running || ftp->asked_us != MF_NEVER;
}

/* Another client may come on the same link, with the same ids: nothing of these may be left. */
void mf_ftp_link_closed(struct mf_ftp *ftp, uint16_t link)
{
    for (size_t i = 0; i < MF_FTP_SESSIONS; i++) {
        if (ftp->session[i].client.link == link) {
            ftp->session[i] = (struct mf_ftp_session){0};
        }
    }
    if (ftp->sum.client.link == link) {
        ftp->sum.running = false;
    }
}

void mf_ftp_reset(struct mf_ftp *ftp, const struct mf_hal *hal)
{
    MF_ASSERT(hal != NULL);
    memset(ftp, 0, sizeof *ftp);
    ftp->tree.hal = hal;
    ftp->asked_us = MF_NEVER;
}
