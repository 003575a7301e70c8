/* SPDX-License-Identifier: Apache-2.0 */
/* Plans of the control API and of fly: any bytes are read, or refused with a reason. */
#include "host/spec/plan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct mf_plan s_plan;
    char error[200] = "";
    char *text = malloc(size + 1); /* of just that size: a byte behind it is found */
    if (text == NULL) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    const int result = mf_plan_read(text, size, MF_PLAN_HOME_SEEN, &s_plan, error, sizeof error);
    if (result != 0 ? error[0] == '\0' : s_plan.count == 0 || s_plan.count > MF_PLAN_MAX) {
        abort();
    }
    for (uint16_t i = 0; result == 0 && i < s_plan.count; i++) {
        if (s_plan.item[i].seq != i) {
            abort();
        }
    }
    free(text);
    return 0;
}
