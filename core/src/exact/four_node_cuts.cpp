#include "dagwright/exact/four_node_cuts.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

namespace dagwright {

namespace {

constexpr std::size_t kRoles = 4;
constexpr double kWeightless = 1e-9;

// coefficient[v][S]: of the families of role v whose parents among the four are the roles in the bits of S.
struct Facet {
    std::array<std::array<int, 16>, kRoles> coefficient{};
    int bound = 0;
    bool operator<(const Facet& other) const { return coefficient < other.coefficient; }
};

// A facet written as, for each role, its parent sets; one that stands twice counts twice.
Facet written(int bound, const std::array<std::vector<const char*>, kRoles>& sets) {
    Facet facet;
    facet.bound = bound;
    for (std::size_t v = 0; v < kRoles; ++v) {
        for (const char* set : sets[v]) {
            std::size_t mask = 0;
            for (; *set != '\0'; ++set) mask |= std::size_t{1} << (*set - '0');
            ++facet.coefficient[v][mask];
        }
    }
    return facet;
}

std::vector<Facet> kinds() {
    return {
        written(2, {{{"1", "12", "13", "23", "123"},
                     {"0", "02", "03", "23", "023"},
                     {"03", "13", "013"},
                     {"02", "12", "012"}}}),
        written(
            2,
            {{{"1", "2", "12", "13", "23", "123"}, {"03", "23", "023"}, {"03", "13", "013"}, {"12", "012"}}}),
        written(3, {{{"1", "2", "3", "12", "12", "13", "23", "123", "123"},
                     {"0", "02", "03", "023"},
                     {"0", "01", "03", "013"},
                     {"0", "1", "2", "01", "02", "12", "012"}}}),
        written(3, {{{"1", "2", "3", "12", "12", "13", "13", "23", "23", "123", "123"},
                     {"0", "02", "03", "23", "023"},
                     {"0", "01", "03", "13", "013"},
                     {"0", "01", "02", "12", "012"}}}),
        written(2, {{{"1", "2", "12", "13", "23", "123", "123"}, {"03", "023"}, {"03", "013"}, {"012"}}}),
    };
}

using Places = std::array<std::size_t, kRoles>;

// A facet with role r played by position places[r].
Facet placed(const Facet& facet, const Places& places) {
    Facet result;
    result.bound = facet.bound;
    for (std::size_t v = 0; v < kRoles; ++v) {
        for (std::size_t mask = 0; mask < 16; ++mask) {
            std::size_t moved = 0;
            for (std::size_t r = 0; r < kRoles; ++r)
                if ((mask >> r) & 1U) moved |= std::size_t{1} << places[r];
            result.coefficient[places[v]][moved] = facet.coefficient[v][mask];
        }
    }
    return result;
}

struct Placement {
    std::size_t kind;
    Places places;
    int bound;
    std::vector<std::pair<std::uint8_t, double>> terms;  // (16 * position + set of positions, coefficient)
};

std::vector<Placement> placements() {
    std::vector<Placement> all;
    const std::vector<Facet> facets = kinds();
    for (std::size_t kind = 0; kind < facets.size(); ++kind) {
        std::set<Facet> seen;
        Places places{0, 1, 2, 3};
        do {
            const Facet facet = placed(facets[kind], places);
            if (!seen.insert(facet).second) continue;
            Placement one{kind, places, facet.bound, {}};
            for (std::size_t v = 0; v < kRoles; ++v)
                for (std::size_t mask = 0; mask < 16; ++mask)
                    if (facet.coefficient[v][mask] != 0)
                        one.terms.emplace_back(static_cast<std::uint8_t>(16 * v + mask),
                                               static_cast<double>(facet.coefficient[v][mask]));
            all.push_back(std::move(one));
        } while (std::next_permutation(places.begin(), places.end()));
    }
    return all;
}

class Finder {
  public:
    Finder(const Families& families, std::span<const double> weights, double least)
        : families_(families), weights_(weights), least_(least), joined_(families.variables()) {
        for (Var v = 0; v < families.variables(); ++v) {
            support_.emplace_back();
            for (std::size_t f = families.begin(v); f < families.end(v); ++f) {
                if (weights[f] <= kWeightless) continue;
                support_.back().push_back(f);
                for_each_bit(families.parents(f), [&](std::size_t p) {
                    joined_.set(v, p);
                    joined_.set(p, v);
                });
            }
        }
    }

