/* SPDX-License-Identifier: Apache-2.0 */
/* The metadata files as they are read; that they are JSON is checked with a parser in
 * tests/interop. */
#include "math/crc32.h"
#include "tests/unit/firmware/flight_fixture.h"
#include "tests/unit/support/cases.h"

#include <stdio.h>
#include <stdlib.h>

static const struct mf_options k_default;
static uint8_t g_bytes[131072];
static struct mf_metadata_seal g_seal[MF_METADATA_COUNT];

static uint32_t read_all(enum mf_metadata file, size_t piece)
{
    struct mf_metadata_mark mark = {0};
    uint32_t at = 0;
    for (size_t n = 1; n > 0; at += (uint32_t)n) {
        assert_in_range(at, 0, sizeof g_bytes - piece);
        n = mf_metadata_read(g_seal, file, &mark, &(struct mf_extent){at, piece, g_bytes + at});
    }
    g_bytes[at] = '\0';
    return at;
}

static void test_every_way_of_reading_gives_the_same(void **state)
{
    static uint8_t whole[65536];
    (void)state;
    for (int file = 0; file < MF_METADATA_COUNT; file++) {
        const struct mf_metadata_seal seal = mf_metadata_seal(g_seal, (enum mf_metadata)file);
        assert_int_equal(read_all((enum mf_metadata)file, 60000), seal.size);
        assert_int_equal(mf_crc32(0, g_bytes, seal.size), seal.crc);
        memcpy(whole, g_bytes, seal.size);
        for (size_t piece = 1; piece < 600; piece += piece < 4 ? 1 : 59) {
            assert_int_equal(read_all((enum mf_metadata)file, piece), seal.size);
            assert_memory_equal(g_bytes, whole, seal.size);
        }
        struct mf_metadata_mark mark = {0};
        uint32_t at = 0; /* anywhere, forwards and back */
        for (int i = mf_cases(100, 10000); i > 0; i--) {
            at = (at * 7919u + 104729u) % (seal.size + 50);
            const size_t n = mf_metadata_read(g_seal, (enum mf_metadata)file, &mark,
                                              &(struct mf_extent){at, 239, g_bytes});
            const size_t left = at < seal.size ? seal.size - at : 0;
            assert_int_equal(n, left < 239 ? left : 239);
            assert_memory_equal(g_bytes, whole + (n > 0 ? at : 0), n);
        }
    }
}

struct entry {
    const char *name, *type, *group;
    const char *behind; /* its help text */
};

static bool is_there(const struct entry *e)
{
    char before[160];
    (void)snprintf(before, sizeof before,
                   "\n{\"name\":\"%s\",\"type\":\"%s\",\"group\":\"%s\",\"category\":\"Standard\","
                   "\"shortDesc\":\"",
                   e->name, e->type, e->group);
    const char *at = strstr((const char *)g_bytes, before);
    if (at == NULL) {
        return false;
    }
    at += strlen(before);
    at += strcspn(at, "\"");
    return strncmp(at, e->behind, strlen(e->behind)) == 0;
}

static void test_entries(void **state)
{
    static const struct entry k_entry[] = {
        {"CAL_ACC0_ID", "Int32", "CAL",
         "\",\"units\":\"\",\"default\":1310988,\"min\":-2147483648,\"max\":2147483647},\n"},
        {"BAT_CRIT_THR", "Float", "BAT",
         "\",\"units\":\"\",\"default\":0.07,\"min\":0,\"max\":1},\n"},
        {"SENS_BOARD_X_OFF", "Float", "SENS",
         "\",\"units\":\"deg\",\"default\":0.000001,\"min\":-45,\"max\":45},\n"},
        {"COM_FLIGHT_UUID", "Int32", "COM",
         "\",\"units\":\"\",\"default\":0,\"min\":0,\"max\":2147483647,\"volatile\":true},\n"},
        {"SENS_DPRES_OFF", "Float", "SENS",
         "\",\"units\":\"Pa\",\"default\":0.001,\"min\":-100000,\"max\":100000,\"volatile\":true},"
         "\n"},
    };
    static const char k_begin[] = "{\"version\":1,\"parameters\":[\n{\"name\":\"BAT1_A_PER_V\",";
    (void)state;
    const size_t n = read_all(MF_METADATA_PARAMETERS, 239);
    for (size_t i = 0; i < sizeof k_entry / sizeof k_entry[0]; i++) {
        if (!is_there(&k_entry[i])) {
            fail_msg("not there: %s ... %s", k_entry[i].name, k_entry[i].behind);
        }
    }
    assert_memory_equal(g_bytes, k_begin, sizeof k_begin - 1);
    assert_memory_equal(g_bytes + n - 4, "\n]}\n", 4);
    size_t entries = 0;
    for (const char *at = (const char *)g_bytes; (at = strstr(at, "\"name\":")) != NULL; at++) {
        entries++;
    }
    assert_int_equal(entries, MF_PARAM_COUNT);
}

