#include "dagwright/inference/possible_states.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace dagwright {

namespace {

// Cells looked at: before the search, after its first dead end, and when each choice strikes out others.
constexpr std::size_t kFirstLooks = 200'000, kDeadEndLooks = 10'000, kChoiceLooks = 1'000'000;

// The states of each variable that are still thought possible.
class Domains {
  public:
    Domains(const FactorSet& factors, Cards cards)
        : factors_(factors), states_(cards.size()), with_(cards.size()), queued_(factors.size(), 0) {
        for (std::size_t i = 0; i < factors.size(); ++i) {
            for (const Var v : factors[i]->variables) {
                with_[v].push_back(i);
                if (!states_[v].empty()) continue;
                states_[v].resize(cards[v]);
                for (std::uint32_t state = 0; state < cards[v]; ++state) states_[v][state] = state;
            }
            // A conditional table whose child is free supports every state of the parents.
            if (factors[i]->heads.empty()) enqueue(i);
        }
    }

    const std::vector<std::uint32_t>& of(Var v) const { return states_[v]; }

    void look_at_most(std::size_t cells) { looks_left_ = cells; }
    bool may_look() const { return looks_left_ > 0; }

    // Strikes out what has no support, until all has or no more cells may be looked at. False if a variable
    // is left without a state.
    bool strike_out() {
        while (!open_.empty() && may_look()) {
            const std::size_t i = open_.back();
            open_.pop_back();
            queued_[i] = 0;
            if (!revise(i)) return false;
        }
        return true;
    }

    // The same after a variable was given its state.
    bool fix(Var v, std::uint32_t state) {
        history_.emplace_back(v, std::exchange(states_[v], {state}));
        for (const std::size_t i : with_[v]) enqueue(i);
        return strike_out();
    }

    std::size_t moment() const { return history_.size(); }
    void go_back_to(std::size_t moment) {
        for (; history_.size() > moment; history_.pop_back())
            states_[history_.back().first] = std::move(history_.back().second);
        for (const std::size_t i : open_) queued_[i] = 0;
        open_.clear();
    }

  private:
    void enqueue(std::size_t i) {
        if (queued_[i]) return;
        queued_[i] = 1;
        open_.push_back(i);
    }

    bool revise(std::size_t i) {
        const Scope& scope = factors_[i]->variables;
        supported_.resize(std::max(supported_.size(), scope.size()));
        for (std::size_t a = 0; a < scope.size(); ++a) supported_[a].assign(states_[scope[a]].size(), 0);
        for (std::size_t a = 0; a < scope.size(); ++a) {
            std::size_t kept = 0;
            for (std::size_t s = 0; s < supported_[a].size(); ++s)
                kept += supported_[a][s] || find_support(*factors_[i], a, s);
            if (kept == supported_[a].size()) continue;
            std::vector<std::uint32_t>& states = states_[scope[a]];
            history_.emplace_back(scope[a], states);
            std::size_t to = 0;
            for (std::size_t s = 0; s < supported_[a].size(); ++s)
                if (supported_[a][s]) states[to++] = states[s];
            states.resize(to);
            supported_[a].assign(to, 1);
            if (to == 0) return false;
            for (const std::size_t other : with_[scope[a]])
                if (other != i) enqueue(other);
        }
        return true;
    }

    // Looks for a positive cell with variable a of the factor in state s (both by place in their lists), and
    // marks the states of all variables in it.
    bool find_support(const Factor& factor, std::size_t a, std::size_t s) {
        const std::size_t k = factor.variables.size();
        place_.assign(k, 0);
        place_[a] = s;
        for (;;) {
            const double* cell = factor.data();
            for (std::size_t b = 0; b < k; ++b)
                cell += states_[factor.variables[b]][place_[b]] * factor.strides[b];
            looks_left_ -= looks_left_ > 0;
            if (*cell > 0) break;
            std::size_t b = k;
            for (;;) {
                if (b == 0) return false;
                --b;
                if (b == a) continue;
                if (++place_[b] < states_[factor.variables[b]].size()) break;
                place_[b] = 0;
            }
        }
        for (std::size_t b = 0; b < k; ++b) supported_[b][place_[b]] = 1;
        return true;
    }

