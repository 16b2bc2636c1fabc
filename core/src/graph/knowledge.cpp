#include "dagwright/graph/knowledge.hpp"

#include <algorithm>
#include <string>

#include "dagwright/base/errors.hpp"

namespace dagwright {

Knowledge::Knowledge(std::size_t n)
    : n_(n), forbidden_(n), required_(n), linked_(n), max_parents_(n, kUnbounded), required_parents_(n) {}

bool Knowledge::allows(std::uint32_t child, std::span<const std::uint32_t> parents) const {
    if (parents.size() > max_parents_[child]) return false;
    std::size_t required_present = 0;
    for (const std::uint32_t parent : parents) {
        if (forbidden_.get(child, parent)) return false;
        required_present += required_.get(child, parent) ? 1 : 0;
    }
    return required_present == required_parents_[child].size();
}

std::vector<std::uint32_t> Knowledge::allowed_parents(std::uint32_t child) const {
    std::vector<std::uint32_t> parents;
    for (std::uint32_t from = 0; from < n_; ++from) {
        if (from != child && allows_arc(from, child)) parents.push_back(from);
    }
    return parents;
}

std::vector<Knowledge::Arc> Knowledge::required_arcs() const {
    std::vector<Arc> arcs;
    for (std::uint32_t child = 0; child < n_; ++child) {
        for (const std::uint32_t parent : required_parents_[child]) arcs.emplace_back(parent, child);
    }
    std::sort(arcs.begin(), arcs.end());
    return arcs;
}

std::vector<Knowledge::Arc> Knowledge::required_links() const {
    std::vector<Arc> links;
    for (std::uint32_t a = 0; a < n_; ++a) {
        linked_.for_each_in_row(a, [&](std::size_t other) {
            const auto b = static_cast<std::uint32_t>(other);
            if (a < b && !requires_arc(a, b) && !requires_arc(b, a)) links.emplace_back(a, b);
        });
    }
    return links;
}

void Knowledge::need_pair(std::uint32_t a, std::uint32_t b) const {
    if (a >= n_ || b >= n_) {
        throw Error("variable " + std::to_string(std::max(a, b)) + " does not exist; there are " +
                    std::to_string(n_));
    }
    if (a == b) throw Error("variable " + std::to_string(a) + " cannot be joined with itself");
}

void Knowledge::forbid_arc(std::uint32_t from, std::uint32_t to) {
    need_pair(from, to);
    forbidden_.set(to, from);
    empty_ = false;
}

void Knowledge::require_arc(std::uint32_t from, std::uint32_t to) {
    require_link(from, to);
    if (requires_arc(from, to)) return;
    required_.set(to, from);
    std::vector<std::uint32_t>& parents = required_parents_[to];
    parents.insert(std::lower_bound(parents.begin(), parents.end(), from), from);
}

void Knowledge::require_link(std::uint32_t a, std::uint32_t b) {
    need_pair(a, b);
    linked_.set(a, b);
    linked_.set(b, a);
    empty_ = false;
}

void Knowledge::bound_parents(std::uint32_t child, std::size_t most) {
    if (child >= n_) {
        throw Error("variable " + std::to_string(child) + " does not exist; there are " + std::to_string(n_));
    }
    max_parents_[child] = std::min(max_parents_[child], most);
    empty_ = empty_ && max_parents_[child] == kUnbounded;
}

Knowledge Knowledge::renumbered(std::span<const std::uint32_t> permutation) const {
    std::vector<bool> used(n_, false);
    for (const std::uint32_t number : permutation) {
        if (number < n_) used[number] = true;
    }
    if (permutation.size() != n_ || std::find(used.begin(), used.end(), false) != used.end()) {
        throw Error("renumbering needs each of the numbers 0 to n - 1 once");
    }
    Knowledge result(n_);
    for (std::uint32_t child = 0; child < n_; ++child) {
        const std::uint32_t moved = permutation[child];
        forbidden_.for_each_in_row(child,
                                   [&](std::size_t from) { result.forbid_arc(permutation[from], moved); });
        required_.for_each_in_row(child,
                                  [&](std::size_t from) { result.require_arc(permutation[from], moved); });
        linked_.for_each_in_row(child,
                                [&](std::size_t other) { result.require_link(permutation[other], moved); });
        result.bound_parents(moved, max_parents_[child]);
    }
    return result;
}

}  // namespace dagwright
