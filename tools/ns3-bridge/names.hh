/* SPDX-License-Identifier: GPL-2.0-only */
/* Names that a scenario may say, and what they mean. */
#ifndef MAYFLY_NS3_NAMES_HH
#define MAYFLY_NS3_NAMES_HH

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

template <typename T> using Named = std::vector<std::pair<std::string, T>>;

/* @return what a name means; an unknown one throws, with a text that says what is known */
template <typename T>
const T &find_named(const Named<T> &names, const std::string &key, const std::string &name)
{
    std::string known;
    for (const auto &entry : names) {
        if (entry.first == name) {
            return entry.second;
        }
        known += (known.empty() ? "" : ", ") + entry.first;
    }
    throw std::invalid_argument("network.params." + key + ": '" + name + "' is not known, allowed: " + known);
}

#endif
