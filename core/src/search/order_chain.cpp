#include "dagwright/search/order_chain.hpp"

#include <algorithm>
#include <limits>

namespace dagwright {

namespace {

// A shake moves up to this many variables; about one shake in n / kWholeEvery looks at all variables again.
constexpr std::size_t kShake = 12;
constexpr std::size_t kWholeEvery = 16;
constexpr double kWorst = -std::numeric_limits<double>::infinity();

}  // namespace

OrderChain::OrderChain(const ParentLists& lists, OrderMoves moves, double tolerance, Random random)
    : lists_(&lists),
      moves_(moves),
      tolerance_(tolerance),
      random_(random),
      position_(lists.variables()),
      entry_(lists.variables(), ParentLists::kNone),
      queued_(lists.variables(), false),
      before_(words_for(lists.variables()), 0) {}

bool OrderChain::start(std::span<const VarSet> dag) {
    stale_ = 0;
    set_order(random_topological_order(dag, random_));
    return score_ != kWorst;
}

bool OrderChain::use(const ParentLists& lists) {
    lists_ = &lists;
    set_order(order_);
    return score_ != kWorst;
}

void OrderChain::set_order(std::vector<Var> order) {
    order_ = std::move(order);
    std::fill(before_.begin(), before_.end(), Word{0});
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const Var v = order_[i];
        position_[v] = i;
        entry_[v] = best_entry(v);
        set_before(v);
    }
    score_ = total();
}

double OrderChain::value(Var v, std::uint32_t entry) const {
    return entry == ParentLists::kNone ? kWorst : lists_->score(v, entry);
}

double OrderChain::total() const {
    double sum = 0.0;
    for (Var v = 0; v < entry_.size(); ++v) sum += value(v, entry_[v]);
    return sum;
}

std::vector<VarSet> OrderChain::parents() const {
    std::vector<VarSet> result;
    for (Var v = 0; v < entry_.size(); ++v) result.push_back(lists_->parents(v, entry_[v]));
    return result;
}

void OrderChain::prefix(std::size_t position) {
    std::fill(before_.begin(), before_.end(), Word{0});
    for (std::size_t i = 0; i < position; ++i) set_before(order_[i]);
}

std::uint32_t OrderChain::best_entry(Var v) const { return lists_->first_fitting(v, before_.data()); }

// The best entry when a predecessor has gone: what did not fit before does not fit now.
std::uint32_t OrderChain::after_loss(Var v, std::uint32_t entry) const {
    if (!lists_->monotone(v)) return best_entry(v);
    return entry == ParentLists::kNone ? entry : lists_->first_fitting(v, before_.data(), entry);
}

// The best entry when a predecessor has come: only better entries that hold it matter.
std::uint32_t OrderChain::after_gain(Var v, std::uint32_t entry, Var gained) const {
    if (!lists_->monotone(v)) return best_entry(v);
    if (!lists_->candidate(gained, v)) return entry;
    const std::uint32_t found = lists_->first_with(v, gained, before_.data(), entry);
    return found == ParentLists::kNone ? entry : found;
}

// Tries the variable at every position and moves it to the best one.
bool OrderChain::improve_by_insertion(Var x) {
    const std::size_t from = position_[x];
    const double own = value(x, entry_[x]);
    double best_gain = tolerance_;
    std::size_t best_position = from;

    // Toward the end: those it passes lose it, itself it gains them.
    prefix(from);
    double others = 0.0;
    std::uint32_t entry = entry_[x];
    for (std::size_t at = from + 1; at < order_.size(); ++at) {
        const Var y = order_[at];
        if (lists_->candidate(x, y) &&
            (!lists_->monotone(y) || (entry_[y] != ParentLists::kNone && lists_->contains(y, entry_[y], x))))
            others += value(y, after_loss(y, entry_[y])) - value(y, entry_[y]);
        set_before(y);
        entry = after_gain(x, entry, y);
        const double gain = others + value(x, entry) - own;
        if (gain > best_gain) {
            best_gain = gain;
            best_position = at;
        }
        if (others + lists_->best(x) - own <= best_gain) break;
    }

    // Toward the front: those it passes gain it, itself it loses them.
    prefix(from);
    others = 0.0;
    entry = entry_[x];
    for (std::size_t at = from; at-- > 0;) {
        const Var y = order_[at];
        clear_before(y);
        if (!lists_->monotone(x) || (entry != ParentLists::kNone && lists_->contains(x, entry, y)))
            entry = after_loss(x, entry);
        if (lists_->candidate(x, y)) {
            set_before(x);
            others += value(y, after_gain(y, entry_[y], x)) - value(y, entry_[y]);
            clear_before(x);
        }
        const double gain = others + value(x, entry) - own;
        if (gain > best_gain) {
            best_gain = gain;
            best_position = at;
        }
        if (value(x, entry) == kWorst) break;
    }
    if (best_position == from) return false;
    move(from, best_position);
    return true;
}

