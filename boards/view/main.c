/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mayfly-view: the program that serves the page of a swarm (docs/swarm-page.md) in a process of its
 * own. It shows a run as an observer of its bus, which may be on another host and which never waits
 * for it, or a recording after the run.
 */
#include "boards/swarm/page/page_server.h"
#include "boards/view/recording.h"
#include "fleet/bus.h"
#include "hal-posix/endpoint.h"
#include "host/base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define EXIT_WRONG_USE 2
#define TEXT_MAX       256u

static const char k_usage[] =
    "usage: mayfly-view --from HOST:PORT [--listen [HOST:]PORT] [--token TOKEN]\n"
    "       mayfly-view FILE [--listen [HOST:]PORT]\n"
    "The page of a swarm (docs/swarm-page.md) whose scenario has bus: {listen: PORT}, or has had\n"
    "outputs: {pictures: FILE}.\n"
    "  --from HOST:PORT      the bus; unix:PATH: a socket of this machine\n"
    "  --listen [HOST:]PORT  of the page, on this machine; 127.0.0.1:5759\n"
    "  --token TOKEN         the bus's\n"
    "Exit codes: 0 the run or a signal has ended it; 2 bad input, or the bus refuses it.\n";

static volatile int s_stop;

static void on_signal(int number)
{
    (void)number;
    s_stop = 1;
}

static int fail(const char *what, const char *why)
{
    (void)fprintf(stderr, "mayfly-view: %s: %s\n", what, why);
    return EXIT_WRONG_USE;
}

struct options {
    const char *from, *listen, *token, *file;
};

/* Read the command line. @return the exit code with which the program ends at once; < 0: the
 * options are complete */
static int read_options(struct options *o, int argc, char **argv)
{
    *o = (struct options){NULL, "127.0.0.1:5759", "", NULL};
    for (int i = 1; i < argc; i++) {
        const struct {
            const char *name, **value;
        } all[] = {{"--from", &o->from}, {"--listen", &o->listen}, {"--token", &o->token}};
        const size_t count = sizeof all / sizeof all[0];
        size_t k = 0;
        if (strcmp(argv[i], "--help") == 0) {
            (void)fputs(k_usage, stdout);
            return EXIT_SUCCESS;
        }
        if (argv[i][0] != '-' && o->file == NULL) {
            o->file = argv[i];
            continue;
        }
        while (k < count && strcmp(argv[i], all[k].name) != 0) {
            k++;
        }
        if (k == count || i + 1 == argc) {
            return fail(argv[i],
                        k == count ? "is not an option; --help lists them" : "needs a value");
        }
        *all[k].value = argv[++i];
    }
    if (strlen(o->token) >= MF_BUS_TOKEN_MAX) {
        return fail("--token", "is longer than any token of a bus");
    }
    if ((o->from == NULL) == (o->file == NULL)) {
        return fail("--from", "say where the bus is, HOST:PORT or unix:PATH, or name a recording");
    }
    return -1;
}

/* Connect to a bus. @return a socket that the caller closes; < 0: failed, with a reason in @p
 * why */
static int connect_to(const char *where, char why[TEXT_MAX])
{
    struct mf_endpoint to = {0};
    struct sockaddr_un path = {.sun_family = AF_UNIX};
    const bool local = strncmp(where, "unix:", 5) == 0;
    char reason[MF_REASON_MAX];
    if (!local && (mf_endpoint_parse(&to, MF_PORT_TCP_CLIENT, where, reason) != MF_E_OK ||
                   mf_endpoint_resolve(&to, reason) != MF_E_OK)) {
        (void)snprintf(why, TEXT_MAX, "%.200s", reason);
        return -1;
    }
    (void)snprintf(path.sun_path, sizeof path.sun_path, "%s", local ? where + 5 : "");
    const int fd = socket(local ? AF_UNIX : to.addr.in.sin_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const struct sockaddr *address =
        local ? (const struct sockaddr *)&path : (const struct sockaddr *)&to.addr.in;
    if (fd >= 0 && connect(fd, address, local ? (socklen_t)sizeof path : to.addr.len) == 0) {
        return fd;
    }
    (void)snprintf(why, TEXT_MAX, "%s", strerror(errno));
    if (fd >= 0) {
        (void)close(fd);
    }
    return -1;
}

/* Introduce the program as an observer to the bus. @return true: the whole message was sent */
static bool say_hello(int fd, const char *token)
{
    static struct mf_bus_writer s_writer; /* too large for the stack */
    mf_bus_begin(&s_writer, MF_BUS_HELLO, 0, 0);
    mf_bus_put_u(&s_writer, MF_BUS_OBSERVER, 1);
    mf_bus_put_text(&s_writer, "mayfly-view", MF_BUS_NAME_MAX, true);
    mf_bus_put_text(&s_writer, token, MF_BUS_TOKEN_MAX, false);
    mf_bus_end(&s_writer);
    return send(fd, s_writer.bytes, s_writer.n, MSG_NOSIGNAL) == (ssize_t)s_writer.n &&
           fcntl(fd, F_SETFL, O_NONBLOCK) == 0;
}

/* Serve the page until a signal or the end of the run. @param fd  socket of the bus; -1: @p
 * recording is shown @return exit code of the program */
static int serve_page(const struct options *o, int fd, struct view_recording *recording)
{
    char url[TEXT_MAX], error[TEXT_MAX];
    struct swarm_page_server *s =
        swarm_page_server_open(o->listen, fd, -1, url, sizeof url, error, sizeof error);
    if (s == NULL) {
        return fail(o->listen, error);
    }
    if (recording != NULL) {
        view_recording_serve(recording, s);
    }
    (void)fprintf(stderr, "mayfly-view: %s: %s\n", url, recording != NULL ? "recording" : "live");
    swarm_page_server_run(s, &s_stop);
    const bool refused = swarm_page_server_error(s, error, sizeof error);
    swarm_page_server_close(s);
    return refused ? fail(o->from, error) : EXIT_SUCCESS;
}

static int serve_recording(const struct options *o)
{
    const char *why;
    struct view_recording *r = view_recording_open(o->file, &why);
    if (r == NULL) {
        return fail(o->file, why);
    }
    if (view_recording_is_cut(r)) {
        (void)fprintf(stderr, "mayfly-view: %s: its last frame is not whole\n", o->file);
    }
    const int result = serve_page(o, -1, r);
    view_recording_close(r);
    return result;
}

int main(int argc, char **argv)
{
    struct options o;
    char why[TEXT_MAX] = "";
    mf_output_judge_stdout("mayfly-view");
    const int wrong = read_options(&o, argc, argv);
    if (wrong >= 0) {
        return wrong;
    }
    (void)signal(SIGINT, on_signal);
    (void)signal(SIGTERM, on_signal);
    if (o.file != NULL) {
        return serve_recording(&o);
    }
    const int fd = connect_to(o.from, why);
    if (fd < 0) {
        return fail(o.from, why);
    }
    const int result =
        say_hello(fd, o.token) ? serve_page(&o, fd, NULL) : fail(o.from, "it does not read");
    (void)close(fd);
    return result;
}
