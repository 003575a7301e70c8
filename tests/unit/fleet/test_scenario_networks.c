/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/scenario_networks.h: networks of a scenario, who is on which, and what flows cross. */
#include "fleet/scenario_networks.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define HEAD  "{swarm: 1, entities: [{name: a, count: 3}, {name: b, as: agent}, {name: c}],\n"
#define TWO   "network: [{name: air, kind: ns3, nodes: a}, {name: ground, nodes: [b, a.2]}]"
#define NONE  MF_SCENARIO_NETWORK_NONE
#define FLOW  "client: 1, station: b, vehicle: "
#define VALUE "network.1.loss=0.5"

static struct mf_scenario s_scenario;
static char s_error[MF_KEYS_ERROR_MAX];

static int read_given(const char *text, const char *set)
{
    const struct mf_scenario_given given = {.set = &set, .sets = set != NULL ? 1u : 0u};
    mf_scenario_free(&s_scenario);
    return mf_scenario_read("s.yaml", text, strlen(text), &given, &s_scenario, s_error);
}

static void must_read(const char *text, const char *set)
{
    if (read_given(text, set) != MF_E_OK) {
        fail_msg("%s", s_error);
    }
}

static void test_a_map_is_a_list_of_one(void **state)
{
    (void)state;
    must_read(HEAD "}", NULL);
    assert_true(s_scenario.networks == 1 && s_scenario.network[0].line == 0);
    must_read(HEAD "}", "network.loss=0.5");
    assert_true(s_scenario.network[0].line == 0 && s_scenario.network[0].loss == 0.5);
    must_read(HEAD "network: bus}", NULL);
    assert_true(s_scenario.network[0].line == 2 && s_scenario.network[0].kind == MF_NETWORK_BUS);
    must_read(HEAD "network: {kind: ns3, params: {radio: adhoc}}}", "network.kind=builtin");
    assert_int_equal(s_scenario.network[0].kind, MF_NETWORK_BUILTIN);
    assert_string_equal(s_scenario.network[0].own.param[0].name, "radio");
    assert_null(mf_scenario_network_outside(&s_scenario));
    must_read(HEAD TWO "}", VALUE);
    assert_true(s_scenario.networks == 2 && s_scenario.network[1].loss == 0.5);
    assert_true(s_scenario.network[0].loss == 0.0 && s_scenario.network[1].delay_s == 0.001);
    assert_ptr_equal(mf_scenario_network_outside(&s_scenario), &s_scenario.network[0]);
}

static void test_members_are_on_the_networks_that_name_them(void **state)
{
    (void)state;
    must_read(HEAD TWO "}", NULL);
    /* members: a.1, a.2, a.3, b, c */
    static const bool k_on[2][5] = {{true, true, true, false, false},
                                    {false, true, false, true, false}};
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(mf_scenario_is_on(&s_scenario, 0, i), k_on[0][i]);
        assert_int_equal(mf_scenario_is_on(&s_scenario, 1, i), k_on[1][i]);
    }
    assert_int_equal(mf_scenario_network_of(&s_scenario, 0, 1), 0);
    assert_int_equal(mf_scenario_network_of(&s_scenario, 1, 3), 1);
    assert_int_equal(mf_scenario_network_of(&s_scenario, 1, 1), 0);
    assert_int_equal(mf_scenario_network_of(&s_scenario, 0, 3), NONE);
    assert_int_equal(mf_scenario_network_of(&s_scenario, 4, 4), NONE);
    must_read(HEAD "network: {name: all}}", NULL);
    assert_true(mf_scenario_is_on(&s_scenario, 0, 4));
}

static void test_a_flow_crosses_the_network_that_it_names_or_the_first_with_both(void **state)
{
    (void)state;
    must_read(HEAD TWO ", flows: [{" FLOW "a.2}]}", NULL);
    assert_true(s_scenario.flow[0].network == 1 && s_scenario.flow[0].from == 3);
    assert_int_equal(s_scenario.flow[0].to, 1);
    must_read(HEAD "network: [{name: x}, {name: y, flows: [{" FLOW "c, via: tcp}]}],\n"
                   "flows: [{" FLOW "a.1}, {" FLOW "a.1, network: y}]}",
              NULL);
    assert_int_equal(s_scenario.flows, 3); /* those beside all networks come first */
    assert_int_equal(s_scenario.flow[0].network, 0);
    assert_int_equal(s_scenario.flow[1].network, 1);
    assert_true(s_scenario.flow[2].network == 1 && s_scenario.flow[2].to == 4);
    assert_int_equal(s_scenario.flow[2].via, MF_SCENARIO_VIA_TCP);
}

static void test_what_is_wrong_is_refused(void **state)
{
    static const struct {
        const char *text, *data;
    } k[] = {
        {"network: []}", "s.yaml 1 network list"},
        {"outputs: {csv: x, pictures: x}}", "s.yaml 2 outputs x"},
        {"outputs: {events: x, recording: x}}", "s.yaml 2 outputs x"},
        {"network: [{name: x}, {}]}", "s.yaml 2 network.1 name"},
        {"network: [{name: x}, {name: x}]}", "s.yaml 2 network x"},
        {"network: {name: x y}}", "s.yaml 2 network _ 'x y'"},
        {"network: {nodes: d}}", "s.yaml 2 network.nodes d"},
        {"network: [{name: x, kind: bus}, {name: y, kind: ns3}]}", "s.yaml 2 network bus builtin"},
        {"network: [{name: x, kind: ns3}, {name: y, kind: ns3, tick: 1}]}",
         "s.yaml 2 network ns3 y run tick patience x"},
        {TWO ", flows: [{" FLOW "a.2, network: sea}]}", "s.yaml 2 flows sea"},
        {TWO ", flows: [{" FLOW "a.2, network: air}]}", "s.yaml 2 flows b air"},
        {TWO ", flows: [{" FLOW "a.1, network: ground}]}", "s.yaml 2 flows a.1 ground"},
        {TWO ", flows: [{" FLOW "a.1}]}", "s.yaml 2 flows b a.1"},
        {TWO ", flows: [{" FLOW "c}]}", "s.yaml 2 flows c"},
        {TWO ", flows: [{" FLOW "a}]}", "s.yaml 2 flows a"},
        {TWO ", processes: [{node: c, run: [x]}]}", "s.yaml 2 processes node c"},
        {"network: {nodes: b}, time: {end: 1}, entities: [{name: e, count: 2, radio: cc2420, send: "
         "{every: 1}}, {name: b}]}",
         "s.yaml 2 e.1 send network.nodes"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        char text[600];
        (void)snprintf(text, sizeof text, "%s%s",
                       strstr(k[i].text, "entities") != NULL ? "{swarm: 1,\n" : HEAD, k[i].text);
        assert_int_equal(read_given(text, NULL), MF_E_RANGE);
        assert_names(s_error, k[i].data);
    }
    /* the same tick is no other one */
    must_read(HEAD "network: [{name: x, kind: ns3, tick: 1}, {name: y, kind: ns3, tick: 1}]}",
              NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_map_is_a_list_of_one),
        cmocka_unit_test(test_members_are_on_the_networks_that_name_them),
        cmocka_unit_test(test_a_flow_crosses_the_network_that_it_names_or_the_first_with_both),
        cmocka_unit_test(test_what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
