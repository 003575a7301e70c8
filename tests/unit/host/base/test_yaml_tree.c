/* SPDX-License-Identifier: Apache-2.0 */
#include "host/base/yaml_tree.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct mf_yaml_error s_error;

static struct mf_yaml *read_text(const char *text, const struct mf_node **root)
{
    s_error = (struct mf_yaml_error){0};
    return mf_yaml_read_text(text, strlen(text), root, &s_error);
}

static void test_nodes_know_kind_text_and_line(void **state)
{
    const struct mf_node *root;
    (void)state;
    struct mf_yaml *tree = read_text("a: 1\nb:\n  - x\n  - {y: 2}\n", &root);
    assert_non_null(tree);
    assert_int_equal(mf_node_kind(root), MF_NODE_MAP);
    assert_int_equal(mf_node_count(root), 2);
    assert_string_equal(mf_node_key(tree, root, 1, &s_error), "b");
    assert_int_equal(mf_node_key_line(tree, root, 1), 2);
    const struct mf_node *list = mf_node_at(tree, root, 1);
    assert_int_equal(mf_node_kind(list), MF_NODE_LIST);
    assert_int_equal(mf_node_count(list), 2);
    assert_int_equal(mf_node_line(mf_node_at(tree, list, 1)), 4);
    assert_null(mf_node_text(list));
    const struct mf_node *one = mf_node_at(tree, root, 0);
    assert_string_equal(mf_node_text(one), "1");
    assert_int_equal(mf_node_count(one), 0);
    mf_yaml_free(tree);
}

static void test_what_is_no_tree_says_why(void **state)
{
    const struct mf_node *root;
    (void)state;
    assert_null(read_text("a: [1\nb: 2\n", &root));
    assert_int_equal(s_error.line, 2);
    assert_names(s_error.reason, "YAML");
    struct mf_yaml *tree = read_text("", &root);
    assert_non_null(tree);
    assert_null(root);
    mf_yaml_free(tree);
    tree = read_text("a: 1\nb: 2\na: 3\n", &root);
    assert_null(mf_node_key(tree, root, 2, &s_error));
    assert_int_equal(s_error.line, 3);
    assert_names(s_error.reason, "a 1");
    mf_yaml_free(tree);
    tree = read_text("[a]: 1\n\"x\\0y\": 2\n", &root);
    assert_null(mf_node_key(tree, root, 0, &s_error));
    assert_null(mf_node_key(tree, root, 1, &s_error));
    assert_int_equal(s_error.line, 2);
    assert_names(s_error.reason, "key");
    mf_yaml_free(tree);
    mf_yaml_free(NULL);
}

/* Nesting within quotes and comments does not count; by brackets, by indentation and through an
 * alias it does. Lines and columns were counted by hand. */
