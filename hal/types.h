/* SPDX-License-Identifier: Apache-2.0 */
/** Types of all contracts: time, errors. */
#ifndef MF_HAL_TYPES_H
#define MF_HAL_TYPES_H

#include "hal/assert.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Microseconds, signed 64 bit; since boot unless the name says otherwise; never decreases. */
typedef int64_t mf_us_t;

#define MF_NEVER     INT64_MAX
#define MF_SECOND_US INT64_C(1000000)
#define MF_MS_US     INT64_C(1000)

/** Standard gravity. */
#define MF_GRAVITY_MPS2 9.80665

/** @brief Seconds as whole microseconds, the nearest ones. @param s  not negative, up to 9e12 */
static inline mf_us_t mf_us_of(double s)
{
    return (mf_us_t)(s * 1e6 + 0.5);
}

/** @brief The earlier of two times, MF_NEVER being the latest. */
static inline mf_us_t mf_earlier(mf_us_t a_us, mf_us_t b_us)
{
    return a_us < b_us ? a_us : b_us;
}

/* name, value, text, MAV_RESULT to report when a command fails this way
 * (0 accepted, 1 temporarily rejected, 2 denied, 3 unsupported, 4 failed; MAVLink common.xml) */
#define MF_ERR_LIST(X)                          \
    X(OK, 0, "ok", 0)                           \
    X(AGAIN, -1, "not now, try again", 1)       \
    X(DENIED, -2, "not allowed", 2)             \
    X(NOSUPP, -3, "not supported", 3)           \
    X(RANGE, -4, "value out of range", 2)       \
    X(FULL, -5, "fixed-size buffer is full", 4) \
    X(IO, -6, "device failed", 4)               \
    X(NOENT, -7, "no such thing", 2)            \
    X(PROGRESS, -8, "in progress", 5)

/** Results of functions that can fail: 0 or a negative value of this list. */
enum mf_err {
#define X(name, value, text, result) MF_E_##name = (value),
    MF_ERR_LIST(X)
#undef X
};

/** @brief The text of an error. */
static inline const char *mf_err_text(int err)
{
    switch (err) {
#define X(name, value, text, result) \
    case (value):                    \
        return text;
        MF_ERR_LIST(X)
#undef X
    default:
        return "unknown error";
    }
}

/** @brief The MAV_RESULT that stands for an error in a COMMAND_ACK. */
static inline uint8_t mf_err_mav_result(int err)
{
    switch (err) {
#define X(name, value, text, result) \
    case (value):                    \
        return (result);
        MF_ERR_LIST(X)
#undef X
    default:
        return 4;
    }
}

#endif
