/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mayfly-body: a quadrotor with motors for an autopilot that is not Mayfly's, over ArduPilot's JSON
 * interface, or over gzuav's ticks. Options and exit codes: usage text below.
 */
#include "fleet/foreign.h"
#include "fleet/foreign_ac.h"
#include "hal-posix/door.h"
#include "hal-posix/local_socket.h"
#include "host/base/output.h"
#include "host/base/value.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define EXIT_WRONG_USE 2
#define PORT_FIRST     9002 /* ArduPilot's, and 10 more for each instance */
#define PORT_EACH      10u
#define HOME           "47.397742,8.545594,488" /* that of Mayfly's drones; any other will do */
#define WAIT_MS        200                      /* a signal may come before a call that waits */

static const char k_usage[] =
    "usage: mayfly-body [--KEY VALUE ...]\n"
    "\n"
    "A quadrotor with motors. An autopilot steers it over ArduPilot's JSON interface (UDP):\n"
    "  arducopter --model JSON:127.0.0.1 --home " HOME ",0 --serial0 tcp:0\n"
    "The autopilot's frames are the time: each is 1 / frame_rate of it. One that is patched for\n"
    "gzuav connects to the socket of --ac instead, and gets a tick of time after each answer.\n"
    "\n";

struct options {
    struct mf_foreign_settings body;
    double instance, port, ac_rate_hz, seed;
    const char *bind, *ac, *trace;
};

static struct options s_options = {
    .body = {.mass_kg = 3.0, .gust_time_s = 5.0},
    .seed = 1.0,
    .bind = "127.0.0.1",
    .ac_rate_hz = 1000.0,
};

#define NUMBER(name, field, min, max, help)          \
    {                                                \
        name, &s_options.field, NULL, min, max, help \
    }
#define TEXT(name, field, help)                      \
    {                                                \
        name, NULL, &s_options.field, 0.0, 0.0, help \
    }
static const struct {
    const char *name;
    double *number;
    const char **text;
    double min, max;
    const char *help;
} k_option[] = {
    NUMBER("instance", instance, 0, 1000,
           "number of this one of several: the port is 9002 + 10 x instance"),
    NUMBER("port", port, 0, 65535, "UDP port, if it is not 0; then instance does not count"),
    TEXT("bind", bind, "IPv4 address to listen on"),
    TEXT("ac", ac,
         "file: a local socket for an autopilot that speaks gzuav's ticks, instead of UDP"),
    NUMBER("ac-rate", ac_rate_hz, 11, 10000, "ticks a second"),
    NUMBER("yaw", body.yaw_deg, -360, 360, "heading at the start [deg from north]"),
    NUMBER("mass", body.mass_kg, 0.1, 100, "mass, with which inertia and thrust grow [kg]"),
    NUMBER("wind-speed", body.wind_mps, 0, 40, "mean wind [m/s]"),
    NUMBER("wind-direction", body.wind_from_deg, -360, 360, "direction from which it blows [deg]"),
    NUMBER("wind-gusts", body.gusts_mps, 0, 20,
           "standard deviation of gusts, north and east [m/s]"),
    NUMBER("wind-gust-time", body.gust_time_s, 0.1, 1000, "correlation time of gusts [s]"),
    NUMBER("noise-gyro", body.gyro_rps, 0, 10, "standard deviation of a gyroscope [rad/s]"),
    NUMBER("noise-accel", body.accel_mps2, 0, 100,
           "standard deviation of an accelerometer [m/s^2]"),
    NUMBER("seed", seed, 0, 9e15, "of gusts and noise: equal seeds, equal runs"),
    TEXT("trace", trace, "file: every answer, so that equal runs are equal bytes"),
};
#define OPTIONS (sizeof k_option / sizeof k_option[0])

static int tell_usage(void)
{
    fputs(k_usage, stdout);
    for (size_t i = 0; i < OPTIONS; i++) {
        printf("  --%-16s %s", k_option[i].name, k_option[i].help);
        if (k_option[i].number != NULL) {
            printf("; %g\n", *k_option[i].number);
        } else {
            printf("; %s\n", *k_option[i].text != NULL ? *k_option[i].text : "none");
        }
    }
    puts("\nExit codes: 0 ended by a signal, 1 it cannot listen or write, 2 wrong usage.");
    return 0;
}

