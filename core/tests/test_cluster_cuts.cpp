#include "check.hpp"
#include "dagwright/exact/cluster_cuts.hpp"
#include "dagwright/exact/family_orders.hpp"
#include "dagwright/exact/four_node_cuts.hpp"

using namespace dagwright;

namespace {

// All parent sets of n variables, scored so that the order of entries is that of the masks.
CandidateSets everything(std::size_t n, std::vector<CandidateSets::Link> links = {}) {
    std::vector<std::int64_t> offsets{0}, starts{0};
    std::vector<double> scores;
    std::vector<std::int32_t> members;
    for (std::size_t v = 0; v < n; ++v) {
        double score = 0.0;
        for (std::size_t mask = 0; mask < (std::size_t{1} << n); ++mask) {
            if ((mask >> v) & 1U) continue;
            for (std::size_t p = 0; p < n; ++p)
                if ((mask >> p) & 1U) members.push_back(static_cast<std::int32_t>(p));
            starts.push_back(static_cast<std::int64_t>(members.size()));
            scores.push_back(score -= 1.0);
        }
        offsets.push_back(static_cast<std::int64_t>(scores.size()));
    }
    return CandidateSets(offsets, scores, starts, members, std::move(links));
}

std::size_t entry(const Families& families, Var child, Word parents) {
    for (std::size_t f = families.begin(child); f < families.end(child); ++f)
        if (families.parents(f)[0] == parents) return f;
    return families.size();
}

// Every DAG over n variables as a choice of families.
std::vector<std::vector<std::size_t>> all_dags(const Families& families) {
    const auto n = static_cast<Var>(families.variables());
    std::vector<std::vector<std::size_t>> dags;
    std::vector<std::size_t> chosen(n);
    const auto acyclic = [&] {
        Word placed = 0;
        for (Var round = 0; round < n; ++round)
            for (Var v = 0; v < n; ++v)
                if ((families.parents(chosen[v])[0] & ~placed) == 0) placed |= Word{1} << v;
        return placed == (Word{1} << n) - 1;
    };
    const auto choose = [&](const auto& self, Var v) -> void {
        if (v == n) {
            if (acyclic()) dags.push_back(chosen);
            return;
        }
        for (chosen[v] = families.begin(v); chosen[v] < families.end(v); ++chosen[v]) self(self, v + 1);
    };
    choose(choose, 0);
    return dags;
}

}  // namespace

TEST("a cycle of whole families is a violated cluster") {
    const Families families(everything(4));
    std::vector<double> weights(families.size(), 0.0);
    weights[entry(families, 0, 0b0010)] = 1.0;
    weights[entry(families, 1, 0b0100)] = 1.0;
    weights[entry(families, 2, 0b0001)] = 1.0;
    weights[entry(families, 3, 0b0111)] = 1.0;
    const ClustersFound found = violated_clusters(families, weights, {0.5, 10, 1, 1000});
    CHECK(found.clusters.size() == 1);
    CHECK((found.clusters[0].members == std::vector<Var>{0, 1, 2}));
    CHECK_CLOSE(found.clusters[0].violation, 1.0, 1e-12);
}

TEST("a network violates nothing, and the search says that it was complete") {
    const Families families(everything(4));
    for (const std::vector<std::size_t>& dag : all_dags(families)) {
        std::vector<double> weights(families.size(), 0.0);
        for (const std::size_t f : dag) weights[f] = 1.0;
        const ClustersFound found = violated_clusters(families, weights, {1e-6, 10, 2, 1000});
        CHECK(found.clusters.empty());
        CHECK(found.complete);
        CHECK(violated_four_node_cuts(families, weights, 1e-6, 10).empty());
    }
}

