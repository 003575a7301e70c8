/* SPDX-License-Identifier: Apache-2.0 */
/* LDS-03: any text as JSON of a grid simulator: refused with an error of one line, or converted to
 * YAML that the reader of scenarios takes for YAML. */
#include "fleet/listing.h"
#include "fleet/scenario.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct mf_scenario s_scenario;
    const struct mf_scenario_given given = {.sets = 0};
    const struct mf_listing_file file = {"fuzz", (const char *)data, size};
    char error[MF_KEYS_ERROR_MAX] = "", *yaml = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&yaml, &n);
    const int result = mf_listing_convert(&file, 1, to, error);
    check(fclose(to) == 0);
    check((result == MF_E_OK) == (n > 0));
    check(result == MF_E_OK || (error[0] != '\0' && strchr(error, '\n') == NULL));
    mf_scenario_free(&s_scenario);
    if (result == MF_E_OK &&
        mf_scenario_read("yaml", yaml, n, &given, &s_scenario, error) != MF_E_OK) {
        check(strstr(error, "is not YAML") == NULL);
    }
    free(yaml);
    return 0;
}
