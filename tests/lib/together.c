/* SPDX-License-Identifier: Apache-2.0 */
/* tests [NAME]: run one test, as if it were a program of its own; without a name, list them.
 * tests NAME NAME...: each in a process of its own, one after the other, and behind what it prints
 * a line: ended NAME, exit code or minus a signal, seconds. One start of this program serves them
 * all. */
#include "tests/lib/together.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const struct together_test *find(const char *name)
{
    const struct together_test *test = k_together;
    while (test->name != NULL && strcmp(test->name, name) != 0) {
        test++;
    }
    return test->name != NULL ? test : NULL;
}

static double now_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run_apart(const struct together_test *test)
{
    const double begin_s = now_s();
    int status = 0;
    (void)fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        exit(test->run());
    }
    if (pid < 0 || waitpid(pid, &status, 0) < 0) {
        perror(test->name);
        exit(2);
    }
    printf("\nended %s %d %.2f\n", test->name,
           WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), now_s() - begin_s);
}

int main(int argc, char **argv)
{
    for (const struct together_test *test = k_together; argc < 2 && test->name != NULL; test++) {
        puts(test->name);
    }
    for (int i = 1; i < argc; i++) {
        const struct together_test *test = find(argv[i]);
        if (test == NULL) {
            fprintf(stderr,
                    "%s: no test %s; those of this program are listed without an argument\n",
                    argv[0], argv[i]);
            return 2;
        }
        if (argc == 2) {
            return test->run();
        }
        run_apart(test);
    }
    return 0;
}
