/* SPDX-License-Identifier: Apache-2.0 */
/* replay: flies recordings again, compares them, shows them to others. Usage text below. */
#include "tools/replay/compare.h"
#include "tools/replay/flight.h"
#include "tools/replay/serve.h"
#include "tools/replay/tlog.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_DIFFERENT 1
#define EXIT_BAD_INPUT 2
#define PATH_MAX_BYTES 4096u

static const char k_usage[] =
    "usage: replay [options] FILE\n"
    "\n"
    "Gives a recording (mayfly --record FILE) to a fresh vehicle and compares what it sends.\n"
    "Where they part, it tells time, link, message, field and both values.\n"
    "\n"
    "options\n"
    "  --conform PROGRAM  what flies it (conform, beside this program)\n"
    "  --geoid MODEL:FILE  a pack that it flew by, other than egm96; more than once for several\n"
    "  --terrain FILE     a pack of the ground that it flew over; the same\n"
    "  --compare OTHER    compare with another recording instead of flying it\n"
    "  --tlog OUT         write a telemetry log for MAVProxy or QGroundControl\n"
    "  --json OUT         write the flight: positions on and above WGS84, times, modes, events\n"
    "  --kml OUT          the same for Google Earth and others; above mean sea level, as it has "
    "it\n"
    "  --serve HOST:PORT  be the vehicle: send what it sent to TCP clients, as fast as it did\n"
    "  --speed X          with --serve: X times as fast (1)\n"
    "  --once             with --serve: end with the first client\n"
    "  --link N           with --tlog, --json, --kml, --serve: whose bytes (the link with most "
    "input)\n"
    "  --help\n"
    "\n"
    "exit codes: 0 equal, or written, or served; 1 different; 2 wrong usage or file\n";

#define PACKS_MAX 16u

struct options {
    char *pack[2u * PACKS_MAX]; /* for conform: an option and its value each */
    size_t packs;
    char *conform, *file;
    const char *compare, *tlog, *json, *kml, *serve;
    double speed;
    int link; /* -1: find it */
    bool once;
};

static int refuse(const char *what, const char *value)
{
    (void)fprintf(stderr, "replay: %s '%s'; --help lists the options\n", what, value);
    return EXIT_BAD_INPUT;
}

static bool add_pack(struct options *o, bool is_geoid)
{
    static char geoid[] = "--geoid", terrain[] = "--terrain";
    if (o->packs == PACKS_MAX) {
        return false;
    }
    o->pack[2 * o->packs] = is_geoid ? geoid : terrain;
    o->pack[2 * o->packs++ + 1] = optarg;
    return true;
}

/* @return 0, or an exit code; -1 after --help */
static int read_options(int argc, char **argv, struct options *o)
{
    /* clang-format off */
    static const struct option k_long[] = {
        {"conform", required_argument, NULL, 'c'}, {"geoid", required_argument, NULL, 'g'},
        {"compare", required_argument, NULL, 'd'}, {"tlog", required_argument, NULL, 't'},
        {"json", required_argument, NULL, 'j'},    {"kml", required_argument, NULL, 'k'},
        {"serve", required_argument, NULL, 's'},   {"speed", required_argument, NULL, 'x'},
        {"link", required_argument, NULL, 'l'},    {"terrain", required_argument, NULL, 'T'},
        {"once", no_argument, NULL, 'o'},          {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0},
    };
    /* clang-format on */
    char *end;
    *o = (struct options){.speed = 1.0, .link = -1};
    for (int c = getopt_long(argc, argv, "", k_long, NULL); c != -1;
         c = getopt_long(argc, argv, "", k_long, NULL)) {
        switch (c) {
        case 'c':
            o->conform = optarg;
            break;
        case 'g':
        case 'T':
            if (!add_pack(o, c == 'g')) {
                return refuse("too many packs:", optarg);
            }
            break;
        case 'd':
            o->compare = optarg;
            break;
        case 't':
            o->tlog = optarg;
            break;
        case 'j':
            o->json = optarg;
            break;
        case 'k':
            o->kml = optarg;
            break;
        case 's':
            o->serve = optarg;
            break;
        case 'o':
            o->once = true;
            break;
        case 'x':
            o->speed = strtod(optarg, &end);
            if (end == optarg || *end != '\0' || !(o->speed > 0.0 && o->speed <= 1e9)) {
                return refuse("not a speed:", optarg);
            }
            break;
        case 'l':
            o->link = (int)strtol(optarg, &end, 10);
            if (end == optarg || *end != '\0' || o->link < 0 || o->link >= (int)REPLAY_LINKS) {
                return refuse("not a link:", optarg);
            }
            break;
        case 'h':
            (void)fputs(k_usage, stdout);
            return -1;
        default:
            return EXIT_BAD_INPUT;
        }
    }
    if (optind != argc - 1) {
        (void)fputs(k_usage, stderr);
        return EXIT_BAD_INPUT;
    }
    o->file = argv[optind];
    return 0;
}

