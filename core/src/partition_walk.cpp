#include <algorithm>
#include <bit>
#include <cmath>

#include "dagwright/errors.hpp"
#include "dagwright/graph_walk.hpp"

namespace dagwright {

namespace {

// Of sixteen moves so many split a layer or join two, and so many change a network itself; the others move
// one variable.
constexpr std::size_t kSplits = 3, kNetworkMoves = 4, kMoves = 16;

// A state is an ordered partition into layers: a variable has a parent in the layer before its own and none
// in its own or later ones. Every network has exactly one such partition.
class PartitionWalk final : public GraphWalk {
  public:
    using Layer = std::vector<Var>;  // ascending: a state has one form, so a restored walk goes on alike

    PartitionWalk(const FamilySums& sums, std::uint64_t seed)
        : GraphWalk(sums, seed), places_(sums.variables()), networks_(structure_walk(sums, seed)) {}

    void start(std::span<const Mask> network) override { restore(layers_of(network)); }

    void step() override {
        if (places_.size() < 2) return;
        const std::size_t kind = random_.below(kMoves);
        if (kind < kSplits)
            split_or_join();
        else if (kind < kSplits + kNetworkMoves)
            change_network();
        else
            relocate();
    }

    double log_weight() const override {
        double total = 0.0;
        for (const Place& place : places_) total += place.log;
        return total;
    }

    void draw(std::span<Mask> network) override {
        for (Var v = 0; v < network.size(); ++v)
            network[v] = sums_.draw(v, places_[v].earlier, places_[v].previous, random_);
    }

    void arcs_into(Var child, std::span<double> probabilities) const override {
        const Place& place = places_[child];
        const Mask links = sums_.weights().links(child);
        const Mask far = place.earlier & ~place.previous;
        const bool touched = place.previous == 0 || (links & place.previous) != 0;
        for (std::size_t at = 0; at < probabilities.size(); ++at) {
            const Mask bit = Mask{1} << at;
            double& found = probabilities[at];
            found = 0.0;
            if ((place.earlier & bit) == 0) continue;
            if ((links & bit) != 0) {
                found = 1.0;
                continue;
            }
            // Those with the arc: all within the earlier layers, minus those that leave out the previous one.
            const auto share = [&](Mask within) {
                return std::exp(sums_.log_sum(child, within) - place.log);
            };
            found = share(place.earlier) - share(place.earlier & ~bit);
            if (!touched && (place.previous & bit) == 0) found -= share(far) - share(far & ~bit);
            found = std::clamp(found, 0.0, 1.0);
        }
    }

    std::vector<std::uint32_t> state() const override {
        std::vector<std::uint32_t> layer(places_.size(), 0);
        for (std::size_t k = 0; k < layers_.size(); ++k)
            for (const Var v : layers_[k]) layer[v] = static_cast<std::uint32_t>(k);
        return layer;
    }

    void restore(std::span<const std::uint32_t> state) override {
        set_layers(state);
        if (!(log_weight() > FamilySums::kImpossible)) throw Error("a partition without any network");
    }

  private:
    std::vector<std::uint32_t> layers_of(std::span<const Mask> network) const {
        const auto n = static_cast<Var>(network.size());
        std::vector<std::uint32_t> layer(n, 0);
        // The longest path into each variable; a network of n variables settles within n rounds.
        bool changed = true;
        for (Var round = 0; changed; ++round) {
            if (round > n) throw Error("the network to start from has a cycle");
            changed = false;
            for (Var v = 0; v < n; ++v)
                for (const Var parent : sums_.weights().parents(v, network[v]))
                    if (layer[v] < layer[parent] + 1) {
                        layer[v] = layer[parent] + 1;
                        changed = true;
                    }
        }
        return layer;
    }

    struct Place {
        Mask earlier = 0, previous = 0;  // candidates in earlier layers, and in the one just before
        double log = 0.0;
    };

    void set_layers(std::span<const std::uint32_t> layer) {
        layers_.assign(1 + *std::max_element(layer.begin(), layer.end()), {});
        for (Var v = 0; v < layer.size(); ++v) layers_[layer[v]].push_back(v);
        refresh(0, layers_.size());
    }

    Mask mask_of(Var y, const Layer& layer) const {
        Mask mask = 0;
        for (const Var v : layer) mask |= sums_.weights().bit(y, v);
        return mask;
    }

    double log_sum(Var y, Mask earlier, Mask previous, bool first) const {
        return first ? sums_.log_sum(y, 0) : sums_.log_sum_touching(y, earlier, previous);
    }

    // Whether two members of a layer must be joined, which they cannot be.
    bool clash(const Layer& layer) const {
        if (!sums_.weights().has_links()) return false;
        for (const Var a : layer)
            for (const Var b : layer)
                if (a < b && sums_.weights().joined(a, b)) return true;
        return false;
    }

    void refresh(std::size_t from, std::size_t to) {
        for (std::size_t k = from; k < to; ++k) {
            const bool broken = clash(layers_[k]);
            for (const Var y : layers_[k]) {
                Place& place = places_[y];
                place.previous = k == 0 ? 0 : mask_of(y, layers_[k - 1]);
                place.earlier = 0;
                for (std::size_t l = 0; l < k; ++l) place.earlier |= mask_of(y, layers_[l]);
                place.log =
                    broken ? FamilySums::kImpossible : log_sum(y, place.earlier, place.previous, k == 0);
            }
        }
    }

