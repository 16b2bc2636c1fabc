#include <cmath>
#include <memory>

#include "check.hpp"
#include "dagwright/base/errors.hpp"
#include "dagwright/base/random.hpp"
#include "dagwright/inference/network_query.hpp"
#include "dagwright/inference/possible_states.hpp"
#include "dagwright/inference/propagation.hpp"

using namespace dagwright;

namespace {

Factor random_factor(const Scope& scope, Cards cards, Random& random) {
    Factor factor;
    factor.variables = scope;
    factor.strides.resize(scope.size());
    std::size_t cells = 1;
    for (std::size_t i = scope.size(); i-- > 0; cells *= cards[scope[i]]) factor.strides[i] = cells;
    std::vector<double> values(cells);
    for (double& value : values) value = random.uniform();
    factor.cells = std::make_shared<const std::vector<double>>(std::move(values));
    return factor;
}

// The same by the definition, one cell after the other.
std::vector<double> contracted_slowly(const std::vector<const Factor*>& factors, const Scope& keep,
                                      Cards cards, Reduction reduction) {
    Scope all;
    for (const Factor* factor : factors) all = union_of(all, factor->variables);
    std::size_t cells = 1;
    for (const Var v : keep) cells *= cards[v];
    std::vector<double> result(cells, reduction == Reduction::sum ? 0.0 : -1.0);
    std::vector<std::uint32_t> states(cards.size(), 0);
    for (bool more = true; more;) {
        double value = 1;
        for (const Factor* factor : factors) value *= value_at(*factor, states);
        std::size_t cell = 0;
        for (const Var v : keep) cell = cell * cards[v] + states[v];
        result[cell] = reduction == Reduction::sum ? result[cell] + value : std::max(result[cell], value);
        more = false;
        for (std::size_t i = all.size(); i-- > 0 && !more;) {
            more = ++states[all[i]] < cards[all[i]];
            if (!more) states[all[i]] = 0;
        }
    }
    return result;
}

// a -> b -> c with a zero, and d alone.
std::shared_ptr<NetworkTables> small_network() {
    auto network = std::make_shared<NetworkTables>();
    network->names = {"a", "b", "c", "d"};
    network->cards = {2, 2, 2, 3};
    const auto add = [&](std::vector<Var> axes, std::vector<double> table) {
        network->tables.push_back(
            std::make_shared<const Factor>(conditional_table(axes, network->cards, std::move(table))));
    };
    add({0}, {0.7, 0.3});
    add({0, 1}, {0.9, 0.1, 0.2, 0.8});
    add({1, 2}, {1.0, 0.0, 0.25, 0.75});
    add({3}, {0.2, 0.3, 0.5});
    return network;
}

}  // namespace

TEST("products of random tables equal the definition") {
    Random random(5);
    for (int round = 0; round < 300; ++round) {
        std::vector<std::uint32_t> cards;
        for (int v = 0; v < 7; ++v)
            cards.push_back(static_cast<std::uint32_t>(1 + random.below(round % 10 == 0 ? 20 : 4)));
        std::vector<Factor> factors;
        Scope all;
        for (std::size_t k = 0; k <= random.below(5); ++k) {
            Scope scope;
            for (Var v = 0; v < 7; ++v)
                if (random.below(round % 10 == 0 ? 4 : 2) == 0) scope.push_back(v);
            factors.push_back(random_factor(scope, cards, random));
            all = union_of(all, scope);
        }
        Scope keep;
        for (const Var v : all)
            if (random.below(2) == 0) keep.push_back(v);
        std::vector<const Factor*> pointers;
        for (const Factor& factor : factors) pointers.push_back(&factor);
        for (const Reduction reduction : {Reduction::sum, Reduction::max}) {
            const Factor fast = contract(pointers, keep, cards, reduction);
            const std::vector<double> slow = contracted_slowly(pointers, keep, cards, reduction);
            CHECK(fast.variables == keep);
            CHECK(fast.cells->size() == slow.size());
            for (std::size_t i = 0; i < slow.size(); ++i) CHECK_CLOSE((*fast.cells)[i], slow[i], 1e-12);
        }
    }
}

TEST("a slice is the table at the observed states") {
    Random random(9);
    const std::vector<std::uint32_t> cards{3, 2, 4};
    const Factor factor = random_factor({0, 1, 2}, cards, random);
    const Factor slice = sliced(factor, std::vector<std::uint32_t>{kUnobserved, 1, kUnobserved});
    CHECK((slice.variables == Scope{0, 2}));
    for (std::uint32_t a = 0; a < 3; ++a)
        for (std::uint32_t c = 0; c < 4; ++c) {
            const std::vector<std::uint32_t> states{a, 1, c};
            CHECK(value_at(slice, states) == value_at(factor, states));
        }
}

