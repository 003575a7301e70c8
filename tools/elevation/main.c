/* SPDX-License-Identifier: Apache-2.0 */
/* elevation: an elevation service over packs (docs/elevation.md). Usage text below. */
#include "host/base/output.h"
#include "tools/elevation/serve.h"

#include <getopt.h>
#include <signal.h>
#include <stdlib.h>

#define EXIT_BAD_INPUT 2
#define ADDRESS        "127.0.0.1:8089"

static const char k_usage[] =
    "usage: elevation [options]\n"
    "\n"
    "Serves geoids and terrain to planners and to `geoid fetch` (docs/elevation.md).\n"
    "\n"
    "options\n"
    "  --listen HOST:PORT  address of the server (" ADDRESS "); port 0: a free one\n"
    "  --geoid LIST        FILE or NAME:FILE, or egm96, which is built in; commas between them, "
    "in\n"
    "                      the order in which they serve (egm96)\n"
    "  --terrain LIST      packs of terrain, likewise; NAME names one (else its file's name does)\n"
    "  --verbose           a line per request on standard error\n"
    "  --help\n"
    "\n"
    "exit codes: 0 ended by a signal, 2 wrong usage, file or address\n";

struct options {
    const char *listen;
    bool verbose;
};

static struct elevation_library s_library;

static int refuse(const char *what)
{
    (void)fprintf(stderr, "elevation: %s\n", what);
    return EXIT_BAD_INPUT;
}

/* @return 0, or an exit code; -1 after --help */
static int read_options(int argc, char **argv, struct options *o)
{
    static const struct option k_long[] = {
        {"listen", required_argument, NULL, 'l'},  {"geoid", required_argument, NULL, 'g'},
        {"terrain", required_argument, NULL, 't'}, {"verbose", no_argument, NULL, 'v'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0},
    };
    char error[512];
    bool geoid = false;
    *o = (struct options){.listen = ADDRESS};
    for (int c = getopt_long(argc, argv, "", k_long, NULL); c != -1;
         c = getopt_long(argc, argv, "", k_long, NULL)) {
        if (c == 'h') {
            (void)fputs(k_usage, stdout);
            return -1;
        }
        if (c == 'l') {
            o->listen = optarg;
        } else if (c == 'v') {
            o->verbose = true;
        } else if (c != 'g' && c != 't') {
            return EXIT_BAD_INPUT;
        } else if (!elevation_library_add(&s_library, c == 'g' ? MF_PACK_GEOID : MF_PACK_TERRAIN,
                                          optarg, error, sizeof error)) {
            return refuse(error);
        }
        geoid = geoid || c == 'g';
    }
    if (optind != argc) {
        (void)snprintf(error, sizeof error, "'%.200s' is not an option; --help lists them",
                       argv[optind]);
        return refuse(error);
    }
    if (!geoid && !elevation_library_add(&s_library, MF_PACK_GEOID, "egm96", error, sizeof error)) {
        return refuse(error);
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct options o;
    char url[320], error[512];
    sigset_t ends;
    int number = 0;
    mf_output_judge_stdout("elevation");
    elevation_library_init(&s_library);
    const int wrong = read_options(argc, argv, &o);
    if (wrong != 0) {
        return wrong < 0 ? EXIT_SUCCESS : wrong;
    }
    /* blocked before there are threads, so that only sigwait() sees them */
    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGINT);
    (void)sigaddset(&ends, SIGTERM);
    (void)pthread_sigmask(SIG_BLOCK, &ends, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    struct elevation_server *server = elevation_serve(
        o.listen, &s_library, o.verbose ? stderr : NULL, url, sizeof url, error, sizeof error);
    if (server == NULL) {
        return refuse(error);
    }
    (void)printf("elevation: %s\n", url);
    (void)fflush(stdout);
    (void)sigwait(&ends, &number);
    elevation_serve_stop(server);
    return EXIT_SUCCESS;
}
