/* SPDX-License-Identifier: Apache-2.0 */
/* A folder of templates that changes, and a backend that checks them. */
#include "tests/unit/support/names.h"
#include "tools/simctl/base/shelf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char k_pod[] = "pod: {spec: {containers: [{name: emulator, image: localhost/m}]}}\n";
static char s_folder[64];
static unsigned s_checked;

static void put(const char *name, const char *text)
{
    char path[160];
    (void)snprintf(path, sizeof path, "%s/%s.yaml", s_folder, name);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(s_folder, sizeof s_folder, "/tmp/shelf-XXXXXX");
    return mkdtemp(s_folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    char path[160];
    (void)state;
    static const char *const k_name[] = {"a", "b", "drone"};
    for (size_t i = 0; i < sizeof k_name / sizeof k_name[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/%s.yaml", s_folder, k_name[i]);
        (void)unlink(path);
    }
    return rmdir(s_folder);
}

/* A backend that can run all but "b". */
static bool all_but_b(void *ctx, const struct simctl_template *t, struct web_error *error)
{
    assert_ptr_equal(ctx, &s_checked);
    s_checked++;
    return strcmp(t->name, "b") != 0 || web_refuse(error, 422, "quota", "there is no room");
}

static void test_a_backend_that_refuses(void **state)
{
    struct web_error error = {0};
    (void)state;
    put("a", k_pod);
    put("b", k_pod);
    struct simctl_shelf *s = simctl_shelf_open(s_folder, NULL, all_but_b, &s_checked, &error);
    assert_non_null(s);
    assert_int_equal(s_checked, 2);
    const struct simctl_catalogue *c = simctl_shelf_take(s);
    assert_int_equal(c->count, 2); /* "drone", too */
    assert_null(simctl_catalogue_find(c, "b", &error));
    assert_names(error.message, "b there is no room");
    assert_string_equal(error.code, "template");
    simctl_shelf_give_back(s, c);
    simctl_shelf_close(s);
}

/* Also where its name is that of the one that needs no file. */
static void test_a_wrong_one_does_not_stop_others(void **state)
{
    struct web_error error = {0};
    (void)state;
    put("a", "pod: 1\n");
    put("b", k_pod);
    put("drone", "pod: {spec: {containers: [{name: emulator, environment: {A: b}}]}}\n");
    struct simctl_shelf *s = simctl_shelf_open(s_folder, NULL, NULL, NULL, &error);
    assert_non_null(s);
    const struct simctl_catalogue *c = simctl_shelf_take(s);
    assert_int_equal(c->count, 1);
    assert_non_null(simctl_catalogue_find(c, "b", &error));
    assert_null(simctl_catalogue_find(c, "a", &error));
    assert_names(error.message, "a.pod");
    error = (struct web_error){0};
    assert_null(simctl_catalogue_find(c, "drone", &error));
    assert_names(error.message, "drone environment env");
    simctl_shelf_give_back(s, c);
    simctl_shelf_close(s);
    error = (struct web_error){0};
    assert_null(simctl_shelf_open("/nonexistent", NULL, NULL, NULL, &error));
    assert_names(error.message, "/nonexistent No such file or directory");
}

static void test_a_file_takes_the_place_of_the_built_in_one(void **state)
{
    struct web_error error = {0};
    struct simctl_catalogue c = {0};
    (void)state;
    assert_true(simctl_catalogue_add_drone(&c, &error));
    json_t *document =
        json_loads("{\"description\": \"ours\", \"pod\": {\"spec\": {\"containers\": "
                   "[{\"name\": \"emulator\", \"image\": \"x\"}]}}}",
                   0, NULL);
    assert_true(simctl_catalogue_add(&c, "drone", document, &error));
    assert_int_equal(c.count, 1);
    assert_string_equal(simctl_catalogue_find(&c, "drone", &error)->description, "ours");
    assert_null(simctl_catalogue_find(&c, "x", &error));
    assert_int_equal(error.status, 422);
    assert_names(error.message, "x drone");
    simctl_catalogue_free(&c);
    assert_int_equal(c.count, 0);
    assert_int_equal(c.refusals, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_backend_that_refuses, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_a_wrong_one_does_not_stop_others, make_folder,
                                        remove_folder),
        cmocka_unit_test(test_a_file_takes_the_place_of_the_built_in_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
