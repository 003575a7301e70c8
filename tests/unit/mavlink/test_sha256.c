/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 against the examples of FIPS 180-4 (NIST) and of sha256sum. */
#include "mavlink/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Handed over in pieces of @p step bytes. */
static void expect(const char *text, size_t n, size_t step, const char *hex)
{
    struct mf_sha256 h;
    uint8_t digest[MF_SHA256_BYTES];
    char got[2 * MF_SHA256_BYTES + 1];
    mf_sha256_init(&h);
    for (size_t at = 0; at < n; at += step) {
        mf_sha256_add(&h, (const uint8_t *)text + at, n - at < step ? n - at : step);
    }
    mf_sha256_end(&h, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        (void)snprintf(got + 2 * i, 3, "%02x", digest[i]);
    }
    assert_string_equal(got, hex);
}

static void test_examples(void **state)
{
    (void)state;
    static const char k_long[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    static char zeros[1000];
    expect("", 0, 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect("abc", 3, 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    for (size_t step = 1; step <= 56; step++) {
        expect(k_long, 56, step,
               "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    }
    expect(zeros, sizeof zeros, 64,
           "541b3e9daa09b20bf85fa273e5cbd3e80185aa4ec298e765db87742b70138a53");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
