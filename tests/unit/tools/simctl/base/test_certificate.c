/* SPDX-License-Identifier: Apache-2.0 */
/* What was minted, as OpenSSL's own verification sees it. */
#include "tests/unit/support/names.h"
#include "tools/simctl/base/certificate.h"

#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char s_folder[] = "/tmp/test_certificate-XXXXXX", s_certificate[64], s_key[64];

/* A certificate that its own key signs. */
static X509 *self_signed(EVP_PKEY *key, bool authority)
{
    X509 *x = X509_new();
    X509_set_version(x, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(x), 7);
    X509_gmtime_adj(X509_getm_notBefore(x), -100);
    X509_gmtime_adj(X509_getm_notAfter(x), 86400);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC,
                               (const unsigned char *)"factory", -1, -1, 0);
    X509_set_issuer_name(x, X509_get_subject_name(x));
    X509_set_pubkey(x, key);
    X509_EXTENSION *e = X509V3_EXT_nconf_nid(NULL, NULL, NID_basic_constraints,
                                             authority ? "critical,CA:TRUE" : "CA:FALSE");
    X509_add_ext(x, e, -1);
    X509_EXTENSION_free(e);
    assert_true(X509_sign(x, key, EVP_sha256()) > 0);
    return x;
}

static void write_pair(bool authority)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *x = self_signed(key, authority);
    FILE *file = fopen(s_certificate, "w");
    assert_int_equal(PEM_write_X509(file, x), 1);
    (void)fclose(file);
    file = fopen(s_key, "w");
    assert_int_equal(PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL), 1);
    (void)fclose(file);
    X509_free(x);
    EVP_PKEY_free(key);
}

static int set_up(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(s_folder));
    (void)snprintf(s_certificate, sizeof s_certificate, "%s/ca.crt", s_folder);
    (void)snprintf(s_key, sizeof s_key, "%s/ca.key", s_folder);
    write_pair(true);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    (void)unlink(s_certificate);
    (void)unlink(s_key);
    return rmdir(s_folder);
}

static X509 *read_pem(const char *text)
{
    BIO *bio = BIO_new_mem_buf(text, -1);
    X509 *x = PEM_read_bio_X509(bio, NULL, NULL, NULL);
    BIO_free(bio);
    assert_non_null(x);
    return x;
}

static bool is_trusted(X509 *x, const char *authority, int purpose)
{
    X509 *ca = read_pem(authority);
    X509_STORE *store = X509_STORE_new();
    X509_STORE_CTX *ctx = X509_STORE_CTX_new();
    X509_STORE_add_cert(store, ca);
    X509_STORE_CTX_init(ctx, store, x, NULL);
    X509_STORE_CTX_set_purpose(ctx, purpose);
    const bool good = X509_verify_cert(ctx) == 1;
    X509_STORE_CTX_free(ctx);
    X509_STORE_free(store);
    X509_free(ca);
    return good;
}

static void test_sim005_an_instance_has_a_certificate_of_its_own(void **state)
{
    struct web_error error = {0};
    struct simctl_minted one, two;
    (void)state;
    struct simctl_ca *ca = simctl_ca_load(s_certificate, s_key, &error);
    assert_non_null(ca);
    json_t *names = json_pack("[s, s]", "{id}.fleet.example", "drone");
    const int64_t until_s = time(NULL) + 600;
    assert_true(simctl_certificate_mint(ca, "abc-0", names, until_s * 1000000, &one, &error));
    assert_true(simctl_certificate_mint(ca, "abc-1", NULL, until_s * 1000000, &two, &error));
    X509 *x = read_pem(one.certificate), *y = read_pem(two.certificate);
    assert_true(is_trusted(x, one.authority, X509_PURPOSE_SSL_CLIENT));
    assert_true(is_trusted(x, one.authority, X509_PURPOSE_SSL_SERVER));
    assert_int_equal(X509_check_host(x, "abc-0", 0, 0, NULL), 1);
    assert_int_equal(X509_check_host(x, "abc-0.fleet.example", 0, 0, NULL), 1);
    assert_int_equal(X509_check_host(x, "drone", 0, 0, NULL), 1);
    assert_int_equal(X509_check_host(x, "abc-1", 0, 0, NULL), 0);
    time_t end = until_s;
    assert_int_equal(X509_cmp_time(X509_get0_notAfter(x), &end), -1); /* at or before it */
    end = until_s - 2;
    assert_int_equal(X509_cmp_time(X509_get0_notAfter(x), &end), 1);
    assert_int_equal(X509_check_ca(x), 0);
    assert_int_not_equal(ASN1_INTEGER_cmp(X509_get0_serialNumber(x), X509_get0_serialNumber(y)), 0);
    assert_string_not_equal(one.key, two.key);
    BIO *bio = BIO_new_mem_buf(one.key, -1);
    EVP_PKEY *key = PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL);
    assert_int_equal(X509_check_private_key(x, key), 1);
    EVP_PKEY_free(key);
    BIO_free(bio);
    X509_free(x);
    X509_free(y);
    simctl_minted_free(&one);
    simctl_minted_free(&two);
    json_decref(names);
    simctl_ca_free(ca);
}

static void test_names_that_would_be_more_than_names_are_refused(void **state)
{
    static const char *const k_wrong[] = {"a,IP:1.2.3.4", "DNS:b", "a\nb"};
    struct web_error error = {0};
    struct simctl_minted minted;
    (void)state;
    struct simctl_ca *ca = simctl_ca_load(s_certificate, s_key, &error);
    for (size_t i = 0; i < sizeof k_wrong / sizeof k_wrong[0]; i++) {
        json_t *names = json_pack("[s]", k_wrong[i]);
        error = (struct web_error){0};
        assert_false(simctl_certificate_mint(ca, "abc-0", names, 1, &minted, &error));
        assert_int_equal(error.status, 422);
        json_decref(names);
    }
    simctl_ca_free(ca);
}

static void test_what_is_no_ca_is_refused(void **state)
{
    struct web_error error = {0};
    (void)state;
    assert_null(simctl_ca_load(s_key, s_key, &error));
    assert_string_equal(error.code, "ca");
    assert_names(error.message, s_key);
    assert_names(error.message, "PEM");
    error = (struct web_error){0};
    assert_null(simctl_ca_load(s_certificate, "/nowhere", &error));
    assert_names(error.message, "/nowhere");
    write_pair(false);
    error = (struct web_error){0};
    assert_null(simctl_ca_load(s_certificate, s_key, &error));
    assert_names(error.message, s_certificate);
    assert_names(error.message, "CA");
    write_pair(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim005_an_instance_has_a_certificate_of_its_own),
        cmocka_unit_test(test_names_that_would_be_more_than_names_are_refused),
        cmocka_unit_test(test_what_is_no_ca_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