/* ---- compare */

static char s_report[REPLAY_REPORT_MAX]; /* what there is to say */

static int say(const char *name, enum replay_verdict verdict)
{
    if (verdict == REPLAY_UNREADABLE) {
        if (s_report[0] != '\0') {
            (void)fprintf(stderr, "replay: %s\n", s_report);
        }
        return EXIT_BAD_INPUT;
    }
    (void)printf("%s: %s\n", name, s_report);
    return verdict == REPLAY_EQUAL ? EXIT_SUCCESS : EXIT_DIFFERENT;
}

/* The verdict stands in s_report. */
static enum replay_verdict compare_with(const char *name, FILE *again, const char *again_name)
{
    static struct replay_source recorded, replayed;
    FILE *file = replay_open(name);
    if (file == NULL) {
        s_report[0] = '\0';
        return REPLAY_UNREADABLE;
    }
    replay_source_init(&recorded, name, file);
    replay_source_init(&replayed, again_name, again);
    enum replay_verdict verdict = replay_compare(&recorded, &replayed, s_report);
    (void)fclose(file);
    if (verdict == REPLAY_EQUAL && replay_complain(&recorded)) {
        s_report[0] = '\0';
        verdict = REPLAY_UNREADABLE;
    }
    return verdict;
}

/* ---- fly again */

/* The program beside this one. */
static char *beside(char *path)
{
    static const char k_name[] = "conform";
    const ssize_t n = readlink("/proc/self/exe", path, PATH_MAX_BYTES - sizeof k_name);
    path[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(path, '/');
    memcpy(slash != NULL ? slash + 1 : path, k_name, sizeof k_name);
    return path;
}

/* A conform that flies the recording: what it writes, and what it complains of. */
struct child {
    pid_t pid;
    FILE *out, *errors;
};

/* @return whether it runs */
static bool start_child(const struct options *o, char *program, struct child *child)
{
    int out_ends[2], error_ends[2];
    posix_spawn_file_actions_t actions;
    char quiet[] = "--quiet", out[] = "--out", here[] = "-";
    char *argv[6u + 2u * PACKS_MAX] = {program, quiet, out, here};
    size_t n = 4;
    for (size_t i = 0; i < 2 * o->packs; i++) {
        argv[n++] = o->pack[i];
    }
    argv[n] = o->file;
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
        return false;
    }
    child->out = fdopen(out_ends[0], "rb");
    child->errors = fdopen(error_ends[0], "r");
    return child->out != NULL && child->errors != NULL;
}

/* Why it did not fly the recording, in one line: the first one that it wrote, without its name. It
 * writes few, which the pipe holds while its records are read. */
static void say_why(const struct options *o, struct child *child)
{
    char line[1024] = "";
    if (fgets(line, sizeof line, child->errors) == NULL) {
        (void)snprintf(line, sizeof line, "cannot be flown by this build");
    }
    line[strcspn(line, "\n")] = '\0';
    const char *why = strstr(line, ": ");
    (void)fprintf(stderr, "replay: %s: %s\n", o->file, why != NULL ? why + 2 : line);
}

