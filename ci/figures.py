#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Figures and their limits: every one is printed as 'name value unit must limit ok|near|over|under'.

A limit that begins with '~' is one of time, and a busy machine makes time worse: with CI=1 the figure is 'near' up to twice
its limit, which does not fail. As a program it is a filter: lines 'name value unit' in, the same lines with their limits out, exit
code 1 if one is not kept.
"""
import math
import os
import sys

BUDGETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'budgets')


def load(path=BUDGETS):
    """{name: (limit as it is written, unit)}"""
    limits = {}
    with open(path, encoding='utf-8') as f:
        for line in f:
            words = line.split('#')[0].split()
            if words:
                limits[words[0]] = (words[1], words[2])
    return limits


def verdict(value, limit, slack=2 if os.environ.get('CI') == '1' else 1):
    """ok, near, over or under. A value of None could not be measured, which is never good enough."""
    if limit == '-':
        return 'ok'
    noisy, limit = limit.startswith('~'), limit.lstrip('~')
    least = limit.startswith('>=')
    bar = float(limit.lstrip('>='))
    if value is not None:
        excess = bar / value if least and value > 0 else math.inf if least else value / bar if bar else math.inf if value else 0
        if excess <= 1:
            return 'ok'
        if noisy and excess <= slack:
            return 'near'
    return 'under' if least else 'over'


class Figures:
    def __init__(self):
        self.limits = load()
        self.broken = []

    def keeps(self, name, value):
        """Is this within the limit?"""
        return verdict(value, self.limits.get(name, '-')[0]) == 'ok'

    def add(self, name, value, unit):
        """Print a figure. None stands for one that could not be measured."""
        limit, budget_unit = self.limits.get(name, ('-', unit))
        if budget_unit != unit:
            raise ValueError(f'{name} is measured in {unit}, its budget is in {budget_unit}')
        kept = verdict(value, limit)
        if kept in ('over', 'under'):
            self.broken.append(name)
        text = 'unknown' if value is None else f'{value:.0f}' if unit == 'bytes' else f'{value:.4g}'
        print(f'{name} {text} {unit} must {limit.lstrip("~")} {kept}', flush=True)

    def exit_code(self):
        if self.broken:
            print(f'limits of ci/budgets not kept: {", ".join(self.broken)}', file=sys.stderr)
        return 1 if self.broken else 0


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
