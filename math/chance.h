/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Random numbers without state: a number follows from a key and its place alone, so that it does
 * not depend on earlier numbers, under every clock, and on every processor.
 *
 * The generator is SplitMix64 (Steele, Lea, Flood 2014), whose n-th number needs none of those
 * before it.
 */
#ifndef MF_MATH_CHANCE_H
#define MF_MATH_CHANCE_H

#include <stdint.h>

/** @brief Key of a source of random numbers: each entity and each variation has numbers of its own.
 *  @param purpose  what the numbers are for, so that two uses of one entity share none. Pure. */
uint64_t mf_chance_key(uint64_t seed, uint64_t variation, uint64_t entity, uint64_t purpose);

/** @brief Fold a text into a key, for sources that have names. Pure. */
uint64_t mf_chance_text(uint64_t key, const char *text);

/** @brief The number after @p n others of the sequence that begins with @p key. Pure. */
uint64_t mf_chance_u64(uint64_t key, uint64_t n);

/** @brief Random number between 0 and 1 (excluded), in steps of 2^-53. */
double mf_chance_unit(uint64_t key, uint64_t n);

#endif
