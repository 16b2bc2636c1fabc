#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "check.hpp"
#include "dagwright/base/errors.hpp"
#include "dagwright/base/random.hpp"
#include "dagwright/graph/equivalence.hpp"
#include "dagwright/search/ges.hpp"

using namespace dagwright;

namespace {

using Dag = std::vector<VarSet>;
using Key = std::pair<std::vector<Arc>, std::vector<Arc>>;

// mu(P+x) - mu(P) of a random mu: equivalent DAGs score the same, and anything can happen otherwise.
class RandomScore final : public LocalScore {
  public:
    RandomScore(std::size_t n, std::uint64_t seed) : n_(n) {
        Random random(seed);
        for (std::size_t set = 0; set < (std::size_t{1} << n); ++set) mu_.push_back(10.0 * random.uniform());
    }
    std::size_t variables() const override { return n_; }
    double tolerance() const override { return 1e-12; }
    void local(std::span<const Family> families, std::span<double> out, Control&) override {
        for (std::size_t i = 0; i < families.size(); ++i)
            out[i] = mu(families[i].parents.with(families[i].child)) - mu(families[i].parents);
    }
    double total(const Dag& dag) const {
        double sum = 0.0;
        for (Var v = 0; v < n_; ++v) sum += mu(dag[v].with(v)) - mu(dag[v]);
        return sum;
    }

  private:
    double mu(const VarSet& set) const {
        std::size_t code = 0;
        for (const Var v : set) code |= std::size_t{1} << v;
        return mu_[code];
    }
    std::size_t n_;
    std::vector<double> mu_;
};

Key key_of(const MixedGraph& graph) { return {graph.directed(), graph.undirected()}; }
Key class_of(const Dag& dag) { return key_of(EssentialState(dag).graph()); }

bool acyclic(const Dag& dag) {
    try {
        DagState check(dag);
        return true;
    } catch (const CycleError&) {
        return false;
    }
}

std::map<Key, std::vector<Dag>> all_classes(std::size_t n) {
    std::map<Key, std::vector<Dag>> classes;
    std::vector<std::pair<Var, Var>> pairs;
    for (Var a = 0; a < n; ++a)
        for (Var b = a + 1; b < n; ++b) pairs.emplace_back(a, b);
    std::size_t codes = 1;
    for (std::size_t i = 0; i < pairs.size(); ++i) codes *= 3;
    for (std::size_t code = 0; code < codes; ++code) {
        Dag dag(n);
        std::size_t rest = code;
        for (const auto& [a, b] : pairs) {
            if (rest % 3 == 1) dag[b] = dag[b].with(a);
            if (rest % 3 == 2) dag[a] = dag[a].with(b);
            rest /= 3;
        }
        if (acyclic(dag)) classes[class_of(dag)].push_back(dag);
    }
    return classes;
}

// Classes with a member that differs by one arc from a member of the given class.
std::set<Key> neighbor_classes(const std::vector<Dag>& members, ClassMoveKind kind) {
    std::set<Key> found;
    for (const Dag& dag : members)
        for (Var x = 0; x < dag.size(); ++x)
            for (Var y = 0; y < dag.size(); ++y) {
                const bool there = dag[y].contains(x);
                if (x == y || there != (kind != ClassMoveKind::insert)) continue;
                Dag other = dag;
                other[y] = there ? dag[y].without(x) : dag[y].with(x);
                if (kind == ClassMoveKind::turn) other[x] = dag[x].with(y);
                if (acyclic(other)) found.insert(class_of(other));
            }
    found.erase(class_of(members.front()));
    return found;
}

bool obeys(const Dag& dag, const Knowledge& knowledge) {
    for (Var child = 0; child < dag.size(); ++child)
        if (!knowledge.allows(child, std::vector<Var>(dag[child].begin(), dag[child].end()))) return false;
    for (const auto& [a, b] : knowledge.required_links())
        if (!dag[a].contains(b) && !dag[b].contains(a)) return false;
    return true;
}

bool some_member_obeys(const std::vector<Dag>& members, const Knowledge& knowledge) {
    return std::any_of(members.begin(), members.end(), [&](const Dag& dag) { return obeys(dag, knowledge); });
}

Knowledge random_knowledge(std::size_t n, Random& random) {
    Knowledge knowledge(n);
    for (std::uint32_t a = 0; a < n; ++a)
        for (std::uint32_t b = 0; b < n; ++b)
            if (a != b && random.below(4) == 0) knowledge.forbid_arc(a, b);
    for (std::uint32_t v = 0; v < n; ++v)
        if (random.below(3) == 0) knowledge.bound_parents(v, 1 + random.below(2));
    return knowledge;
}

}  // namespace

