/* SPDX-License-Identifier: Apache-2.0 */
/* Plain decimal numbers. Called by host/base/value and world/field. */
#include "math/decimal.h"

bool mf_decimal(const char *text, double *value)
{
    const char *p = text + (text[0] == '-' ? 1 : 0);
    double digits = 0.0, scale = 1.0;
    int count = 0;
    bool point = false;
    for (; *p != '\0'; p++) {
        if (*p == '.' && !point && count > 0) {
            point = true;
        } else if (*p >= '0' && *p <= '9' && count < 15) {
            digits = digits * 10.0 + (double)(*p - '0');
            scale = point ? scale * 10.0 : scale;
            count++;
        } else {
            return false;
        }
    }
    if (count == 0) {
        return false;
    }
    *value = (text[0] == '-' ? -digits : digits) / scale;
    return true;
}
