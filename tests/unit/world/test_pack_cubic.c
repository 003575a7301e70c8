/* SPDX-License-Identifier: Apache-2.0 */
/* world/pack_cubic.h: the tables solve the normal equations of the fit, exactly, in
 * whole numbers. */
#include "world/pack_cubic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The stencil and its weights, and the exponents of the terms, as the header draws and
 * lists them. */
static const int k_x[12] = {0, 1, -1, 0, 1, 2, -1, 0, 1, 2, 0, 1};
static const int k_y[12] = {-1, -1, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2};
static const int k_weight[12] = {1, 1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 1};
static const int k_term[10][2] = {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1},
                                  {0, 2}, {3, 0}, {2, 1}, {1, 2}, {0, 3}};

static int power(int base, int exponent)
{
    int value = 1;
    while (exponent-- > 0) {
        value *= base;
    }
    return value;
}

static int basis(int term, int node)
{
    return power(k_x[node], k_term[term][0]) * power(k_y[node], k_term[term][1]);
}

/* With one node at 1 and the others at 0, what is left over is orthogonal to each term in use:
 * sum over n of weight(n) * term(n) * (divisor * [n == one] - sum of c(t) * t(n)) = 0. */
static void check_normal_equations(const struct mf_cubic *fit, int first_bound, const int *bound)
{
    for (int one = 0; one < 12; one++) {
        for (int term = 0; term < 10; term++) {
            if (first_bound != 0 && bound[term] != 0) {
                assert_true(fit->weight[one][term] == 0.0);
                continue;
            }
            int64_t sum = 0;
            for (int n = 0; n < 12; n++) {
                int64_t left = n == one ? (int64_t)fit->divisor : 0;
                for (int t = 0; t < 10; t++) {
                    left -= (int64_t)fit->weight[one][t] * basis(t, n);
                }
                sum += left * k_weight[n] * basis(term, n);
            }
            assert_int_equal(sum, 0);
        }
    }
}

static void test_inside_it_is_the_best_fit(void **state)
{
    (void)state;
    assert_true(mf_cubic_inside.divisor == 240.0);
    check_normal_equations(&mf_cubic_inside, 0, NULL);
}

/* Bound: no x, x2 or x3 without y, so that at y = 0 all x are the same. */
static void test_at_a_pole_it_is_the_best_fit_among_those_that_are_one_value_there(void **state)
{
    static const int k_bound[10] = {0, 1, 0, 1, 0, 0, 1, 0, 0, 0};
    (void)state;
    assert_true(mf_cubic_pole.divisor == 372.0);
    check_normal_equations(&mf_cubic_pole, 1, k_bound);
}

/* 7 - 3x + 2y + 5x2 - 4xy + y2 + 2x3 - x2y + 6xy2 - 3y3, at the nodes and at (0.5, 0.25). */
static void test_a_cubic_comes_out_as_it_went_in(void **state)
{
    static const int k_c[10] = {7, -3, 2, 5, -4, 1, 2, -1, 6, -3};
    int32_t node[12];
    (void)state;
    for (int n = 0; n < 12; n++) {
        node[n] = 0;
        for (int t = 0; t < 10; t++) {
            node[n] += k_c[t] * basis(t, n);
        }
    }
    assert_true(mf_cubic_at(&mf_cubic_inside, node, 0.0, 0.0) == 7.0);
    assert_true(mf_cubic_at(&mf_cubic_inside, node, 1.0, 1.0) == 12.0);
    /* 7 - 1.5 + 0.5 + 1.25 - 0.5 + 0.0625 + 0.25 - 0.0625 + 0.1875 - 0.046875 */
    assert_true(mf_cubic_at(&mf_cubic_inside, node, 0.5, 0.25) == 7.140625);
}

/* The sum of c(t) of each node at (0, 0): 186 / 240 of the node itself. */
static void test_it_does_not_go_through_the_nodes(void **state)
{
    int32_t node[12] = {0};
    (void)state;
    node[3] = 240;
    assert_true(mf_cubic_at(&mf_cubic_inside, node, 0.0, 0.0) == 186.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inside_it_is_the_best_fit),
        cmocka_unit_test(test_at_a_pole_it_is_the_best_fit_among_those_that_are_one_value_there),
        cmocka_unit_test(test_a_cubic_comes_out_as_it_went_in),
        cmocka_unit_test(test_it_does_not_go_through_the_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
