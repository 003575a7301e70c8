#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Figures and their limits: every one is printed as 'name value unit must limit ok|over'.

As a program it is a filter: lines 'name value unit' in, the same lines with their limits out, exit code 1 if one is over.
"""
import os
import sys

BUDGETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'budgets')


def load(path=BUDGETS):
    """{name: (limit or None, unit)}"""
    limits = {}
    with open(path, encoding='utf-8') as f:
        for line in f:
            words = line.split('#')[0].split()
            if words:
                limits[words[0]] = (None if words[1] == '-' else float(words[1]), words[2])
    return limits


class Figures:
    def __init__(self):
        self.limits = load()
        self.over = []

    def add(self, name, value, unit):
        """Print a figure. None stands for one that could not be measured, which counts as over."""
        limit, budget_unit = self.limits.get(name, (None, unit))
        if budget_unit != unit:
            raise ValueError(f'{name} is measured in {unit}, its budget is in {budget_unit}')
        bad = limit is not None and (value is None or not value <= limit)
        if bad:
            self.over.append(name)
        text = 'unknown' if value is None else f'{value:.0f}' if unit == 'bytes' else f'{value:.4g}'
        print(f'{name} {text} {unit} must {"-" if limit is None else f"{limit:g}"} {"over" if bad else "ok"}', flush=True)

    def exit_code(self):
        if self.over:
            print(f'over the limits of ci/budgets: {", ".join(self.over)}', file=sys.stderr)
        return 1 if self.over else 0


def main():
    figures = Figures()
    seen = 0
    for line in sys.stdin:
        words = line.split()
        if len(words) == 3:
            figures.add(words[0], float(words[1]), words[2])
            seen += 1
        else:
            print(line, end='')
    return figures.exit_code() if seen else 1


if __name__ == '__main__':
    sys.exit(main())
