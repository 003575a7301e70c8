/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/standin/answer.h"
#include "tools/standin/monitor.h"
#include "tools/standin/standin.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BODY_MAX (1u << 20)

/* Files that the service reads at its start. */
enum { CERTIFICATE, KEY, AUTHORITY, VOLUMES, FILES };

static void handle(void *ctx, const struct web_request *request, struct web_answer *answer)
{
    struct standin_monitor *m = ctx;
    const char *why;
    char name[WEB_NAME_MAX];
    const bool post = strcmp(request->method, "POST") == 0;
    if (!post && strcmp(request->path, "/v1/instances") == 0) {
        standin_answer(answer, 200, standin_monitor_list(m));
    } else if (!post || strcmp(request->path, "/v1/reports") != 0) {
        standin_answer_error(NULL, 404, "not_found",
                             "the only paths are POST /v1/reports and GET /v1/instances", answer);
    } else if (request->body_too_long) {
        standin_answer_error(NULL, 413, "too_long", "a body has 1 MiB at most", answer);
    } else if (!web_certified(request, name)) {
        standin_answer_error(NULL, 403, "certificate", "your certificate has no common name",
                             answer);
    } else {
        json_t *state = standin_monitor_take(m, name, request->body, &why);
        if (state != NULL) {
            standin_answer(answer, 200, state);
        } else {
            standin_answer_error(NULL, 422, "body", why, answer);
        }
    }
}

static int serve_reports(struct standin_monitor *m, const char *listen, char *const text[FILES])
{
    char url[256], error[256];
    const struct web_settings settings = {.listen = listen,
                                          .body_max = BODY_MAX,
                                          .certificate = text[CERTIFICATE],
                                          .key = text[KEY],
                                          .authority = text[AUTHORITY],
                                          .handle = handle,
                                          .refuse = standin_answer_error,
                                          .ctx = m};
    if (text[VOLUMES] != NULL &&
        !standin_volumes_parse(text[VOLUMES], &m->volumes, error, sizeof error)) {
        return standin_refuse("--volumes: %s", error);
    }
    standin_block();
    struct web_server *server = web_serve(&settings, url, sizeof url, error, sizeof error);
    if (server == NULL) {
        return standin_refuse("%s", error);
    }
    (void)printf("standin: %s: %u volumes\n", url, m->volumes.count);
    (void)fflush(stdout);
    standin_wait();
    web_stop(server);
    return STANDIN_DONE;
}

int standin_cloud(int argc, char **argv)
{
    static const struct option k_long[] = {
        {"certificate", required_argument, NULL, CERTIFICATE},
        {"key", required_argument, NULL, KEY},
        {"ca", required_argument, NULL, AUTHORITY},
        {"volumes", required_argument, NULL, VOLUMES},
        {"listen", required_argument, NULL, FILES},
        {NULL, 0, NULL, 0},
    };
    static struct standin_monitor monitor = {.lock = PTHREAD_MUTEX_INITIALIZER};
    const char *listen = "127.0.0.1:8443";
    char *text[FILES] = {NULL};
    int result = STANDIN_DONE;
    for (int c = getopt_long(argc, argv, "", k_long, NULL); c != -1 && result == STANDIN_DONE;
         c = getopt_long(argc, argv, "", k_long, NULL)) {
        if (c == FILES) {
            listen = optarg;
        } else if (c < 0 || c > FILES) {
            result = STANDIN_USAGE;
        } else {
            free(text[c]);
            text[c] = standin_read(optarg);
            result = text[c] != NULL ? result : standin_refuse("%s: %s", optarg, strerror(errno));
        }
    }
    if (result == STANDIN_DONE &&
        (text[CERTIFICATE] == NULL || text[KEY] == NULL || text[AUTHORITY] == NULL)) {
        result = standin_refuse("cloud needs --certificate, --key and --ca");
    }
    result = result == STANDIN_DONE ? serve_reports(&monitor, listen, text) : result;
    for (int i = 0; i < FILES; i++) {
        free(text[i]);
    }
    return result;
}
