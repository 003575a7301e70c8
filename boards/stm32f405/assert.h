/* SPDX-License-Identifier: Apache-2.0 */
/** Assertions on a microcontroller say where, not what: the texts of all conditions would take 8 kB of
 * flash. The compiler includes this file before every other one (ci/objects.mk). */
#ifndef MF_BOARDS_STM32F405_ASSERT_H
#define MF_BOARDS_STM32F405_ASSERT_H

#define MF_ASSERT(expr) ((expr) ? (void)0 : mf_assert_failed("", __FILE__, __LINE__))

#endif
