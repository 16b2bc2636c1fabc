#include <cmath>
#include <limits>
#include <set>

#include "check.hpp"
#include "dagwright/graph/maximum_spanning_tree.hpp"
#include "dagwright/search/annealing.hpp"
#include "dagwright/search/hill_climb.hpp"
#include "dagwright/search/random_moves.hpp"
#include "dagwright/search/start_graph.hpp"
#include "dagwright/search/tabu.hpp"
#include "sample_table.hpp"

using namespace dagwright;

namespace {

struct Problem {
    explicit Problem(unsigned seed, std::vector<std::uint32_t> cardinalities = {2, 3, 2, 4, 2, 3, 2})
        : sample(sample::draw(seed, {1500, std::move(cardinalities), false, {}})),
          sums(std::make_shared<CellSums>(sample.table, std::size_t{1} << 24)),
          score(std::make_shared<CountingMeasure>(sums, CountingMeasure::Kind::multinomial), 3.5) {}

    std::vector<VarSet> empty() const { return std::vector<VarSet>(sample.table->variables()); }
    double total(const std::vector<VarSet>& parents) {
        std::vector<Family> families;
        for (Var child = 0; child < parents.size(); ++child) families.push_back({child, parents[child]});
        std::vector<double> values(families.size());
        score.local(families, values, control);
        double sum = 0.0;
        for (const double value : values) sum += value;
        return sum;
    }

    sample::Sample sample;
    std::shared_ptr<CellSums> sums;
    CriterionScore score;
    Control control;
};

// Every move scored from scratch; the best in the documented order of ties.
std::optional<Step> naive_best(Problem& problem, const Knowledge& knowledge, const DagState& dag,
                               std::size_t max_parents, double tolerance) {
    const double now = problem.total(dag.families());
    std::vector<Step> steps;
    for (const Move move : {Move::add, Move::remove, Move::reverse})
        for (Var to = 0; to < dag.size(); ++to)
            for (Var from = 0; from < dag.size(); ++from) {
                if (from == to || dag.has_arc(from, to) != (move != Move::add)) continue;
                std::vector<VarSet> after = dag.families();
                after[to] = move == Move::add ? after[to].with(from) : after[to].without(from);
                if (move == Move::reverse) after[from] = after[from].with(to);
                try {
                    DagState check(after);
                } catch (const CycleError&) {
                    continue;
                }
                bool fine = true;
                for (Var child = 0; child < after.size(); ++child) {
                    const std::vector<Var> members(after[child].begin(), after[child].end());
                    fine = fine && members.size() <= max_parents && knowledge.allows(child, members);
                }
                for (const auto& [a, b] : knowledge.required_links())
                    fine = fine && (after[a].contains(b) || after[b].contains(a));
                if (fine) steps.push_back({move, from, to, problem.total(after) - now});
            }
    double most = -std::numeric_limits<double>::infinity();
    for (const Step& step : steps) most = std::max(most, step.gain);
    for (const Step& step : steps)
        if (step.gain >= most - tolerance) return step;
    return std::nullopt;
}

Knowledge some_knowledge() {
    Knowledge knowledge(7);
    knowledge.forbid_arc(0, 1);
    knowledge.require_arc(2, 3);
    knowledge.forbid_arc(3, 2);
    knowledge.require_link(4, 5);
    knowledge.bound_parents(6, 1);
    return knowledge;
}

}  // namespace

TEST("the delta cache finds the move that scoring everything finds") {
    for (unsigned seed = 0; seed < 6; ++seed) {
        Problem problem(seed);
        const Knowledge knowledge = seed % 2 == 0 ? Knowledge(7) : some_knowledge();
        std::vector<VarSet> start = problem.empty();
        if (seed % 2 != 0) {
            start[3] = VarSet::of({2});
            start[5] = VarSet::of({4});
        }
        ArcMoves moves(problem.score, knowledge, start, 3, problem.control);
        Random random(seed);
        for (int step = 0; step < 25; ++step) {
            CHECK(moves.know_all());
            const std::optional<Step> fast = moves.best();
            const std::optional<Step> slow =
                naive_best(problem, knowledge, moves.dag(), 3, moves.tolerance() + 1e-9);
            CHECK(fast && slow);
            CHECK(fast->move == slow->move && fast->from == slow->from && fast->to == slow->to);
            CHECK_CLOSE(fast->gain, slow->gain, 1e-8);
            // Uphill while that is possible, then at random.
            if (fast->gain > moves.tolerance() && step % 4 != 3)
                moves.apply(*fast);
            else
                scatter(moves, 1, Scatter::any, random, problem.control);
            CHECK_CLOSE(moves.score(), problem.total(moves.dag().families()), 1e-8);
        }
    }
}

TEST("a filter gives the best of what it lets pass") {
    Problem problem(7);
    const Knowledge nothing(7);
    ArcMoves moves(problem.score, nothing, problem.empty(), 7, problem.control);
    CHECK(moves.know_all());
    const Step best = *moves.best();
    const Step other = *moves.best([&](const Step& step) { return step.to != best.to; });
    CHECK(other.to != best.to && other.gain <= best.gain);
    CHECK(!moves.best([](const Step&) { return false; }));
}

