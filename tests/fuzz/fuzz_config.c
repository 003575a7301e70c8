/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes the configuration. Up to the first byte 0x01 an input is the file, behind it one flag or
 * variable of the environment on each line. What is refused is refused in one line; what is
 * accepted is printed as a file that is accepted and prints the same, unless a flag or variable
 * holds bytes that are no ASCII: paths may be any bytes, YAML may not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/config/config.h"
#include "tests/fuzz/fuzz.h"

#define LINES_MAX 16

/* @return descriptor of a file with that text, and its path */
static int file_of(const void *text, size_t n, char path[32])
{
    const int fd = memfd_create("config", 0);
    check(fd >= 0 && write(fd, text, n) == (ssize_t)n);
    (void)snprintf(path, 32, "/proc/self/fd/%d", fd);
    return fd;
}

static char *printed(const struct mf_config *config, size_t *n)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, n);
    check(out != NULL);
    mf_config_print(config, out);
    check(fclose(out) == 0);
    return text;
}

static void check_round_trip(const struct mf_config *config)
{
    static struct mf_config again;
    char path[32], program[] = "mayfly", flag[] = "--config";
    char *argv[] = {program, flag, path, NULL}, *env[] = {NULL};
    size_t n = 0, m = 0;
    char *once = printed(config, &n);
    const int fd = file_of(once, n, path);
    check(mf_config_read(&again, 3, argv, env) == MF_E_OK);
    char *twice = printed(&again, &m);
    check(n == m && memcmp(once, twice, n) == 0);
    free(once);
    free(twice);
    (void)close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct mf_config config;
    char path[32], program[] = "mayfly", flag[] = "--config";
    char *argv[LINES_MAX + 4] = {program, flag, path}, *env[LINES_MAX + 1] = {NULL};
    int argc = 3, variables = 0;
    const uint8_t *end = size > 0 ? memchr(data, 1, size) : NULL;
    const size_t n = end != NULL ? (size_t)(end - data) : size;
    char *lines = calloc(1, size - n + 1);
    bool ascii = true;
    check(lines != NULL);
    if (end != NULL) {
        memcpy(lines, end + 1, size - n - 1);
        for (size_t i = n; i < size; i++) {
            ascii = ascii && data[i] < 0x80;
        }
    }
    char *rest = NULL;
    for (char *line = strtok_r(lines, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, "--config", 8) == 0 || strncmp(line, "MAYFLY_CONFIG=", 14) == 0) {
            continue; /* only what is given here is read */
        }
        if (line[0] == '-' && argc < LINES_MAX) {
            argv[argc++] = line;
        } else if (line[0] != '-' && variables < LINES_MAX) {
            env[variables++] = line;
        }
    }
    const int fd = file_of(data, n, path);
    if (mf_config_read(&config, argc, argv, env) != MF_E_OK) {
        check(config.error[0] != '\0' && strlen(config.error) < sizeof config.error);
    } else if (ascii && (config.action == MF_DO_RUN || config.action == MF_DO_PRINT_CONFIG)) {
        check_round_trip(&config);
    }
    free(lines);
    (void)close(fd);
    return 0;
}
