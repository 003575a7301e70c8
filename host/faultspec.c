/* SPDX-License-Identifier: Apache-2.0 */
#include "host/faultspec.h"

#include "host/value.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Longest specification. */
#define SPEC_MAX 128u
/* Latest time in a schedule [s]: 31 years. */
#define TIME_MAX_S 1e9

static const char *const k_name[MF_FAULT_COUNT] = {
#define X(name, spelling, unit, type, effect) [MF_FAULT_##name] = spelling,
    MF_FAULT_LIST(X)
#undef X
};

#define X(name, spelling, unit, type, effect) " " spelling
static const char k_known[] = MF_FAULT_LIST(X);
#undef X

static const struct {
    const char *name;
    double us;
} k_unit[] = {{"us", 1.0}, {"ms", 1e3}, {"s", 1e6}, {"", 1e6}, {"min", 6e7}, {"h", 3.6e9}};

const char *mf_fault_name(enum mf_fault fault)
{
    MF_ASSERT(fault < MF_FAULT_COUNT);
    return k_name[fault];
}

__attribute__((format(printf, 2, 3))) static int refuse(char *reason, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reason, MF_FAULT_REASON_MAX, format, args);
    va_end(args);
    return MF_E_RANGE;
}

static int find_fault(const char *name)
{
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        if (strcmp(k_name[i], name) == 0) {
            return i;
        }
    }
    return MF_E_NOENT;
}

static int parse_time(const char *text, double lowest_us, mf_us_t *t_us, char *reason)
{
    double value;
    const char *rest = mf_value_number(text, &value);
    if (rest == NULL) {
        return refuse(reason,
                      "'%.40s' is no time, allowed: a number with us, ms, s, min or h, such as 30s",
                      text);
    }
    for (size_t i = 0; i < sizeof k_unit / sizeof k_unit[0]; i++) {
        if (strcmp(rest, k_unit[i].name) != 0) {
            continue;
        }
        const double us = value * k_unit[i].us;
        if (us < lowest_us || us > TIME_MAX_S * 1e6) {
            return refuse(reason, "time %.40s is out of range, allowed: %s .. 1e9 s", text,
                          lowest_us > 0.0 ? "above 0" : "0");
        }
        *t_us = (mf_us_t)(us + 0.5);
        return MF_E_OK;
    }
    return refuse(reason, "'%.20s' is no unit of time, allowed: us, ms, s, min, h", rest);
}

int mf_fault_spec_parse(const char *text, size_t n, struct mf_fault_spec *spec, char *reason)
{
    char copy[SPEC_MAX];
    if (n >= sizeof copy) {
        return refuse(reason, "the fault is longer than %u characters", SPEC_MAX - 1);
    }
    memcpy(copy, text, n);
    copy[n] = '\0';
    char *plus = strchr(copy, '+');
    char *at = strchr(copy, '@');
    if (plus != NULL) {
        *plus = '\0';
    }
    if (at != NULL) {
        *at = '\0';
    }
    if (at != NULL && plus != NULL && at > plus) {
        return refuse(reason,
                      "the time (@) comes before the duration (+), such as gps_off@30s+10s");
    }
    const int fault = find_fault(copy);
    if (fault < 0) {
        return refuse(reason, "fault '%.40s' is not known, allowed:%s", copy, k_known);
    }
    mf_us_t duration_us = 0;
    *spec = (struct mf_fault_spec){.fault = (enum mf_fault)fault, .to_us = MF_NEVER};
    if (at != NULL && parse_time(at + 1, 0.0, &spec->from_us, reason) != MF_E_OK) {
        return MF_E_RANGE;
    }
    if (plus != NULL) {
        if (parse_time(plus + 1, 1.0, &duration_us, reason) != MF_E_OK) {
            return MF_E_RANGE;
        }
        spec->to_us = spec->from_us + duration_us;
    }
    return MF_E_OK;
}
