/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a scenario: refused with an error of one line, or read, and then all members have
 * places, and its sweep has runs. */
#include "fleet/place.h"
#include "fleet/sweep.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct mf_scenario s_scenario;
    static const char *const k_sets[] = {"seed=7", "X=entity"};
    const struct mf_scenario_given given = {
        .variation = size > 0 && data[0] == 'v' ? "0" : NULL, .set = k_sets, .sets = 2};
    char error[MF_KEYS_ERROR_MAX] = "";
    mf_scenario_free(&s_scenario);
    if (mf_scenario_read("fuzz", (const char *)data, size, &given, &s_scenario, error) != MF_E_OK) {
        check(error[0] != '\0' && strchr(error, '\0') < error + sizeof error);
        return 0;
    }
    const uint32_t runs = mf_sweep_runs(&s_scenario);
    check(runs >= 1 && runs <= MF_SWEEP_RUNS_MAX);
    for (uint32_t i = 0; i < s_scenario.sweep.ranges; i++) {
        char value[MF_SCENARIO_VALUE_MAX];
        mf_sweep_value(&s_scenario, runs - 1u, i, value);
        check(value[0] != '\0');
    }
    check(mf_sweep_variation(&s_scenario, runs - 1u) <= s_scenario.variations);
    for (uint32_t i = 0; i < s_scenario.members && i < 50; i++) {
        char name[MF_SCENARIO_NAME_MAX + 12u];
        uint32_t from, to;
        (void)mf_place(&s_scenario, i);
        mf_scenario_member_name(&s_scenario, i, name);
        check(mf_scenario_find(&s_scenario, name, &from, &to) && from == i && to == i + 1u);
    }
    return 0;
}
