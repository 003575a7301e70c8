/* SPDX-License-Identifier: Apache-2.0 */
/* tests [NAME]: run one test, in a process of its own as if it were a program of its own; without a
 * name, list them. */
#include "tests/lib/together.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    for (const struct together_test *test = k_together; test->name != NULL; test++) {
        if (argc < 2) {
            puts(test->name);
        } else if (strcmp(argv[1], test->name) == 0) {
            return test->run();
        }
    }
    if (argc >= 2) {
        fprintf(stderr, "%s: no test %s; those of this program are listed without an argument\n",
                argv[0], argv[1]);
    }
    return argc < 2 ? 0 : 2;
}
