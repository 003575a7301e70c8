/* SPDX-License-Identifier: Apache-2.0 */
/* SIM-001: where an API server is and how a controller logs in, from a kubeconfig or a pod. */
#include "tests/unit/support/names.h"
#include "tools/simctl/kube/kube_client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char s_folder[] = "/tmp/kube_settings.XXXXXX", s_config[64], s_pem[64];
static struct simctl_kube_settings s_is;
static struct web_error s_error;

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(s_folder) == NULL) {
        return -1;
    }
    (void)snprintf(s_config, sizeof s_config, "%s/config", s_folder);
    (void)snprintf(s_pem, sizeof s_pem, "%s/own.pem", s_folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    (void)unlink(s_config);
    (void)unlink(s_pem);
    return rmdir(s_folder);
}

static int begin(void **state)
{
    (void)state;
    simctl_kube_settings_free(&s_is);
    s_error = (struct web_error){0};
    return 0;
}

static bool load(const char *text)
{
    write_file(s_config, text);
    return simctl_kube_settings_load(&s_is, s_config, &s_error);
}

#define CONTEXT                                            \
    "current-context: here\n"                              \
    "contexts:\n"                                          \
    "- {name: there, context: {cluster: far, user: me}}\n" \
    "- {name: here, context: {cluster: near, user: me, namespace: drones}}\n"
#define CLUSTER "clusters: [{name: near, cluster: {server: 'https://10.0.0.1:6443/'}}]\n"

/* Base64 with no, one and two signs of padding, and with the last two digits of its alphabet. A
 * slash at the end of the address is dropped. */
static void test_certificates_in_the_file(void **state)
{
    (void)state;
    assert_true(load(CONTEXT "clusters: [{name: near, cluster: {server: 'https://10.0.0.1:6443/',"
                             " certificate-authority-data: LS0tLS1B}}]\n"
                             "users: [{name: me, user: {client-certificate-data: LS0tLS0=,"
                             " client-key-data: fj8+Pz8/LQ==}}]\n"));
    assert_string_equal(s_is.server, "https://10.0.0.1:6443");
    assert_string_equal(s_is.ca, "-----A");
    assert_string_equal(s_is.certificate, "-----");
    assert_string_equal(s_is.key, "~?>?\?\?-");
    assert_string_equal(s_is.name_space, "drones");
    assert_null(s_is.token);
    assert_null(s_is.token_file);
}

/* A relative path begins at the folder of the kubeconfig, not at the controller's. */
static void test_certificates_and_tokens_in_files_beside_it(void **state)
{
    char token[96];
    (void)state;
    write_file(s_pem, "PEM\n");
    assert_true(load(CONTEXT "clusters: [{name: near, cluster: {server: 'http://k:80',"
                             " certificate-authority: own.pem}}]\n"
                             "users: [{name: me, user: {token: secret, tokenFile: run/token}}]\n"));
    assert_string_equal(s_is.server, "http://k:80");
    assert_string_equal(s_is.ca, "PEM\n");
    assert_string_equal(s_is.token, "secret");
    (void)snprintf(token, sizeof token, "%s/run/token", s_folder);
    assert_string_equal(s_is.token_file, token);
    assert_null(s_is.certificate);
}

static void test_an_absolute_path_and_no_namespace(void **state)
{
    (void)state;
    assert_true(load("current-context: a\n"
                     "contexts: [{name: a, context: {cluster: near, user: me}}]\n" CLUSTER
                     "users: [{name: me, user: {tokenFile: /run/token}}]\n"));
    assert_string_equal(s_is.token_file, "/run/token");
    assert_string_equal(s_is.name_space, "default");
    assert_null(s_is.ca);
}

static void test_what_is_refused(void **state)
{
    static const struct {
        const char *text, *names;
    } k_case[] = {
        {"current-context: none\n" CLUSTER, "current-context server"},
        {CONTEXT "clusters: [{name: near, cluster: {}}]\n", "current-context server"},
        {CONTEXT "clusters: [{name: near, cluster: {server: 'ftp://x'}}]\n", "server"},
        {CONTEXT CLUSTER "users: [{name: me, user: {exec: {command: login}}}]\n",
         "token tokenFile"},
        {CONTEXT CLUSTER "users: [{name: me, user: {auth-provider: {name: x}}}]\n",
         "token tokenFile"},
        {CONTEXT CLUSTER "users: [{name: me, user: {client-key-data: 'a*b'}}]\n",
         "client-key-data base64"},
        {CONTEXT CLUSTER "users: [{name: me, user: {client-key: /no/own.pem}}]\n", "/no/own.pem"},
        {"a: [\n", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        (void)begin(NULL);
        assert_false(load(k_case[i].text));
        assert_int_equal(s_error.status, 422);
        assert_names(s_error.message, k_case[i].names != NULL ? k_case[i].names : s_config);
        assert_null(s_is.server);
    }
    (void)begin(NULL);
    (void)unlink(s_config);
    assert_false(simctl_kube_settings_load(&s_is, s_config, &s_error));
    assert_names(s_error.message, s_config);
}

/* First the environment names no API server, then the files of a ServiceAccount are missing. */
static void test_a_process_that_is_in_no_pod(void **state)
{
    (void)state;
    assert_int_equal(unsetenv("KUBERNETES_SERVICE_HOST"), 0);
    assert_false(simctl_kube_settings_pod(&s_is, &s_error));
    assert_int_equal(s_error.status, 422);
    assert_names(s_error.message, "KUBERNETES_SERVICE_HOST --kubeconfig");
    s_error = (struct web_error){0};
    assert_int_equal(setenv("KUBERNETES_SERVICE_HOST", "fd00::1", 1), 0);
    assert_int_equal(setenv("KUBERNETES_SERVICE_PORT", "443", 1), 0);
    assert_false(simctl_kube_settings_pod(&s_is, &s_error));
    assert_names(s_error.message, "/var/run/secrets/kubernetes.io/serviceaccount/");
    assert_null(s_is.server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_certificates_in_the_file, begin),
        cmocka_unit_test_setup(test_certificates_and_tokens_in_files_beside_it, begin),
        cmocka_unit_test_setup(test_an_absolute_path_and_no_namespace, begin),
        cmocka_unit_test_setup_teardown(test_what_is_refused, begin, begin),
        cmocka_unit_test_setup_teardown(test_a_process_that_is_in_no_pod, begin, begin),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
