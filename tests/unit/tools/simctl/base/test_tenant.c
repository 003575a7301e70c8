/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/support/names.h"
#include "tools/simctl/base/tenant.h"
#include "tools/simctl/kube/kube_review.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* echo -n secret | sha256sum */
#define SECRET "sha256:2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b"

static const char k_good[] = "tenants:\n"
                             "  flight: {namespace: mayfly-flight, tokens: {ci: \"" SECRET "\"}}\n"
                             "  lab: {accounts: [\"lab:runner\", \"dev:*\"]}\n";

static unsigned s_reviews;

static bool review(void *ctx, const char *token, char *account, struct web_error *error)
{
    (void)ctx;
    s_reviews++;
    if (strcmp(token, "expired") == 0) {
        return web_refuse(error, 401, "token", "expired");
    }
    (void)snprintf(account, SIMCTL_CALLER_MAX, "%s", token);
    return true;
}

static struct simctl_tenants *load(const char *text, struct web_error *error)
{
    char path[] = "/tmp/test_tenant-XXXXXX";
    const int fd = mkstemp(path);
    *error = (struct web_error){0};
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    (void)close(fd);
    struct simctl_tenants *t = simctl_tenants_load(path, error);
    (void)unlink(path);
    return t;
}

static void test_hash_of_a_token(void **state)
{
    char hash[SIMCTL_HASH_TEXT], token[SIMCTL_NEW_TOKEN], other[SIMCTL_NEW_TOKEN];
    (void)state;
    simctl_token_hash("secret", hash);
    assert_string_equal(hash, SECRET);
    simctl_token_make(token);
    simctl_token_make(other);
    assert_int_equal(strlen(token), SIMCTL_NEW_TOKEN - 1);
    assert_string_not_equal(token, other);
}

static void test_wrong_configurations_are_refused(void **state)
{
    static const char *const k_wrong[][2] = {
        {"tenants: {}\n", "tenants 1 32"},
        {"tenant: {a: {}}\n", "tenant tenants"},
        {"tenants: {A: {}}\n", "tenants.A lower-case"},
        {"tenants: {a: {tokens: {x: plain}}}\n", "tenants.a.tokens.x sha256:HEX"},
        {"tenants: {a: {tokens: {x: \"sha256:12\"}}}\n", "tenants.a.tokens.x sha256:HEX"},
        {"tenants: {a: {accounts: [runner]}}\n", "tenants.a.accounts[0] NAMESPACE:NAME"},
        {"tenants: {a: {namespaces: b}}\n", "tenants.a.namespaces namespace"},
        {"tenants: {a: {}}\nimages: {a/b: 1}\n", "images.a/b"},
        {"tenants: {a: {}}\nimages: {a/b: ''}\n", "images.a/b"},
        {"tenants: {a: {}}\nimages: {a/b: 'a b'}\n", "images.a/b"},
    };
    struct web_error error;
    (void)state;
    for (size_t i = 0; i < sizeof k_wrong / sizeof k_wrong[0]; i++) {
        assert_null(load(k_wrong[i][0], &error));
        assert_names(error.message, k_wrong[i][1]);
    }
}

static void test_tenants_have_namespaces(void **state)
{
    struct web_error error;
    const char *name_space;
    (void)state;
    struct simctl_tenants *t = load(k_good, &error);
    assert_non_null(t);
    assert_string_equal(simctl_tenants_name(t, 0, &name_space), "flight");
    assert_string_equal(name_space, "mayfly-flight");
    assert_string_equal(simctl_tenants_name(t, 1, &name_space), "lab");
    assert_string_equal(name_space, "");
    assert_null(simctl_tenants_name(t, 2, &name_space));
    assert_null(simctl_tenants_images(t));
    simctl_tenants_free(t);
    t = load("tenants: {a: {}}\nimages: {a/b: 'r.example/b:1'}\n", &error);
    assert_non_null(t);
    assert_string_equal(json_string_value(json_object_get(simctl_tenants_images(t), "a/b")),
                        "r.example/b:1");
    simctl_tenants_free(t);
}

static unsigned ask(struct simctl_tenants *t, const char *authorization, bool local,
                    struct simctl_who *who)
{
    struct web_error error = {0};
    return simctl_tenants_who(t, authorization, local, who, &error) ? 200 : error.status;
}

static void test_sim008_who_may(void **state)
{
    struct web_error error;
    struct simctl_who who;
    (void)state;
    struct simctl_tenants *t = load(k_good, &error);
    assert_int_equal(ask(t, NULL, true, &who), 401); /* a forwarded port is local, too */
    assert_int_equal(ask(t, "Basic secret", false, &who), 401);
    assert_int_equal(ask(t, "Bearer ", false, &who), 401);
    assert_int_equal(ask(t, "Bearer wrong", false, &who), 401);
    assert_int_equal(ask(t, "Bearer secret", false, &who), 200);
    assert_string_equal(who.tenant, "flight");
    assert_string_equal(who.caller, "ci");
    simctl_tenants_review(t, review, NULL);
    s_reviews = 0;
    assert_int_equal(ask(t, "Bearer lab:runner", false, &who), 200);
    assert_string_equal(who.tenant, "lab");
    assert_string_equal(who.caller, "lab:runner");
    assert_int_equal(ask(t, "bearer lab:runner", false, &who), 200);
    assert_int_equal(s_reviews, 1); /* remembered */
    assert_int_equal(ask(t, "Bearer dev:anyone", false, &who), 200);
    assert_int_equal(ask(t, "Bearer lab:other", false, &who), 403);
    assert_int_equal(ask(t, "Bearer expired", false, &who), 401);
    simctl_tenants_free(t);
}

static void test_without_a_configuration_this_machine_is_served(void **state)
{
    struct simctl_who who;
    (void)state;
    struct simctl_tenants *t = simctl_tenants_default();
    assert_int_equal(ask(t, NULL, true, &who), 200);
    assert_string_equal(who.tenant, SIMCTL_TENANT);
    assert_int_equal(ask(t, NULL, false, &who), 403);
    simctl_tenants_free(t);
}

/* As an API server 1.34 answers. */
static void test_what_a_review_says(void **state)
{
    static const struct {
        const char *answer;
        unsigned status;
    } k_case[] = {
        {"{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"system:serviceaccount:ci:"
         "runner\"},"
         "\"audiences\":[\"mayfly\"]}}",
         0},
        {"{\"status\":{\"user\":{},\"error\":\"[invalid bearer token, token has expired]\"}}", 401},
        {"{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"system:node:a\"}}}", 401},
        {"{}", 401},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct web_error error = {0};
        char account[SIMCTL_CALLER_MAX] = "";
        json_t *answer = json_loads(k_case[i].answer, 0, NULL);
        assert_int_equal(simctl_kube_reviewed(answer, account, &error), k_case[i].status == 0);
        assert_int_equal(error.status, k_case[i].status);
        assert_string_equal(account, k_case[i].status == 0 ? "ci:runner" : "");
        json_decref(answer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash_of_a_token),
        cmocka_unit_test(test_wrong_configurations_are_refused),
        cmocka_unit_test(test_tenants_have_namespaces),
        cmocka_unit_test(test_sim008_who_may),
        cmocka_unit_test(test_without_a_configuration_this_machine_is_served),
        cmocka_unit_test(test_what_a_review_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
