/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long the readers of text from outside take for 64 kB of hostile text: the worst of all
 * readers and texts, each the best of three. With an argument all above 1 ms are printed, too.
 * Prints a line 'name value unit'; ci/figures.py puts the limit beside it.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tests/unit/support/readers.h"

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static double time_ms(const struct mf_reader *reader, const char *text)
{
    static char s_error[MF_READER_ERROR_MAX];
    double best_ms = 1e9;
    for (int i = 0; i < 3; i++) {
        const double begin_ms = cpu_ms();
        (void)reader->read(text, strlen(text), s_error);
        const double took_ms = cpu_ms() - begin_ms;
        best_ms = took_ms < best_ms ? took_ms : best_ms;
    }
    return best_ms;
}

int main(int argc, char **argv)
{
    static char s_text[MF_HOSTILE_BYTES + 1u];
    double worst_ms = 0.0;
    (void)argv;
    for (size_t i = 0; i < mf_hostile_count(); i++) {
        const char *name = mf_hostile_text(i, s_text);
        for (size_t k = 0; k < mf_reader_count; k++) {
            const double ms = time_ms(&mf_readers[k], s_text);
            worst_ms = ms > worst_ms ? ms : worst_ms;
            if (argc > 1 && ms > 1.0) {
                fprintf(stderr, "%-28s %7.2f ms  %.40s\n", mf_readers[k].name, ms, name);
            }
        }
    }
    printf("reader.hostile %.2f ms\n", worst_ms);
    return 0;
}