static int set_option(const char *name, const char *value)
{
    struct mf_nearest nearest = {.word = name};
    for (size_t i = 0; i < OPTIONS; i++) {
        if (strcmp(name, k_option[i].name) != 0) {
            mf_nearest_try(&nearest, k_option[i].name);
            continue;
        }
        if (value == NULL) {
            fprintf(stderr, "mayfly-body: --%s needs a value\n", name);
            return EXIT_WRONG_USE;
        }
        if (k_option[i].text != NULL) {
            *k_option[i].text = value;
            return 0;
        }
        double number;
        const char *end = mf_value_number(value, &number);
        if (end == NULL || *end != '\0' ||
            !(number >= k_option[i].min && number <= k_option[i].max)) {
            fprintf(stderr, "mayfly-body: --%s must be a number from %g to %g, not '%s'\n", name,
                    k_option[i].min, k_option[i].max, value);
            return EXIT_WRONG_USE;
        }
        *k_option[i].number = number;
        return 0;
    }
    fprintf(stderr, "mayfly-body: unknown option --%s%s%s%s; --help lists them\n", name,
            nearest.best != NULL ? " (did you mean --" : "",
            nearest.best != NULL ? nearest.best : "", nearest.best != NULL ? "?)" : "");
    return EXIT_WRONG_USE;
}

/* @return 0; an exit code; -1: the user wanted to know */
static int read_options(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char name[32];
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            (void)tell_usage();
            return -1;
        }
        const char *equals = strchr(argv[i], '=');
        const size_t length = equals != NULL ? (size_t)(equals - argv[i]) : strlen(argv[i]);
        if (strncmp(argv[i], "--", 2) != 0 || length - 2 >= sizeof name) {
            fprintf(stderr, "mayfly-body: '%s' is not an option; --help lists them\n", argv[i]);
            return EXIT_WRONG_USE;
        }
        memcpy(name, argv[i] + 2, length - 2);
        name[length - 2] = '\0';
        const char *value = equals != NULL ? equals + 1 : i + 1 < argc ? argv[++i] : NULL;
        const int wrong = set_option(name, value);
        if (wrong != 0) {
            return wrong;
        }
    }
    return 0;
}

static volatile sig_atomic_t s_stop;

static void on_signal(int number)
{
    (void)number;
    s_stop = 1;
}

/* @return a socket, or -1 after printing why */
static int listen_at(const char *address, unsigned port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    if (inet_pton(AF_INET, address, &at.sin_addr) != 1) {
        fprintf(stderr, "mayfly-body: --bind must be an IPv4 address, not '%s'\n", address);
        return -1;
    }
    const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const struct timeval patience = {.tv_usec = 1000 * WAIT_MS};
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) != 0) {
        fprintf(stderr,
                "mayfly-body: cannot listen on %s:%u: %s; take another --instance or --port\n",
                address, port, strerror(errno));
        if (fd >= 0) {
            (void)close(fd);
        }
        return -1;
    }
    return fd;
}

/* Says once what was wrong with a datagram. */
static void refuse(const char *why, uint64_t *refused)
{
    if (++*refused == 1) {
        fprintf(stderr, "mayfly-body: a datagram was refused, %s; later ones are only counted\n",
                why);
    }
}

