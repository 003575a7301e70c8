/* SPDX-License-Identifier: Apache-2.0 */
/* The unit tests of a room in one program, which the build makes: ci/objects.mk writes the list,
 * and renames each main(). */
#ifndef TESTS_LIB_TOGETHER_H
#define TESTS_LIB_TOGETHER_H

struct together_test {
    const char *name; /* as a path below the room, without .c */
    int (*run)(void);
};

/** All of them; one without a name is the end. */
extern const struct together_test k_together[];

#endif