TEST("the first elimination order of a cycle adds one edge") {
    const std::vector<std::uint32_t> cards{2, 2, 2, 2};
    const Triangulation plan = triangulate({{0, 1}, {1, 2}, {2, 3}, {0, 3}}, cards);
    CHECK(plan.order.size() == 4);
    CHECK(plan.largest.size() == 3);
    CHECK(plan.cells == 8 + 8 + 4 + 2);
    const Triangulation late = triangulate({{0, 1}, {1, 2}, {2, 3}, {0, 3}}, cards, {0, 2}, 9, 3);
    CHECK(late.order[2] + late.order[3] == 2);
}

TEST("propagation and single questions on a small network") {
    const auto network = small_network();
    const auto tree = std::make_shared<const JunctionTree>(make_junction_tree(*network, 3, 1));
    Propagation propagation(network, tree, 1e6);
    Findings findings(4);
    findings.observed[2] = 1;
    propagation.observe(findings.observed, findings.likelihoods);
    const double b1 = 0.7 * 0.1 + 0.3 * 0.8;
    CHECK_CLOSE(std::exp(propagation.log_evidence()), 0.75 * b1, 1e-14);
    const std::vector<Var> nodes{0, 1, 2, 3};
    const auto marginals = propagation.marginals(nodes);
    CHECK_CLOSE(marginals[0][1], 0.24 / b1, 1e-14);
    CHECK_CLOSE(marginals[1][1], 1.0, 1e-14);
    CHECK(marginals[2][1] == 1.0);
    CHECK_CLOSE(marginals[3][2], 0.5, 1e-14);
    Scope scope;
    CHECK_CLOSE(propagation.family(1, scope)[3], 0.24 / b1, 1e-14);
    CHECK((scope == Scope{0, 1}));
    CHECK_CLOSE(joint_posterior(*network, findings, {0}, 1e6)[1], 0.24 / b1, 1e-14);
    CHECK_CLOSE(std::exp(most_probable(*network, findings, {0, 1, 3}, 1e6)), 0.24 * 0.75 * 0.5, 1e-14);
    CHECK(findings.observed[0] == 1 && findings.observed[3] == 2);

    findings.observed = {kUnobserved, 0, 1, kUnobserved};
    propagation.observe(findings.observed, findings.likelihoods);
    CHECK(std::isinf(propagation.log_evidence()));
    CHECK(std::isinf(log_evidence(*network, findings, 1e6)));
    CHECK(joint_posterior(*network, findings, {3}, 1e6).empty());
    findings.observed = {kUnobserved, kUnobserved, kUnobserved, kUnobserved};
    propagation.observe(findings.observed, findings.likelihoods);
    CHECK_CLOSE(propagation.log_evidence(), 0.0, 1e-14);
}

TEST("possible states are found where there are any") {
    Random random(11);
    int possible = 0;
    for (int round = 0; round < 400; ++round) {
        const std::vector<std::uint32_t> cards{2, 3, 2, 3, 2, 3, 2, 3};
        FactorSet factors;
        std::vector<const Factor*> all;
        for (int k = 0; k < 9; ++k) {
            Scope scope;
            while (scope.size() < 3) scope = union_of(scope, {static_cast<Var>(random.below(cards.size()))});
            Factor factor = random_factor(scope, cards, random);
            auto cells = std::make_shared<std::vector<double>>(*factor.cells);
            for (double& cell : *cells) cell = cell < 0.5 ? cell : 0.0;
            factor.cells = std::move(cells);
            factors.push_back(std::make_shared<const Factor>(std::move(factor)));
            all.push_back(factors.back().get());
        }
        const bool expected = contracted_slowly(all, {}, cards, Reduction::sum)[0] > 0;
        possible += expected;
        CHECK(look_for_possible_states(factors, cards) ==
              (expected ? Possibility::possible : Possibility::impossible));
    }
    CHECK(possible > 50 && possible < 350);
}

TEST("as many guests as beds find one each, one more does not") {
    for (const std::uint32_t beds : {6u, 7u}) {
        const std::vector<std::uint32_t> cards(7, beds);
        std::vector<double> different(beds * beds, 1.0);
        for (std::size_t bed = 0; bed < beds; ++bed) different[bed * beds + bed] = 0.0;
        FactorSet factors;
        for (Var a = 0; a < cards.size(); ++a) {
            for (Var b = a + 1; b < cards.size(); ++b) {
                Factor factor = conditional_table({a, b}, cards, different);
                factor.heads.clear();
                factors.push_back(std::make_shared<const Factor>(std::move(factor)));
            }
        }
        CHECK(look_for_possible_states(factors, cards) ==
              (beds == 7 ? Possibility::possible : Possibility::impossible));
    }
}

TEST("tables beyond the limit are refused by name") {
    const auto network = small_network();
    const auto tree = std::make_shared<const JunctionTree>(make_junction_tree(*network, 1, 1));
    Propagation propagation(network, tree, 3);
    const Findings findings(4);
    CHECK_THROWS(propagation.observe(findings.observed, findings.likelihoods), CapacityError);
    CHECK_THROWS(joint_posterior(*network, findings, {2}, 3), CapacityError);
}
