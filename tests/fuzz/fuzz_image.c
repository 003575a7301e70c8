/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes checkpoints: one part has its address and length, another any length. The first byte of an
 * input says what of the head is put right, so that what lies behind it is reached; the rest is the
 * image.
 */
#include <stdlib.h>
#include <string.h>

#include "hal-sim/image.h"
#include "tests/fuzz/fuzz.h"

#define FIXED_BYTES 40u

static uint8_t s_fixed[FIXED_BYTES];
static const struct mf_image_key k_key = {1, 2};

struct source {
    const uint8_t *bytes;
    size_t left;
};

static bool give(void *ctx, void *bytes, size_t n)
{
    struct source *s = ctx;
    if (n > s->left) {
        return false;
    }
    memcpy(bytes, s->bytes, n);
    s->bytes += n;
    s->left -= n;
    return true;
}

static void put_right(struct mf_image_head *head, uint8_t what)
{
    if ((what & 1u) != 0) {
        memcpy(head->magic, "MFIMAGE\n", sizeof head->magic);
        head->version = MF_IMAGE_VERSION;
        head->parts = 2;
        head->key = k_key;
    }
    if ((what & 2u) != 0) {
        head->part[0].at = (uintptr_t)s_fixed;
        head->part[0].bytes = FIXED_BYTES;
    }
    if ((what & 4u) != 0) {
        head->head_sum = mf_image_sum(0, head, offsetof(struct mf_image_head, head_sum));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mf_image_part part[2] = {{s_fixed, FIXED_BYTES}, {NULL, 0}};
    struct mf_image_head head = {0};
    if (size < 1) {
        return 0;
    }
    struct source source = {data + 1, size - 1};
    (void)give(&source, &head, source.left < sizeof head ? source.left : sizeof head);
    put_right(&head, data[0]);
    const enum mf_image_why why = mf_image_check(&head, size - 1, &k_key, part, 2);
    check(mf_image_why_text(why) != NULL);
    if (why != MF_IMAGE_OK) {
        return 0;
    }
    check(part[0].at == s_fixed && part[0].bytes == FIXED_BYTES);
    check(part[0].bytes + part[1].bytes == source.left);
    part[1].at = malloc(part[1].bytes + 1u);
    check(part[1].at != NULL);
    const enum mf_image_why read = mf_image_read(&head, part, 2, give, &source);
    check(read == MF_IMAGE_OK || read == MF_IMAGE_ALTERED);
    check(source.left == 0);
    free(part[1].at);
    return 0;
}
