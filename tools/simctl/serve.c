/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/serve.h"

#include "tools/simctl/api.h"
#include "tools/simctl/local.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXIT_BAD_INPUT 2
#define PATH_BYTES     4096u

static struct simctl_catalogue s_templates;

static int refuse(const char *what)
{
    (void)fprintf(stderr, "simctl: %s\n", what);
    return EXIT_BAD_INPUT;
}

/* The path of this program, and of mayfly: beside it, or whatever PATH has. */
static void find_programs(const struct simctl_serving *serving, char *self, char *mayfly)
{
    const ssize_t n = readlink("/proc/self/exe", self, PATH_BYTES - 1);
    self[n > 0 ? n : 0] = '\0';
    const char *slash = strrchr(self, '/');
    if (serving->mayfly != NULL) {
        (void)snprintf(mayfly, PATH_BYTES, "%s", serving->mayfly);
        return;
    }
    (void)snprintf(mayfly, PATH_BYTES, "%.*s/mayfly", slash != NULL ? (int)(slash - self) : 0,
                   self);
    if (access(mayfly, X_OK) != 0) {
        (void)snprintf(mayfly, PATH_BYTES, "mayfly");
    }
}

static struct simctl_local *begin(const struct simctl_serving *serving, char *folder, bool *own,
                                  struct web_error *error)
{
    char self[PATH_BYTES], mayfly[PATH_BYTES];
    find_programs(serving, self, mayfly);
    (void)snprintf(folder, PATH_BYTES, "%s", serving->folder != NULL ? serving->folder : "");
    *own = serving->folder == NULL;
    if (*own) {
        const char *tmp = getenv("TMPDIR");
        (void)snprintf(folder, PATH_BYTES, "%s/simctl-XXXXXX", tmp != NULL ? tmp : "/tmp");
        if (mkdtemp(folder) == NULL) {
            (void)web_refuse(error, 500, "folder", "%.160s: no folder could be made", folder);
            return NULL;
        }
    }
    return simctl_local_start(folder, mayfly, self, error);
}

int simctl_serve(const struct simctl_serving *serving)
{
    struct web_error error = {0};
    char folder[PATH_BYTES], url[300], why[512];
    sigset_t ends;
    int number = 0;
    bool own = false;
    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGINT);
    (void)sigaddset(&ends, SIGTERM);
    (void)sigaddset(&ends, SIGHUP);
    (void)pthread_sigmask(SIG_BLOCK, &ends, NULL); /* before there are threads */
    (void)signal(SIGPIPE, SIG_IGN);
    if (!simctl_catalogue_add_drone(&s_templates, &error) ||
        (serving->templates != NULL &&
         !simctl_catalogue_load(&s_templates, serving->templates, &error))) {
        return refuse(error.message);
    }
    struct simctl_local *local = begin(serving, folder, &own, &error);
    if (local == NULL) {
        return refuse(error.message);
    }
    struct simctl_api api = {.templates = &s_templates,
                             .backend = {&simctl_local_ops, local},
                             .backend_name = "local",
                             .audit = stderr};
    const struct web_settings settings = {.listen = serving->listen,
                                          .threads = 0,
                                          .body_max = SIMCTL_BODY_MAX,
                                          .handle = simctl_api_handle,
                                          .refuse = simctl_api_refuse,
                                          .ctx = &api};
    struct web_server *server = web_serve(&settings, url, sizeof url, why, sizeof why);
    if (server != NULL) {
        (void)printf("simctl: %s: %u templates; instances are processes of this machine\n", url,
                     s_templates.count);
        (void)fflush(stdout);
        (void)sigwait(&ends, &number);
    }
    simctl_local_stop(local);
    if (server != NULL) {
        web_stop(server);
    }
    if (own) {
        (void)rmdir(folder);
    }
    simctl_catalogue_free(&s_templates);
    return server != NULL ? EXIT_SUCCESS : refuse(why);
}
