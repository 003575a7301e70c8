/* SPDX-License-Identifier: Apache-2.0 */
/* Errors, files and the end of a role; the roles and main.c call it. */
#include "tools/standin/standin.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define FILE_MAX (1u << 20)

int standin_refuse(const char *format, ...)
{
    va_list args;
    (void)fputs("standin: ", stderr);
    va_start(args, format);
    (void)vfprintf(stderr, format, args);
    va_end(args);
    (void)fputc('\n', stderr);
    return STANDIN_USAGE;
}

char *standin_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = file != NULL ? malloc(FILE_MAX + 1u) : NULL;
    if (text != NULL) {
        text[fread(text, 1, FILE_MAX, file)] = '\0';
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return text;
}

static sigset_t signals(void)
{
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGTERM);
    (void)sigaddset(&set, SIGINT);
    return set;
}

void standin_block(void)
{
    const sigset_t set = signals();
    (void)sigprocmask(SIG_BLOCK, &set, NULL);
}

void standin_wait(void)
{
    const sigset_t set = signals();
    int got;
    (void)sigwait(&set, &got);
}
