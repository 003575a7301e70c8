/* SPDX-License-Identifier: Apache-2.0 */
/* Encoding and decoding of frames between hosts. Called by boards/swarm (hosts, leaf, branches,
 * relay, hosts_state, hosts_apply, hosts_share). */
#include "fleet/hosts.h"

#include "fleet/bytes.h"
#include "hal/assert.h"
#include "host/base/value.h"

#include <string.h>

/* ---- reading */

int mf_hosts_head(const uint8_t *bytes, size_t most, struct mf_hosts_head *head, const char **why)
{
    *head = (struct mf_hosts_head){bytes[1], (size_t)mf_bytes_u(bytes + 4, 4),
                                   mf_bytes_u(bytes + 8, 8)};
    *why = bytes[0] != MF_HOSTS_VERSION ? "uses another version of the protocol: this is version 1"
           : head->type == 0 || head->type >= MF_HOSTS_TYPES || bytes[2] != 0 || bytes[3] != 0
               ? "sends bytes that are not a frame"
           : head->n > most ? "sends a frame that is too long"
                            : NULL;
    return *why == NULL ? MF_E_OK : MF_E_RANGE;
}

bool mf_hosts_piece(const uint8_t *bytes, size_t most, size_t *n)
{
    *n = mf_bytes_u32(bytes);
    return *n <= most;
}

bool mf_hosts_next(const uint8_t *bytes, size_t n, size_t *at, struct mf_hosts_record *r, bool *bad)
{
    MF_ASSERT(*at <= n);
    if (*at == n) {
        return false;
    }
    const size_t left = n - *at;
    const uint64_t length = left >= MF_HOSTS_RECORD ? mf_bytes_u(bytes + *at + 5, 4) : 0;
    const uint8_t kind = bytes[*at];
    if (left < MF_HOSTS_RECORD || length > left - MF_HOSTS_RECORD || kind == MF_HOSTS_NONE_ ||
        kind >= MF_HOSTS_KINDS) {
        *bad = true;
        return false;
    }
    *r = (struct mf_hosts_record){.kind = kind,
                                  .key = mf_bytes_u32(bytes + *at + 1),
                                  .at = bytes + *at + MF_HOSTS_RECORD,
                                  .n = (size_t)length};
    *at += MF_HOSTS_RECORD + (size_t)length;
    return true;
}

uint64_t mf_hosts_u(struct mf_hosts_record *r, size_t bytes)
{
    MF_ASSERT(bytes >= 1 && bytes <= 8);
    if (r->n < bytes) {
        r->lacks = true;
        return 0;
    }
    const uint64_t value = mf_bytes_u(r->at, bytes);
    r->at += bytes;
    r->n -= bytes;
    return value;
}

void mf_hosts_raw(struct mf_hosts_record *r, void *to, size_t n)
{
    if (r->n < n) {
        r->lacks = true;
        memset(to, 0, n);
        return;
    }
    memcpy(to, r->at, n);
    r->at += n;
    r->n -= n;
}

mf_us_t mf_hosts_time(struct mf_hosts_record *r)
{
    const uint64_t us = mf_hosts_u(r, 8);
    const bool good = us <= (uint64_t)MF_HOSTS_TIME_MAX || us == (uint64_t)MF_NEVER;
    r->lacks = r->lacks || !good;
    return good ? (mf_us_t)us : 0;
}

/* Zero numbers that are out of range, and refuse their record. */
static void check_range(struct mf_hosts_record *r, bool good, void *to, size_t n)
{
    if (!good) {
        memset(to, 0, n);
        r->lacks = true;
    }
}

/* NaN fails both comparisons. */
void mf_hosts_f64(struct mf_hosts_record *r, double *to, size_t count, double most)
{
    bool good = true;
    mf_hosts_raw(r, to, count * sizeof *to);
    for (size_t i = 0; i < count; i++) {
        good = good && to[i] >= -most && to[i] <= most;
    }
    check_range(r, good, to, count * sizeof *to);
}

void mf_hosts_f32(struct mf_hosts_record *r, float *to, size_t count, float most)
{
    bool good = true;
    mf_hosts_raw(r, to, count * sizeof *to);
    for (size_t i = 0; i < count; i++) {
        good = good && to[i] >= -most && to[i] <= most;
    }
    check_range(r, good, to, count * sizeof *to);
}

void mf_hosts_text(const struct mf_hosts_record *r, char *to, size_t size)
{
    mf_value_shown(r->at, r->n, to, size);
}

/* ---- writing */

void mf_hosts_begin(struct mf_hosts_writer *w, enum mf_hosts_type type, uint64_t phase)
{
    MF_ASSERT(w->size >= MF_HOSTS_HEADER);
    memset(w->bytes, 0, MF_HOSTS_HEADER);
    w->bytes[0] = MF_HOSTS_VERSION;
    w->bytes[1] = (uint8_t)type;
    (void)mf_bytes_put_u(w->bytes + 8, phase, 8);
    w->n = MF_HOSTS_HEADER;
    w->record = 0;
}

static void end_record(struct mf_hosts_writer *w)
{
    if (w->record > 0) {
        (void)mf_bytes_put_u(w->bytes + w->record + 5, w->n - w->record - MF_HOSTS_RECORD, 4);
    }
    w->record = 0;
}

void mf_hosts_finish(struct mf_hosts_writer *w)
{
    end_record(w);
    (void)mf_bytes_put_u(w->bytes + 4, w->n - MF_HOSTS_HEADER, 4);
}

void mf_hosts_put(struct mf_hosts_writer *w, enum mf_hosts_kind kind, uint32_t key)
{
    end_record(w);
    MF_ASSERT(w->size - w->n >= MF_HOSTS_RECORD);
    w->record = w->n;
    w->bytes[w->n] = (uint8_t)kind;
    (void)mf_bytes_put_u(w->bytes + w->n + 1, key, 4);
    w->n += MF_HOSTS_RECORD;
}

void mf_hosts_put_u(struct mf_hosts_writer *w, uint64_t value, size_t bytes)
{
    MF_ASSERT(w->size - w->n >= bytes && bytes <= 8);
    (void)mf_bytes_put_u(w->bytes + w->n, value, bytes);
    w->n += bytes;
}

void mf_hosts_put_raw(struct mf_hosts_writer *w, const void *from, size_t n)
{
    MF_ASSERT(w->size - w->n >= n);
    if (n > 0) {
        memcpy(w->bytes + w->n, from, n);
    }
    w->n += n;
}
