#include "dagwright/independence/cell_test.hpp"

#include <algorithm>
#include <cmath>

#include "strata.hpp"

namespace dagwright {

// Questions about single variables that share x and z, or one question about sets of variables.
struct CellTest::Group {
    VarSet base;  // z + x
    VarSet observed;
    Var x = 0;
    std::vector<Var> extensions;
    std::size_t first = 0;  // question
};

namespace {

// Working memory of one thread.
struct Worker {
    CountScratch counts;
    Strata strata;
};

// Turns the cells of each extension into facts where they come as whole tables; notes those that do not.
class TableSink final : public CellSink {
  public:
    TableSink(Strata& strata, Var x, std::span<const Var> extensions, const TableShape& shape,
              std::span<Strata::Facts> out, std::vector<std::size_t>& sparse)
        : strata_(strata), x_(x), extensions_(extensions), shape_(shape), out_(out), sparse_(sparse) {}

    void layout(std::span<const Var> base, bool dense) override {
        dense_ = dense;
        if (dense) strata_.set_base(base, x_, shape_.cardinalities());
    }
    void cells(std::size_t extension, std::span<const std::uint32_t> counts) override {
        take(extension, counts);
    }
    void cells(std::size_t extension, std::span<const std::uint64_t> counts) override {
        take(extension, counts);
    }

  private:
    template <class Count>
    void take(std::size_t extension, std::span<const Count> counts) {
        if (!dense_) {
            sparse_.push_back(extension);
            return;
        }
        const std::uint32_t states = shape_.cardinality(extensions_[extension]);
        out_[extension] = strata_.of_table(counts, states, shape_.unit());
    }

