/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/support/readers.h"

#include "fleet/listing.h"
#include "fleet/scenario.h"
#include "fleet/scenario_grid.h"
#include "host/base/json.h"
#include "host/base/json_view.h"
#include "host/config/config.h"
#include "host/spec/faultspec.h"
#include "host/spec/geoidspec.h"
#include "host/spec/keyfile.h"
#include "host/spec/misbehavespec.h"
#include "host/spec/paramfile.h"
#include "host/spec/plan.h"
#include "host/spec/qualityspec.h"
#include "host/time/time_line.h"
#include "tools/simctl/base/document.h"
#include "tools/simctl/base/template.h"
#include "tools/standin/monitor.h"
#include "tools/standin/volume.h"
#include "world/space_mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool read_config(const char *text, size_t n, char *error)
{
    static struct mf_config s_config;
    char path[32], program[] = "mayfly", flag[] = "--config";
    char *argv[] = {program, flag, path, NULL}, *env[] = {NULL};
    const int fd = memfd_create("config", 0);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const bool good = fd >= 0 && write(fd, text, n) == (ssize_t)n &&
                      mf_config_read(&s_config, 3, argv, env) == MF_E_OK;
    (void)snprintf(error, MF_READER_ERROR_MAX, "%s", s_config.error);
    (void)close(fd);
    return good;
}

static bool read_scenario(const char *text, size_t n, char *error)
{
    static struct mf_scenario s_scenario;
    const struct mf_scenario_given given = {.sets = 0};
    mf_scenario_free(&s_scenario);
    return mf_scenario_read("f", text, n, &given, &s_scenario, error) == MF_E_OK;
}

static bool read_set(const char *text, size_t n, char *error)
{
    static struct mf_scenario s_scenario;
    static char s_set[MF_HOSTILE_BYTES + 16u];
    static const char k_scenario[] = "title: x\nentities: [{name: a}]\n";
    const char *const sets[] = {s_set};
    const struct mf_scenario_given given = {.set = sets, .sets = 1};
    (void)snprintf(s_set, sizeof s_set, "title=%.*s", (int)n, text);
    mf_scenario_free(&s_scenario);
    return mf_scenario_read("f", k_scenario, strlen(k_scenario), &given, &s_scenario, error) ==
           MF_E_OK;
}

static bool read_variation(const char *text, size_t n, char *error)
{
    static struct mf_scenario s_scenario;
    const struct mf_scenario_given given = {.variation = "v"};
    mf_scenario_free(&s_scenario);
    return mf_scenario_read("f", text, n, &given, &s_scenario, error) == MF_E_OK;
}

static bool read_task(const char *text, size_t n, char *error)
{
    static struct mf_scenario_task s_task;
    return mf_scenario_task_read(text, n, &s_task, error);
}

static bool read_listing(const char *text, size_t n, char *error)
{
    const struct mf_listing_file file = {"f", text, n};
    char *yaml = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&yaml, &length);
    const bool good = to != NULL && mf_listing_convert(&file, 1, to, error) == MF_E_OK;
    if (to != NULL) {
        (void)fclose(to);
    }
    free(yaml);
    return good;
}

static bool read_template(const char *text, size_t n, char *error)
{
    struct web_error why = {0};
    struct simctl_template t;
    json_t *document = simctl_document_read("f", text, n, &why);
    const bool good = document != NULL && simctl_template_take(&t, "f", document, &why);
    (void)snprintf(error, MF_READER_ERROR_MAX, "%s", why.message);
    if (good) {
        simctl_template_free(&t);
    }
    return good;
}

static bool read_members(const char *text, size_t n, char *error)
{
    static struct mf_json_members s_members;
    const bool good = mf_json_read(&s_members, text, n);
    (void)snprintf(error, MF_READER_ERROR_MAX, "%s", s_members.error);
    return good;
}

/* As the API of a swarm does with lists of vehicles. */
static bool read_view(const char *text, size_t n, char *error)
{
    struct mf_json_view root;
    struct mf_json_mistake wrong = {0};
    const bool good = mf_json_view_check(text, n, &root, &wrong);
    if (good) {
        const struct mf_json_view list = mf_json_view_get(root, "vehicles");
        return mf_json_view_count(list) + mf_json_view_count(root) < n;
    }
    (void)snprintf(error, MF_READER_ERROR_MAX, "%u:%u: %s", wrong.line, wrong.column, wrong.what);
    return false;
}

