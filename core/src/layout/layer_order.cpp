#include "dagwright/layout/layer_order.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <stdexcept>

#include "dagwright/base/random.hpp"

namespace dagwright {
namespace {

constexpr int kSweeps = 24, kIdleSweeps = 6, kSiftings = 40;
constexpr std::size_t kMostStarts = 256;

class Layers {
  public:
    Layers(const std::vector<Vertex>& layer_of, const std::vector<Segment>& segments)
        : layer_of_(layer_of), up_(layer_of.size()), down_(layer_of.size()), place_(layer_of.size()) {
        const std::size_t depth =
            layer_of.empty() ? 0 : std::size_t{*std::max_element(layer_of.begin(), layer_of.end())} + 1;
        if (depth > layer_of.size()) throw std::invalid_argument("every layer needs a vertex");
        order_.resize(depth);
        for (Vertex v = 0; v < layer_of.size(); ++v) order_[layer_of[v]].push_back(v);
        for (const auto& [upper, lower] : segments) {
            if (upper >= layer_of.size() || lower >= layer_of.size() ||
                layer_of[lower] != layer_of[upper] + 1)
                throw std::invalid_argument("a segment must lead from one layer to the next");
            down_[upper].push_back(lower);
            up_[lower].push_back(upper);
        }
    }

    std::size_t depth() const { return order_.size(); }
    const std::vector<std::vector<Vertex>>& order() const { return order_; }
    void set_order(const std::vector<std::vector<Vertex>>& order) {
        order_ = order;
        for (std::size_t k = 0; k < depth(); ++k) number(k);
    }

    // Comparisons of one round of sifting.
    double cost() const {
        double total = 0;
        for (const auto& layer : order_) total += static_cast<double>(layer.size() * layer.size());
        return total;
    }

    std::uint64_t crossings() const {
        std::uint64_t total = 0;
        for (std::size_t k = 0; k + 1 < depth(); ++k) total += crossings_below(k);
        return total;
    }

    void shuffle(Random& random) {
        for (std::size_t k = 0; k < depth(); ++k) {
            random.shuffle(std::span<Vertex>(order_[k]));
            number(k);
        }
    }

    // Depth first from the ends without neighbors above (or below): subtrees stay together.
    void depth_first(bool from_top) {
        const auto& before = from_top ? up_ : down_;
        const auto& after = from_top ? down_ : up_;
        std::vector<char> seen(layer_of_.size(), 0);
        for (auto& layer : order_) layer.clear();
        std::vector<Vertex> todo;
        for (Vertex root = 0; root < layer_of_.size(); ++root) {
            if (!before[root].empty()) continue;
            todo.push_back(root);
            while (!todo.empty()) {
                const Vertex v = todo.back();
                todo.pop_back();
                if (seen[v]) continue;
                seen[v] = 1;
                order_[layer_of_[v]].push_back(v);
                todo.insert(todo.end(), after[v].rbegin(), after[v].rend());
            }
        }
        for (std::size_t k = 0; k < depth(); ++k) number(k);
    }

    // Barycenter sweeps in turn down and up; leaves the best order met.
    void sweep(bool downwards) {
        auto best = order_;
        std::uint64_t least = crossings();
        int idle = 0;
        for (int round = 0; round < kSweeps && idle < kIdleSweeps && least > 0; ++round) {
            const bool turn_ties = round % 4 > 1;
            if ((round % 2 == 0) == downwards)
                for (std::size_t k = 1; k < depth(); ++k) by_barycenter(k, up_, turn_ties);
            else
                for (std::size_t k = depth() - 1; k-- > 0;) by_barycenter(k, down_, turn_ties);
            const std::uint64_t found = crossings();
            ++idle;
            if (found < least) {
                best = order_;
                least = found;
                idle = 0;
            }
        }
        set_order(best);
    }

    // Rounds of sifting until none improves; only layers next to a change are looked at again.
    void sift() {
        std::vector<char> dirty(depth(), 1);
        for (int round = 0; round < kSiftings; ++round) {
            bool changed = false;
            for (std::size_t step = 0; step < depth(); ++step) {
                const std::size_t k = round % 2 == 0 ? step : depth() - 1 - step;
                if (!dirty[k]) continue;
                dirty[k] = 0;
                if (!sift_layer(k)) continue;
                changed = true;
                dirty[k] = 1;
                if (k > 0) dirty[k - 1] = 1;
                if (k + 1 < depth()) dirty[k + 1] = 1;
            }
            if (!changed) return;
        }
    }

  private:
    using Places = std::vector<Vertex>;

    void number(std::size_t k) {
        for (std::size_t at = 0; at < order_[k].size(); ++at) place_[order_[k][at]] = static_cast<Vertex>(at);
    }

    Places places(const std::vector<Vertex>& neighbors) const {
        Places result;
        result.reserve(neighbors.size());
        for (const Vertex v : neighbors) result.push_back(place_[v]);
        std::sort(result.begin(), result.end());
        return result;
    }