    std::vector<FourNodeCut> find() {
        const auto n = static_cast<Var>(families_.variables());
        for (Var a = 0; a < n; ++a)
            for (Var b = a + 1; b < n; ++b)
                for (Var c = b + 1; c < n; ++c) {
                    // In every facet each role has arcs with at least two others.
                    const int inner = joined_.get(a, b) + joined_.get(a, c) + joined_.get(b, c);
                    if (inner == 0) continue;
                    for (Var d = c + 1; d < n; ++d)
                        if (inner + joined_.get(a, d) + joined_.get(b, d) + joined_.get(c, d) >= 4)
                            look_at({a, b, c, d});
                }
        return std::move(found_);
    }

  private:
    void look_at(const std::array<Var, kRoles>& four) {
        std::array<double, 64> share{};
        double arcs = 0.0;
        for (std::size_t v = 0; v < kRoles; ++v) {
            for (const std::size_t f : support_[four[v]]) {
                std::size_t mask = 0;
                for (std::size_t r = 0; r < kRoles; ++r)
                    if (has_bit(families_.parents(f), four[r])) mask |= std::size_t{1} << r;
                share[16 * v + mask] += weights_[f];
                if (mask != 0) arcs += weights_[f];
            }
        }
        if (arcs <= 2.0) return;  // the smallest bound
        for (const Placement& placement : placements_) {
            double total = 0.0;
            for (const auto& [at, coefficient] : placement.terms) total += coefficient * share[at];
            const double violation = total - placement.bound;
            if (violation < least_) continue;
            FourNodeCut cut{std::vector<Var>(kRoles), placement.kind, violation};
            for (std::size_t r = 0; r < kRoles; ++r) cut.members[r] = four[placement.places[r]];
            found_.push_back(std::move(cut));
        }
    }

    const Families& families_;
    std::span<const double> weights_;
    double least_;
    BitMatrix joined_;
    std::vector<std::vector<std::size_t>> support_;
    std::vector<Placement> placements_ = placements();
    std::vector<FourNodeCut> found_;
};

}  // namespace

std::vector<FourNodeCut> violated_four_node_cuts(const Families& families, std::span<const double> weights,
                                                 double least, std::size_t most) {
    if (weights.size() != families.size()) throw std::invalid_argument("one weight per family is needed");
    std::vector<FourNodeCut> found = Finder(families, weights, least).find();
    std::sort(found.begin(), found.end(), [](const FourNodeCut& a, const FourNodeCut& b) {
        if (a.violation != b.violation) return a.violation > b.violation;
        if (a.kind != b.kind) return a.kind < b.kind;
        return a.members < b.members;
    });
    if (found.size() > most) found.resize(most);
    return found;
}

FourNodeRow four_node_row(const Families& families, std::span<const Var> members, std::size_t kind) {
    const std::vector<Facet> facets = kinds();
    if (members.size() != kRoles || kind >= facets.size() ||
        std::any_of(members.begin(), members.end(), [&](Var v) { return v >= families.variables(); }))
        throw std::invalid_argument("a cut over four variables needs four of them and a known kind");
    FourNodeRow row;
    row.bound = facets[kind].bound;
    for (std::size_t v = 0; v < kRoles; ++v) {
        for (std::size_t f = families.begin(members[v]); f < families.end(members[v]); ++f) {
            std::size_t mask = 0;
            for (std::size_t r = 0; r < kRoles; ++r)
                if (has_bit(families.parents(f), members[r])) mask |= std::size_t{1} << r;
            const int coefficient = facets[kind].coefficient[v][mask];
            if (coefficient == 0) continue;
            row.families.push_back(static_cast<std::int64_t>(f));
            row.coefficients.push_back(coefficient);
        }
    }
    return row;
}

}  // namespace dagwright
