/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of instances as files: a saved order comes back, and other documents are refused. */
#include "tools/simctl/local/local_instance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define ID          "abc-0"
#define LAST_UTC_US 253402300799999999 /* the last microsecond of the year 9999 */

static struct simctl_local_site s_site;
static struct simctl_local_instance s_x;

static int setup(void **state)
{
    char path[SIMCTL_PATH_BYTES];
    (void)state;
    (void)snprintf(s_site.folder, sizeof s_site.folder, "/tmp/mf_local_XXXXXX");
    if (mkdtemp(s_site.folder) == NULL) {
        return -1;
    }
    simctl_local_path(&s_site, ID, "", path);
    return mkdir(path, 0700);
}

static int teardown(void **state)
{
    (void)state;
    simctl_instance_free(&s_x.i);
    simctl_local_remove(&s_site, ID);
    return rmdir(s_site.folder);
}

/* Save an order in which one member has this value; NULL: it lacks that member. @return whether it
 * loads */
static bool loads_with(const char *member, json_t *value)
{
    char path[SIMCTL_PATH_BYTES];
    json_t *o = json_pack("{s:s, s:s, s:{s:s}, s:{}, s:I, s:I, s:i}", "id", ID, "tenant", "t",
                          "labels", "a", "b", "values", "asked_us", (json_int_t)5, "ends_us",
                          (json_int_t)7, "outcome", (int)SIMCTL_OUTCOME_EVICTED);
    if (value != NULL) {
        (void)json_object_set_new(o, member, value);
    } else {
        (void)json_object_del(o, member);
    }
    simctl_local_path(&s_site, ID, SIMCTL_ORDER_FILE, path);
    assert_int_equal(json_dump_file(o, path, 0), 0);
    json_decref(o);
    simctl_instance_free(&s_x.i);
    return simctl_local_load(&s_site, ID, &s_x);
}

static void test_a_saved_order_comes_back(void **state)
{
    struct simctl_local_instance x = {.used = true, .onboard = true, .lifetime_max_s = 60.5};
    (void)state;
    (void)snprintf(x.i.id, sizeof x.i.id, ID);
    (void)snprintf(x.tenant, sizeof x.tenant, "team");
    (void)snprintf(x.i.reason, sizeof x.i.reason, "its \"lifetime\" is over");
    x.i.labels = json_pack("{s:s}", "k", "v");
    x.i.values = json_object();
    x.i.started_us = 17;
    x.i.ended_us = LAST_UTC_US;
    x.i.outcome = SIMCTL_OUTCOME_EXPIRED;
    assert_true(simctl_local_save(&s_site, &x));
    assert_true(simctl_local_load(&s_site, ID, &s_x));
    assert_true(json_equal(s_x.i.labels, x.i.labels));
    assert_string_equal(s_x.tenant, "team");
    assert_string_equal(s_x.i.reason, "its \"lifetime\" is over");
    assert_int_equal(s_x.i.started_us, 17);
    assert_int_equal(s_x.i.ended_us, LAST_UTC_US);
    assert_int_equal(s_x.i.outcome, SIMCTL_OUTCOME_EXPIRED);
    assert_int_equal(s_x.i.state, SIMCTL_ENDED);
    assert_true(s_x.onboard && s_x.lifetime_max_s == 60.5);
    simctl_instance_free(&x.i);
}

static void test_what_is_no_order_is_refused(void **state)
{
    (void)state;
    assert_true(loads_with("tenant", json_string("t")));
    assert_int_equal(s_x.i.state, SIMCTL_PENDING);
    assert_false(loads_with("id", json_string("abc-1"))); /* another instance's */
    assert_false(loads_with("labels", NULL));
    assert_false(loads_with("labels", json_array()));
    assert_false(loads_with("values", json_null()));
    assert_false(loads_with("outcome", json_integer(SIMCTL_OUTCOMES)));
    assert_false(loads_with("outcome", json_integer(-1)));
    assert_false(loads_with("ends_us", json_integer(-1)));
    assert_true(loads_with("ended_us", json_integer(LAST_UTC_US)));
    assert_false(loads_with("ended_us", json_integer(LAST_UTC_US + 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_saved_order_comes_back, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_is_no_order_is_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
