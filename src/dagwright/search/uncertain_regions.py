"""Links that were each removed because of the other (Jensen & Nielsen 2007, section 7.1.4, Fig. 7.9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dagwright.knowledge.components import strongly_connected
from dagwright.search.block_cut import edge_blocks
from dagwright.search.link_law import Pair, as_pair
from dagwright.search.skeleton import Skeleton


def uncertain_regions(skeleton: Skeleton) -> list[list[Pair]]:
    """Sets of removed links each of which was removed on the strength of others in the set.

    That s separates x and y is believed because information passes through s, so it relies on x - s and
    y - s. Reliance that goes round in a circle is doubtful when what is left has no path from x to y through
    some s: a smallest separating set of a faithful distribution has only members on such paths.
    """
    removed = sorted(pair for pair, found in skeleton.separated.items() if found.given)
    number = {pair: at for at, pair in enumerate(removed)}
    relies = {
        number[x, y]: [
            number[near]
            for s in sorted(skeleton.separated[x, y].given)
            for near in (as_pair(x, s), as_pair(y, s))
            if near in number
        ]
        for x, y in removed
    }
    circles = [sorted(removed[at] for at in part) for part in strongly_connected(relies) if len(part) > 1]
    return sorted(circle for circle in circles if not all(_has_paths(skeleton, pair) for pair in circle))


def _has_paths(skeleton: Skeleton, pair: Pair) -> bool:
    """Whether every member of what separated a pair lies on a path between the two."""
    x, y = pair
    joined = [set(near) for near in skeleton.around]
    joined[x].add(y)
    joined[y].add(x)
    return skeleton.separated[pair].given <= edge_blocks(joined)[pair]


def put_back_strongest(
    skeleton: Skeleton, strength: Callable[[Sequence[Pair]], Sequence[float]]
) -> list[tuple[list[Pair], Pair]]:
    """Put links back, the most dependent first, until no removal relies on itself: (region, link) of each.

    Strengths are of the pairs alone: given what separated them they all vanish. Of equals the last is put
    back.
    """
    done = []
    while regions := uncertain_regions(skeleton):
        for region in regions:
            _, link = max(zip(strength(region), region, strict=True))
            skeleton.link(*link)
            done.append((region, link))
    return done
