/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes the body for foreign autopilots: an input is datagrams, each behind a byte that says how
 * long it is. Whatever they say, time goes forward but where the autopilot begins anew, the body
 * does not leave the numbers, and each answer is one line that fits.
 */
#include <math.h>
#include <string.h>

#include "fleet/foreign.h"
#include "tests/fuzz/fuzz.h"

static void check_answer(const struct mf_foreign_state *state)
{
    char line[MF_FOREIGN_LINE_MAX];
    const size_t length = mf_foreign_state_write(state, line);
    check(length < sizeof line && line[0] == '\n' && line[length - 1] == '\n');
    check(memchr(line, ' ', length) == NULL && strstr(line, "nan") == NULL);
    check(strstr(line, "inf") == NULL && isfinite(state->pos_m.z) && isfinite(state->gyro_rps.x));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct mf_foreign body;
    const struct mf_foreign_settings settings = {
        .mass_kg = 3.0, .wind_mps = 8.0, .gusts_mps = 2.0, .gust_time_s = 5.0, .gyro_rps = 0.01};
    mf_foreign_begin(&body, &settings);
    while (size > 1) {
        const size_t length = data[0] < size - 1 ? data[0] : size - 1;
        struct mf_foreign_pulses pulses;
        const double before_s = body.state.time_s;
        if (mf_foreign_pulses_read(data + 1, length, &pulses) == NULL) {
            const enum mf_foreign_took took = mf_foreign_take(&body, &pulses);
            check(took == MF_FOREIGN_RESTARTED ||
                  (took == MF_FOREIGN_REPEATED) == (body.state.time_s == before_s));
            check_answer(&body.state);
        }
        data += length + 1;
        size -= length + 1;
    }
    return 0;
}
