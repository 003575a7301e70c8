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
    for (const char *name = "ab"; *name != '\0'; name++) {
        (void)snprintf(path, sizeof path, "%s/%c.yaml", s_folder, *name);
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
    struct simctl_shelf *s = simctl_shelf_open(s_folder, NULL, &error);
    assert_non_null(s);
    const struct simctl_catalogue *before = simctl_shelf_take(s);
    assert_int_equal(before->count, 3); /* "drone", too */
    simctl_shelf_check(s, all_but_b, &s_checked);
    assert_int_equal(s_checked, 2);
    const struct simctl_catalogue *after = simctl_shelf_take(s);
    assert_int_equal(after->count, 2);
    assert_null(simctl_catalogue_find(after, "b", &error));
    assert_names(error.message, "b there is no room");
    assert_string_equal(error.code, "template");
    error = (struct web_error){0};
    assert_non_null(simctl_catalogue_find(before, "b", &error)); /* who began with it keeps it */
    simctl_shelf_give_back(s, after);
    simctl_shelf_give_back(s, before);
    simctl_shelf_close(s);
}

static void test_the_first_time_all_must_be_right(void **state)
{
    struct web_error error = {0};
    (void)state;
    put("a", "pod: 1\n");
    assert_null(simctl_shelf_open(s_folder, NULL, &error));
    assert_int_equal(error.status, 422);
    error = (struct web_error){0};
    assert_null(simctl_shelf_open("/nonexistent", NULL, &error));
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
    assert_names(error.message, "x drone");
    simctl_catalogue_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_backend_that_refuses, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_the_first_time_all_must_be_right, make_folder,
                                        remove_folder),
        cmocka_unit_test(test_a_file_takes_the_place_of_the_built_in_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