// Only those passed can change, and only if they had the variable or can have it.
void OrderChain::move(std::size_t from, std::size_t to) {
    const Var x = order_[from];
    const auto update = [&](Var y, std::uint32_t entry) {
        if (entry == entry_[y]) return;
        queue(y);
        if (entry_[y] != ParentLists::kNone)
            for (const Var parent : lists_->parents(y, entry_[y])) queue(parent);
        if (entry != ParentLists::kNone)
            for (const Var parent : lists_->parents(y, entry)) queue(parent);
        score_ += value(y, entry) - value(y, entry_[y]);
        entry_[y] = entry;
    };
    prefix(from);
    if (from < to) {
        for (std::size_t at = from + 1; at <= to; ++at) {
            const Var y = order_[at];
            if (lists_->candidate(x, y)) update(y, after_loss(y, entry_[y]));
            set_before(y);
            order_[at - 1] = y;
            position_[y] = at - 1;
        }
    } else {
        for (std::size_t at = from; at-- > to;) {
            const Var y = order_[at];
            clear_before(y);
            if (lists_->candidate(x, y)) {
                set_before(x);
                update(y, after_gain(y, entry_[y], x));
                clear_before(x);
            }
            order_[at + 1] = y;
            position_[y] = at + 1;
        }
    }
    order_[to] = x;
    position_[x] = to;
    update(x, best_entry(x));
    queue(x);
}

void OrderChain::empty_queue() {
    for (const Var v : queue_) queued_[v] = false;
    queue_.clear();
}

void OrderChain::queue(Var v) {
    if (queued_[v]) return;
    queued_[v] = true;
    queue_.push_back(v);
}

// Hill climbing by adjacent swaps: the best swap while one improves.
bool OrderChain::improve_by_swaps() {
    double best_gain = tolerance_;
    std::size_t best = order_.size();
    prefix(0);
    for (std::size_t i = 0; i + 1 < order_.size(); ++i) {
        const Var x = order_[i], y = order_[i + 1];
        const double now = value(x, entry_[x]) + value(y, entry_[y]);
        const std::uint32_t first = after_loss(y, entry_[y]);
        set_before(y);
        const std::uint32_t second = after_gain(x, entry_[x], y);
        clear_before(y);
        const double gain = value(y, first) + value(x, second) - now;
        if (gain > best_gain) {
            best_gain = gain;
            best = i;
        }
        set_before(x);
    }
    if (best == order_.size()) return false;
    move(best, best + 1);
    return true;
}

void OrderChain::climb(const Control& control) {
    if (moves_ == OrderMoves::swap) {
        while (!control.halted() && improve_by_swaps()) {
        }
        empty_queue();
        return;
    }
    // Every variable gets its turn, and again when something around it has changed.
    for (Var v = 0; v < order_.size(); ++v) queue(v);
    climb_queue(control);
}

void OrderChain::climb_queue(const Control& control) {
    // A random member next: neither old nor new changes are favored.
    while (!queue_.empty()) {
        std::swap(queue_[random_.below(queue_.size())], queue_.back());
        const Var v = queue_.back();
        queue_.pop_back();
        queued_[v] = false;
        if (control.halted()) continue;
        improve_by_insertion(v);
    }
}

// Moves some variables, each next one mostly a possible parent of the last, to random positions.
void OrderChain::shake() {
    const std::size_t n = order_.size();
    const std::size_t strength = 1 + random_.below(std::clamp<std::size_t>(n / 3, 2, kShake));
    auto x = static_cast<Var>(random_.below(n));
    for (std::size_t k = 0; k < strength; ++k) {
        const std::size_t from = position_[x], to = random_.below(n);
        if (from != to) {
            move(from, to);
            if (total() == kWorst) move(to, from);  // against a required arc
        }
        const VarSet& around = lists_->parents(x, static_cast<std::uint32_t>(random_.below(lists_->size(x))));
        x = around.empty() || random_.below(4) == 0 ? static_cast<Var>(random_.below(n))
                                                    : around[random_.below(around.size())];
    }
    score_ = total();
}

void OrderChain::iterate(const Control& control) {
    const std::vector<Var> order = order_;
    const std::vector<std::uint32_t> entry = entry_;
    const double score = score_;
    const bool whole = random_.below(std::max<std::size_t>(1, order_.size() / kWholeEvery)) == 0;
    // Another order of the same DAG is never worse, and lets other insertions succeed.
    if (whole) set_order(random_topological_order(parents(), random_));
    shake();
    if (whole || moves_ == OrderMoves::swap)
        climb(control);
    else
        climb_queue(control);
    score_ = total();
    stale_ = score_ > score + tolerance_ ? 0 : stale_ + 1;
    if (score_ >= score - tolerance_) return;
    order_ = order;
    entry_ = entry;
    score_ = score;
    for (std::size_t i = 0; i < order_.size(); ++i) position_[order_[i]] = i;
}

}  // namespace dagwright