TEST("the enumeration finds what growth may miss: a fractional cluster of four") {
    const Families families(everything(4));
    std::vector<double> weights(families.size(), 0.0);
    // Each has one of two others as parent: every pair and triple is fine, the four together are not.
    const Word parents[4][2] = {{0b0010, 0b0100}, {0b0100, 0b1000}, {0b1000, 0b0001}, {0b0001, 0b0010}};
    for (Var v = 0; v < 4; ++v)
        for (const Word set : parents[v]) weights[entry(families, v, set)] = 0.5;
    const ClustersFound found = violated_clusters(families, weights, {0.1, 10, 1, 10'000});
    CHECK(!found.clusters.empty());
    CHECK(found.clusters[0].members.size() == 4);
    CHECK_CLOSE(found.clusters[0].violation, 1.0, 1e-12);
}

TEST("no network over four variables breaks an inequality, and each is tight for enough of them") {
    const Families families(everything(4));
    const std::vector<std::vector<std::size_t>> dags = all_dags(families);
    CHECK(dags.size() == 543);
    const std::vector<Var> four{0, 1, 2, 3};
    for (std::size_t kind = 0; kind < 5; ++kind) {
        const FourNodeRow row = four_node_row(families, four, kind);
        std::vector<double> coefficient(families.size(), 0.0);
        for (std::size_t i = 0; i < row.families.size(); ++i)
            coefficient[static_cast<std::size_t>(row.families[i])] = row.coefficients[i];
        double most = 0.0;
        std::size_t tight = 0;
        for (const std::vector<std::size_t>& dag : dags) {
            double total = 0.0;
            for (const std::size_t f : dag) total += coefficient[f];
            most = std::max(most, total);
            tight += total == row.bound;
        }
        CHECK(most == row.bound);
        CHECK(tight >= 28);  // a facet of a polytope of dimension 28 has that many vertices
    }
    CHECK_THROWS(four_node_row(families, four, 5), std::invalid_argument);
}

TEST("rows of clusters hold for every network") {
    const Families families(everything(4));
    const std::vector<std::vector<std::size_t>> dags = all_dags(families);
    for (const std::vector<Var>& members : {std::vector<Var>{0, 1}, {0, 2, 3}, {0, 1, 2, 3}}) {
        for (std::size_t order = 1; order < members.size(); ++order) {
            const std::vector<std::int64_t> row = cluster_row(families, members, order);
            std::size_t least = families.size();
            for (const std::vector<std::size_t>& dag : dags) {
                std::size_t total = 0;
                for (const std::size_t f : dag)
                    total += std::count(row.begin(), row.end(), static_cast<std::int64_t>(f)) > 0;
                least = std::min(least, total);
            }
            CHECK(least == order);
        }
    }
}

TEST("an order by weights gives back the network that has all the weight") {
    const Families families(everything(4));
    Control control;
    for (const std::vector<std::size_t>& dag : all_dags(families)) {
        std::vector<double> weights(families.size(), 0.0);
        for (const std::size_t f : dag) weights[f] = 1.0;
        std::vector<Word> before(1, 0);
        for (const Var v : order_by_weights(families, weights)) {
            CHECK((families.parents(dag[v])[0] & ~before[0]) == 0);
            before[0] |= Word{1} << v;
        }
    }
}

TEST("climbing keeps links: whichever comes later has the other as parent") {
    const Families families(everything(3, {{0, 1}, {1, 2}}));
    Control control;
    const OrderedChoice found = climb_orders(families, {2, 0, 1}, 20, 7, control);
    CHECK(found.families.size() == 3);
    for (const auto& [one, other] : {std::pair<Var, Var>{0, 1}, {1, 2}}) {
        const Word of_one = families.parents(static_cast<std::size_t>(found.families[one]))[0];
        const Word of_other = families.parents(static_cast<std::size_t>(found.families[other]))[0];
        CHECK(((of_one >> other) & 1U) + ((of_other >> one) & 1U) == 1);
    }
    CHECK_THROWS(climb_orders(families, {0, 0, 1}, 0, 0, control), std::invalid_argument);
}
