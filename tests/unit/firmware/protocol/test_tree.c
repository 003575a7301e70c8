/* SPDX-License-Identifier: Apache-2.0 */
/* The files that clients see, alone: an archive of the mock and no vehicle. Paths and names are
 * those of PX4's SD card; 2026-03-01 is day 20513 since 1970, and 1772323200 s. */
#include "firmware/protocol/tree.h"

#include "firmware/core/text.h"
#include "tests/unit/support/mock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define MARCH_1 INT64_C(1772323200)
#define DAY     INT64_C(86400)

static struct mf_mock mock;
static struct mf_hal hal;
static struct mf_tree tree;

static int setup(void **state)
{
    (void)state;
    mf_mock_init(&mock);
    hal = mf_hal_null();
    hal.archive = mf_mock_hal(&mock).archive;
    hal.archive_ctx = mf_mock_hal(&mock).archive_ctx;
    memset(&tree, 0, sizeof tree);
    tree.hal = &hal;
    return 0;
}

static void log_at(int64_t utc_s, uint32_t size)
{
    struct mf_mock_archive *a = &mock.archive;
    a->info[a->count++] = (struct mf_archive_info){.utc_s = utc_s, .size = size};
}

static struct mf_tree_node found(const char *path)
{
    struct mf_tree_node node;
    assert_int_equal(mf_tree_find(&tree, path, strlen(path), &node), MF_E_OK);
    return node;
}

static void see_none(const char *path)
{
    struct mf_tree_node node;
    assert_int_equal(mf_tree_find(&tree, path, strlen(path), &node), MF_E_NOENT);
}

/* The entry of a folder, "" behind the last. */
static const char *entry(const char *path, uint32_t index)
{
    static struct mf_text name;
    const struct mf_tree_node folder = found(path);
    struct mf_tree_node node;
    name = mf_text("");
    const int err = mf_tree_entry(&tree, &folder, index, &node, &name);
    assert_int_equal(err, name.len > 0 ? MF_E_OK : MF_E_NOENT);
    return name.s;
}

static void test_paths(void **state)
{
    (void)state;
    assert_true(mf_node_is_folder(&(struct mf_tree_node){.kind = MF_NODE_DAY}));
    assert_int_equal(found("").which, MF_FOLDER_TOP);
    assert_int_equal(found("/").which, MF_FOLDER_TOP);
    assert_int_equal(found("/./fs//microsd/").which, MF_FOLDER_MICROSD);
    assert_int_equal(found("@MAV_LOG").which, MF_FOLDER_LOGS);
    assert_int_equal(found("/fs/microsd/log").which, MF_FOLDER_LOGS);
    const struct mf_tree_node file = found("etc/extras/parameters.json");
    assert_int_equal(file.kind, MF_NODE_METADATA);
    assert_int_equal(file.which, MF_METADATA_PARAMETERS);
    assert_false(mf_node_is_folder(&file));
    see_none("etc/extras/none.json");
    see_none("etc/..");
    see_none("parameters.json");
    see_none("fs/microsd/log/2026-03-01");
    see_none("fs/microsd/logs");
}

/* A path ends with its bytes, or with a NUL among them. */
static void test_paths_of_any_bytes(void **state)
{
    struct mf_tree_node node;
    char longest[65];
    (void)state;
    assert_int_equal(mf_tree_find(&tree, "etcetera", 3, &node), MF_E_OK);
    assert_int_equal(node.which, MF_FOLDER_ETC);
    assert_int_equal(mf_tree_find(&tree, "fs\0/microsd", 11, &node), MF_E_OK);
    assert_int_equal(node.which, MF_FOLDER_FS);
    assert_int_equal(mf_tree_find(&tree, "etc/.x", 5, &node),
                     MF_E_OK); /* the dot is the last byte */
    assert_int_equal(node.which, MF_FOLDER_ETC);
    assert_int_equal(mf_tree_find(&tree, "etc/.\0x", 7, &node), MF_E_OK);
    assert_int_equal(node.which, MF_FOLDER_ETC);
    assert_int_equal(mf_tree_find(&tree, "etc/.x", 6, &node), MF_E_NOENT);
    assert_int_equal(mf_tree_find(&tree, "e/tc", 4, &node), MF_E_NOENT);
    memset(longest, 'x', sizeof longest);
    assert_int_equal(mf_tree_find(&tree, longest, sizeof longest, &node), MF_E_NOENT);
    longest[63] = '/'; /* two parts that do not fit with what parts them */
    assert_int_equal(mf_tree_find(&tree, longest, sizeof longest, &node), MF_E_NOENT);
}

