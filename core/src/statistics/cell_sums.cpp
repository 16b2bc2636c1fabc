#include "dagwright/statistics/cell_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <numeric>
#include <stdexcept>

namespace dagwright {

namespace {

// A million pairs, two million sets with one more variable: more than the memo keeps while a search looks at
// each.
constexpr std::size_t kManyVariables = 1000;

// Turns cells into sums as they arrive.
class SumSink final : public CellSink {
  public:
    SumSink(std::span<const CellFunction* const> functions, std::span<double> out)
        : functions_(functions), out_(out) {}
    std::vector<std::size_t> requests;
    void cells(std::size_t extension, std::span<const std::uint32_t> counts) override {
        add(extension, counts);
    }
    void cells(std::size_t extension, std::span<const std::uint64_t> counts) override {
        add(extension, counts);
    }

  private:
    template <class Count>
    void add(std::size_t extension, std::span<const Count> counts) {
        const std::size_t request = requests[extension];
        const CellFunction& function = *functions_[request];
        out_[request] = function.total(counts);
    }
    std::span<const CellFunction* const> functions_;
    std::span<double> out_;
};

// The members two sets of equal size share, if that is all but one of them.
bool share_all_but_one(const VarSet& a, const VarSet& b, VarSet& shared) {
    if (a.size() != b.size()) return false;
    Var only_a = kMaxVariables;
    std::size_t differences = 0;
    for (const Var v : a) {
        if (b.contains(v)) continue;
        only_a = v;
        if (++differences > 1) return false;
    }
    if (differences == 0) return false;
    shared = a.without(only_a);
    return true;
}

Var odd_one_out(const VarSet& set, const VarSet& base) {
    for (const Var v : set)
        if (!base.contains(v)) return v;
    return kMaxVariables;
}

}  // namespace

CellSums::CellSums(std::shared_ptr<CellSource> source, std::size_t memo_bytes)
    : source_(std::move(source)),
      functions_(shape().total(), shape().most_cells(), shape().unit()),
      memo_(memo_bytes) {}

// Numbers the rows of a set: all of them, those on which the set is known, those on which one column more is
// known too; any others get their number when they are first asked for.
std::uint32_t CellSums::rows_number(const VarSet& set, const VarSet& known) {
    if (known.empty()) return 0;
    std::size_t outside = 0;
    Var other = 0;
    for (const Var v : known) {
        if (set.contains(v)) continue;
        other = v;
        ++outside;
    }
    if (outside == 0) return 1;
    if (outside == 1) return 2 + other;
    const std::size_t next = 2 + shape().variables() + row_selections_.size();
    return row_selections_.try_emplace(known, static_cast<std::uint32_t>(next)).first->second;
}

void CellSums::sums(std::span<const SumRequest> requests, const VarSet& observed, std::span<double> out,
                    Control& control) {
    sums_on(std::span(&observed, 1), requests, out, control);
}

void CellSums::sums_on(std::span<const VarSet> observed, std::span<const SumRequest> requests,
                       std::span<double> out, Control& control) {
    std::vector<VarSet> known;  // one for all, or one for each
    known.reserve(observed.size());
    for (const VarSet& set : observed) known.push_back(shape().incomplete(set));
    std::vector<MemoKey> keys;
    keys.reserve(requests.size());

    // Look up what is known; of requests that stand twice in the batch count the first only.
    std::vector<std::size_t> missing;
    std::vector<std::pair<std::size_t, std::size_t>> repeats;
    {
        const std::lock_guard lock(mutex_);
        for (std::size_t i = 0; i < requests.size(); ++i) {
            const VarSet& set = requests[i].set;
            keys.emplace_back(set, requests[i].function, rows_number(set, known[i % known.size()]));
        }
        std::vector<std::uint32_t> slots;
        for (std::size_t i = 0; i < requests.size(); ++i) {
            if (memo_.find(keys[i], out[i])) continue;
            if (slots.empty()) slots.assign(std::bit_ceil(2 * (requests.size() - i) + 2), 0);
            std::size_t at = keys[i].hash & (slots.size() - 1);
            while (slots[at] != 0 && !(keys[slots[at] - 1] == keys[i])) at = (at + 1) & (slots.size() - 1);
            if (slots[at] != 0) {
                repeats.emplace_back(i, slots[at] - 1);
            } else {
                slots[at] = static_cast<std::uint32_t>(i + 1);
                missing.push_back(i);
            }
        }
        counted_ += missing.size();
    }
    if (missing.empty()) return;
    count(requests, known, missing, out, control);
    for (const auto& [to, from] : repeats) out[to] = out[from];
    const std::lock_guard lock(mutex_);
    for (const std::size_t i : missing) memo_.insert(keys[i], out[i]);
}

void CellSums::count(std::span<const SumRequest> requests, std::span<const VarSet> known,
                     std::span<const std::size_t> missing, std::span<double> out, Control& control) {
    std::vector<std::shared_ptr<const CellFunction>> held;
    std::vector<const CellFunction*> functions(requests.size());
    for (std::size_t k = 0; k < missing.size(); ++k) {
        const std::size_t i = missing[k];
        if (k == 0 || !(requests[missing[k - 1]].function == requests[i].function))
            held.push_back(functions_.get(requests[i].function));
        functions[i] = held.back().get();
    }

    // Runs of requests that share their base become one group each.
    std::vector<CellGroup> groups;
    std::deque<SumSink> sinks;
    for (std::size_t k = 0; k < missing.size();) {
        const VarSet& set = requests[missing[k]].set;
        const VarSet& known_here = known[missing[k] % known.size()];
        if (set.empty()) {  // one cell with every row
            const CellFunction& function = *functions[missing[k]];
            const std::uint64_t total = known_units(known_here);
            out[missing[k]] = function.total(std::span<const std::uint64_t>(&total, 1));
            ++k;
            continue;
        }
        CellGroup group;
        group.known = known_here;
        const bool last = k + 1 == missing.size() || !(known[missing[k + 1] % known.size()] == known_here);
        if (last || !share_all_but_one(set, requests[missing[k + 1]].set, group.base)) {
            Var widest = set[0];
            for (const Var v : set)
                if (shape().cardinality(v) > shape().cardinality(widest)) widest = v;
            group.base = set.without(widest);
        }
        SumSink& sink = sinks.emplace_back(functions, out);
        for (; k < missing.size(); ++k) {
            const VarSet& next = requests[missing[k]].set;
            if (next.size() != group.base.size() + 1 || !next.includes(group.base)) break;
            if (!(known[missing[k] % known.size()] == known_here)) break;
            group.extensions.push_back(odd_one_out(next, group.base));
            sink.requests.push_back(missing[k]);
        }
        group.sink = &sink;
        groups.push_back(std::move(group));
    }
    if (!groups.empty()) source_->count(groups, control);
}

void CellSums::extensions(const VarSet& base, std::span<const Var> added,
                          std::span<const CellFunctionId> functions, std::span<double> out,
                          Control& control) {
    std::map<CellFunctionId, std::shared_ptr<const CellFunction>> held;
    std::vector<const CellFunction*> each;
    each.reserve(added.size());
    for (std::size_t i = 0; i < added.size(); ++i) {
        if (i > 0 && functions[i] == functions[i - 1]) {
            each.push_back(each.back());
            continue;
        }
        std::shared_ptr<const CellFunction>& function = held[functions[i]];
        if (!function) function = functions_.get(functions[i]);
        each.push_back(function.get());
    }
    SumSink sink(each, out);
    sink.requests.resize(added.size());
    std::iota(sink.requests.begin(), sink.requests.end(), std::size_t{0});
    CellGroup group{base, {}, {added.begin(), added.end()}, &sink};
    source_->count(std::span(&group, 1), control);
    const std::lock_guard lock(mutex_);
    counted_ += added.size();
}

bool CellSums::extends_at_once() const {
    return source_->counter() != nullptr && shape().variables() >= kManyVariables;
}

std::uint64_t CellSums::known_units(const VarSet& known) const {
    const Counter* counter = source_->counter();
    if (counter != nullptr && !counter->table().weighted()) return counter->known_rows(known);
    std::uint64_t units = 0;
    for (const std::uint64_t n : source_->cells({}, known).counts) units += n;
    return units;
}

double CellSums::known_total(const VarSet& observed) const {
    const VarSet known = shape().incomplete(observed);
    return known.empty() ? shape().total() : static_cast<double>(known_units(known)) * shape().unit();
}

CountStatistics CellSums::statistics() const {
    const std::lock_guard lock(mutex_);
    return {memo_.hits(), memo_.misses(), memo_.forgotten(), counted_, memo_.bytes()};
}

MemoEntries CellSums::remembered() const {
    const std::lock_guard lock(mutex_);
    MemoEntries entries;
    memo_.each([&](const MemoKey& key, double value) { entries.add(key, value); });
    entries.selections = in_order(row_selections_);
    return entries;
}

void CellSums::remember(const MemoEntries& entries) {
    const std::size_t n = shape().variables();
    std::map<VarSet, std::uint32_t> selections = numbered(entries.selections, n, 2 + n);
    const std::vector<MemoKey> keys = entries.checked(n, 2 + n + selections.size());
    for (const double value : entries.values)
        if (!std::isfinite(value)) throw std::invalid_argument("a sum is not finite");
    const std::lock_guard lock(mutex_);
    if (counted_ > 0) throw std::invalid_argument("these sums have been asked already");
    row_selections_ = std::move(selections);
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (memo_.peek(keys[i]) == nullptr) memo_.insert(keys[i], entries.values[i]);
}

}  // namespace dagwright