/* Until a signal. @return exit code */
static int serve_json(int fd, FILE *trace)
{
    static struct mf_foreign body;
    uint64_t refused = 0;
    uint64_t restarts = 0;
    mf_foreign_begin(&body, &s_options.body);
    while (!s_stop) {
        uint8_t datagram[128];
        struct sockaddr_in from;
        socklen_t size = sizeof from;
        const ssize_t got =
            recvfrom(fd, datagram, sizeof datagram, 0, (struct sockaddr *)&from, &size);
        if (got < 0) {
            continue; /* silence, a signal, or the last answer did not reach a listener */
        }
        struct mf_foreign_pulses pulses;
        const char *wrong = mf_foreign_pulses_read(datagram, (size_t)got, &pulses);
        if (wrong != NULL) {
            refuse(wrong, &refused);
            continue;
        }
        char line[MF_FOREIGN_LINE_MAX];
        const enum mf_foreign_took took = mf_foreign_take(&body, &pulses);
        const size_t length = mf_foreign_state_write(&body.state, line);
        restarts += took == MF_FOREIGN_RESTARTED;
        (void)sendto(fd, line, length, 0, (struct sockaddr *)&from, size);
        if (trace != NULL && took != MF_FOREIGN_REPEATED &&
            fwrite(line + 1, 1, length - 1, trace) != length - 1) {
            fprintf(stderr, "mayfly-body: cannot write the trace: %s\n", strerror(errno));
            return 1;
        }
    }
    fprintf(stderr,
            "mayfly-body: %llu frames, %.3f s since the last start, %llu restarts, %llu datagrams "
            "refused\n",
            (unsigned long long)body.frames, body.state.time_s, (unsigned long long)restarts,
            (unsigned long long)refused);
    return 0;
}

/* ---- gzuav's ticks */

static struct mf_local_socket s_local = {.fd = -1};

/* @return the socket of s_local, or -1 after a line on stderr */
static int listen_locally(const char *path)
{
    char why[MF_LOCAL_WHY_MAX];
    if (!mf_local_listen(&s_local, path, SOCK_SEQPACKET, MF_DOOR_BACKLOG, 0600, why)) {
        fprintf(stderr, "mayfly-body: cannot listen at %s: %s\n", path, why);
    }
    return s_local.fd;
}

/* The next packet. @return its bytes; 0: the autopilot has gone, or a signal has come */
static size_t receive(int fd, void *packet, size_t most)
{
    ssize_t got = -1;
    while (!s_stop && got < 0) {
        got = recv(fd, packet, most, 0);
        if (got < 0 && errno != EAGAIN && errno != EINTR) {
            return 0;
        }
    }
    return got > 0 ? (size_t)got : 0;
}

/* Ticks until the autopilot has gone. @return false: the trace takes nothing */
static bool tick(int fd, struct mf_foreign *body, FILE *trace)
{
    struct mf_foreign_pulses pulses = {.frame_rate_hz = (uint16_t)s_options.ac_rate_hz};
    uint8_t begin[MF_FOREIGN_AC_BEGIN], end[MF_FOREIGN_AC_END + 1u];
    float motors[MF_FOREIGN_AC_MOTORS];
    for (;;) {
        mf_foreign_ac_begin_write(&body->state, begin);
        if (trace != NULL && fwrite(begin, 1, sizeof begin, trace) != sizeof begin) {
            fprintf(stderr, "mayfly-body: cannot write the trace: %s\n", strerror(errno));
            return false;
        }
        if (send(fd, begin, sizeof begin, MSG_NOSIGNAL) != (ssize_t)sizeof begin) {
            return true;
        }
        const size_t got = receive(fd, end, sizeof end);
        const char *wrong = got > 0 ? mf_foreign_ac_end_read(end, got, motors) : NULL;
        if (wrong != NULL) {
            fprintf(stderr,
                    "mayfly-body: the autopilot is disconnected: a packet was refused, %s\n",
                    wrong);
        }
        if (got == 0 || wrong != NULL) {
            return true;
        }
        pulses = mf_foreign_ac_pulses(motors, pulses.frame_rate_hz, pulses.frame_count + 1u);
        (void)mf_foreign_take(body, &pulses);
    }
}

/* A packet, whatever it is. */
static size_t name_length(const uint8_t *bytes, size_t n)
{
    (void)bytes, (void)n;
    return 1;
}

/* @param ctx  the autopilot that is next; < 0: none so far */
static enum mf_door_verdict enter(void *ctx, int fd)
{
    int *next = ctx;
    if (*next >= 0) {
        return MF_DOOR_LATER;
    }
    *next = fd;
    return MF_DOOR_TAKEN;
}

static void print_text(void *ctx, const char *text)
{
    (void)ctx;
    fprintf(stderr, "mayfly-body: %s\n", text);
}

