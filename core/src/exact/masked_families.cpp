#include "dagwright/exact/masked_families.hpp"

#include <algorithm>
#include <unordered_set>

#include "dagwright/base/bit_matrix.hpp"
#include "dagwright/base/errors.hpp"

namespace dagwright {

namespace {

// Tarjan's algorithm without recursion; components come out parents first, because arcs are followed from
// child to parent.
class Components {
  public:
    explicit Components(const BitMatrix& parents)
        : parents_(parents),
          index_(parents.size(), 0),
          low_(parents.size(), 0),
          open_(parents.size(), false) {}

    std::vector<std::vector<Var>> run() {
        for (Var v = 0; v < parents_.size(); ++v)
            if (index_[v] == 0) visit(v);
        return std::move(found_);
    }

  private:
    struct Frame {
        Var v;
        std::vector<Var> parents;
        std::size_t next = 0;
    };

    void enter(Var v) {
        index_[v] = low_[v] = ++count_;
        open_[v] = true;
        stack_.push_back(v);
        Frame frame{v, {}, 0};
        parents_.for_each_in_row(v, [&](std::size_t p) { frame.parents.push_back(static_cast<Var>(p)); });
        frames_.push_back(std::move(frame));
    }

    void visit(Var root) {
        enter(root);
        while (!frames_.empty()) {
            const std::size_t at = frames_.size() - 1;
            if (frames_[at].next < frames_[at].parents.size()) {
                const Var p = frames_[at].parents[frames_[at].next++];
                if (index_[p] == 0)
                    enter(p);
                else if (open_[p])
                    low_[frames_[at].v] = std::min(low_[frames_[at].v], index_[p]);
                continue;
            }
            const Var v = frames_[at].v;
            frames_.pop_back();
            if (!frames_.empty()) low_[frames_.back().v] = std::min(low_[frames_.back().v], low_[v]);
            if (low_[v] == index_[v]) close(v);
        }
    }

    void close(Var v) {
        std::vector<Var> component;
        do {
            component.push_back(stack_.back());
            open_[stack_.back()] = false;
            stack_.pop_back();
        } while (component.back() != v);
        std::sort(component.begin(), component.end());
        found_.push_back(std::move(component));
    }

    const BitMatrix& parents_;
    std::vector<std::size_t> index_, low_;
    std::vector<bool> open_;
    std::vector<Var> stack_;
    std::vector<Frame> frames_;
    std::vector<std::vector<Var>> found_;
    std::size_t count_ = 0;
};

}  // namespace

std::vector<std::vector<Var>> strong_components(const CandidateSets& sets) {
    BitMatrix parents(sets.variables());  // row: child
    for (Var child = 0; child < sets.variables(); ++child)
        for (std::size_t e = sets.begin(child); e < sets.end(child); ++e)
            for (const std::int32_t v : sets.parents(e)) parents.set(child, static_cast<std::size_t>(v));
    for (const auto& [one, other] : sets.links()) {
        parents.set(one, other);
        parents.set(other, one);
    }
    return Components(parents).run();
}

MaskedFamilies::MaskedFamilies(const CandidateSets& sets, const std::vector<Var>& members)
    : variables(members), lists(members.size()) {
    if (members.size() > kMaskBits)
        throw CapacityError("a problem of more than 64 variables that can all be in cycles together");
    std::vector<std::size_t> number(sets.variables(), kMaskBits);
    for (std::size_t v = 0; v < members.size(); ++v) {
        if (members[v] >= number.size() || number[members[v]] != kMaskBits)
            throw Error("variable " + std::to_string(members[v]) +
                        " is named twice or does not exist; there are " + std::to_string(number.size()));
        number[members[v]] = v;
    }
    for (std::size_t v = 0; v < members.size(); ++v) {
        List& list = lists[v];
        std::unordered_set<Mask> seen;
        for (std::size_t e = sets.begin(members[v]); e < sets.end(members[v]); ++e) {
            if (sets.score(e) == kImpossible) break;
            Mask mask = 0;
            for (const std::int32_t p : sets.parents(e))
                if (number[static_cast<std::size_t>(p)] < kMaskBits)
                    mask |= bit(number[static_cast<std::size_t>(p)]);
            if (!seen.insert(mask).second) continue;  // the better one is there
            list.masks.push_back(mask);
            list.scores.push_back(sets.score(e));
            list.entries.push_back(e);
        }
    }
    for (const auto& [one, other] : sets.links()) {
        if (number[one] == kMaskBits || number[other] == kMaskBits) continue;
        lists[number[one]].links |= bit(number[other]);
        lists[number[other]].links |= bit(number[one]);
    }
}

}  // namespace dagwright
