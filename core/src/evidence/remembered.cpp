#include "dagwright/evidence/remembered.hpp"

#include <unordered_map>

namespace dagwright {

namespace {

constexpr CellFunctionId kFit{CellKind::n_log_n, 0.0}, kDim{CellKind::n_log_n, 1.0};

}  // namespace

void RememberedMeasure::evidence(std::span<const VarSet> sets, const VarSet& observed, std::span<SetFit> out,
                                 Control& control) {
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

RememberedMeasure::Statistics RememberedMeasure::statistics() const {
    const std::lock_guard lock(mutex_);
    return {requested_, computed_, memo_.bytes()};
}

}  // namespace dagwright
