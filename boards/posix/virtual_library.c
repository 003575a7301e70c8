/* SPDX-License-Identifier: Apache-2.0 */
/* Path of the library of virtual time, as the loader of the command takes it from LD_PRELOAD.
 *
 * The loader splits that at blanks and colons and expands "$ORIGIN" and the like, so a library in a
 * folder whose name has one of these gets a link in a private folder, until no process of the
 * session can become another program any more. */
#include "boards/posix/board.h"
#include "host/time/virtual_program.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SPLITS " :$"

/* Make the private folder: in TMPDIR, unless the loader would split its name, too. */
static bool make_folder(struct board_virtual *x)
{
    const char *const places[] = {getenv("TMPDIR"), "/tmp", "/dev/shm"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const char *place = places[i];
        if (place == NULL || place[0] != '/' || strpbrk(place, SPLITS) != NULL) {
            continue;
        }
        const int n = snprintf(x->folder, sizeof x->folder, "%s/mayfly-XXXXXX", place);
        if (n < (int)sizeof x->folder && mkdtemp(x->folder) != NULL) {
            return true;
        }
    }
    x->folder[0] = '\0';
    return false;
}

/* Put a link in the place of the library whose path the loader would split. */
static bool link_library(struct board *b)
{
    struct board_virtual *x = &b->virtual_time;
    char library[PATH_MAX];
    (void)snprintf(library, sizeof library, "%s", x->library);
    if (make_folder(x)) {
        (void)snprintf(x->library, sizeof x->library, "%s/" MF_VIRTUAL_LIBRARY, x->folder);
        if (symlink(library, x->library) == 0) {
            return true;
        }
    }
    (void)snprintf(b->config.error, sizeof b->config.error,
                   "exec: the loader cannot take %.200s from LD_PRELOAD, since it splits that "
                   "at blanks and colons, and neither TMPDIR nor /tmp takes a link to it: %s",
                   library, strerror(errno));
    (void)rmdir(x->folder);
    x->folder[0] = '\0';
    return false;
}

static bool can_follow(struct board *b, const char *program)
{
    char path[PATH_MAX], reason[MF_VIRTUAL_REASON_MAX];
    if (mf_virtual_find(program, path) && !mf_virtual_can_follow(path, reason)) {
        (void)snprintf(b->config.error, sizeof b->config.error, "exec: %s", reason);
        return false;
    }
    return true;
}

static bool find_library(struct board *b)
{
    char self[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    if (!mf_virtual_library(self, b->virtual_time.library)) {
        (void)snprintf(b->config.error, sizeof b->config.error,
                       "exec: " MF_VIRTUAL_LIBRARY " is neither beside %.200s nor in ../lib/mayfly",
                       self);
        return false;
    }
    return true;
}

bool board_virtual_program(struct board *b, const char *program)
{
    return can_follow(b, program) && find_library(b) &&
           (strpbrk(b->virtual_time.library, SPLITS) == NULL || link_library(b));
}

void board_virtual_environment(const struct board *b)
{
    static char s_preload[PATH_MAX * 2];
    if (b->virtual_time.descriptors.rlim_cur != 0) {
        (void)setrlimit(RLIMIT_NOFILE, &b->virtual_time.descriptors);
    }
    const char *before = getenv("LD_PRELOAD");
    (void)snprintf(s_preload, sizeof s_preload, "%s%s%s", b->virtual_time.library,
                   before != NULL && before[0] != '\0' ? ":" : "", before != NULL ? before : "");
    (void)setenv("LD_PRELOAD", s_preload, 1);
    (void)setenv(MF_VIRTUAL_ENV, b->virtual_time.name, 1);
}

void board_virtual_forget(struct board *b)
{
    struct board_virtual *x = &b->virtual_time;
    if (x->folder[0] != '\0') {
        board_virtual_leave(b);
        (void)unlink(x->library);
        (void)rmdir(x->folder);
    }
}
