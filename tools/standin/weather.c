/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/standin/answer.h"
#include "tools/standin/standin.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AFTER_MAX_S 3600.0

struct weather {
    double wind_mps;
};

static void handle(void *ctx, const struct web_request *request, struct web_answer *answer)
{
    const struct weather *w = ctx;
    if (strcmp(request->method, "GET") != 0 || strcmp(request->path, "/v1/weather") != 0) {
        standin_answer_error(NULL, 404, "not_found", "the only path is GET /v1/weather", answer);
        return;
    }
    standin_answer(answer, 200, json_pack("{s:f}", "wind_mps", w->wind_mps));
}

int standin_weather(int argc, char **argv)
{
    static const struct option k_long[] = {{"listen", required_argument, NULL, 'l'},
                                           {"wind", required_argument, NULL, 'w'},
                                           {"after", required_argument, NULL, 'a'},
                                           {NULL, 0, NULL, 0}};
    const char *port = getenv("WEATHER_PORT"), *listen = NULL;
    struct weather weather = {3.0};
    double after_s = 0.0;
    char url[256], error[256], address[64];
    for (int c = getopt_long(argc, argv, "", k_long, NULL); c != -1;
         c = getopt_long(argc, argv, "", k_long, NULL)) {
        listen = c == 'l' ? optarg : listen;
        weather.wind_mps = c == 'w' ? strtod(optarg, NULL) : weather.wind_mps;
        after_s = c == 'a' ? strtod(optarg, NULL) : after_s;
        if (c == '?') {
            return STANDIN_USAGE;
        }
    }
    if (!(weather.wind_mps >= 0.0) || !(after_s >= 0.0 && after_s <= AFTER_MAX_S)) {
        return standin_refuse("--wind is 0 m/s or more, --after 0 to %g s", AFTER_MAX_S);
    }
    (void)snprintf(address, sizeof address, "127.0.0.1:%.5s", port != NULL ? port : "8090");
    (void)usleep((useconds_t)lround(after_s * 1e6)); /* what it takes to start, of a real one */
    const struct web_settings settings = {.listen = listen != NULL ? listen : address,
                                          .threads = 1,
                                          .handle = handle,
                                          .refuse = standin_answer_error,
                                          .ctx = &weather};
    standin_block();
    struct web_server *server = web_serve(&settings, url, sizeof url, error, sizeof error);
    if (server == NULL) {
        return standin_refuse("%s", error);
    }
    (void)printf("standin: %s: wind of %g m/s\n", url, weather.wind_mps);
    (void)fflush(stdout);
    standin_wait();
    web_stop(server);
    return STANDIN_DONE;
}