static int fly_again(const struct options *o)
{
    char path[PATH_MAX_BYTES];
    struct child child = {0};
    int status = 0;
    if (!replay_is_recording(o->file)) { /* conform takes scripts, too */
        return EXIT_BAD_INPUT;
    }
    if (!start_child(o, o->conform != NULL ? o->conform : beside(path), &child)) {
        return EXIT_BAD_INPUT;
    }
    const enum replay_verdict verdict = compare_with(o->file, child.out, "the replay");
    (void)fclose(child.out); /* it may still write, and dies of that */
    (void)waitpid(child.pid, &status, 0);
    const bool flown = (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
                       (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
    const bool refused = verdict != REPLAY_UNREADABLE && !flown;
    if (refused) {
        say_why(o, &child);
    }
    (void)fclose(child.errors);
    return refused ? EXIT_BAD_INPUT : say(o->file, verdict);
}

static int compare_files(const struct options *o)
{
    FILE *other = replay_open(o->compare);
    if (other == NULL) {
        return EXIT_BAD_INPUT;
    }
    const enum replay_verdict verdict = compare_with(o->file, other, o->compare);
    (void)fclose(other);
    return say(o->file, verdict);
}

/* ---- telemetry log */

static int write_tlog(const struct options *o, uint16_t link)
{
    static struct replay_source source;
    FILE *file = replay_open(o->file);
    FILE *out = file == NULL ? NULL : fopen(o->tlog, "wb");
    if (out == NULL) {
        if (file != NULL) {
            (void)fprintf(stderr, "replay: %s: %s\n", o->tlog, strerror(errno));
            (void)fclose(file);
        }
        return EXIT_BAD_INPUT;
    }
    replay_source_init(&source, o->file, file);
    const int64_t frames = replay_tlog(&source, link, out);
    const bool closed = fclose(out) == 0;
    (void)fclose(file);
    if (frames < 0 || !closed) {
        (void)fprintf(stderr, "replay: %s takes no more\n", o->tlog);
        return EXIT_BAD_INPUT;
    }
    (void)printf("%s: %lld frames of link %u (%s)\n", o->tlog, (long long)frames, link,
                 replay_link_name(&source, link));
    return replay_complain(&source) ? EXIT_BAD_INPUT : EXIT_SUCCESS;
}

/* ---- flight */

static bool write_flight(const char *name, const struct replay_flight *flight, uint16_t link,
                         bool (*write)(const struct replay_flight *flight, FILE *out))
{
    FILE *out = fopen(name, "wb");
    if (out == NULL) {
        (void)fprintf(stderr, "replay: %s: %s\n", name, strerror(errno));
        return false;
    }
    const bool written = write(flight, out);
    if (fclose(out) != 0 || !written) {
        (void)fprintf(stderr, "replay: %s takes no more\n", name);
        return false;
    }
    (void)printf("%s: %zu positions, %zu events of link %u (%s)\n", name, flight->samples,
                 flight->events, link, flight->link);
    return true;
}

static int export_flight(const struct options *o, uint16_t link)
{
    static struct replay_source source;
    static struct replay_flight flight;
    FILE *file = replay_open(o->file);
    if (file == NULL) {
        return EXIT_BAD_INPUT;
    }
    replay_source_init(&source, o->file, file);
    bool good = replay_flight_read(&flight, &source, link);
    (void)fclose(file);
    if (!good) {
        (void)fprintf(stderr, "replay: %s: not enough memory\n", o->file);
    }
    good = good && (o->json == NULL || write_flight(o->json, &flight, link, replay_json));
    good = good && (o->kml == NULL || write_flight(o->kml, &flight, link, replay_kml));
    replay_flight_free(&flight);
    return good && !replay_complain(&source) ? EXIT_SUCCESS : EXIT_BAD_INPUT;
}

/* What shows the flight as one of its links saw it. */
static int show(const struct options *o, uint16_t link)
{
    int result = EXIT_SUCCESS;
    if (o->json != NULL || o->kml != NULL) {
        result = export_flight(o, link);
    }
    if (o->tlog != NULL && result == EXIT_SUCCESS) {
        result = write_tlog(o, link);
    }
    if (o->serve != NULL && result == EXIT_SUCCESS) {
        result = replay_serve(o->serve, o->file, link, o->speed, o->once);
    }
    return result;
}

int main(int argc, char **argv)
{
    struct options o;
    const int result = read_options(argc, argv, &o);
    if (result != 0) {
        return result < 0 ? EXIT_SUCCESS : result;
    }
    if (o.tlog == NULL && o.json == NULL && o.kml == NULL && o.serve == NULL) {
        return o.compare != NULL ? compare_files(&o) : fly_again(&o);
    }
    const int link = replay_choose_link(o.file, o.link);
    return link < 0 ? EXIT_BAD_INPUT : show(&o, (uint16_t)link);
}
