#include "dagwright/evidence/remembered.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <unordered_map>

namespace dagwright {

namespace {

constexpr std::size_t kMostInTable = 22;  // variables: 64 MiB
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr CellFunctionId kFit{CellKind::n_log_n, 0.0}, kDim{CellKind::n_log_n, 1.0};

std::size_t bits_of(const VarSet& set) {
    std::size_t bits = 0;
    for (const Var v : set) bits |= std::size_t{1} << v;
    return bits;
}

}  // namespace

RememberedMeasure::RememberedMeasure(std::shared_ptr<Measure> measure, std::size_t memo_bytes)
    : measure_(std::move(measure)), memo_(memo_bytes) {
    const std::size_t n = measure_->variables();
    tabulated_ = n <= kMostInTable && sizeof(SetFit) << n <= memo_bytes;
}

void RememberedMeasure::from_table(std::span<const VarSet> sets, std::span<SetFit> out, Control& control) {
    std::vector<std::size_t> bits(sets.size()), waiting;
    std::vector<VarSet> asked;
    {
        const std::lock_guard lock(mutex_);
        if (table_.empty()) table_.assign(std::size_t{1} << variables(), SetFit{kUnknown, 0.0});
        for (std::size_t i = 0; i < sets.size(); ++i) {
            bits[i] = bits_of(sets[i]);
            out[i] = table_[bits[i]];
            if (std::isnan(out[i].fit)) waiting.push_back(i);
        }
        // Each set once, in the order of the bits.
        std::sort(waiting.begin(), waiting.end(),
                  [&](std::size_t a, std::size_t b) { return bits[a] < bits[b]; });
        for (std::size_t k = 0; k < waiting.size(); ++k)
            if (k == 0 || bits[waiting[k]] != bits[waiting[k - 1]]) asked.push_back(sets[waiting[k]]);
        requested_ += sets.size();
        computed_ += asked.size();
    }
    if (asked.empty()) return;
    std::vector<SetFit> found(asked.size());
    measure_->evidence(asked, {}, found, control);
    const std::lock_guard lock(mutex_);
    for (std::size_t k = 0, at = 0; k < waiting.size(); ++k) {
        if (k > 0 && bits[waiting[k]] != bits[waiting[k - 1]]) ++at;
        out[waiting[k]] = table_[bits[waiting[k]]] = found[at];
    }
}

void RememberedMeasure::evidence(std::span<const VarSet> sets, const VarSet& observed, std::span<SetFit> out,
                                 Control& control) {
    if (tabulated_ && observed.empty() && complete()) return from_table(sets, out, control);
    std::vector<MemoKey> keys;
    std::vector<VarSet> asked;
    std::vector<std::pair<std::size_t, std::size_t>> waiting;  // a place in `out` and its set in `asked`
    {
        const std::lock_guard lock(mutex_);
        const auto next = static_cast<std::uint32_t>(row_selections_.size() + 1);
        const std::uint32_t rows =
            observed.empty() ? 0 : row_selections_.try_emplace(observed, next).first->second;
        std::unordered_map<VarSet, std::size_t, VarSetHash> places;
        for (std::size_t i = 0; i < sets.size(); ++i) {
            MemoKey key(sets[i], kFit, rows);
            if (memo_.find(key, out[i].fit) && memo_.find(MemoKey(sets[i], kDim, rows), out[i].dim)) continue;
            const auto [at, fresh] = places.try_emplace(sets[i], asked.size());
            if (fresh) {
                asked.push_back(sets[i]);
                keys.push_back(std::move(key));
            }
            waiting.emplace_back(i, at->second);
        }
        requested_ += sets.size();
        computed_ += asked.size();
    }
    if (asked.empty()) return;
    std::vector<SetFit> found(asked.size());
    measure_->evidence(asked, observed, found, control);
    for (const auto& [place, set] : waiting) out[place] = found[set];
    const std::lock_guard lock(mutex_);
    for (std::size_t k = 0; k < keys.size(); ++k) {
        memo_.insert(keys[k], found[k].fit);
        memo_.insert(MemoKey(keys[k].set, kDim, keys[k].rows), found[k].dim);
    }
}

MemoEntries RememberedMeasure::remembered() const {
    const std::lock_guard lock(mutex_);
    MemoEntries entries;
    const auto add = [&](const VarSet& set, std::uint32_t rows, const SetFit& found) {
        entries.add(MemoKey(set, kFit, rows), found.fit);
        entries.add(MemoKey(set, kDim, rows), found.dim);
    };
    std::vector<Var> members;
    for (std::size_t bits = 0; bits < table_.size(); ++bits) {
        if (std::isnan(table_[bits].fit)) continue;
        members.clear();
        for (Var v = 0; v < variables(); ++v)
            if (bits >> v & 1) members.push_back(v);
        add(VarSet::of(members), 0, table_[bits]);
    }
    memo_.each([&](const MemoKey& key, double fit) {
        if (!(key.function == kFit)) return;
        if (const double* dim = memo_.peek(MemoKey(key.set, kDim, key.rows)))
            add(key.set, key.rows, {fit, *dim});
    });
    entries.selections = in_order(row_selections_);
    return entries;
}

void RememberedMeasure::remember(const MemoEntries& entries) {
    std::map<VarSet, std::uint32_t> selections = numbered(entries.selections, variables(), 1);
    const std::vector<MemoKey> keys = entries.checked(variables(), 1 + selections.size());
    if (keys.size() % 2 != 0) throw std::invalid_argument("a set has a fit without a dimension");
    for (std::size_t i = 0; i < keys.size(); i += 2) {
        const bool pair = keys[i].function == kFit && keys[i + 1].function == kDim &&
                          keys[i].set == keys[i + 1].set && keys[i].rows == keys[i + 1].rows;
        if (!pair || std::isnan(entries.values[i]) || std::isnan(entries.values[i + 1]))
            throw std::invalid_argument("a set has a fit without a dimension, or one that is no number");
    }
    const std::lock_guard lock(mutex_);
    if (requested_ > 0) throw std::invalid_argument("this measure has been asked already");
    row_selections_ = std::move(selections);
    for (std::size_t i = 0; i < keys.size(); i += 2) {
        if (tabulated_ && keys[i].rows == 0 && complete()) {
            if (table_.empty()) table_.assign(std::size_t{1} << variables(), SetFit{kUnknown, 0.0});
            table_[bits_of(keys[i].set)] = {entries.values[i], entries.values[i + 1]};
        } else if (memo_.peek(keys[i]) == nullptr) {
            memo_.insert(keys[i], entries.values[i]);
            memo_.insert(keys[i + 1], entries.values[i + 1]);
        }
    }
}

RememberedMeasure::Statistics RememberedMeasure::statistics() const {
    const std::lock_guard lock(mutex_);
    return {requested_, computed_, memo_.bytes() + table_.size() * sizeof(SetFit)};
}

}  // namespace dagwright
