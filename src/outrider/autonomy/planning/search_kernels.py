"""Compiled: the cheapest path through a grid of costs (A*, eight neighbours)."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled
from outrider.core.frames import Array

Ints: TypeAlias = NDArray[np.integer]

_DIAGONAL = np.sqrt(2.0)


@compiled
def _push(heap: Ints, keys: Array, size: int, cell: int, key: float) -> int:  # pragma: no cover
    i = size
    heap[i], keys[i] = cell, key
    while i > 0:
        up = (i - 1) // 2
        if keys[up] <= keys[i]:
            break
        heap[i], heap[up] = heap[up], heap[i]
        keys[i], keys[up] = keys[up], keys[i]
        i = up
    return size + 1


@compiled
def _pop(heap: Ints, keys: Array, size: int) -> tuple[int, int]:  # pragma: no cover
    cell, size = heap[0], size - 1
    heap[0], keys[0] = heap[size], keys[size]
    i = 0
    while True:
        low = 2 * i + 1
        if low >= size:
            break
        if low + 1 < size and keys[low + 1] < keys[low]:
            low += 1
        if keys[i] <= keys[low]:
            break
        heap[i], heap[low] = heap[low], heap[i]
        keys[i], keys[low] = keys[low], keys[i]
        i = low
    return cell, size


@compiled
def cheapest_way(price: Array, start: int, goal: int, guided: bool) -> Ints:  # noqa: C901  # pragma: no cover
    """Return cell indices (flat) from start to goal; empty if there is no path.

    ``price`` (rows, columns) is the cost of a metre in each cell, infinite where it is forbidden
    and never below 1; a step costs its length times the mean price of both cells. ``guided``
    searches towards the goal (A*), else all around (Dijkstra): the way costs the same.
    """
    rows, columns = price.shape
    n = rows * columns
    known = np.full(n, np.inf)
    parent = np.full(n, -1, np.int64)
    done = np.zeros(n, np.bool_)
    room = 8 * n + 8
    if room > 4_000_000:
        room = max(4_000_000, 3 * n)
    heap = np.empty(room, np.int64)
    keys = np.empty(room)
    goal_row, goal_column = goal // columns, goal % columns
    known[start] = 0.0
    size = _push(heap, keys, 0, start, 0.0)
    while size > 0:
        cell, size = _pop(heap, keys, size)
        if done[cell]:
            continue
        done[cell] = True
        if cell == goal:
            break
        row, column = cell // columns, cell % columns
        for dr in range(-1, 2):
            for dc in range(-1, 2):
                if dr == 0 and dc == 0:
                    continue
                r, c = row + dr, column + dc
                if r < 0 or c < 0 or r >= rows or c >= columns:
                    continue
                other = r * columns + c
                if done[other] or price[r, c] == np.inf:
                    continue
                length = _DIAGONAL if dr != 0 and dc != 0 else 1.0
                cost = known[cell] + length * 0.5 * (price[row, column] + price[r, c])
                if cost < known[other] - 1e-12:
                    known[other] = cost
                    parent[other] = cell
                    guess = 0.0
                    if guided:
                        a, b = abs(r - goal_row), abs(c - goal_column)
                        guess = max(a, b) + (_DIAGONAL - 1.0) * min(a, b)
                    if size >= room - 1:
                        return np.empty(0, np.int64)
                    size = _push(heap, keys, size, other, cost + guess)
    if not done[goal]:
        return np.empty(0, np.int64)
    count, cell = 1, goal
    while cell != start:
        cell = parent[cell]
        count += 1
    way = np.empty(count, np.int64)
    cell = goal
    for i in range(count - 1, -1, -1):
        way[i] = cell
        cell = parent[cell]
    return way