static void test_nesting_is_bounded(void **state)
{
#define TEN_OPEN  "[[[[[[[[[["
#define TEN_CLOSE "]]]]]]]]]]"
#define TEN_ITEMS "- - - - - - - - - - "
    static const struct {
        const char *text;
        int line, column; /* 0: it is read */
    } k_case[] = {
        {"[[" TEN_OPEN TEN_OPEN TEN_OPEN TEN_CLOSE TEN_CLOSE TEN_CLOSE "]]", 0, 0},
        {"a:\n [[" TEN_OPEN TEN_OPEN TEN_OPEN TEN_CLOSE TEN_CLOSE TEN_CLOSE "]]", 2, 33},
        {"a: '[[" TEN_OPEN TEN_OPEN TEN_OPEN "'\nb: 1 # [[[" TEN_OPEN TEN_OPEN TEN_OPEN, 0, 0},
        {"a: [[[" TEN_OPEN TEN_OPEN TEN_OPEN, 1, 35},
        {"- " TEN_ITEMS TEN_ITEMS TEN_ITEMS "- x", 0, 0},
        {"- " TEN_ITEMS TEN_ITEMS TEN_ITEMS "- - x", 1, 65},
        {"- &a [x]\n- [" TEN_OPEN TEN_OPEN TEN_OPEN "*a" TEN_CLOSE TEN_CLOSE TEN_CLOSE "]", 2, 34},
        {"- &a x\n- [" TEN_OPEN TEN_OPEN TEN_OPEN "*a" TEN_CLOSE TEN_CLOSE TEN_CLOSE "]", 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const struct mf_node *root;
        char data[40] = "";
        struct mf_yaml *tree = read_text(k_case[i].text, &root);
        if ((tree != NULL) != (k_case[i].line == 0) || s_error.line != k_case[i].line) {
            fail_msg("'%s': %d %s", k_case[i].text, s_error.line, s_error.reason);
        }
        if (tree == NULL) {
            (void)snprintf(data, sizeof data, "%d 32", k_case[i].column);
            assert_names(s_error.reason, data);
        }
        mf_yaml_free(tree);
    }
}

/* @param each  a printf format with two times the same number */
static void repeat(char *text, size_t size, const char *head, const char *each, int times)
{
    size_t n = (size_t)snprintf(text, size, "%s", head);
    for (int i = 0; i < times; i++) {
        n += (size_t)snprintf(text + n, size - n, each, i, i);
    }
    assert_true(n < size);
}

static void test_aliases_and_tags_are_bounded(void **state)
{
    static char s_text[65536];
    const struct mf_node *root;
    (void)state;
    struct mf_yaml *tree = read_text("- &a [1, 2]\n- &a x\n- *a\n- {k: *a}\n", &root);
    assert_non_null(tree);
    assert_string_equal(mf_node_text(mf_node_at(tree, root, 2)), "x"); /* the later anchor */
    mf_yaml_free(tree);
    assert_null(read_text("- a\n- *b\n", &root));
    assert_int_equal(s_error.line, 2);
    assert_null(read_text("a:\n  - &a [*a]\n", &root));
    assert_int_equal(s_error.line, 2);
    repeat(s_text, sizeof s_text, "", "- &a%d x\n", MF_YAML_ANCHORS_MAX);
    mf_yaml_free(tree = read_text(s_text, &root));
    assert_non_null(tree);
    repeat(s_text, sizeof s_text, "", "- &a%d x\n", MF_YAML_ANCHORS_MAX + 1);
    assert_null(read_text(s_text, &root));
    assert_int_equal(s_error.line, 65);
    assert_names(s_error.reason, "3 64 &name"); /* "- &a64": column 3 */
    /* each line nine times the one before, and itself: 9 + 1, 91, 820, 7381 */
    assert_null(read_text("- &a [x,x,x,x,x,x,x,x,x]\n- &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
                          "- &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
                          "- &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n",
                          &root));
    assert_int_equal(s_error.line, 4); /* 90 + 819 + 3 * 820 = 3369, and 820 with the fourth *c */
    assert_names(s_error.reason, "16 *name 4096");
    repeat(s_text, sizeof s_text, "", "%%TAG !a%d! b\n", 8);
    (void)snprintf(s_text + strlen(s_text), 40, "--- a");
    mf_yaml_free(tree = read_text(s_text, &root));
    assert_non_null(tree);
    repeat(s_text, sizeof s_text, "", "%%TAG !a%d! b\n", 9);
    assert_null(read_text(s_text, &root));
    assert_int_equal(s_error.line, 9);
    /* levels: 0 + 1 + ... + 29 + 30 * 2701 = 81465 of 50000 + 6 * 5461; 84465 of 50000 + 6 * 5661
     */
    repeat(s_text, sizeof s_text, TEN_OPEN TEN_OPEN TEN_OPEN, "x,", 2700);
    (void)snprintf(s_text + strlen(s_text), 40, "x" TEN_CLOSE TEN_CLOSE TEN_CLOSE);
    mf_yaml_free(tree = read_text(s_text, &root));
    assert_non_null(tree);
    repeat(s_text, sizeof s_text, TEN_OPEN TEN_OPEN TEN_OPEN, "x,", 2800);
    (void)snprintf(s_text + strlen(s_text), 40, "x" TEN_CLOSE TEN_CLOSE TEN_CLOSE);
    assert_null(read_text(s_text, &root));
    assert_int_equal(s_error.line, 1);
    assert_null(read_text("a: 1\n---\nb: 2\n", &root));
    assert_int_equal(s_error.line, 2);
}

/* Equal keys are found in a map of any size, whatever its order; '-' is '_' where a reader says. */
static void test_keys_that_stand_twice(void **state)
{
    static char s_text[65536];
    const struct mf_node *root;
    (void)state;
    repeat(s_text, sizeof s_text, "k77: first\n", "k%d: %d\n", 4000);
    struct mf_yaml *tree = read_text(s_text, &root);
    assert_non_null(tree);
    for (size_t i = 0; i < mf_node_count(root); i++) {
        assert_int_equal(mf_node_key(tree, root, i, &s_error) == NULL, i == 78);
    }
    assert_int_equal(s_error.line, 79);
    assert_names(s_error.reason, "k77 1");
    mf_yaml_free(tree);
    for (int dashes = 0; dashes < 2; dashes++) {
        FILE *file = tmpfile();
        assert_non_null(file);
        (void)fputs("sys-id: 1\nsys_ie: 2\nsys_id: 3\n", file);
        rewind(file);
        tree = mf_yaml_read(file, dashes == 1, &root, &s_error);
        assert_non_null(tree);
        assert_int_equal(mf_node_key(tree, root, 2, &s_error) == NULL, dashes == 1);
        mf_yaml_free(tree);
        (void)fclose(file);
    }
}

/* LDS-21: texts lie in memory that many share; each keeps its own characters, whatever its length.
 */
static void test_texts_of_all_lengths_stay(void **state)
{
    static const size_t k_length[] = {1, 65534, 65535, 65536, 65537, 200000, 1, 40000, 40000, 3};
    const size_t count = sizeof k_length / sizeof k_length[0];
    const struct mf_node *root;
    char *text = malloc(600000);
    size_t n = 0;
    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < count; i++) {
        text[n++] = i == 0 ? '[' : ',';
        memset(text + n, 'a' + (int)i, k_length[i]);
        n += k_length[i];
    }
    text[n++] = ']';
    struct mf_yaml *tree = mf_yaml_read_text(text, n, &root, &s_error);
    assert_non_null(tree);
    assert_int_equal(mf_node_count(root), count);
    for (size_t i = 0; i < count; i++) {
        const char *got = mf_node_text(mf_node_at(tree, root, i));
        const char letter[] = {(char)('a' + (int)i), '\0'};
        assert_int_equal(strlen(got), k_length[i]);
        assert_int_equal(strspn(got, letter), k_length[i]);
    }
    mf_yaml_free(tree);
    free(text);
}

static void test_a_file_has_a_megabyte_at_most(void **state)
{
    const struct mf_node *root;
    (void)state;
    for (unsigned over = 0; over < 2; over++) {
        FILE *file = tmpfile();
        assert_non_null(file);
        for (unsigned i = 0; i < MF_YAML_FILE_MAX + over; i++) {
            (void)fputc(i % 64u == 63u ? '\n' : '#', file);
        }
        rewind(file);
        struct mf_yaml *tree = mf_yaml_read(file, false, &root, &s_error);
        assert_int_equal(tree == NULL, over == 1);
        assert_null(root);
        mf_yaml_free(tree);
        (void)fclose(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes_know_kind_text_and_line),
        cmocka_unit_test(test_what_is_no_tree_says_why),
        cmocka_unit_test(test_nesting_is_bounded),
        cmocka_unit_test(test_aliases_and_tags_are_bounded),
        cmocka_unit_test(test_keys_that_stand_twice),
        cmocka_unit_test(test_texts_of_all_lengths_stay),
        cmocka_unit_test(test_a_file_has_a_megabyte_at_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