/* @return false: the trace takes nothing */
static bool serve_autopilot(int fd, FILE *trace)
{
    static struct mf_foreign body;
    char packet[128], name[sizeof packet + 1u];
    const struct timeval patience = {.tv_usec = 1000 * WAIT_MS};
    (void)fcntl(fd, F_SETFL, 0); /* it blocks from now on */
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    mf_foreign_ac_name(packet, receive(fd, packet, sizeof packet), name, sizeof name);
    mf_foreign_begin(&body, &s_options.body);
    fprintf(stderr, "mayfly-body: autopilot '%s' has connected\n", name);
    const bool good = tick(fd, &body, trace);
    fprintf(stderr, "mayfly-body: autopilot '%s' has disconnected after %.3f s\n", name,
            body.state.time_s);
    (void)close(fd);
    return good;
}

/* Serve one autopilot after the other, each with the body at its start. @return exit code */
static int serve_ticks(int listener, FILE *trace)
{
    static const struct mf_door_ops k_ops = {name_length, enter, print_text};
    struct mf_door door;
    int next = -1, code = 0;
    mf_door_open(&door, listener, &k_ops, &next);
    while (!s_stop && code == 0) {
        struct pollfd all[MF_DOOR_POLL_MAX];
        (void)poll(all, mf_door_poll(&door, all), mf_door_wait_ms(&door, WAIT_MS));
        mf_door_look(&door);
        if (next >= 0) {
            code = serve_autopilot(next, trace) ? 0 : 1;
            next = -1;
        }
    }
    mf_door_close(&door);
    return code;
}

static void close_door(int fd)
{
    if (fd == s_local.fd) {
        mf_local_close(&s_local);
    } else {
        (void)close(fd);
    }
}

/* Print where the body listens, and the command of an ArduCopter that flies it. */
static void print_door(unsigned port)
{
    const struct options *o = &s_options;
    char instance[16] = "";
    fprintf(stderr, "mayfly-body: a quadrotor of %g kg listens ", o->body.mass_kg);
    if (o->ac != NULL) {
        fprintf(stderr, "at %s (gzuav's ticks)\n", o->ac);
        return;
    }
    if (port >= PORT_FIRST && (port - PORT_FIRST) % PORT_EACH == 0) {
        (void)snprintf(instance, sizeof instance, " -I%u", (port - PORT_FIRST) / PORT_EACH);
    }
    fprintf(stderr,
            "on %s:%u (UDP, ArduPilot's JSON): arducopter --model JSON:%s%s --home " HOME ",%g "
            "--serial0 tcp:0\n",
            o->bind, port, o->bind, instance, o->body.yaw_deg);
}

int main(int argc, char **argv)
{
    mf_output_judge_stdout("mayfly-body");
    const int wrong = read_options(argc, argv);
    if (wrong != 0) {
        return wrong < 0 ? 0 : wrong;
    }
    s_options.body.seed = (struct mf_seed){(uint64_t)s_options.seed, 1};
    const struct sigaction action = {.sa_handler = on_signal}; /* system calls are not restarted */
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    const unsigned port = s_options.port > 0.0
                              ? (unsigned)s_options.port
                              : PORT_FIRST + PORT_EACH * (unsigned)s_options.instance;
    const int fd =
        s_options.ac != NULL ? listen_locally(s_options.ac) : listen_at(s_options.bind, port);
    if (fd < 0) {
        return 1;
    }
    const char *why = "";
    FILE *trace = s_options.trace != NULL ? mf_output_stream(s_options.trace, &why) : NULL;
    if (s_options.trace != NULL && trace == NULL) {
        fprintf(stderr, "mayfly-body: cannot write %s: %s\n", s_options.trace, why);
        close_door(fd);
        return 1;
    }
    print_door(port);
    int code = s_options.ac != NULL ? serve_ticks(fd, trace) : serve_json(fd, trace);
    if (trace != NULL && fclose(trace) != 0 && code == 0) {
        fprintf(stderr, "mayfly-body: cannot write the trace: %s\n", strerror(errno));
        code = 1;
    }
    close_door(fd);
    return code;
}
