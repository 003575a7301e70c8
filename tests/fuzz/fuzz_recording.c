/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes what replay reads, by the first byte: 'S' the story that conform writes; 'F' a recording
 * as a file; otherwise records (fuzz_recorded.h). A recording is read as a flight, as a log, and
 * side by side with another one.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_recorded.h"
#include "tools/replay/compare.h"
#include "tools/replay/html.h"
#include "tools/replay/tlog.h"

#include <string.h>

#define SIZE_MAX_HERE 16384u

static struct replay_source s_source, s_other;
static FILE *s_null; /* takes what is written */

static FILE *begin(struct replay_source *source, uint8_t *bytes, size_t n)
{
    FILE *file = fmemopen(bytes, n, "rb");
    check(file != NULL);
    replay_source_init(source, "fuzz", file);
    return file;
}

static void check_story(struct replay_story *story)
{
    const struct replay_about about = {.name = "fuzz", .truth = true};
    size_t first = 0;
    replay_story_thin(story, 64, 16);
    for (size_t i = 0; i < story->chapters; i++) {
        const struct replay_chapter *c = &story->chapter[i];
        check(c->first == first && c->first + c->instants <= story->instants);
        check(c->first_figures + c->figures <= story->figures);
        check(c->text + c->length <= story->length);
        first += c->instants;
    }
    check(replay_html(story, &about, s_null));
}

static void read_story(uint8_t *bytes, size_t n)
{
    struct replay_story story;
    FILE *in = fmemopen(bytes, n, "rb");
    check(in != NULL && replay_story_read(&story, in));
    (void)fclose(in);
    check_story(&story);
    replay_story_free(&story);
}

static void read_flight(uint8_t *bytes, size_t n, uint16_t link)
{
    struct replay_flight flight;
    struct replay_story story;
    FILE *file = begin(&s_source, bytes, n);
    check(replay_flight_read(&flight, &s_source, link));
    check(s_source.state != MF_RECORDING_RECORD && s_source.reader.at <= n);
    check(s_source.state != MF_RECORDING_DAMAGED || s_source.reader.error[0] != '\0');
    (void)fclose(file);
    for (size_t i = 0; i < flight.events; i++) {
        char text[REPLAY_EVENT_TEXT_MAX];
        replay_event_text(&flight.event[i], text);
    }
    check(replay_json(&flight, s_null) && replay_kml(&flight, s_null));
    check(replay_story_heard(&story, &flight));
    check_story(&story);
    replay_story_free(&story);
    replay_flight_free(&flight);
}

static void read_log(uint8_t *bytes, size_t n, uint16_t link)
{
    FILE *file = begin(&s_source, bytes, n);
    check(replay_tlog(&s_source, link, s_null) >= 0);
    (void)fclose(file);
}

static void compare(uint8_t *a, size_t a_n, uint8_t *b, size_t b_n)
{
    char report[REPLAY_REPORT_MAX] = "";
    FILE *one = begin(&s_source, a, a_n), *other = begin(&s_other, b, b_n);
    const enum replay_verdict verdict = replay_compare(&s_source, &s_other, report);
    check(memchr(report, '\0', sizeof report) != NULL);
    check(verdict == REPLAY_EQUAL || report[0] != '\0');
    (void)fclose(one);
    (void)fclose(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t s_bytes[FUZZ_RECORDED_BYTES(SIZE_MAX_HERE)],
        s_half[FUZZ_RECORDED_BYTES(SIZE_MAX_HERE)];
    if (size < 2 || size > SIZE_MAX_HERE) {
        return 0;
    }
    s_null = s_null != NULL ? s_null : fopen("/dev/null", "we");
    check(s_null != NULL);
    const bool file = data[0] == 'F';
    if (file || data[0] == 'S') {
        memcpy(s_bytes, data + 1, size - 1);
    }
    if (data[0] == 'S') {
        read_story(s_bytes, size - 1);
        return 0;
    }
    const uint16_t link = data[0] % 3u;
    const size_t n = file ? size - 1 : fuzz_recorded(data + 1, size - 1, s_bytes);
    const size_t half = file ? n / 2 + 1 : fuzz_recorded(data + 1, size / 2, s_half);
    if (file) {
        memcpy(s_half, s_bytes, half);
    }
    read_flight(s_bytes, n, link);
    read_log(s_bytes, n, link);
    compare(s_bytes, n, s_half, half < n ? half : n);
    if (!file && size > 3) { /* one that differs somewhere */
        s_half[8 + (size - 1) % (n - 8)] ^= 1u;
        compare(s_bytes, n, s_half, half < n ? half : n);
        const size_t other = fuzz_recorded(data + size / 2, size - size / 2, s_half);
        compare(s_bytes, n, s_half, other);
    }
    return 0;
}