static bool read_body(const char *text, size_t n, char *error)
{
    struct mf_json_mistake wrong = {0};
    json_error_t why = {.text = ""};
    const bool shallow = mf_json_nesting(text, n, &wrong);
    json_t *body = shallow ? json_loadb(text, n, JSON_REJECT_DUPLICATES, &why) : NULL;
    const bool good = body != NULL;
    (void)snprintf(error, MF_READER_ERROR_MAX, "%u:%u: %s", wrong.line, wrong.column,
                   shallow ? why.text : wrong.what);
    json_decref(body);
    return good;
}

static bool read_volumes(const char *text, size_t n, char *error)
{
    static struct standin_volumes s_volumes;
    (void)n;
    return standin_volumes_parse(text, &s_volumes, error, MF_READER_ERROR_MAX);
}

static bool read_plan(const char *text, size_t n, char *error)
{
    static struct mf_plan s_plan;
    return mf_plan_read(text, n, MF_PLAN_HOME_SEEN, &s_plan, error, MF_READER_ERROR_MAX) == MF_E_OK;
}

static bool read_params(const char *text, size_t n, char *error)
{
    struct mf_paramfile_entry entry;
    struct mf_paramfile file = mf_paramfile_begin(text, n);
    int result = 1;
    while (result == 1) {
        result = mf_paramfile_next(&file, &entry, error, MF_READER_ERROR_MAX);
    }
    return result == 0;
}

static bool read_fault(const char *text, size_t n, char *error)
{
    struct mf_fault_plan plan;
    return mf_fault_spec_parse(text, n, &plan, error) == MF_E_OK;
}

static bool read_geoid(const char *text, size_t n, char *error)
{
    struct mf_geoid_spec spec;
    (void)n;
    return mf_geoid_spec_parse(text, &spec, error) == MF_E_OK;
}

static bool read_rule(const char *text, size_t n, char *error)
{
    struct mf_rule rule;
    return mf_rule_spec_parse(text, n, &rule, error) == MF_E_OK;
}

static bool read_quality(const char *text, size_t n, char *error)
{
    struct mf_link_quality quality;
    (void)n;
    return mf_link_spec_parse(text, &quality, error) == MF_E_OK;
}

static bool read_key(const char *text, size_t n, char *error)
{
    uint8_t key[32];
    (void)snprintf(error, MF_READER_ERROR_MAX, "a key");
    return mf_keyfile_parse(text, n, key) == MF_E_OK;
}

static bool read_time_line(const char *text, size_t n, char *error)
{
    struct mf_time_command command;
    return mf_time_line_parse(&command, text, n, error) == MF_E_OK;
}

static bool read_mesh(const char *text, size_t n, char *error)
{
    static struct mf_triangle s_triangle[64];
    uint32_t count = 0;
    const enum mf_mesh_error wrong =
        mf_mesh_read_stl((const uint8_t *)text, n, s_triangle, 64, &count);
    (void)snprintf(error, MF_READER_ERROR_MAX, "%s", mf_mesh_text(wrong));
    return wrong == MF_MESH_OK;
}

const struct mf_reader mf_readers[] = {
    {"configuration", true, read_config},
    {"scenario", true, read_scenario},
    {"scenario with --set", true, read_set},
    {"scenario with a variation", true, read_variation},
    {"task", true, read_task},
    {"listing", true, read_listing},
    {"template", true, read_template},
    {"members", false, read_members},
    {"view", true, read_view},
    {"body of the controller", true, read_body},
    {"volumes", true, read_volumes},
    {"plan", true, read_plan},
    {"parameters", false, read_params},
    {"fault", false, read_fault},
    {"geoid", false, read_geoid},
    {"rule", false, read_rule},
    {"quality", false, read_quality},
    {"key", false, read_key},
    {"time line", false, read_time_line},
    {"mesh", false, read_mesh},
};
const size_t mf_reader_count = sizeof mf_readers / sizeof mf_readers[0];

/* ---- texts */

#define TEN(x)    x x x x x x x x x x
#define THIRTY(x) TEN(x) TEN(x) TEN(x)

