/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes frames between the processes of one swarm: any bytes are records, or are refused; nothing
 * is read beyond them, and what is written from them is read back.
 */
#include "fleet/hosts.h"
#include "hal/types.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static void read_back(const uint8_t *bytes, size_t n, const struct mf_hosts_record *wanted)
{
    struct mf_hosts_head head;
    struct mf_hosts_record r;
    const char *why = NULL;
    size_t at = 0;
    bool bad = false;
    check(mf_hosts_head(bytes, n, &head, &why) == MF_E_OK && head.n == n - MF_HOSTS_HEADER);
    check(mf_hosts_next(bytes + MF_HOSTS_HEADER, head.n, &at, &r, &bad) && at == head.n);
    check(r.kind == wanted->kind && r.key == wanted->key && r.n == wanted->n);
    check(r.n == 0 || memcmp(r.at, wanted->at, r.n) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t s_bytes[65536];
    struct mf_hosts_head head;
    struct mf_hosts_record r;
    const char *why = NULL;
    size_t at = 0, piece = 0;
    bool bad = false;
    if (size >= MF_HOSTS_PIECE) {
        check(mf_hosts_piece(data, size, &piece) == (piece <= size));
    }
    if (size >= MF_HOSTS_HEADER) {
        const bool good = mf_hosts_head(data, size, &head, &why) == MF_E_OK;
        check(good == (why == NULL) && (!good || head.n <= size));
    }
    while (mf_hosts_next(data, size, &at, &r, &bad)) {
        struct mf_hosts_writer w = {.bytes = s_bytes, .size = sizeof s_bytes};
        char text[32];
        check(r.at + r.n == data + at && r.kind != MF_HOSTS_NONE_ && r.kind < MF_HOSTS_KINDS);
        mf_hosts_text(&r, text, sizeof text);
        check(strlen(text) < sizeof text);
        if (r.n < sizeof s_bytes - MF_HOSTS_ROOM) {
            mf_hosts_begin(&w, MF_HOSTS_REPLY, 7);
            mf_hosts_put(&w, (enum mf_hosts_kind)r.kind, r.key);
            mf_hosts_put_raw(&w, r.at, r.n);
            mf_hosts_finish(&w);
            read_back(s_bytes, w.n, &r);
        }
        for (size_t k = 1; !r.lacks; k = k % 8u + 1u) {
            (void)mf_hosts_u(&r, k);
        }
        check(r.at <= data + at);
    }
    check(bad == (at != size));
    return 0;
}
