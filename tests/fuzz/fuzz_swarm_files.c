/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes files and words that users give to mayfly-swarm with a scenario. The first byte chooses:
 * results and figures of a sweep's runs, which are merged; the scenarios of a folder, and what a
 * person answers; a checkpoint to resume; a query of members, an id, --set and --variation; a table
 * of detections; the arguments of the command line. A refusal has an error of one line.
 */
#include "boards/swarm/program/command.h"
#include "boards/swarm/program/menu.h"
#include "boards/swarm/program/sweep.h"
#include "boards/swarm/time/checkpoint.h"
#include "fleet/detection.h"
#include "fleet/query.h"
#include "tests/fuzz/fuzz_swarm.h"

#include <fcntl.h>
#include <getopt.h>
#include <sys/stat.h>

#define RUNS      2u
#define FILES     2u /* of a run: its result, and its figures */
#define WORDS_MAX 16u
#define PATH_MAX_ 128u

static const char k_sweep[] =
    "{swarm: 1, time: {step: 0.5, end: 1}, "
    "space: {boundary: [[0, 0], [100, 0], [100, 100], [0, 100]], station: [0, 0, 0]}, "
    "entities: [{name: u, as: agent, place: station, seeks: shark, "
    "camera: {fps: 2, lateral: 0.785, horizontal: 0.785}, body: {kind: thrust, mass: 2, "
    "area: 0.1, up: 40, down: 0, forward: 40, backward: 5, left: 40, right: 40}}, "
    "{name: shark, count: 2, thing: object, speed: 1, place: boundary}], "
    "plan: {kind: bcd, altitude: 30, speed: 20}, detection: {model: uavsim, balance: 30}, "
    "outputs: {stats: stats.csv}, sweep: {for: {seed: [1, 2], plan.speed: [10, 20]}}}";
static const char k_members[] =
    "{swarm: 1, time: {clock: fast, end: 1}, entities: [{name: v, count: 2}, "
    "{name: walker, count: 3, as: agent, radio: cc2420, sensors: [{kind: range, rate: 1}], "
    "behaviour: {kind: walk, rate: 5, speed_max: 2, height: 10}}, "
    "{name: rock, thing: object}], variations: {one: {seed: 7}, two: {entities.0.count: 3}}}";

/* Take the next piece: a byte with its length, and its bytes. */
static size_t next_piece(const uint8_t **at, size_t *size, const uint8_t **piece)
{
    const size_t left = *size > 0 ? *size - 1u : 0;
    const size_t n = *size > 0 && (*at)[0] < left ? (*at)[0] : left;
    *piece = *size > 0 ? *at + 1 : *at;
    *at = *piece + n;
    *size = left - n;
    return n;
}

/* Both runs have finished: the sweep is merged. */
static void merge(const uint8_t *data, size_t size)
{
    static const char *const k_file[FILES] = {"result.csv", "stats.csv"};
    char path[PATH_MAX_], out[PATH_MAX_];
    struct swarm *w = fuzz_swarm_begin(k_sweep, NULL);
    (void)snprintf(out, sizeof out, "%s/out", s_folder);
    (void)mkdir(out, 0777);
    for (unsigned run = 0; run < 2u * RUNS; run++) {
        (void)snprintf(path, sizeof path, "%s/run-%05u", out, run);
        (void)mkdir(path, 0777);
        for (size_t k = 0; k < FILES; k++) {
            const uint8_t *piece;
            const size_t n = next_piece(&data, &size, &piece);
            (void)snprintf(path, sizeof path, "%s/run-%05u/%s", out, run, k_file[k]);
            fuzz_write(path, piece, n);
        }
    }
    s_swarm.command.out = out;
    s_swarm.command.sweep = s_swarm.command.merge = true;
    check(swarm_file_set_bytes(w, "fuzz.yaml", k_sweep, sizeof k_sweep - 1u));
    const int lock = dup(STDIN_FILENO); /* the descriptor that locks the folder is the next one */
    check(lock >= 0 && close(lock) == 0);
    const int result = swarm_sweep(w, &s_swarm.command, &s_swarm.stop);
    (void)close(lock);
    check(memchr(w->error, '\0', sizeof w->error) != NULL);
    check(result != SWARM_INPUT || (w->error[0] != '\0' && strchr(w->error, '\n') == NULL));
    swarm_files_free(w);
    fuzz_swarm_end();
}