/* A head, then a part as often as there is room, with its number in place of each '@'. */
static const struct {
    const char *head, *part;
} k_texts[] = {
    {"", "["},
    {"", "{"},
    {"", "[{"},
    {"title: ", "["},
    {"", "{\"a\":"},
    {"", "{\"a\":["},
    {"", "["
         "\n"},
    {"", "- "},
    {"", "? "},
    {"", "["
         "'"
         "]'"},
    {"", "]"},
    {"\"", "\\"},
    {"\"", "x"},
    {"", "\""},
    {"", "'"},
    {"[", "[],"},
    {"[", "{},"},
    {"[", "a,"},
    {"[", "1,"},
    {"[", "\"\","},
    {"[", "{a: b},"},
    {"[", "{\"a\":1},"},
    {THIRTY("["), "a,"},
    {THIRTY("["), "[],"},
    {"[", THIRTY("[") THIRTY("]") ","},
    {"", TEN("- ") TEN("- ") TEN("- ") "\n"},
    {"", "-\n"},
    {"", "- a\n"},
    {"", "a@: \n"},
    {"", "a@: 1\n"},
    {"params:\n", "  A@: 1\n"},
    {"params: {", "A@: 1,"},
    {"udp_out: {", "a@: 1,"},
    {"variations:\n  v:\n", "    a@: 1\n"},
    {"variations:\n", "  v@: {}\n"},
    {"entities:\n", " - {name: a@}\n"},
    {"entities:\n", " - name: a\n"},
    {"faults:\n", " - gps_loss@60s\n"},
    {"outputs:\n", " a@: b\n"},
    {"{", "\"a@\": 1,"},
    {"{\"a\": ", "{\"a\": 1, \"b\": "},
    {"{\"vehicles\": [", "@,"},
    {"{\"mission\": {\"items\": [", "{},"},
    {"{\"mission\": {\"items\": [", "{\"type\": \"SimpleItem\", \"command\": 16, \"frame\": 3, "
                                    "\"params\": [0, 0, 0, 0, 1, 1, 1]},"},
    {"{\"geoFence\": {\"polygons\": [{\"polygon\": [", "[1, 2],"},
    {"", "- &a@\n"},
    {"- &a x\n", "- *a\n"},
    {"- &a [x,x]\n", "- &a [*a,*a]\n"},
    {"", "%TAG !a@! b\n"},
    {"", "---\n"},
    {"", "!!str "},
    {"", "# c\n"},
    {"", "\n"},
    {"", " "},
    {"", "\t"},
    {"", ":"},
    {"", ","},
    {"", ",x"},
    {"", "a:"},
    {"", "a=1 "},
    {"", "a "},
    {"", "a\n"},
    {"a: |\n", " x\n"},
    {"", "${"},
    {"title: ", "${a:"},
    {"title: ", "${a:b}"},
    {"", "1 1 A@ 1 9\n"},
    {"# onboard\n", "1\t1\tMPC_XY_CRUISE\t12\t9\n"},
    {"", "A@,1\n"},
    {"QGC WPL 110\n", "@\t0\t3\t16\t0\t0\t0\t0\t1\t1\t1\t1\n"},
    {"QGC WPL 110\n", "\t"},
    {"solid x\n", "facet normal 0 0 1\nouter loop\nvertex 0 0 0\n"},
    {"solid x\n", "vertex "},
    {"", "1e9999"},
    {"", "9"},
    {"", "\xC3"},
    {"", "\xEF\xBB\xBF"},
    {"", "\\u0000"},
};

size_t mf_hostile_count(void)
{
    return sizeof k_texts / sizeof k_texts[0];
}

const char *mf_hostile_text(size_t i, char *text)
{
    size_t n = strlen(k_texts[i].head);
    memcpy(text, k_texts[i].head, n);
    for (unsigned number = 0;; number++) {
        char part[256];
        size_t length = 0;
        for (const char *p = k_texts[i].part; *p != '\0'; p++) {
            if (*p == '@') {
                length += (size_t)snprintf(part + length, sizeof part - length, "%u", number);
            } else {
                part[length++] = *p;
            }
        }
        if (n + length > MF_HOSTILE_BYTES) {
            break;
        }
        memcpy(text + n, part, length);
        n += length;
    }
    text[n] = '\0';
    return k_texts[i].part;
}
