/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/replay/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH_MAX_BYTES 4096u

/* Path of conform in the folder of this program. */
static char *beside(char *path)
{
    static const char k_name[] = "conform";
    const ssize_t n = readlink("/proc/self/exe", path, PATH_MAX_BYTES - sizeof k_name);
    path[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(path, '/');
    memcpy(slash != NULL ? slash + 1 : path, k_name, sizeof k_name);
    return path;
}

bool replay_child_start(struct replay_child *child, const struct replay_conform *conform,
                        const char *what)
{
    int out_ends[2], error_ends[2];
    char path[PATH_MAX_BYTES], option[16], quiet[] = "--quiet", here[] = "-";
    char *program = conform->program != NULL ? conform->program : beside(path);
    char *argv[REPLAY_CHILD_ARGS + 6u] = {program, quiet, option, here};
    posix_spawn_file_actions_t actions;
    size_t n = 4;
    (void)snprintf(option, sizeof option, "%s", what);
    for (size_t i = 0; i < conform->args; i++) {
        argv[n++] = conform->arg[i];
    }
    argv[n] = conform->file;
    *child = (struct replay_child){.pid = 0};
    if (pipe2(out_ends, O_CLOEXEC) != 0 || pipe2(error_ends, O_CLOEXEC) != 0) {
        (void)fprintf(stderr, "replay: %s\n", strerror(errno));
        return false;
    }
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_adddup2(&actions, out_ends[1], STDOUT_FILENO);
    (void)posix_spawn_file_actions_adddup2(&actions, error_ends[1], STDERR_FILENO);
    const int error = posix_spawnp(&child->pid, program, &actions, NULL, argv, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(out_ends[1]);
    (void)close(error_ends[1]);
    if (error != 0) {
        (void)fprintf(stderr, "replay: %s: %s\n", program, strerror(error));
        (void)close(out_ends[0]);
        (void)close(error_ends[0]);
        return false;
    }
    child->out = fdopen(out_ends[0], "rb");
    child->errors = fdopen(error_ends[0], "r");
    return child->out != NULL && child->errors != NULL;
}

/* The first line that it wrote, without its name. The pipe holds the few that it writes. */
static void read_why(struct replay_child *child, char *why)
{
    char line[REPLAY_WHY_MAX] = "";
    if (fgets(line, sizeof line, child->errors) == NULL) {
        (void)snprintf(line, sizeof line, "cannot be flown by this build");
    }
    line[strcspn(line, "\n")] = '\0';
    const char *text = strstr(line, ": ");
    (void)snprintf(why, REPLAY_WHY_MAX, "%s", text != NULL ? text + 2 : line);
}

bool replay_child_end(struct replay_child *child, char *why)
{
    int status = 0;
    (void)fclose(child->out); /* it may still write, and dies of that */
    (void)waitpid(child->pid, &status, 0);
    read_why(child, why);
    (void)fclose(child->errors);
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
}
