"""Edges that were each removed because of the other (Jensen & Nielsen 2007, section 7.1.4, Fig. 7.9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set

from dagwright.search.independence.numbered_knowledge import Pair
from dagwright.search.independence.skeleton import Skeleton


def uncertain_regions(skeleton: Skeleton) -> list[list[Pair]]:
    """Sets of removed edges each of which was removed on the strength of others in the set.

    That s separates x and y is believed because information passes through s, so it relies on x - s and
    y - s. Reliance that goes round in a circle is doubtful when what is left has no path from x to y through
    some s: a smallest separating set of a faithful distribution has only members on such paths.
    """
    return skeleton.pairs().uncertain_regions()


def put_back_strongest(
    skeleton: Skeleton,
    strength: Callable[[Sequence[Pair]], Sequence[float]],
    may_link: Callable[[int, int], bool],
    separate_again: Callable[[Mapping[Pair, Set[int]]], None] | None = None,
) -> list[tuple[list[Pair], Pair]]:
    """Put edges back, the most dependent first, until no removal relies on itself: (region, edge) of each.

    Strengths are of the pairs alone: given what separated them they all vanish. Of equals the last is put
    back. Pairs that may not be linked stay apart. What is linked again may be separated by others:
    ``separate_again`` is told which edges to try, and what not to give to each, since it was in doubt before.
    """
    doubted: dict[Pair, set[int]] = {}
    done = _put_back(skeleton, strength, may_link, doubted)
    if done and separate_again is not None:
        separate_again(doubted)
        done += _put_back(skeleton, strength, may_link, doubted)
    return done


def _put_back(
    skeleton: Skeleton,
    strength: Callable[[Sequence[Pair]], Sequence[float]],
    may_link: Callable[[int, int], bool],
    doubted: dict[Pair, set[int]],
) -> list[tuple[list[Pair], Pair]]:
    done = []
    while regions := _with_room(uncertain_regions(skeleton), may_link):
        edges = [edge for _, candidates in regions for edge in candidates]
        values = dict(zip(edges, strength(edges), strict=True))
        for region, candidates in regions:
            _, edge = max((values[edge], edge) for edge in candidates)
            doubted.setdefault(edge, set()).update(skeleton.given(edge))
            skeleton.edge(*edge)
            done.append((region, edge))
    return done


def _with_room(
    regions: Sequence[list[Pair]], may_link: Callable[[int, int], bool]
) -> list[tuple[list[Pair], list[Pair]]]:
    """The regions of which an edge may be put back, with those edges."""
    pairs = [(region, [edge for edge in region if may_link(*edge)]) for region in regions]
    return [(region, candidates) for region, candidates in pairs if candidates]
