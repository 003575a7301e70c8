/* SPDX-License-Identifier: Apache-2.0 */
/* Images of memory. Called by boards/swarm/checkpoint and sweep. */
#include "hal-sim/image.h"

#include <string.h>

static const uint8_t k_magic[8] = {'M', 'F', 'I', 'M', 'A', 'G', 'E', '\n'};

/* Bytes that are summed and passed on at a time; they fit into the processor's cache. */
#define BLOCK_BYTES (256u * 1024u)

/* ---- sums */

#define LANES 4u

/* Mix a word into a sum. One to one in both arguments, so that another word gives another sum. */
static uint64_t mix(uint64_t sum, uint64_t word)
{
    const uint64_t z = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return z ^ (z >> 29);
}

/* Parts are whole memories, with AddressSanitizer's red zones between the objects in them. */
#define ACROSS_RED_ZONES __attribute__((no_sanitize("address")))

ACROSS_RED_ZONES static uint64_t word_at(const uint8_t *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

ACROSS_RED_ZONES uint64_t mf_image_sum(uint64_t sum, const void *bytes, size_t n)
{
    const uint8_t *at = bytes;
    uint64_t lane[LANES] = {
        sum, 1, 2, 3}; /* independent lanes, so that the processor works on them at the same time */
    size_t left = n;
    for (; left >= 8u * LANES; left -= 8u * LANES, at += 8u * LANES) {
        lane[0] = mix(lane[0], word_at(at));
        lane[1] = mix(lane[1], word_at(at + 8));
        lane[2] = mix(lane[2], word_at(at + 16));
        lane[3] = mix(lane[3], word_at(at + 24));
    }
    for (; left > 0; left--, at++) {
        lane[0] = mix(lane[0], *at);
    }
    return mix(mix(mix(mix(lane[0], lane[1]), lane[2]), lane[3]), n);
}

static uint64_t head_sum(const struct mf_image_head *head)
{
    return mf_image_sum(0, head, offsetof(struct mf_image_head, head_sum));
}

/* ---- writing */

static size_t block(uint64_t left)
{
    return left < BLOCK_BYTES ? (size_t)left : BLOCK_BYTES;
}

bool mf_image_write(struct mf_image_head *head, const struct mf_image_key *key,
                    const struct mf_image_part *part, uint32_t count, mf_image_take *take,
                    void *ctx)
{
    MF_ASSERT(head != NULL && key != NULL && count <= MF_IMAGE_PARTS_MAX);
    memset(head, 0, sizeof *head);
    memcpy(head->magic, k_magic, sizeof k_magic);
    head->version = MF_IMAGE_VERSION;
    head->parts = count;
    head->key = *key;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *at = part[i].at;
        head->part[i].at = (uintptr_t)at;
        head->part[i].bytes = part[i].bytes;
        for (uint64_t left = part[i].bytes; left > 0;) {
            const size_t n = block(left);
            head->sum = mf_image_sum(head->sum, at, n);
            if (!take(ctx, at, n)) {
                return false;
            }
            at += n;
            left -= n;
        }
    }
    head->head_sum = head_sum(head);
    return true;
}

/* ---- reading */

enum mf_image_why mf_image_check(const struct mf_image_head *head, uint64_t size,
                                 const struct mf_image_key *key, struct mf_image_part *part,
                                 uint32_t count)
{
    MF_ASSERT(head != NULL && key != NULL && count <= MF_IMAGE_PARTS_MAX);
    uint64_t left = size - sizeof *head;
    if (size < sizeof *head || memcmp(head->magic, k_magic, sizeof k_magic) != 0) {
        return MF_IMAGE_FOREIGN;
    }
    if (head->version != MF_IMAGE_VERSION) {
        return MF_IMAGE_OTHER;
    }
    if (head->head_sum != head_sum(head)) {
        return MF_IMAGE_FOREIGN;
    }
    if (head->key.program != key->program) {
        return MF_IMAGE_PROGRAM;
    }
    if (head->key.subject != key->subject || head->parts != count) {
        return MF_IMAGE_SUBJECT;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (part[i].at != NULL &&
            (head->part[i].at != (uintptr_t)part[i].at || head->part[i].bytes != part[i].bytes)) {
            return MF_IMAGE_SUBJECT;
        }
        if (head->part[i].bytes > left) {
            return MF_IMAGE_LENGTH;
        }
        part[i].bytes = head->part[i].bytes;
        left -= part[i].bytes;
    }
    return left == 0 ? MF_IMAGE_OK : MF_IMAGE_LENGTH;
}

enum mf_image_why mf_image_read(const struct mf_image_head *head, const struct mf_image_part *part,
                                uint32_t count, mf_image_give *give, void *ctx)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *at = part[i].at;
        for (uint64_t left = part[i].bytes; left > 0;) {
            const size_t n = block(left);
            if (!give(ctx, at, n)) {
                return MF_IMAGE_BROKEN;
            }
            sum = mf_image_sum(sum, at, n);
            at += n;
            left -= n;
        }
    }
    return sum == head->sum ? MF_IMAGE_OK : MF_IMAGE_ALTERED;
}

const char *mf_image_why_text(enum mf_image_why why)
{
    static const char *const k_text[] = {
#define X(name, text) text,
        MF_IMAGE_WHY_LIST(X)
#undef X
    };
    MF_ASSERT((size_t)why < sizeof k_text / sizeof k_text[0]);
    return k_text[why];
}
