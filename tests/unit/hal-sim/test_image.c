/* SPDX-License-Identifier: Apache-2.0 */
/* hal-sim/image.h: parts of memory as bytes, and which bytes are refused. */
#include "hal-sim/image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define FIRST_BYTES  (512u * 1024u + 1u) /* two blocks, and a last one of one byte */
#define SECOND_BYTES 13u

static const struct mf_image_key k_key = {11, 22};

static struct {
    uint8_t first[FIRST_BYTES], second[SECOND_BYTES];
    struct mf_image_head head;
    uint8_t bytes[FIRST_BYTES + SECOND_BYTES]; /* of the image, behind its head */
    size_t n, room;
    struct mf_image_part part[2];
} s;

static bool take(void *ctx, const void *bytes, size_t n)
{
    (void)ctx;
    if (s.room - s.n < n) {
        return false;
    }
    memcpy(s.bytes + s.n, bytes, n);
    s.n += n;
    return true;
}

static bool give(void *ctx, void *bytes, size_t n)
{
    size_t *at = ctx;
    if (s.n - *at < n) {
        return false;
    }
    memcpy(bytes, s.bytes + *at, n);
    *at += n;
    return true;
}

static int begin(void **state)
{
    (void)state;
    memset(&s, 0, sizeof s);
    for (size_t i = 0; i < FIRST_BYTES; i++) {
        s.first[i] = (uint8_t)(i * 7u + i / 251u);
    }
    memcpy(s.second, "thirteen byte", SECOND_BYTES);
    s.part[0] = (struct mf_image_part){s.first, FIRST_BYTES};
    s.part[1] = (struct mf_image_part){s.second, SECOND_BYTES};
    s.room = sizeof s.bytes;
    assert_true(mf_image_write(&s.head, &k_key, s.part, 2, take, NULL));
    assert_int_equal(s.n, FIRST_BYTES + SECOND_BYTES);
    return 0;
}

static enum mf_image_why check(void)
{
    return mf_image_check(&s.head, sizeof s.head + s.n, &k_key, s.part, 2);
}

static enum mf_image_why read_back(void)
{
    size_t at = 0;
    return mf_image_read(&s.head, s.part, 2, give, &at);
}

static void test_what_was_written_comes_back(void **state)
{
    (void)state;
    memset(s.first, 0, FIRST_BYTES);
    memset(s.second, 0, SECOND_BYTES);
    assert_int_equal(check(), MF_IMAGE_OK);
    assert_int_equal(read_back(), MF_IMAGE_OK);
    for (size_t i = 0; i < FIRST_BYTES; i++) {
        assert_int_equal(s.first[i], (uint8_t)(i * 7u + i / 251u));
    }
    assert_memory_equal(s.second, "thirteen byte", SECOND_BYTES);
}

static void test_a_part_that_may_lie_anywhere_has_any_length(void **state)
{
    (void)state;
    s.part[1] = (struct mf_image_part){NULL, 0};
    assert_int_equal(check(), MF_IMAGE_OK);
    assert_int_equal(s.part[1].bytes, SECOND_BYTES);
    s.part[0].at = s.first + 8;
    assert_int_equal(check(), MF_IMAGE_SUBJECT);
}

static void test_what_does_not_belong_here_is_refused(void **state)
{
    (void)state;
    const struct mf_image_key program = {12, 22}, subject = {11, 23};
    const uint64_t size = sizeof s.head + s.n;
    assert_int_equal(mf_image_check(&s.head, size, &program, s.part, 2), MF_IMAGE_PROGRAM);
    assert_int_equal(mf_image_check(&s.head, size, &subject, s.part, 2), MF_IMAGE_SUBJECT);
    assert_int_equal(mf_image_check(&s.head, size, &k_key, s.part, 1), MF_IMAGE_SUBJECT);
    assert_int_equal(mf_image_check(&s.head, size - 1, &k_key, s.part, 2), MF_IMAGE_LENGTH);
    assert_int_equal(mf_image_check(&s.head, size + 1, &k_key, s.part, 2), MF_IMAGE_LENGTH);
    assert_int_equal(mf_image_check(&s.head, sizeof s.head - 1, &k_key, s.part, 2),
                     MF_IMAGE_FOREIGN);
    assert_int_equal(check(), MF_IMAGE_OK);
}

/* Each byte of the head counts: its sum finds what nothing else does. */
static void test_an_altered_head_is_refused(void **state)
{
    (void)state;
    uint8_t *bytes = (uint8_t *)&s.head;
    for (size_t i = 0; i < sizeof s.head; i++) {
        bytes[i] ^= 0x40;
        assert_int_not_equal(check(), MF_IMAGE_OK);
        bytes[i] ^= 0x40;
    }
    assert_int_equal(check(), MF_IMAGE_OK);
}

static void test_altered_bytes_are_found(void **state)
{
    (void)state;
    static const size_t k_at[] = {0, 7, 31, 32, 256 * 1024 - 1, FIRST_BYTES - 1, FIRST_BYTES + 12};
    for (size_t i = 0; i < sizeof k_at / sizeof k_at[0]; i++) {
        s.bytes[k_at[i]] ^= 1;
        assert_int_equal(read_back(), MF_IMAGE_ALTERED);
        s.bytes[k_at[i]] ^= 1;
    }
    assert_int_equal(read_back(), MF_IMAGE_OK);
    s.n--;
    assert_int_equal(read_back(), MF_IMAGE_BROKEN);
}

static void test_a_full_device_is_told(void **state)
{
    (void)state;
    s.n = 0;
    s.room = FIRST_BYTES;
    assert_false(mf_image_write(&s.head, &k_key, s.part, 2, take, NULL));
}

/* Words that change places, and bytes that move over the end of a piece, have another sum. */
static void test_sums(void **state)
{
    (void)state;
    static const uint64_t k_a[] = {1, 2, 3, 4, 5, 6, 7, 8}, k_b[] = {5, 2, 3, 4, 1, 6, 7, 8},
                          k_c[] = {2, 1, 3, 4, 5, 6, 7, 8};
    const uint64_t a = mf_image_sum(0, k_a, sizeof k_a);
    assert_true(a == mf_image_sum(0, k_a, sizeof k_a));
    assert_true(a != mf_image_sum(0, k_b, sizeof k_b));
    assert_true(a != mf_image_sum(0, k_c, sizeof k_c));
    assert_true(a != mf_image_sum(1, k_a, sizeof k_a));
    assert_true(mf_image_sum(0, "", 0) != mf_image_sum(0, "\0", 1));
    assert_string_equal(mf_image_why_text(MF_IMAGE_OK), "");
    assert_true(strlen(mf_image_why_text(MF_IMAGE_BROKEN)) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_what_was_written_comes_back, begin),
        cmocka_unit_test_setup(test_a_part_that_may_lie_anywhere_has_any_length, begin),
        cmocka_unit_test_setup(test_what_does_not_belong_here_is_refused, begin),
        cmocka_unit_test_setup(test_an_altered_head_is_refused, begin),
        cmocka_unit_test_setup(test_altered_bytes_are_found, begin),
        cmocka_unit_test_setup(test_a_full_device_is_told, begin),
        cmocka_unit_test(test_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
