// Skeletons from independence tests that run wholly in the core.
#include <nanobind/stl/tuple.h>

#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/independence/independence.hpp"
#include "dagwright/independence/pc_stable_skeleton.hpp"
#include "dagwright/independence/separated_pairs.hpp"
#include "independence_arguments.hpp"
#include "set_fits.hpp"
#include "triples.hpp"

using namespace dagwright;

namespace {

using Numbers = Input<std::uint32_t>;
using Mask = InputMatrix<bool>;
using Neighbors = nb::typed<nb::list, nb::typed<nb::set, int>>;

BitMatrix to_bits(const Mask& mask, std::size_t n) {
    if (mask.shape(0) != n || mask.shape(1) != n)
        throw nb::value_error("a mask must have one row and column per variable");
    BitMatrix matrix(n);
    const bool* at = mask.data();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            if (at[i * n + j] && i != j) matrix.set(i, j);
    return matrix;
}

// Tested pairs as columns; what was given to pair i is members[ends[i - 1]] up to members[ends[i]].
struct TestedPairs {
    explicit TestedPairs(std::vector<TestedPair> pairs) {
        for (TestedPair& pair : pairs) {
            x.push_back(pair.x);
            y.push_back(pair.y);
            members.insert(members.end(), pair.given.begin(), pair.given.end());
            ends.push_back(static_cast<std::uint32_t>(members.size()));
            answers.all.push_back(pair.answer);
        }
    }

    // The answers with all their facts, by the test that made them.
    Answers facts(IndependenceTest& test, unsigned threads) const {
        std::vector<Question> questions;
        questions.reserve(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            const std::size_t begin = i == 0 ? 0 : ends[i - 1];
            questions.push_back({VarSet::of({x[i]}), VarSet::of({y[i]}),
                                 VarSet::of(std::span<const Var>(members).subspan(begin, ends[i] - begin))});
        }
        Answers found = answers;
        const nb::gil_scoped_release release;
        Control control(checked_threads(threads));
        test.complete(questions, found.all, control);
        return found;
    }

    std::vector<std::uint32_t> x, y, members, ends;
    Answers answers;
};

struct FoundSkeleton {
    Neighbors around;
    TestedPairs separated, alone, largest;
    std::vector<std::uint64_t> asked;
    std::vector<PutBack> put_back;
    Stop stop = Stop::none;
    std::shared_ptr<SeparatedPairs> pairs;
};

FoundSkeleton find_stable_skeleton(IndependenceTest& test, const Mask& linked, const Mask& fixed,
                                   const Mask& ancestors, std::optional<std::size_t> max_size,
                                   bool keep_levels, bool resolve, unsigned threads,
                                   std::optional<double> seconds, Progress progress, Cancel cancel) {
    const std::size_t n = test.variables();
    SkeletonProblem problem{to_bits(linked, n),   to_bits(fixed, n), to_bits(ancestors, n),
                            max_size.value_or(n), keep_levels,       resolve};
    const std::unique_ptr<Control> control = make_control(threads, seconds, progress, std::move(cancel));
    SkeletonFound found;
    std::shared_ptr<SeparatedPairs> pairs;
    {
        const nb::gil_scoped_release release;
        found = stable_skeleton(test, std::move(problem), *control);
        pairs = std::make_shared<SeparatedPairs>(separated_pairs(found.linked, found.separated));
    }
    nb::list around;
    for (std::size_t v = 0; v < n; ++v) {
        nb::set near;
        found.linked.for_each_in_row(v, [&](std::size_t other) { near.add(nb::int_(other)); });
        around.append(near);
    }
    return {Neighbors(around),
            TestedPairs(std::move(found.separated)),
            TestedPairs(std::move(found.alone)),
            TestedPairs(std::move(found.largest)),
            std::move(found.asked),
            std::move(found.put_back),
            found.stop,
            std::move(pairs)};
}

// The set numbers[begin, end), each below n.
VarSet to_given(const Numbers& numbers, std::size_t begin, std::size_t end, std::size_t n) {
    if (begin > end || end > numbers.shape(0)) throw nb::value_error("the ends of the sets do not fit");
    const std::span<const Var> members(numbers.data() + begin, end - begin);
    for (const Var v : members)
        if (v >= n) throw nb::index_error("no such variable");
    return VarSet::of(members);
}

SeparatedPairs make_separated_pairs(const Neighbors& around, const Numbers& x, const Numbers& y,
                                    const Numbers& members, const Numbers& ends) {
    const std::size_t n = around.size(), count = x.shape(0);
    if (y.shape(0) != count || ends.shape(0) != count) throw nb::value_error("columns of different length");
    BitMatrix linked(n);
    for (std::size_t v = 0; v < n; ++v) {
        for (const nb::handle other : nb::iter(around[v])) {
            const auto number = number_in<std::size_t>(other, "a variable");
            if (number >= n || number == v)
                throw nb::index_error("a variable is joined with itself or with none");
            linked.set(v, number);
            linked.set(number, v);
        }
    }
    std::vector<VarPair> pairs;
    std::vector<VarSet> given;
    for (std::size_t i = 0; i < count; ++i) {
        if (x.data()[i] >= y.data()[i] || y.data()[i] >= n) throw nb::index_error("no such pair");
        pairs.emplace_back(x.data()[i], y.data()[i]);
        given.push_back(to_given(members, i == 0 ? 0 : ends.data()[i - 1], ends.data()[i], n));
    }
    return {std::move(linked), std::move(pairs), std::move(given)};
}

// The colliders, and the triples whose ends have no separating set.
struct CollidersFound {
    Triples colliders, open;
};

CollidersFound find_colliders(const SeparatedPairs& pairs) {
    std::vector<UnshieldedTriple> open;
    Triples colliders = to_tuples(pairs.colliders(open));
    return {std::move(colliders), to_tuples(open)};
}

SetFits find_interactions(Measure& measure, const std::vector<std::tuple<Members, Members, Members>>& asked,
                          const Members& observed, unsigned threads) {
    const std::size_t n = measure.variables();
    std::vector<Question> questions;
    questions.reserve(asked.size());
    for (const auto& [x, y, given] : asked)
        questions.push_back({to_varset(x, n), to_varset(y, n), to_varset(given, n)});
    const VarSet known = to_varset(observed, n);
    const nb::gil_scoped_release release;
    Control control(checked_threads(threads));
    return SetFits(interactions(measure, questions, known, control));
}

}  // namespace

