/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes the body for foreign autopilots: an input is packets, each behind a byte that says how
 * long it is. Each is read as a datagram of JSON, as motors of gzuav's ticks, and as a plugin's
 * BEGIN-TICK-AC. Whatever they say, time goes forward but where the autopilot begins anew, the body
 * does not leave the numbers, each answer is one line that fits, and what is read of a tick is what
 * is written of it.
 */
#include <math.h>
#include <string.h>

#include "fleet/foreign.h"
#include "fleet/foreign_ac.h"
#include "tests/fuzz/fuzz.h"

static void check_answer(const struct mf_foreign_state *state)
{
    char line[MF_FOREIGN_LINE_MAX];
    const size_t length = mf_foreign_state_write(state, line);
    check(length < sizeof line && line[0] == '\n' && line[length - 1] == '\n');
    check(memchr(line, ' ', length) == NULL && strstr(line, "nan") == NULL);
    check(strstr(line, "inf") == NULL && isfinite(state->pos_m.z) && isfinite(state->gyro_rps.x));
}

/* Motors of a tick turn the body as pulses do; what they may be is what they say. */
static void check_motors(struct mf_foreign *body, const uint8_t *packet, size_t size)
{
    float motors[MF_FOREIGN_AC_MOTORS];
    if (mf_foreign_ac_end_read(packet, size, motors) != NULL) {
        return;
    }
    check(size == MF_FOREIGN_AC_END);
    const struct mf_foreign_pulses pulses =
        mf_foreign_ac_pulses(motors, 1000, body->frame_count + 1u);
    for (size_t i = 0; i < MF_FOREIGN_AC_MOTORS; i++) {
        check(pulses.pwm_us[i] >= 1000 && pulses.pwm_us[i] <= 2000);
    }
    if (body->frame_count < UINT32_MAX) {
        check(mf_foreign_take(body, &pulses) == MF_FOREIGN_STEPPED);
        check_answer(&body->state);
    }
}

static void check_tick(const uint8_t *packet, size_t size)
{
    struct mf_foreign_state state, again;
    uint8_t written[MF_FOREIGN_AC_BEGIN];
    if (mf_foreign_ac_begin_read(packet, size, &state) != NULL) {
        return;
    }
    check(size == MF_FOREIGN_AC_BEGIN && state.time_s >= 0.0);
    check_answer(&state);
    mf_foreign_ac_begin_write(&state, written);
    check(mf_foreign_ac_begin_read(written, sizeof written, &again) == NULL);
    check(memcmp(written, packet, 80) == 0); /* time, place, gyroscope, accelerometer */
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
        check_motors(&body, data + 1, length);
        check_tick(data + 1, length);
        data += length + 1;
        size -= length + 1;
    }
    return 0;
}
