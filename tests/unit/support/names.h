/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Compare the data of a text for users, and leave its sentence to tests/texts.txt.
 *
 *     assert_names(error, "--sysid 0 1 254");  // flag, offending value, limits
 *     assert_names(error, "f.yaml 3 batery battery");  // file, line, unknown key, suggested key
 */
#ifndef MF_TESTS_NAMES_H
#define MF_TESTS_NAMES_H

#include <stdbool.h>

/**
 * @brief Find data in a text.
 * @param data  words, separated by spaces; "": every text has them
 * @return true if all words stand in @p text in this order. Each stands there whole: "5" is not
 *         found in "15", "-5", "0.5" or "a-5", and "key" is not found in "key.part".
 */
bool mf_names(const char *text, const char *data);

/** @brief Fail the test of cmocka, and print @p sentence and @p data, unless mf_names(). */
#define assert_names(sentence, data) mf_assert_names(sentence, data, __FILE__, __LINE__)
void mf_assert_names(const char *sentence, const char *data, const char *file, int line);

#endif
