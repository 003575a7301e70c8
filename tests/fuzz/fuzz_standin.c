/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes what services of tools/ read of requests, by the first byte: 'V' volumes of airspace, 'U'
 * the path of a request, otherwise reports of an instance. An answer is JSON; a path that was
 * decoded holds no NUL that was not there.
 */
#include "tests/fuzz/fuzz.h"
#include "tools/standin/monitor.h"
#include "tools/web/path.h"

#include <string.h>

#define TEXT_MAX 16384u

static struct standin_monitor s_monitor;

static void fuzz_volumes(const char *text)
{
    static struct standin_volumes s_volumes;
    char error[200] = "";
    if (!standin_volumes_parse(text, &s_volumes, error, sizeof error)) {
        check(error[0] != '\0' && strlen(error) < sizeof error);
        return;
    }
    check(s_volumes.count > 0 && s_volumes.count <= STANDIN_VOLUMES_MAX);
    for (unsigned i = 0; i < s_volumes.count; i++) {
        const struct standin_volume *v = &s_volumes.volume[i];
        const struct mf_geo place = v->corners > 0 ? v->corner[0] : v->center;
        check(v->corners <= STANDIN_CORNERS_MAX && v->lower_m <= v->upper_m);
        (void)standin_volumes_hold(&s_volumes, place, v->lower_m);
    }
    s_monitor.volumes = s_volumes;
}

static void fuzz_reports(const char *text)
{
    const char *why = NULL;
    s_monitor.count = text[0] % 2 == 0 ? 0 : s_monitor.count;
    json_t *answer = standin_monitor_take(&s_monitor, "instance", text, &why);
    check((answer == NULL) == (why != NULL));
    json_decref(answer);
    answer = standin_monitor_list(&s_monitor);
    check(json_array_size(json_object_get(answer, "instances")) <= 1);
    json_decref(answer);
}

static void fuzz_path(char *text)
{
    static const char *const k_pattern[] = {"/v1/instances", "/v1/instances/{id}",
                                            "/v1/instances/{id}/drone", "{any}", ""};
    const size_t before = strlen(text), after = web_unescape(text);
    check(after <= before && strlen(text) == after);
    for (size_t i = 0; i < sizeof k_pattern / sizeof k_pattern[0]; i++) {
        const char *part = NULL;
        size_t n = 0;
        if (web_path_fits(k_pattern[i], text, &part, &n) && part != NULL) {
            check(n > 0 && part >= text && part + n <= text + after);
            check(memchr(part, '/', n) == NULL);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char s_text[TEXT_MAX];
    static bool s_begun;
    if (size < 2 || size > TEXT_MAX) {
        return 0;
    }
    if (!s_begun) {
        check(pthread_mutex_init(&s_monitor.lock, NULL) == 0);
        s_begun = true;
    }
    memcpy(s_text, data + 1, size - 1);
    s_text[size - 1] = '\0';
    if (data[0] == 'V') {
        fuzz_volumes(s_text);
    } else if (data[0] == 'U') {
        fuzz_path(s_text);
    } else {
        fuzz_reports(s_text);
    }
    return 0;
}