    // Inversions between a layer and the next, by a Fenwick tree over the places below.
    std::uint64_t crossings_below(std::size_t k) const {
        const std::size_t width = order_[k + 1].size();
        std::vector<std::uint64_t> tree(width + 1, 0);
        std::uint64_t total = 0, seen = 0;
        for (const Vertex v : order_[k]) {
            const Places below = places(down_[v]);
            for (const Vertex place : below) {
                std::uint64_t left = 0;
                for (std::size_t at = place + std::size_t{1}; at > 0; at &= at - 1) left += tree[at];
                total += seen - left;
            }
            for (const Vertex place : below)
                for (std::size_t at = place + std::size_t{1}; at <= width; at += at & (~at + 1)) ++tree[at];
            seen += below.size();
        }
        return total;
    }

    void by_barycenter(std::size_t k, const std::vector<std::vector<Vertex>>& neighbors, bool turn_ties) {
        std::vector<double> value(order_[k].size());
        for (std::size_t at = 0; at < value.size(); ++at) {
            const auto& near = neighbors[order_[k][at]];
            double sum = 0;
            for (const Vertex v : near) sum += place_[v];
            value[at] = near.empty() ? static_cast<double>(at) : sum / static_cast<double>(near.size());
        }
        std::vector<std::size_t> sorted(value.size());
        std::iota(sorted.begin(), sorted.end(), std::size_t{0});
        std::sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
            if (value[a] != value[b]) return value[a] < value[b];
            return turn_ties ? a > b : a < b;
        });
        std::vector<Vertex> moved(value.size());
        for (std::size_t at = 0; at < moved.size(); ++at) moved[at] = order_[k][sorted[at]];
        order_[k] = std::move(moved);
        number(k);
    }

    // Crossings with the owner of `a` to the left of the owner of `b`, less those with it to the right.
    static std::int64_t extra(const Places& a, const Places& b) {
        std::int64_t difference = 0;
        std::size_t below = 0, upto = 0;
        for (const Vertex place : a) {
            while (below < b.size() && b[below] < place) ++below;
            while (upto < b.size() && b[upto] <= place) ++upto;
            difference += static_cast<std::int64_t>(below) - static_cast<std::int64_t>(b.size() - upto);
        }
        return difference;
    }

    bool sift_layer(std::size_t k) {
        std::vector<Vertex>& order = order_[k];
        const std::vector<Vertex> given = order;
        std::vector<Places> above(order.size()), below(order.size());  // by place in `given`
        for (std::size_t at = 0; at < given.size(); ++at) {
            above[at] = places(up_[given[at]]);
            below[at] = places(down_[given[at]]);
        }
        std::vector<std::size_t> now(order.size());
        std::iota(now.begin(), now.end(), std::size_t{0});
        bool improved = false;
        for (std::size_t vertex = 0; vertex < given.size(); ++vertex) {
            const std::size_t from =
                static_cast<std::size_t>(std::find(now.begin(), now.end(), vertex) - now.begin());
            const auto passing = [&](std::size_t other) {
                return extra(above[vertex], above[other]) + extra(below[vertex], below[other]);
            };
            std::int64_t change = 0, best = 0;
            std::size_t to = from;
            for (std::size_t at = from; at-- > 0;)
                if ((change += passing(now[at])) < best) best = change, to = at;
            change = 0;
            for (std::size_t at = from + 1; at < now.size(); ++at)
                if ((change -= passing(now[at])) < best) best = change, to = at;
            if (to == from) continue;
            improved = true;
            const auto begin = now.begin();
            const auto here = begin + static_cast<std::ptrdiff_t>(from);
            const auto there = begin + static_cast<std::ptrdiff_t>(to);
            if (to < from)
                std::rotate(there, here, here + 1);
            else
                std::rotate(here, here + 1, there + 1);
        }
        if (improved) {
            for (std::size_t at = 0; at < now.size(); ++at) order[at] = given[now[at]];
            number(k);
        }
        return improved;
    }

    const std::vector<Vertex>& layer_of_;
    std::vector<std::vector<Vertex>> up_, down_, order_;
    std::vector<Vertex> place_;
};

}  // namespace

LayerOrder order_layers(const std::vector<Vertex>& layer_of, const std::vector<Segment>& segments,
                        double effort) {
    Layers layers(layer_of, segments);
    LayerOrder best;
    const double starts = effort / std::max(layers.cost(), 1.0);
    const std::size_t rounds = starts >= static_cast<double>(kMostStarts)
                                   ? kMostStarts
                                   : std::max<std::size_t>(1, static_cast<std::size_t>(starts));
    Random random(1);
    for (std::size_t start = 0; start < rounds; ++start) {
        if (start < 2)
            layers.depth_first(start == 0);
        else
            layers.shuffle(random);
        layers.sweep(start % 2 == 0);
        layers.sift();
        const std::uint64_t found = layers.crossings();
        if (start == 0 || found < best.crossings) best = {layers.order(), found};
        if (found == 0) break;
    }
    return best;
}

}  // namespace dagwright
