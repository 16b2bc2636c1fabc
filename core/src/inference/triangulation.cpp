#include "dagwright/inference/triangulation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "dagwright/base/bit_matrix.hpp"
#include "dagwright/base/random.hpp"

namespace dagwright {

namespace {

enum class Rule { fill, weighted_fill, weight };

// An undirected graph.
class Neighbors {
  public:
    explicit Neighbors(std::size_t nodes) : rows_(nodes) {}

    std::size_t words() const { return rows_.words_per_row(); }
    const Word* row(std::size_t v) const { return rows_.row(v).data(); }
    bool linked(std::size_t a, std::size_t b) const { return rows_.get(a, b); }
    void link(std::size_t a, std::size_t b) {
        rows_.set(a, b);
        rows_.set(b, a);
    }
    void remove(std::size_t v) {
        for_each(v, [&](std::size_t u) { rows_.clear(u, v); });
        std::ranges::fill(rows_.row(v), Word{0});
    }
    template <class Visit>
    void for_each(std::size_t v, Visit visit) const {
        rows_.for_each_in_row(v, visit);
    }

  private:
    BitMatrix rows_;
};

// One run of the greedy elimination over local numbers 0..n-1.
class Eliminator {
  public:
    Eliminator(const Neighbors& graph, std::span<const double> log_cards, const std::vector<char>& late,
               Rule rule, std::uint64_t seed)
        : graph_(graph),
          log_cards_(log_cards),
          late_(late),
          rule_(rule),
          random_(seed),
          shuffled_(seed != 0),
          cost_(late.size()),
          weight_(late.size()),
          dirty_(late.size(), 1),
          gone_(late.size(), 0) {}

    // `visit(v, neighbors)` for each variable in turn; stops early when it returns false.
    template <class Visit>
    void run(Visit visit) {
        const std::size_t n = late_.size();
        std::size_t early = static_cast<std::size_t>(std::count(late_.begin(), late_.end(), 0));
        std::vector<std::size_t> around;
        for (std::size_t done = 0; done < n; ++done) {
            const bool only_early = early > 0;
            const std::size_t v = cheapest(only_early);
            early -= only_early;
            around.clear();
            graph_.for_each(v, [&](std::size_t u) { around.push_back(u); });
            gone_[v] = 1;
            if (!visit(v, around)) return;
            for (std::size_t i = 0; i < around.size(); ++i) {
                for (std::size_t j = i + 1; j < around.size(); ++j) {
                    if (graph_.linked(around[i], around[j])) continue;
                    const Word* a = graph_.row(around[i]);
                    const Word* b = graph_.row(around[j]);
                    for (std::size_t w = 0; w < graph_.words(); ++w)
                        for (std::uint64_t both = a[w] & b[w]; both != 0; both &= both - 1)
                            dirty_[w * 64 + static_cast<std::size_t>(std::countr_zero(both))] = 1;
                    graph_.link(around[i], around[j]);
                }
            }
            graph_.remove(v);
            for (const std::size_t u : around) dirty_[u] = 1;
        }
    }

  private:
    std::size_t cheapest(bool only_early) {
        std::size_t best = late_.size(), ties = 0;
        for (std::size_t v = 0; v < late_.size(); ++v) {
            if (gone_[v] || (only_early && late_[v])) continue;
            if (dirty_[v]) measure(v);
            if (best == late_.size() || cost_[v] < cost_[best] ||
                (cost_[v] == cost_[best] && weight_[v] < weight_[best])) {
                best = v;
                ties = 1;
            } else if (shuffled_ && cost_[v] == cost_[best] && weight_[v] == weight_[best] &&
                       random_.below(++ties) == 0) {
                best = v;
            }
        }
        return best;
    }

    void measure(std::size_t v) {
        dirty_[v] = 0;
        double weight = log_cards_[v], fill = 0;
        std::size_t degree = 0;
        graph_.for_each(v, [&](std::size_t u) {
            weight += log_cards_[u];
            ++degree;
        });
        weight_[v] = weight;
        if (rule_ == Rule::weight) {
            cost_[v] = weight;
            return;
        }
        const Word* mine = graph_.row(v);
        graph_.for_each(v, [&](std::size_t u) {
            const Word* theirs = graph_.row(u);
            if (rule_ == Rule::fill) {
                std::size_t common = 0;
                for (std::size_t w = 0; w < graph_.words(); ++w)
                    common += static_cast<std::size_t>(std::popcount(mine[w] & theirs[w]));
                fill += static_cast<double>(degree - 1 - common);
                return;
            }
            for (std::size_t w = 0; w < graph_.words(); ++w)
                for (std::uint64_t open = mine[w] & ~theirs[w]; open != 0; open &= open - 1) {
                    const std::size_t other = w * 64 + static_cast<std::size_t>(std::countr_zero(open));
                    if (other != u) fill += std::exp(log_cards_[u] + log_cards_[other]);
                }
        });
        cost_[v] = std::round(fill * 16);  // equal sums must be equal however they were added up
    }

    Neighbors graph_;
    std::span<const double> log_cards_;
    const std::vector<char>& late_;
    Rule rule_;
    Random random_;
    bool shuffled_;
    std::vector<double> cost_, weight_;
    std::vector<char> dirty_, gone_;
};

}  // namespace

Triangulation triangulate(const std::vector<Scope>& scopes, Cards cards, const Scope& last, unsigned tries,
                          std::uint64_t seed) {
    Scope present;
    for (const Scope& scope : scopes) present.insert(present.end(), scope.begin(), scope.end());
    std::sort(present.begin(), present.end());
    present.erase(std::unique(present.begin(), present.end()), present.end());
    const auto number = [&](Var v) {
        return static_cast<std::size_t>(std::lower_bound(present.begin(), present.end(), v) -
                                        present.begin());
    };
    Neighbors graph(present.size());
    for (const Scope& scope : scopes)
        for (std::size_t i = 0; i < scope.size(); ++i)
            for (std::size_t j = i + 1; j < scope.size(); ++j) graph.link(number(scope[i]), number(scope[j]));
    std::vector<double> log_cards;
    std::vector<char> late;
    for (const Var v : present) {
        log_cards.push_back(std::log(static_cast<double>(cards[v])));
        late.push_back(std::binary_search(last.begin(), last.end(), v));
    }

    Triangulation best;
    best.cells = std::numeric_limits<double>::infinity();
    for (unsigned attempt = 0; attempt < std::max(tries, 1u); ++attempt) {
        const Rule rule = std::array{Rule::fill, Rule::weighted_fill, Rule::weight}[attempt % 3];
        Eliminator eliminator(graph, log_cards, late, rule, attempt < 3 ? 0 : seed + attempt);
        Triangulation found;
        eliminator.run([&](std::size_t v, const std::vector<std::size_t>& around) {
            Scope clique{present[v]};
            for (const std::size_t u : around) clique.push_back(present[u]);
            std::sort(clique.begin(), clique.end());
            const double cells = cells_of(clique, cards);
            found.cells += cells;
            if (cells > found.largest_cells) {
                found.largest_cells = cells;
                found.largest = clique;
            }
            found.order.push_back(present[v]);
            found.cliques.push_back(std::move(clique));
            return found.cells < best.cells;
        });
        if (found.cells < best.cells) best = std::move(found);
    }
    if (present.empty()) best.cells = 0;
    return best;
}

}  // namespace dagwright