static void choose(const uint8_t *data, size_t size)
{
    char path[PATH_MAX_], folder[PATH_MAX_], file[MF_SCENARIO_FILE_MAX];
    const uint8_t *piece;
    fuzz_swarm_prepare();
    (void)snprintf(folder, sizeof folder, "%s/menu", s_folder);
    (void)mkdir(folder, 0777);
    size_t n = next_piece(&data, &size, &piece);
    (void)snprintf(path, sizeof path, "%s/a.yaml", folder);
    fuzz_write(path, piece, n);
    n = next_piece(&data, &size, &piece);
    fuzz_stdin(piece, n);
    check(swarm_menu(folder, file) != SWARM_OK || strcmp(file, path) == 0);
}

static void resume(const uint8_t *data, size_t size)
{
    char path[PATH_MAX_];
    fuzz_swarm_prepare();
    (void)snprintf(path, sizeof path, "%s/checkpoint", s_folder);
    fuzz_write(path, data, size);
    struct swarm *w = fuzz_swarm_begin(k_members, NULL);
    s_swarm.command.resume = path;
    swarm_checkpoint_set_key(w);
    check(fuzz_swarm_fly() == SWARM_INPUT); /* an input cannot guess the sum of the program */
    (void)unlink(path);
}

/* Words of a query as the control API reads them, and ids: who is found is a member. */
static void ask(const uint8_t *data, size_t size)
{
    char id[256];
    const uint8_t *piece;
    const struct swarm *w = fuzz_swarm_begin(k_members, NULL);
    const struct mf_scenario *s = w->scenario;
    struct mf_query q = mf_query_all();
    for (int key = 0; key < MF_QUERY_KEYS; key++) {
        const size_t n = next_piece(&data, &size, &piece);
        const bool known = mf_query_want(&q, (enum mf_query_key)key, (const char *)piece, n);
        check(known == (q.want[key] >= 0));
    }
    for (uint32_t i = 0, last = 0; (i = mf_query_next(s, &q, i)) < s->members; i++) {
        check(i >= last);
        last = i;
    }
    const size_t n = next_piece(&data, &size, &piece);
    memcpy(id, piece, n);
    id[n] = '\0';
    check(mf_query_id(s, id) <= s->members);
    fuzz_swarm_end();
}

/* --set KEY=VALUE, and --variation. */
static void given(const uint8_t *data, size_t size)
{
    static struct mf_scenario s_scenario;
    static char s_text[2][256];
    const uint8_t *piece;
    char error[MF_KEYS_ERROR_MAX] = "";
    for (size_t k = 0; k < 2; k++) {
        const size_t n = next_piece(&data, &size, &piece);
        memcpy(s_text[k], piece, n);
        s_text[k][n] = '\0';
    }
    const char *const set[] = {s_text[0]};
    const struct mf_scenario_given is = {
        .set = set, .sets = 1, .variation = s_text[1][0] != '\0' ? s_text[1] : NULL};
    const int result =
        mf_scenario_read("fuzz.yaml", k_members, sizeof k_members - 1u, &is, &s_scenario, error);
    check((result == MF_E_OK) == (error[0] == '\0') && strchr(error, '\n') == NULL);
    mf_scenario_free(&s_scenario);
}

static void detect(const uint8_t *data, size_t size)
{
    static struct mf_detection_table s_table;
    char *text = malloc(size + 1u), error[MF_DETECTION_ERROR_MAX] = "";
    check(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    const bool good = mf_detection_read(text, &s_table, error);
    check(good || (error[0] != '\0' && strchr(error, '\n') == NULL));
    for (size_t k = 0; good && k < MF_DETECTION_AXES; k++) {
        check(s_table.count[k] >= 1 && s_table.count[k] <= MF_DETECTION_AXIS_MAX);
    }
    free(text);
}

/* True for a word that is --help or --keys, perhaps cut: these end the program. */
static bool ends_program(const char *word)
{
    return strncmp(word, "--h", 3) == 0 || strncmp(word, "--k", 3) == 0;
}

/* Words of the command line, each a piece. */
static void command(const uint8_t *data, size_t size)
{
    static char s_text[WORDS_MAX][256];
    static char s_name[] = "mayfly-swarm";
    char *word[WORDS_MAX + 2u] = {s_name};
    struct swarm_command c;
    const uint8_t *piece;
    int words = 1;
    fuzz_swarm_prepare();
    while (size > 0 && words <= (int)WORDS_MAX) {
        const size_t n = next_piece(&data, &size, &piece);
        memcpy(s_text[words - 1], piece, n);
        s_text[words - 1][n] = '\0';
        word[words] = s_text[words - 1];
        if (ends_program(word[words++])) {
            return;
        }
    }
    optind = 0; /* resets the C library's state */
    (void)swarm_command_read(&c, words, word);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const k_read[])(const uint8_t *, size_t) = {merge, choose, resume, ask,
                                                              given, detect, command};
    if (size > 0) {
        k_read[data[0] % (sizeof k_read / sizeof k_read[0])](data + 1, size - 1u);
    }
    return 0;
}
