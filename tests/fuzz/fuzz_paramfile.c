/* SPDX-License-Identifier: Apache-2.0 */
/* Files of parameters: any bytes are read to the end, or refused with a line. */
#include "host/spec/paramfile.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mf_paramfile_entry entry;
    char error[200] = "";
    char *text = malloc(size + 1); /* of just that size: a byte behind it is found */
    if (text == NULL) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    struct mf_paramfile file = mf_paramfile_begin(text, size);
    unsigned line = 0;
    int result = 1;
    while (result == 1) {
        result = mf_paramfile_next(&file, &entry, error, sizeof error);
        if (result == 1 && (entry.line <= line || strlen(entry.name) >= MF_PARAMFILE_NAME_MAX)) {
            abort();
        }
        line = result == 1 ? entry.line : line;
    }
    if (result != 0 && error[0] == '\0') {
        abort();
    }
    free(text);
    return 0;
}