void bind_skeleton(nb::module_& m) {
    using nb::literals::operator""_a;
    m.def("interactions", &find_interactions, "measure"_a, "questions"_a, "observed"_a = Members{},
          "threads"_a = 1u, "Evidence mu(x ; y | z) for questions (x, y, z), each a list of variables.");
    nb::class_<TestedPairs>(m, "TestedPairs", "Pairs, the sets given to them, and their answers, as columns.")
        .def_prop_ro("x", viewed(&TestedPairs::x))
        .def_prop_ro("y", viewed(&TestedPairs::y))
        .def_prop_ro("members", viewed(&TestedPairs::members))
        .def_prop_ro("ends", viewed(&TestedPairs::ends))
        .def("facts", &TestedPairs::facts, "test"_a, "threads"_a = 1u,
             "The answers with all their facts, by the test that gave them.");
    nb::class_<PutBack>(m, "PutBack", "Removals that relied on each other, and the one that was taken back.")
        .def_ro("region", &PutBack::region)
        .def_ro("edge", &PutBack::edge);
    nb::class_<FoundSkeleton>(m, "FoundSkeleton", "The links that are left, and what separated the others.")
        .def_ro("around", &FoundSkeleton::around)
        .def_ro("separated", &FoundSkeleton::separated)
        .def_ro("alone", &FoundSkeleton::alone)
        .def_ro("largest", &FoundSkeleton::largest)
        .def_ro("asked", &FoundSkeleton::asked)
        .def_ro("put_back", &FoundSkeleton::put_back)
        .def_ro("pairs", &FoundSkeleton::pairs,
                "The links and the separated pairs, for what follows from them.")
        .def_prop_ro("stopped", &stopped<FoundSkeleton>);
    m.def("stable_skeleton", &find_stable_skeleton, "test"_a, "linked"_a, "fixed"_a, "ancestors"_a,
          nb::kw_only(), "max_size"_a = nb::none(), "keep_levels"_a = false, "resolve"_a = false,
          "threads"_a = 1u, "seconds"_a = nb::none(), "progress"_a = nb::none(), "cancel"_a = nb::none(),
          "What separated each pair by tests of growing size, and how many tests were made of each size.");

    nb::class_<CollidersFound>(m, "CollidersFound", "Unshielded triples (a, c, b), a and b not adjacent.")
        .def_ro("colliders", &CollidersFound::colliders, "The separating set of a and b lacks c.")
        .def_ro("open", &CollidersFound::open, "There is no separating set of a and b.");
    nb::class_<SeparatedPairs>(m, "SeparatedPairs", "Links, and what separated pairs that are not linked.")
        .def(nb::new_(&make_separated_pairs), "around"_a, "x"_a, "y"_a, "members"_a, "ends"_a)
        .def("colliders", &find_colliders)
        .def("uncertain_regions", &SeparatedPairs::uncertain_regions,
             "Sets of pairs that were separated each because of others in the set.");
}