    Strata& strata_;
    Var x_;
    std::span<const Var> extensions_;
    const TableShape& shape_;
    std::span<Strata::Facts> out_;
    std::vector<std::size_t>& sparse_;
    bool dense_ = false;
};

}  // namespace

CellTest::CellTest(std::shared_ptr<CountingMeasure> measure, Statistic statistic, bool adjusted, double alpha,
                   double rows_per_cell)
    : measure_(std::move(measure)),
      statistic_(statistic),
      adjusted_(adjusted),
      rule_(alpha, rows_per_cell),
      small_(*measure_) {}

std::vector<CellTest::Group> CellTest::grouped(std::span<const Question> questions) const {
    std::vector<Group> groups;
    for (std::size_t i = 0; i < questions.size(); ++i) {
        const auto& [x, y, given] = questions[i];
        VarSet observed = measure_->complete() ? VarSet{} : measure_->incomplete(all_of(questions[i]));
        const bool pair = x.size() == 1 && y.size() == 1;
        const bool joins = pair && !groups.empty() && !groups.back().extensions.empty() &&
                           groups.back().x == x[0] && groups.back().base.size() == given.size() + 1 &&
                           groups.back().base.includes(given) && groups.back().observed == observed;
        if (!joins) {
            Group& group = groups.emplace_back();
            group.base = given.united(x);
            group.observed = std::move(observed);
            group.x = x[0];
            group.first = i;
        }
        if (pair) groups.back().extensions.push_back(y[0]);
    }
    return groups;
}

void CellTest::count(std::span<const Question> questions, std::span<Answer> out, bool exact,
                     Control& control) {
    CellSource& source = measure_->sums().source();
    const Counter* counter = source.counter();
    const TableShape& shape = source.shape();
    const Pearson pearson = statistic_ != Statistic::pearson ? Pearson::none
                            : exact                          ? Pearson::exact
                                                             : Pearson::rough;
    const Worker fresh{{}, Strata(pearson)};
    std::vector<Worker> workers(std::max(1u, control.workers().threads()), fresh);

    const auto in_order = [](const Question& question) {
        std::vector<Var> order;
        for (const VarSet* part : {&question.given, &question.x, &question.y})
            order.insert(order.end(), part->begin(), part->end());
        return order;
    };
    const auto facts_of = [&](const Question& question, const Cells& cells, Worker& worker) {
        return worker.strata.of_cells(cells, question.given.size(), question.x.size(), question.y.size(),
                                      shape.unit());
    };
    const auto keep = [&](std::size_t i, const Strata::Facts& facts) {
        if (statistic_ == Statistic::pearson) out[i].statistic = facts.pearson;
        if (adjusted_) out[i].df = facts.adjusted_df;
    };
    if (counter == nullptr) {  // rows are elsewhere: one call for the whole batch
        std::vector<CellQuestion> asked;
        for (const Question& question : questions)
            asked.push_back({in_order(question), shape.incomplete(all_of(question))});
        const std::vector<Cells> found = source.cells(asked, control);
        for (std::size_t i = 0; i < questions.size(); ++i)
            keep(i, facts_of(questions[i], found[i], workers[0]));
        return;
    }
    const std::vector<Group> groups = grouped(questions);
    const auto by_cells = [&](const Question& question, const VarSet& observed, Worker& worker) {
        return facts_of(question, counter->cells(in_order(question), observed, worker.counts), worker);
    };
    const auto work = [&](std::size_t g, unsigned number) {
        const Group& group = groups[g];
        Worker& worker = workers[number];
        if (group.extensions.empty())
            return keep(group.first, by_cells(questions[group.first], group.observed, worker));
        std::vector<Strata::Facts> facts(group.extensions.size());
        std::vector<std::size_t> sparse;
        TableSink sink(worker.strata, group.x, group.extensions, shape, facts, sparse);
        counter->extend(group.base, group.extensions, group.observed, worker.counts, sink);
        for (const std::size_t k : sparse)
            facts[k] = by_cells(questions[group.first + k], group.observed, worker);
        for (std::size_t k = 0; k < facts.size(); ++k) keep(group.first + k, facts[k]);
    };
    double cost = 0.0;
    if (workers.size() > 1)
        for (const Group& group : groups)
            if (!group.extensions.empty()) cost += counter->expected_cost(group.base, group.extensions);
    if (cost > Counter::kWorthAThread)
        control.workers().run(groups.size(), work);
    else
        for (std::size_t g = 0; g < groups.size(); ++g) work(g, 0);
}

void CellTest::count_undecided(std::span<const Question> questions, std::span<Answer> out, Control& control) {
    std::vector<std::size_t> places;
    std::vector<Question> asked;
    std::vector<Answer> answers;
    for (std::size_t i = 0; i < questions.size(); ++i) {
        if (rule_.is_beyond(out[i])) continue;
        places.push_back(i);
        asked.push_back(questions[i]);
        answers.push_back(out[i]);
    }
    count(asked, answers, false, control);
    for (std::size_t k = 0; k < places.size(); ++k) out[places[k]] = answers[k];
}

// mu(x ; y | z).fit of each question: half of G2.
std::vector<double> CellTest::fits(std::span<const Question> questions, Control& control) {
    std::vector<double> result;
    result.reserve(questions.size());
    if (measure_->complete()) {
        for (const SetFit& found : small_.interactions(questions, control))
            result.push_back(std::max(found.fit, 0.0));
        return result;
    }
    for (std::size_t i = 0; i < questions.size(); ++i) {
        const VarSet observed = measure_->incomplete(all_of(questions[i]));
        const std::vector<SetFit> found = interactions(*measure_, questions.subspan(i, 1), observed, control);
        result.push_back(std::max(found.front().fit, 0.0));
    }
    return result;
}

void CellTest::answer(std::span<const Question> questions, Detail detail, std::span<Answer> out,
                      Control& control) {
    const std::span<const std::uint32_t> r = measure_->cardinalities();
    for (std::size_t i = 0; i < questions.size(); ++i) {
        const auto& [x, y, given] = questions[i];
        out[i] = Answer{};
        out[i].rows = measure_->complete()
                          ? measure_->total()
                          : measure_->total_known(measure_->incomplete(all_of(questions[i])));
        out[i].df = degrees_of_freedom(r, x, y, given);
    }
    const bool pearson = statistic_ == Statistic::pearson, facts = detail == Detail::facts;
    // For Pearson's statistic the bound pays where sets are remembered, so where G2 is almost free.
    const bool bounded =
        !facts && (!pearson || (measure_->complete() && measure_->sums().source().counter() != nullptr));
    if (!pearson || facts || bounded) {
        const std::vector<double> fit = fits(questions, control);
        for (std::size_t i = 0; i < questions.size(); ++i) {
            const double per_row = out[i].rows > 0.0 ? fit[i] / out[i].rows : 0.0;
            if (facts) out[i].effect = per_row;
            out[i].statistic = pearson ? out[i].rows * std::expm1(per_row) : 2.0 * fit[i];
        }
    }
    if (bounded && (pearson || adjusted_))
        count_undecided(questions, out, control);
    else if (pearson || adjusted_)
        count(questions, out, facts, control);
    for (std::size_t i = 0; i < questions.size(); ++i) {
        if (pearson && !facts && rule_.is_close(out[i]))
            count(questions.subspan(i, 1), out.subspan(i, 1), true, control);
        rule_.decide(out[i], detail, [&] { return cell_count(r, all_of(questions[i])); });
    }
}

}  // namespace dagwright