TEST("every best move of every class of four nodes is what listing the neighboring classes finds") {
    const std::map<Key, std::vector<Dag>> classes = all_classes(4);
    CHECK(classes.size() == 185);
    Random random(5);
    std::size_t turned = 0;
    for (const bool informed : {false, true})
        for (const auto& [here, members] : classes) {
            RandomScore score(4, random.next());
            const Knowledge knowledge = informed ? random_knowledge(4, random) : Knowledge(4);
            const auto obeying = std::find_if(members.begin(), members.end(),
                                              [&](const Dag& dag) { return obeys(dag, knowledge); });
            const std::optional<Dag> found = EssentialState(members.front()).extension(knowledge);
            CHECK(found.has_value() == (obeying != members.end()));
            if (!found) continue;
            CHECK(obeys(*found, knowledge) && class_of(*found) == here);
            for (const ClassMoveKind kind :
                 {ClassMoveKind::insert, ClassMoveKind::remove, ClassMoveKind::turn}) {
                Control control;
                ClassMoves moves(score, knowledge, members.front(), {}, 4, control);
                moves.look_for(kind);
                const std::optional<ClassMove> best = moves.best();
                double most = 0.0;
                for (const Key& key : neighbor_classes(members, kind))
                    if (some_member_obeys(classes.at(key), knowledge))
                        most = std::max(most,
                                        score.total(classes.at(key).front()) - score.total(members.front()));
                CHECK(best.has_value() == (most > 0.0));
                if (!best) continue;
                CHECK_CLOSE(best->gain, most, 1e-9);
                moves.apply(*best);
                const std::vector<Dag>& reached = classes.at(key_of(moves.state().graph()));
                CHECK_CLOSE(score.total(reached.front()) - score.total(members.front()), most, 1e-9);
                turned += kind == ClassMoveKind::turn ? 1 : 0;
            }
        }
    CHECK(turned > 100);
}

TEST("keeping what a step did not touch changes nothing but the number of operators") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        RandomScore score(7, seed);
        Random random(seed);
        const Knowledge knowledge = seed % 2 == 0 ? Knowledge(7) : random_knowledge(7, random);
        GesPlan plan;
        plan.turning = seed % 3 == 0;
        plan.extended = seed % 4 == 1;
        plan.max_parents = seed % 5 == 0 ? 2 : 7;
        Control control;
        const ClassFound quick = ges(score, knowledge, Dag(7), plan, control);
        plan.reuse = false;
        const ClassFound naive = ges(score, knowledge, Dag(7), plan, control);
        CHECK(quick.graph == naive.graph && quick.dag == naive.dag);
        CHECK(quick.trace.size() == naive.trace.size() && quick.operators < naive.operators);
        for (std::size_t i = 0; i < quick.trace.size(); ++i)
            CHECK(quick.trace[i].kind == naive.trace[i].kind && quick.trace[i].x == naive.trace[i].x &&
                  quick.trace[i].y == naive.trace[i].y && quick.trace[i].clique == naive.trace[i].clique);
        CHECK(obeys(quick.dag, knowledge));
        CHECK_CLOSE(quick.score, score.total(quick.dag), 1e-9);
        for (const VarSet& parents : quick.dag) CHECK(parents.size() <= plan.max_parents);
    }
}

TEST("the extended search ends where no single move gains, higher than the phases on the whole") {
    const std::map<Key, std::vector<Dag>> classes = all_classes(4);
    double gained = 0.0;
    std::size_t higher = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        RandomScore score(4, seed);
        GesPlan plan;
        plan.turning = true;
        Control control;
        const ClassFound phases = ges(score, Knowledge(4), Dag(4), plan, control);
        plan.extended = true;
        const ClassFound walk = ges(score, Knowledge(4), Dag(4), plan, control);
        CHECK_CLOSE(walk.score, score.total(walk.dag), 1e-9);
        double sum = score.total(Dag(4));
        for (const ClassMove& move : walk.trace) sum += move.gain;
        CHECK_CLOSE(sum, walk.score, 1e-9);
        for (const ClassMoveKind kind : {ClassMoveKind::insert, ClassMoveKind::remove, ClassMoveKind::turn})
            for (const Key& key : neighbor_classes(classes.at(key_of(walk.graph)), kind))
                CHECK(score.total(classes.at(key).front()) <= walk.score + 1e-9);
        gained += walk.score - phases.score;
        higher += walk.score > phases.score + 1e-9 ? 1 : 0;
    }
    CHECK(gained > 0.0 && higher > 5);
}

TEST("a search that is stopped at once returns its start") {
    RandomScore score(5, 1);
    Dag start(5);
    start[1] = VarSet::of({0});
    Control hurried(1, 0.0);
    const ClassFound walk = ges(score, Knowledge(5), start, {}, hurried);
    CHECK(walk.stop == Stop::deadline && walk.trace.empty());
    CHECK(key_of(walk.graph) == class_of(start));
}
