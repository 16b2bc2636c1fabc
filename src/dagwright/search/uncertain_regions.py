"""Links that were each removed because of the other (Jensen & Nielsen 2007, section 7.1.4, Fig. 7.9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dagwright.knowledge.components import strongly_connected
from dagwright.search.block_cut import BlockCutTree
from dagwright.search.link_law import Pair, as_pair
from dagwright.search.skeleton import Skeleton


def uncertain_regions(skeleton: Skeleton) -> list[list[Pair]]:
    """Sets of removed links each of which was removed on the strength of others in the set.

    That s separates x and y is believed because information passes through s, so it relies on x - s and
    y - s. Reliance that goes round in a circle is doubtful when what is left has no path from x to y through
    some s: a smallest separating set of a faithful distribution has only members on such paths.
    """
    removed = skeleton.conditional()
    relied = {
        (x, y): [near for s in given for near in (as_pair(x, s), as_pair(y, s)) if near in removed]
        for (x, y), given in removed.items()
    }
    # Only those that rely on others and are relied on can be in a circle.
    upon = {near for others in relied.values() for near in others}
    relying = sorted(pair for pair in upon if relied[pair])
    number = {pair: at for at, pair in enumerate(relying)}
    relies = {
        number[pair]: sorted({number[near] for near in relied[pair] if near in number}) for pair in relying
    }
    circles = [sorted(relying[at] for at in part) for part in strongly_connected(relies) if len(part) > 1]
    if not circles:
        return []
    between = BlockCutTree(skeleton.around).between
    return sorted(
        circle for circle in circles if not all(between(*pair).issuperset(removed[pair]) for pair in circle)
    )


def put_back_strongest(
    skeleton: Skeleton,
    strength: Callable[[Sequence[Pair]], Sequence[float]],
    may_link: Callable[[int, int], bool],
) -> list[tuple[list[Pair], Pair]]:
    """Put links back, the most dependent first, until no removal relies on itself: (region, link) of each.

    Strengths are of the pairs alone: given what separated them they all vanish. Of equals the last is put
    back. Pairs that may not be linked stay apart.
    """
    done = []
    while regions := _with_room(uncertain_regions(skeleton), may_link):
        links = [link for _, candidates in regions for link in candidates]
        values = dict(zip(links, strength(links), strict=True))
        for region, candidates in regions:
            _, link = max((values[link], link) for link in candidates)
            skeleton.link(*link)
            done.append((region, link))
    return done


def _with_room(
    regions: Sequence[list[Pair]], may_link: Callable[[int, int], bool]
) -> list[tuple[list[Pair], list[Pair]]]:
    """The regions of which a link may be put back, with those links."""
    pairs = [(region, [link for link in region if may_link(*link)]) for region in regions]
    return [(region, candidates) for region, candidates in pairs if candidates]
