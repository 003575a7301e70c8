/* SPDX-License-Identifier: Apache-2.0 */
#include "host/base/yaml_tree.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct mf_yaml_error s_error;

static struct mf_yaml *read_text(const char *text, const struct mf_node **root)
{
    s_error = (struct mf_yaml_error){0};
    return mf_yaml_read_text(text, strlen(text), root, &s_error);
}

static bool same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static void test_nodes_know_kind_text_and_line(void **state)
{
    const struct mf_node *root;
    (void)state;
    struct mf_yaml *tree = read_text("a: 1\nb:\n  - x\n  - {y: 2}\n", &root);
    assert_non_null(tree);
    assert_int_equal(mf_node_kind(root), MF_NODE_MAP);
    assert_int_equal(mf_node_count(root), 2);
    assert_string_equal(mf_node_key(tree, root, 1, same, &s_error), "b");
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
    assert_null(mf_node_key(tree, root, 2, same, &s_error));
    assert_int_equal(s_error.line, 3);
    assert_names(s_error.reason, "a 1");
    mf_yaml_free(tree);
    tree = read_text("[a]: 1\n\"x\\0y\": 2\n", &root);
    assert_null(mf_node_key(tree, root, 0, same, &s_error));
    assert_null(mf_node_key(tree, root, 1, same, &s_error));
    assert_int_equal(s_error.line, 2);
    assert_names(s_error.reason, "key");
    mf_yaml_free(tree);
    mf_yaml_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes_know_kind_text_and_line),
        cmocka_unit_test(test_what_is_no_tree_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
