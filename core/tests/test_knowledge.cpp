#include <cstdint>
#include <vector>

#include "check.hpp"
#include "dagwright/base/errors.hpp"
#include "dagwright/graph/knowledge.hpp"

using dagwright::Knowledge;
using Parents = std::vector<std::uint32_t>;

TEST("knowledge: nothing said allows everything") {
    const Knowledge knowledge(3);
    CHECK(knowledge.empty());
    CHECK(knowledge.size() == 3);
    CHECK(knowledge.allows_arc(0, 1));
    CHECK(!knowledge.requires_arc(0, 1));
    CHECK(!knowledge.requires_link(0, 1));
    CHECK(knowledge.max_parents(2) == Knowledge::kUnbounded);
    CHECK(knowledge.allows(2, Parents{0, 1}));
    CHECK(knowledge.allows(2, Parents{}));
}

TEST("knowledge: a forbidden arc forbids one direction only") {
    Knowledge knowledge(3);
    knowledge.forbid_arc(0, 1);
    CHECK(!knowledge.empty());
    CHECK(!knowledge.allows_arc(0, 1));
    CHECK(knowledge.allows_arc(1, 0));
    CHECK(!knowledge.allows(1, Parents{2, 0}));
    CHECK(knowledge.allows(1, Parents{2}));
    CHECK((knowledge.allowed_parents(1) == Parents{2}));
}

TEST("knowledge: required parents must be present, links are listed apart from arcs") {
    Knowledge knowledge(4);
    knowledge.require_arc(2, 1);
    knowledge.require_arc(0, 1);
    knowledge.require_arc(0, 1);
    knowledge.require_link(3, 2);
    CHECK(!knowledge.allows(1, Parents{0}));
    CHECK(knowledge.allows(1, Parents{2, 3, 0}));
    CHECK(knowledge.requires_arc(0, 1));
    CHECK(!knowledge.requires_arc(1, 0));
    CHECK(knowledge.requires_link(1, 0));
    CHECK(knowledge.requires_link(2, 3));
    CHECK(!knowledge.requires_arc(2, 3));
    CHECK((knowledge.required_arcs() == std::vector<Knowledge::Arc>{{0, 1}, {2, 1}}));
    CHECK((knowledge.required_links() == std::vector<Knowledge::Arc>{{2, 3}}));
}

TEST("knowledge: the smallest parent bound holds") {
    Knowledge knowledge(4);
    knowledge.bound_parents(0, 3);
    knowledge.bound_parents(0, 1);
    knowledge.bound_parents(0, 2);
    CHECK(knowledge.max_parents(0) == 1);
    CHECK(knowledge.allows(0, Parents{3}));
    CHECK(!knowledge.allows(0, Parents{2, 3}));
    Knowledge unbounded(2);
    unbounded.bound_parents(0, Knowledge::kUnbounded);
    CHECK(unbounded.empty());
}

TEST("knowledge: renumbering moves every statement, over word boundaries") {
    const std::uint32_t n = 130;
    Knowledge knowledge(n);
    knowledge.forbid_arc(0, 129);
    knowledge.require_arc(64, 63);
    knowledge.require_link(1, 128);
    knowledge.bound_parents(5, 2);
    Parents reversed(n);
    for (std::uint32_t v = 0; v < n; ++v) reversed[v] = n - 1 - v;
    const Knowledge moved = knowledge.renumbered(reversed);
    CHECK(!moved.allows_arc(129, 0));
    CHECK(moved.allows_arc(0, 129));
    CHECK((moved.required_arcs() == std::vector<Knowledge::Arc>{{65, 66}}));
    CHECK((moved.required_links() == std::vector<Knowledge::Arc>{{1, 128}}));
    CHECK(moved.max_parents(124) == 2);
    CHECK(Knowledge(n).renumbered(reversed).empty());
    CHECK_THROWS(knowledge.renumbered(Parents{0, 1}), dagwright::Error);
    CHECK_THROWS(Knowledge(2).renumbered(Parents{0, 0}), dagwright::Error);
}

TEST("knowledge: variables that do not exist and loops are refused") {
    Knowledge knowledge(2);
    CHECK_THROWS(knowledge.forbid_arc(0, 2), dagwright::Error);
    CHECK_THROWS(knowledge.require_arc(1, 1), dagwright::Error);
    CHECK_THROWS(knowledge.require_link(5, 1), dagwright::Error);
    CHECK_THROWS(knowledge.bound_parents(2, 1), dagwright::Error);
    CHECK(knowledge.empty());
}
