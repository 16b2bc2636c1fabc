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
// Looks at a vertex or at a neighbor of one while sifting, over all starts: two or three seconds. The largest
// networks of the layout bench take three quarters of it.
constexpr std::uint64_t kMostLooks = 2'000'000'000;

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

    // Whether sifting has taken as long as it may.
    bool tired() const { return spent_ > kMostLooks; }

    // Rounds of sifting until none improves; only layers next to a change are looked at again.
    void sift() {
        std::vector<char> dirty(depth(), 1);
        for (int round = 0; round < kSiftings; ++round) {
            bool changed = false;
            for (std::size_t step = 0; step < depth(); ++step) {
                const std::size_t k = round % 2 == 0 ? step : depth() - 1 - step;
                if (!dirty[k]) continue;
                if (tired()) return;
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

    // For each place of a neighboring layer with `width` places, the members of `mine` to its right less
    // those to its left: the crossings that a neighbor there adds to another vertex when this one passes from
    // its right to its left.
    static void turns(const Places& mine, std::int32_t* by_place, std::size_t width) {
        auto value = static_cast<std::int32_t>(mine.size());
        std::size_t filled = 0;
        for (std::size_t at = 0; at < mine.size();) {
            const std::size_t place = mine[at];
            std::int32_t here = 0;
            for (; at < mine.size() && mine[at] == place; ++at) ++here;
            std::fill(by_place + filled, by_place + place, value);
            by_place[place] = value - here;
            value -= 2 * here;
            filled = place + 1;
        }
        std::fill(by_place + filled, by_place + width, value);
    }

    bool sift_layer(std::size_t k) {
        std::vector<Vertex>& order = order_[k];
        const std::vector<Vertex> given = order;
        const std::size_t above = k > 0 ? order_[k - 1].size() : 0;
        const std::size_t below = k + 1 < depth() ? order_[k + 1].size() : 0;
        // By place in `given`: where the neighbors are, those below counted on from those above.
        std::vector<std::uint32_t> first{0}, near;
        for (const Vertex v : given) {
            for (const Vertex upper : up_[v]) near.push_back(place_[upper]);
            for (const Vertex lower : down_[v])
                near.push_back(static_cast<std::uint32_t>(above + place_[lower]));
            first.push_back(static_cast<std::uint32_t>(near.size()));
        }
        std::vector<std::int32_t> cost(above + below);
        std::vector<std::int64_t> upto(near.size() + 1, 0);  // sums of the costs of the first neighbors
        std::vector<std::size_t> now(order.size());
        std::iota(now.begin(), now.end(), std::size_t{0});
        bool improved = false;
        for (std::size_t vertex = 0; vertex < given.size(); ++vertex) {
            const std::size_t from =
                static_cast<std::size_t>(std::find(now.begin(), now.end(), vertex) - now.begin());
            turns(places(up_[given[vertex]]), cost.data(), above);
            turns(places(down_[given[vertex]]), cost.data() + above, below);
            spent_ += near.size() + 2 * given.size();
            for (std::size_t at = 0; at < near.size(); ++at) upto[at + 1] = upto[at] + cost[near[at]];
            // Crossings with this vertex to the left of the other, less those with it to the right.
            const auto passing = [&](std::size_t other) {
                return upto[first[other + 1]] - upto[first[other]];
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
    std::uint64_t spent_ = 0;
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
        if (found == 0 || layers.tired()) break;
    }
    return best;
}

}  // namespace dagwright
