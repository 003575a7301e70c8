/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/inject.h"

const struct mf_fault_limit mf_fault_limit[MF_FAULT_COUNT][MF_FAULT_VALUES] = {
#define X(name, spelling, unit, type, words, limits, effect) \
    [MF_FAULT_##name] = MF_FAULT_LIMITS limits,
    MF_FAULT_LIST(X)
#undef X
};

struct mf_fault_values mf_fault_default(enum mf_fault fault)
{
    struct mf_fault_values with = {.text = ""};
    static const char k_text[] = MF_FAULT_DEFAULT_TEXT;
    MF_ASSERT((unsigned)fault < MF_FAULT_COUNT);
    for (size_t i = 0; fault == MF_FAULT_PREARM && i < sizeof k_text; i++) {
        with.text[i] = k_text[i];
    }
    for (size_t i = 0; i < MF_FAULT_VALUES; i++) {
        with.value[i] = mf_fault_limit[fault][i].by_default;
    }
    return with;
}

float mf_fault_least(enum mf_fault fault, const struct mf_fault_values *with)
{
    static const struct {
        uint32_t count;
        float least;
    } k_least[MF_FAULT_COUNT] = {
#define X(name, count, least) [MF_FAULT_##name] = {count, least},
        MF_FAULT_LEAST_LIST(X)
#undef X
    };
    MF_ASSERT((unsigned)fault < MF_FAULT_COUNT && with != NULL);
    const float least = k_least[fault].least;
    for (uint32_t i = 0; i < k_least[fault].count; i++) {
        if (with->value[i] >= least || with->value[i] <= -least) {
            return 0.0f;
        }
    }
    return least;
}