    const FactorSet& factors_;
    std::vector<std::vector<std::uint32_t>> states_;  // by variable
    std::vector<std::vector<std::size_t>> with_;      // by variable: its factors
    std::vector<std::size_t> open_, place_;
    std::vector<char> queued_;
    std::vector<std::vector<char>> supported_;  // by variable of the factor and place of the state
    std::vector<std::pair<Var, std::vector<std::uint32_t>>> history_;
    std::size_t looks_left_ = 0;
};

// The variables of the factors, each after those it depends on as far as the factors are conditional tables.
std::vector<Var> parents_first(const FactorSet& factors, std::size_t variables) {
    std::vector<const Factor*> own(variables, nullptr);
    for (const FactorPtr& factor : factors)
        if (factor->heads.size() == 1) own[factor->heads[0]] = factor.get();
    std::vector<Var> order, open;
    std::vector<char> seen(variables, 0), done(variables, 0);
    for (const FactorPtr& factor : factors) {
        open.insert(open.end(), factor->variables.begin(), factor->variables.end());
        while (!open.empty()) {
            const Var v = open.back();
            if (seen[v]) {
                open.pop_back();
                if (!done[v]) order.push_back(v);
                done[v] = 1;
                continue;
            }
            seen[v] = 1;
            if (own[v] == nullptr) continue;
            for (const Var u : own[v]->variables)
                if (!seen[u]) open.push_back(u);
        }
    }
    return order;
}

// Fixes the most probable state first and checks each table when the last of its variables is fixed.
class BackjumpingSearch {
  public:
    BackjumpingSearch(const FactorSet& factors, const Domains& domains, std::span<const Var> order,
                      Cards cards)
        : domains_(domains),
          order_(order),
          position_(cards.size(), 0),
          decided_(order_.size()),
          left_(order_.size()),
          blamed_(order_.size()),
          states_(cards.size(), 0) {
        for (std::size_t i = 0; i < order_.size(); ++i) position_[order_[i]] = i;
        for (const FactorPtr& factor : factors) {
            std::size_t last = 0;
            for (const Var v : factor->variables) last = std::max(last, position_[v]);
            if (!factor->variables.empty()) decided_[last].push_back(factor.get());
        }
    }

    Possibility run() {
        bool fresh = true;
        std::size_t looks_before = 0;
        for (std::size_t at = 0; at < order_.size();) {
            if (fresh) list_states(at);
            if (!left_[at].empty()) {
                states_[order_[at]] = left_[at].back().second;
                left_[at].pop_back();
                ++at;
                fresh = true;
                continue;
            }
            if (looks_before == 0) looks_before = looks_;
            if (looks_ - looks_before > kDeadEndLooks) return Possibility::unknown;
            blame_factors(at);
            if (blamed_[at].empty()) return Possibility::impossible;
            const std::size_t back = blamed_[at].back();
            blamed_[at].pop_back();
            blamed_[back] = merged(blamed_[back], blamed_[at]);
            at = back;
            fresh = false;
        }
        return Possibility::possible;
    }

  private:
    using Places = std::vector<std::size_t>;  // in the order, ascending

    static Places merged(const Places& a, const Places& b) {
        Places result;
        std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
        return result;
    }

    // The states that suit everything fixed so far, the most probable last.
    void list_states(std::size_t at) {
        const Var v = order_[at];
        left_[at].clear();
        blamed_[at].clear();
        for (const std::uint32_t state : domains_.of(v)) {
            states_[v] = state;
            double weight = 1.0;
            bool suits = true;
            for (const Factor* factor : decided_[at]) {
                const double value = value_at(*factor, states_);
                suits = suits && value > 0;  // the weight may underflow
                weight *= value;
            }
            looks_ += decided_[at].size();
            if (suits) left_[at].emplace_back(weight, state);
        }
        std::sort(left_[at].begin(), left_[at].end());
    }

    void blame_factors(std::size_t at) {
        Places own;
        for (const Factor* factor : decided_[at])
            for (const Var v : factor->variables)
                if (position_[v] != at) own.push_back(position_[v]);
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
        blamed_[at] = merged(blamed_[at], own);
    }

    const Domains& domains_;
    std::span<const Var> order_;
    std::vector<std::size_t> position_;                // by variable
    std::vector<std::vector<const Factor*>> decided_;  // by the last of their variables
    std::vector<std::vector<std::pair<double, std::uint32_t>>> left_;
    std::vector<Places> blamed_;  // earlier places that have to do with the failures here
    std::vector<std::uint32_t> states_;
    std::size_t looks_ = 0;
};

// Strikes out after every choice what has lost its support: slower for each choice, with few dead ends.
Possibility propagating_search(Domains& domains, std::span<const Var> order) {
    struct Choice {
        std::size_t at, moment;
        std::vector<std::uint32_t> left;
    };
    domains.look_at_most(kChoiceLooks);
    std::vector<Choice> choices;
    std::size_t at = 0;
    for (;;) {
        while (at < order.size() && domains.of(order[at]).size() == 1) ++at;
        // A variable whose only state was not checked any more proves nothing.
        if (at == order.size()) return domains.may_look() ? Possibility::possible : Possibility::unknown;
        choices.push_back({at, domains.moment(), domains.of(order[at])});
        for (bool fits = false; !fits;) {
            if (!domains.may_look()) return Possibility::unknown;
            Choice& last = choices.back();
            domains.go_back_to(last.moment);
            if (last.left.empty()) {
                choices.pop_back();
                if (choices.empty()) return Possibility::impossible;
                continue;
            }
            at = last.at;
            const std::uint32_t state = last.left.back();
            last.left.pop_back();
            fits = domains.fix(order[at], state);
        }
    }
}

}  // namespace

Possibility look_for_possible_states(const FactorSet& factors, Cards cards) {
    for (const FactorPtr& factor : factors)
        if (factor->variables.empty() && !(factor->data()[0] > 0)) return Possibility::impossible;
    Domains domains(factors, cards);
    domains.look_at_most(kFirstLooks);
    if (!domains.strike_out()) return Possibility::impossible;
    const std::vector<Var> order = parents_first(factors, cards.size());
    const Possibility seen = BackjumpingSearch(factors, domains, order, cards).run();
    const bool again = seen == Possibility::unknown && domains.may_look();
    return again ? propagating_search(domains, order) : seen;
}

}  // namespace dagwright