TEST("tabu search and restarts are never below hill climbing; annealing never below its start") {
    for (unsigned seed = 10; seed < 16; ++seed) {
        Problem problem(seed);
        const Knowledge nothing(7);
        const DagFound climbed = hill_climb(problem.score, nothing, problem.empty(), {}, problem.control);
        CHECK_CLOSE(climbed.score, problem.total(climbed.parents), 1e-8);
        const DagFound tabu =
            tabu_search(problem.score, nothing, problem.empty(), {5, 20, 7}, problem.control);
        CHECK(tabu.score >= climbed.score - 1e-8);
        CHECK_CLOSE(tabu.score, problem.total(tabu.parents), 1e-8);
        for (const std::size_t perturbation : {std::size_t{0}, std::size_t{4}}) {
            ClimbPlan plan;
            plan.restarts = 5;
            plan.perturbation = perturbation;
            plan.seed = seed;
            const DagFound again = hill_climb(problem.score, nothing, problem.empty(), plan, problem.control);
            CHECK(again.score >= climbed.score - 1e-8);
            CHECK_CLOSE(again.score, problem.total(again.parents), 1e-8);
        }
        const std::vector<double> temperatures{50, 40, 30, 20, 10, 5, 4, 3, 2, 1, 0.5, 0.0, 0.0};
        const DagFound cooled =
            anneal(problem.score, nothing, problem.empty(), 7, temperatures, seed, problem.control);
        CHECK(cooled.score >= problem.total(problem.empty()));
        // It ends in a local maximum.
        CHECK(hill_climb(problem.score, nothing, cooled.parents, {}, problem.control).trace.empty());
    }
}

TEST("first improvement ends in a local maximum and depends on the seed only") {
    Problem problem(21);
    const Knowledge nothing(7);
    ClimbPlan plan;
    plan.improvement = Improvement::first;
    plan.seed = 4;
    const DagFound found = hill_climb(problem.score, nothing, problem.empty(), plan, problem.control);
    CHECK(found.parents ==
          hill_climb(problem.score, nothing, problem.empty(), plan, problem.control).parents);
    CHECK(hill_climb(problem.score, nothing, found.parents, {}, problem.control).trace.empty());
    for (const Step& step : found.trace) CHECK(step.gain > 0.0);
}

TEST("starting graphs obey knowledge") {
    Problem problem(22);
    const Knowledge knowledge = some_knowledge();
    std::vector<VarSet> base = problem.empty();
    base[3] = VarSet::of({2});
    base[5] = VarSet::of({4});
    for (const std::vector<VarSet>& graph :
         {full_graph(knowledge, base, 3), tree_graph(problem.score, knowledge, base, 3, problem.control)}) {
        DagState check(graph);
        for (Var child = 0; child < 7; ++child) {
            const std::vector<Var> parents(graph[child].begin(), graph[child].end());
            CHECK(knowledge.allows(child, parents) && parents.size() <= 3);
        }
        CHECK(check.has_arc(4, 5) || check.has_arc(5, 4));
    }
    std::size_t arcs = 0;
    for (const VarSet& parents : full_graph(Knowledge(7), problem.empty(), 7)) arcs += parents.size();
    CHECK(arcs == 21);
}

TEST("the spanning forest is the heaviest") {
    Random random(3);
    for (int round = 0; round < 20; ++round) {
        constexpr std::size_t n = 4;
        std::vector<double> weights(n * n, 0.0);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < i; ++j)
                weights[i * n + j] = weights[j * n + i] = static_cast<double>(random.below(6)) - 1.0;
        double found = 0.0;
        for (const auto& [near, far] : maximum_spanning_forest(n, weights, 0.0)) {
            CHECK(weights[near * n + far] > 0.0);
            found += weights[near * n + far];
        }
        CHECK(maximum_spanning_forest(n, weights).size() == n - 1);
        // All subsets of the six edges that have no cycle.
        const std::vector<std::pair<std::size_t, std::size_t>> links{{0, 1}, {0, 2}, {0, 3},
                                                                     {1, 2}, {1, 3}, {2, 3}};
        double heaviest = 0.0;
        for (unsigned chosen = 0; chosen < 64; ++chosen) {
            std::vector<std::size_t> tree{0, 1, 2, 3};
            double total = 0.0;
            bool cycle = false;
            for (std::size_t k = 0; k < links.size(); ++k) {
                if (((chosen >> k) & 1U) == 0) continue;
                const std::size_t a = tree[links[k].first], b = tree[links[k].second];
                cycle = cycle || a == b;
                for (std::size_t& t : tree)
                    if (t == b) t = a;
                total += weights[links[k].first * n + links[k].second];
            }
            if (!cycle) heaviest = std::max(heaviest, total);
        }
        CHECK_CLOSE(found, heaviest, 1e-12);
    }
}

TEST("random numbers are fair and shuffles are permutations") {
    Random random(1);
    std::vector<int> seen(5, 0);
    for (int i = 0; i < 5000; ++i) ++seen[random.below(5)];
    for (const int times : seen) CHECK(times > 850 && times < 1150);
    std::vector<int> deck{0, 1, 2, 3, 4, 5, 6};
    random.shuffle(std::span(deck));
    CHECK(std::set<int>(deck.begin(), deck.end()).size() == 7);
    for (int i = 0; i < 1000; ++i) {
        const double u = random.uniform();
        CHECK(u >= 0.0 && u < 1.0);
    }
}