    // One variable joins any layer or makes one of its own anywhere, each by its weight given the others: no
    // proposal is refused.
    void relocate() {
        const auto x = static_cast<Var>(random_.below(places_.size()));
        for (std::size_t k = 0; k < layers_.size(); ++k) {
            const auto at = std::find(layers_[k].begin(), layers_[k].end(), x);
            if (at == layers_[k].end()) continue;
            layers_[k].erase(at);
            if (layers_[k].empty()) layers_.erase(layers_.begin() + static_cast<std::ptrdiff_t>(k));
            break;
        }
        const std::size_t m = layers_.size();
        // The sums of each layer's members if x is in the same layer or a later one; in the layer just
        // before, with others or alone; earlier than that.
        apart_.assign(m + 1, 0.0);
        beside_.assign(m + 2, 0.0);
        alone_.assign(m + 2, 0.0);
        far_.assign(m + 3, 0.0);
        joins_.assign(m, true);
        for (std::size_t k = 0; k < m; ++k)
            for (const Var y : layers_[k]) {
                const Mask own = sums_.weights().bit(y, x);
                Mask previous = k == 0 ? 0 : mask_of(y, layers_[k - 1]);
                Mask earlier = previous;
                for (std::size_t l = 0; l + 1 < k; ++l) earlier |= mask_of(y, layers_[l]);
                const double apart = log_sum(y, earlier, previous, k == 0);
                apart_[k] += apart;
                alone_[k] += log_sum(y, earlier | own, own, false);
                if (k > 0) {
                    beside_[k] += own == 0 ? apart : log_sum(y, earlier | own, previous | own, false);
                    far_[k] += own == 0 ? apart : log_sum(y, earlier | own, previous, false);
                }
                if (sums_.weights().has_links() && sums_.weights().joined(x, y)) joins_[k] = false;
            }
        for (std::size_t k = m; k-- > 0;) far_[k] += far_[k + 1];
        // options[2k]: a layer of its own before layer k; options[2k + 1]: joins layer k.
        options_.assign(2 * m + 1, FamilySums::kImpossible);
        Mask earlier = 0, previous = 0;
        double before = 0.0;
        for (std::size_t k = 0; k <= m; ++k) {
            const double own = log_sum(x, earlier, previous, k == 0);
            options_[2 * k] = before + own + alone_[k] + far_[k + 1];
            if (k == m) break;
            if (joins_[k]) options_[2 * k + 1] = before + apart_[k] + own + beside_[k + 1] + far_[k + 2];
            before += apart_[k];
            previous = mask_of(x, layers_[k]);
            earlier |= previous;
        }
        const std::size_t chosen = choose(options_);
        const std::size_t k = chosen / 2;
        if (chosen % 2 == 0)
            layers_.insert(layers_.begin() + static_cast<std::ptrdiff_t>(k), Layer{x});
        else
            layers_[k].insert(std::lower_bound(layers_[k].begin(), layers_[k].end(), x), x);
        refresh(0, layers_.size());
    }

    // A network of the state is drawn, changed by moves that keep the distribution over networks, and the
    // state becomes its partition: arcs are reversed that no move of one variable can reverse.
    void change_network() {
        const std::vector<Layer> layers = layers_;
        const std::vector<Place> places = places_;
        std::vector<Mask> network(places_.size());
        draw(network);
        networks_->start(network);
        std::swap(networks_->random(), random_);
        for (std::size_t i = 0; i < places_.size(); ++i) networks_->step();
        std::swap(networks_->random(), random_);
        networks_->draw(network);
        set_layers(layers_of(network));
        if (log_weight() > FamilySums::kImpossible) return;
        layers_ = layers;  // too unlikely for the sums to tell from nothing
        places_ = places;
    }

    // The number of ways to join two neighbouring layers or to split one in two.
    double ways() const {
        double total = static_cast<double>(layers_.size() - 1);
        for (const Layer& layer : layers_) total += splits(layer);
        return total;
    }
    static double splits(const Layer& layer) { return std::ldexp(1.0, static_cast<int>(layer.size())) - 2.0; }

    // Each way is as likely, so Hastings' ratio is that of the numbers of ways.
    void split_or_join() {
        const double here = ways();
        const std::vector<Layer> layers = layers_;
        const std::vector<Place> places = places_;
        const double before = log_weight();
        double at = random_.uniform() * here;
        std::size_t k = 0;
        if (at < static_cast<double>(layers_.size() - 1)) {
            k = static_cast<std::size_t>(at);
            layers_[k].insert(layers_[k].end(), layers_[k + 1].begin(), layers_[k + 1].end());
            std::sort(layers_[k].begin(), layers_[k].end());
            layers_.erase(layers_.begin() + static_cast<std::ptrdiff_t>(k) + 1);
        } else {
            at -= static_cast<double>(layers_.size() - 1);
            while (k + 1 < layers_.size() && at >= splits(layers_[k])) at -= splits(layers_[k++]);
            while (layers_[k].size() < 2) --k;  // rounding only
            Layer first, second;
            while (first.empty() || second.empty()) {
                first.clear();
                second.clear();
                for (const Var v : layers_[k]) (random_.below(2) == 0 ? first : second).push_back(v);
            }
            layers_[k] = first;
            layers_.insert(layers_.begin() + static_cast<std::ptrdiff_t>(k) + 1, second);
        }
        refresh(k, std::min(k + 3, layers_.size()));
        if (accept(log_weight() - before + std::log(here) - std::log(ways()))) return;
        layers_ = layers;
        places_ = places;
    }

    std::vector<Layer> layers_;
    std::vector<Place> places_;
    std::vector<double> apart_, beside_, alone_, far_, options_;
    std::vector<bool> joins_;
    std::unique_ptr<GraphWalk> networks_;
};

}  // namespace

std::unique_ptr<GraphWalk> partition_walk(const FamilySums& sums, std::uint64_t seed) {
    return std::make_unique<PartitionWalk>(sums, seed);
}

}  // namespace dagwright