/* What would have to be escaped in JSON, or is out of its numbers, is not in the table. */
static void test_table_can_be_written_as_json(void **state)
{
    static const char *const k_text[] = {
#define P(name, type, value, min, max, unit, doc) unit, doc,
#include "firmware/state/params.def"
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_text / sizeof k_text[0]; i++) {
        for (const char *c = k_text[i]; *c != '\0'; c++) {
            assert_true(*c >= ' ' && *c <= '~' && *c != '"' && *c != '\\');
        }
    }
    (void)read_all(MF_METADATA_PARAMETERS, 1000);
    assert_null(strstr((const char *)g_bytes, "nan"));
    assert_null(strstr((const char *)g_bytes, "out of range"));
}

/* A number of an entry is the table's, and has no digit more than that takes. */
static void see_number(const char *entry, const char *key, float want)
{
    const char *text = strstr(entry, key);
    char *end;
    assert_non_null(text);
    text += strlen(key);
    const float got = (float)strtod(text, &end);
    assert_true(*end == ',' || *end == '}');
    if (got != want || (memchr(text, '.', (size_t)(end - text)) != NULL && end[-1] == '0')) {
        fail_msg("%.60s: %.20s, not %.9g", entry, text, (double)want);
    }
}

static void test_floats_are_those_of_the_table(void **state)
{
    (void)state;
    (void)read_all(MF_METADATA_PARAMETERS, 1000);
    for (int i = 0; i < MF_PARAM_COUNT; i++) {
        const struct mf_param_info *info = mf_param_info((enum mf_param)i);
        char name[64];
        (void)snprintf(name, sizeof name, "{\"name\":\"%s\",", info->name);
        const char *entry = strstr((const char *)g_bytes, name);
        assert_non_null(entry);
        if (info->is_float) {
            see_number(entry, "\"default\":", info->value.f);
            see_number(entry, "\"min\":", info->min.f);
            see_number(entry, "\"max\":", info->max.f);
        }
    }
}

static void test_general_file_names_the_other(void **state)
{
    char want[256];
    (void)state;
    const uint32_t crc = mf_metadata_seal(g_seal, MF_METADATA_PARAMETERS).crc;
    (void)snprintf(want, sizeof want,
                   "{\"version\":1,\"metadataTypes\":[{\"type\":1,\"uri\":"
                   "\"mftp://etc/extras/parameters.json\",\"fileCrc\":%u}]}\n",
                   (unsigned)crc);
    (void)read_all(MF_METADATA_GENERAL, 100);
    assert_string_equal((const char *)g_bytes, want);
}

static void test_messages_that_say_where_it_is(void **state)
{
    struct mf_msg_component_metadata m;
    struct mf_msg_component_information old;
    (void)state;
    (void)fx_boot(k_default);
    assert_int_equal(fx_command(512, (const float[7]){397.0f}), 0);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_COMPONENT_METADATA, &m));
    assert_string_equal(m.uri, "mftp://etc/extras/component_general.json");
    assert_int_equal(m.file_crc, mf_metadata_seal(g_seal, MF_METADATA_GENERAL).crc);
    assert_int_equal(fx_command(512, (const float[7]){395.0f}), 0);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_COMPONENT_INFORMATION, &old));
    assert_string_equal(old.general_metadata_uri, m.uri);
    assert_int_equal(old.general_metadata_file_crc, m.file_crc);
    assert_string_equal(old.peripherals_metadata_uri, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_way_of_reading_gives_the_same),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_table_can_be_written_as_json),
        cmocka_unit_test(test_floats_are_those_of_the_table),
        cmocka_unit_test(test_general_file_names_the_other),
        cmocka_unit_test(test_messages_that_say_where_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