static void test_folders(void **state)
{
    (void)state;
    assert_string_equal(entry("/", 0), "etc");
    assert_string_equal(entry("/", 1), "fs");
    assert_string_equal(entry("/", 2), "");
    assert_string_equal(entry("etc/extras", 0), "component_general.json");
    assert_string_equal(entry("etc/extras", 1), "parameters.json");
    assert_string_equal(entry("etc/extras", 2), "");
    assert_string_equal(entry("@MAV_LOG", 0), "");
}

static void test_logs_by_day(void **state)
{
    (void)state;
    log_at(MARCH_1 + 1, 10);
    log_at(MARCH_1 + DAY - 1, 20);
    log_at(MARCH_1 + 2 * DAY, 30);
    assert_string_equal(entry("@MAV_LOG", 0), "2026-03-01");
    assert_string_equal(entry("@MAV_LOG", 1), "2026-03-03");
    assert_string_equal(entry("@MAV_LOG", 2), "");
    assert_string_equal(entry("@MAV_LOG/2026-03-01", 0), "00_00_01.ulg");
    assert_string_equal(entry("@MAV_LOG/2026-03-01", 1), "23_59_59.ulg");
    assert_string_equal(entry("@MAV_LOG/2026-03-01", 2), "");
    assert_string_equal(entry("@MAV_LOG/2026-03-03", 0), "00_00_00.ulg");
    see_none("@MAV_LOG/2026-03-02");
    see_none("@MAV_LOG/2026-03-03/00_00_01.ulg");
    const struct mf_tree_node last = found("@MAV_LOG/2026-03-01/23_59_59.ulg");
    assert_int_equal(last.which, 1);
    assert_true(mf_tree_utc_s(&last) == MARCH_1 + DAY - 1);
}

static void test_a_log_is_read_until_its_end(void **state)
{
    struct mf_metadata_mark mark = {0};
    uint8_t bytes[4] = {0};
    uint32_t size = 0;
    (void)state;
    log_at(MARCH_1, 6);
    memcpy(mock.archive.bytes[0], "abcdef", 6);
    const struct mf_tree_node log = found("@MAV_LOG/2026-03-01/00_00_00.ulg");
    const struct mf_extent first = {0, 4, bytes}, rest = {4, 4, bytes}, behind = {6, 4, bytes};
    assert_int_equal(mf_tree_size(&tree, &log, &size), MF_E_OK);
    assert_int_equal(size, 6);
    assert_int_equal(mf_tree_read(&tree, &log, &mark, &first), 4);
    assert_memory_equal(bytes, "abcd", 4);
    assert_int_equal(mf_tree_read(&tree, &log, &mark, &rest), 2);
    assert_memory_equal(bytes, "ef", 2);
    assert_int_equal(mf_tree_read(&tree, &log, &mark, &behind), 0);
}

/* Logs were erased, and the number is another's now. */
static void test_a_log_that_is_gone_is_not_another_one(void **state)
{
    struct mf_metadata_mark mark = {0};
    uint8_t bytes[4];
    uint32_t size = 0;
    (void)state;
    log_at(MARCH_1, 6);
    const struct mf_tree_node log = found("@MAV_LOG/2026-03-01/00_00_00.ulg");
    mock.archive.info[0].utc_s = MARCH_1 + 60;
    assert_int_equal(mf_tree_size(&tree, &log, &size), MF_E_NOENT);
    assert_int_equal(mf_tree_read(&tree, &log, &mark, &(struct mf_extent){0, 4, bytes}),
                     MF_E_NOENT);
}

static void test_a_folder_has_no_size(void **state)
{
    const struct mf_tree_node folder = found("etc");
    uint32_t size = 0;
    (void)state;
    assert_int_equal(mf_tree_size(&tree, &folder, &size), MF_E_NOENT);
    assert_true(mf_tree_utc_s(&folder) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_paths, setup),
        cmocka_unit_test_setup(test_paths_of_any_bytes, setup),
        cmocka_unit_test_setup(test_folders, setup),
        cmocka_unit_test_setup(test_logs_by_day, setup),
        cmocka_unit_test_setup(test_a_log_is_read_until_its_end, setup),
        cmocka_unit_test_setup(test_a_log_that_is_gone_is_not_another_one, setup),
        cmocka_unit_test_setup(test_a_folder_has_no_size, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
