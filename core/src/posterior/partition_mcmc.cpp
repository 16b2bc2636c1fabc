#include <algorithm>
#include <cmath>
#include <limits>

#include "dagwright/base/errors.hpp"
#include "dagwright/posterior/graph_walk.hpp"

namespace dagwright {

namespace {

// Of sixteen moves so many split a layer or join two, and so many change a network itself; the others move
// one variable.
constexpr std::size_t kSplits = 1, kNetworkMoves = 2, kMoves = 16;
// So many moves per variable are made each time that a network itself is changed.
constexpr std::size_t kNetworkSteps = 4;
// The layer of a variable that is in none: later than all, and before none.
constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

// A state is an ordered partition Lambda = (lambda, pi) of Kuipers & Moffa (2017): layers of sizes lambda,
// filled in the order pi. A variable has a parent in the layer before its own and none in its own or later
// ones. Every network has exactly one such partition.
class PartitionWalk final : public GraphWalk {
  public:
    PartitionWalk(const FamilySums& sums, std::uint64_t seed)
        : GraphWalk(sums, seed),
          places_(sums.variables()),
          network_(sums.variables()),
          networks_(structure_walk(sums, seed)) {}

    void start(std::span<const Mask> network) override {
        std::vector<std::uint32_t> layers;
        depths_of(network, layers);
        restore(layers);
    }

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
        const Mask links = weights().links(child);
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

    std::vector<std::uint32_t> state() const override { return layer_; }

    void restore(std::span<const std::uint32_t> state) override {
        require_one_per_variable(state);
        for (const std::uint32_t k : state)
            if (k >= state.size())
                throw Error("the state of a chain over partitions has layer " + std::to_string(k) +
                            " of only " + std::to_string(state.size()) + " variables");
        layer_.assign(state.begin(), state.end());
        sizes_.assign(1 + *std::max_element(layer_.begin(), layer_.end()), 0);
        for (const std::uint32_t k : layer_) ++sizes_[k];
        bool possible = std::find(sizes_.begin(), sizes_.end(), 0u) == sizes_.end();
        for (std::uint32_t k = 0; k < sizes_.size(); ++k) possible = possible && !clash(k);
        for (Var v = 0; v < places_.size(); ++v) places_[v] = place_of(v);
        if (!possible || !(log_weight() > FamilySums::kImpossible))
            throw Error("a partition without any network");
    }

  private:
    struct Place {
        Mask earlier = 0, previous = 0;  // candidates in earlier layers, and in the one just before
        double log = 0.0;
    };

    const FamilyWeights& weights() const { return sums_.weights(); }

    double log_sum(Var y, Mask earlier, Mask previous, bool first) const {
        return first ? sums_.log_sum(y, 0) : sums_.log_sum_touching(y, earlier, previous);
    }

    // Which candidates are in which layers, without the sum.
    Place masks_of(Var y) const {
        Place place;
        const std::uint32_t own = layer_[y];
        const std::span<const Var> candidates = weights().candidates(y);
        for (std::size_t at = 0; at < candidates.size(); ++at) {
            const std::uint32_t layer = layer_[candidates[at]];
            place.earlier |= Mask{layer < own} << at;
            place.previous |= Mask{layer + 1 == own && own != 0} << at;
        }
        return place;
    }

    Place place_of(Var y) const {
        Place place = masks_of(y);
        place.log = log_sum(y, place.earlier, place.previous, layer_[y] == 0);
        return place;
    }

    // Whether two members of a layer must be joined, which they cannot be.
    bool clash(std::uint32_t k) const {
        if (!weights().has_links()) return false;
        for (Var a = 0; a < layer_.size(); ++a)
            for (Var b = 0; b < a; ++b)
                if (layer_[a] == k && layer_[b] == k && weights().joined(a, b)) return true;
        return false;
    }

    // The layers from the k-th on move up by one, or those after it move down.
    void make_room(std::uint32_t k) {
        sizes_.insert(sizes_.begin() + k, 0);
        for (std::uint32_t& layer : layer_) layer += layer >= k && layer != kNowhere ? 1u : 0u;
    }
    void close_room(std::uint32_t k) {
        sizes_.erase(sizes_.begin() + k);
        for (std::uint32_t& layer : layer_) layer -= layer > k && layer != kNowhere ? 1u : 0u;
    }

    // A variable that can be a child of the one that moves, with its sums if that one is in the same layer or
    // a later one; in the layer just before, with others or alone; earlier than that.
    struct Follower {
        Var variable;
        Mask own;
        std::uint32_t layer;
        Place without;
        double beside, alone, far;
    };

    // The sums of the members of one layer, by the same four cases.
    struct LayerSums {
        double apart = 0.0, beside = 0.0, alone = 0.0, far = 0.0;
        std::uint32_t followers = 0;
        Mask candidates = 0;  // of the variable that moves
        double own = 0.0;     // its sum just after the layer before
        bool joins = true;
    };

    // One variable joins any layer or makes one of its own anywhere, each by its weight given the others: no
    // proposal is refused. Only the variables that have it as a candidate look at it.
    void relocate() {
        const auto x = static_cast<Var>(random_.below(places_.size()));
        const std::uint32_t from = layer_[x];
        layer_[x] = kNowhere;
        const bool was_alone = --sizes_[from] == 0;
        if (was_alone) close_room(from);
        follow(x, was_alone);
        add_layers(x);
        const auto m = static_cast<std::uint32_t>(sizes_.size());
        // options[2k]: a layer of its own before layer k; options[2k + 1]: joins layer k.
        options_.assign(2 * m + 1, FamilySums::kImpossible);
        double before = 0.0;
        for (std::uint32_t k = 0; k <= m; ++k) {
            const LayerSums& here = by_layer_[k];
            options_[2 * k] = before + here.own + here.alone + by_layer_[k + 1].far;
            if (k == m) break;
            if (here.joins)
                options_[2 * k + 1] =
                    before + here.apart + here.own + by_layer_[k + 1].beside + by_layer_[k + 2].far;
            before += here.apart;
        }
        const auto chosen = static_cast<std::uint32_t>(choose(options_));
        put(x, chosen / 2, chosen % 2 == 0);
    }

    void follow(Var x, bool was_alone) {
        followers_.clear();
        for (const FamilyWeights::Dependent& one : weights().dependents(x)) {
            const Var y = one.child;
            const Mask own = one.bit;
            const std::uint32_t k = layer_[y];
            const Place& now = places_[y];
            const bool was_later = (now.earlier & own) != 0, was_next = (now.previous & own) != 0;
            Follower it{y, own, k, now, 0.0, 0.0, 0.0};
            if (was_alone && was_next) {
                it.without = masks_of(y);
            } else {
                it.without.earlier &= ~own;
                it.without.previous &= ~own;
            }
            const Mask earlier = it.without.earlier, previous = it.without.previous;
            if (was_later) it.without.log = log_sum(y, earlier, previous, k == 0);
            it.alone = was_next && was_alone ? now.log : sums_.log_sum_touching(y, earlier | own, own);
            if (k > 0) {
                it.beside = was_next && !was_alone ? now.log
                                                   : sums_.log_sum_touching(y, earlier | own, previous | own);
                it.far =
                    was_later && !was_next ? now.log : sums_.log_sum_touching(y, earlier | own, previous);
            }
            followers_.push_back(it);
        }
    }

    // by_layer_[k] for all layers without x and three more, `far` added up over this one and all later ones.
    void add_layers(Var x) {
        const std::size_t m = sizes_.size();
        by_layer_.assign(m + 3, {});
        const std::span<const Var> candidates = weights().candidates(x);
        for (std::size_t at = 0; at < candidates.size(); ++at)
            by_layer_[layer_[candidates[at]]].candidates |= Mask{1} << at;
        for (Var v = 0; v < layer_.size(); ++v)
            if (v != x && weights().position(v, x) == FamilyWeights::kNoCandidate)
                by_layer_[layer_[v]].apart += places_[v].log;
        for (std::size_t k = 0; k < m; ++k) by_layer_[k].beside = by_layer_[k].far = by_layer_[k].apart;
        for (const Follower& it : followers_) {
            LayerSums& layer = by_layer_[it.layer];
            ++layer.followers;
            layer.apart += it.without.log;
            layer.beside += it.beside;
            layer.alone += it.alone;
            layer.far += it.far;
        }
        Mask earlier = 0, previous = 0;
        for (std::size_t k = 0; k <= m; ++k) {
            LayerSums& layer = by_layer_[k];
            layer.own = log_sum(x, earlier, previous, k == 0);
            previous = layer.candidates;
            earlier |= previous;
            if (k < m && layer.followers != sizes_[k]) layer.alone = FamilySums::kImpossible;
        }
        for (std::size_t k = m; k-- > 0;) by_layer_[k].far += by_layer_[k + 1].far;
        if (!weights().has_links()) return;
        for (Var v = 0; v < layer_.size(); ++v)
            if (v != x && weights().joined(x, v)) by_layer_[layer_[v]].joins = false;
    }

    // x, which is nowhere, joins layer k or gets one of its own before it.
    void put(Var x, std::uint32_t k, bool alone) {
        for (const Follower& it : followers_) {
            Place& place = places_[it.variable];
            place = it.without;
            const std::uint32_t next = alone ? k : k + 1;
            if (it.layer < next) continue;
            place.earlier |= it.own;
            if (it.layer > next) {
                place.log = it.far;
            } else {
                place.previous = alone ? it.own : place.previous | it.own;
                place.log = alone ? it.alone : it.beside;
            }
        }
        Place& own = places_[x];
        own = {0, k == 0 ? 0 : by_layer_[k - 1].candidates, by_layer_[k].own};
        for (std::uint32_t earlier = 0; earlier < k; ++earlier) own.earlier |= by_layer_[earlier].candidates;
        if (alone) make_room(k);
        layer_[x] = k;
        ++sizes_[k];
    }

    // A network of the state is drawn, changed by moves that keep the distribution over networks, and the
    // state becomes its partition: arcs are reversed that no move of one variable can reverse.
    void change_network() {
        draw(network_);
        networks_->start(network_);
        std::swap(networks_->random(), random_);
        for (std::size_t i = 0; i < kNetworkSteps * places_.size(); ++i) networks_->step();
        std::swap(networks_->random(), random_);
        networks_->draw(network_);
        keep();
        depths_of(network_, layer_);
        sizes_.assign(1 + *std::max_element(layer_.begin(), layer_.end()), 0);
        for (const std::uint32_t k : layer_) ++sizes_[k];
        for (Var v = 0; v < places_.size(); ++v) {
            const Place& was = kept_places_[v];
            Place& place = places_[v];
            place = masks_of(v);
            const bool same = place.earlier == was.earlier && place.previous == was.previous &&
                              (layer_[v] == 0) == (kept_layer_[v] == 0);
            place.log = same ? was.log : log_sum(v, place.earlier, place.previous, layer_[v] == 0);
            if (place.log > FamilySums::kImpossible) continue;
            return put_back();  // too unlikely for the sums to tell from nothing
        }
    }

    void keep() {
        kept_layer_ = layer_;
        kept_sizes_ = sizes_;
        kept_places_ = places_;
    }
    void put_back() {
        layer_ = kept_layer_;
        sizes_ = kept_sizes_;
        places_ = kept_places_;
    }

    // The number of ways to join two neighboring layers or to split one in two.
    double ways() const {
        double total = static_cast<double>(sizes_.size() - 1);
        for (const std::uint32_t size : sizes_) total += splits(size);
        return total;
    }
    static double splits(std::uint32_t size) { return std::ldexp(1.0, static_cast<int>(size)) - 2.0; }

    // Each way is as likely, so Hastings' ratio is that of the numbers of ways.
    void split_or_join() {
        const double here = ways();
        double at = random_.uniform() * here;
        std::uint32_t k = 0;
        keep();
        const auto joins = static_cast<double>(sizes_.size() - 1);
        const bool join = at < joins;
        if (join) {
            k = static_cast<std::uint32_t>(at);
            sizes_[k] += sizes_[k + 1];
            for (std::uint32_t& layer : layer_) layer -= layer == k + 1 ? 1u : 0u;
            close_room(k + 1);
        } else {
            at -= joins;
            while (k + 1 < sizes_.size() && at >= splits(sizes_[k])) at -= splits(sizes_[k++]);
            while (sizes_[k] < 2) --k;  // rounding only
            split(k);
        }
        double gain = join && clash(k) ? FamilySums::kImpossible : 0.0;
        // Those of the two layers, or of the one they have become, and of the next.
        const std::uint32_t last = join ? k + 1 : k + 2;
        for (Var v = 0; v < layer_.size() && gain > FamilySums::kImpossible; ++v) {
            if (layer_[v] < k || layer_[v] > last) continue;
            places_[v] = place_of(v);
            gain += places_[v].log - kept_places_[v].log;
        }
        if (!accept(gain + std::log(here) - std::log(ways()))) put_back();
    }

    // Each member goes to the first or the second of two layers, neither of which may stay empty.
    void split(std::uint32_t k) {
        const std::uint32_t size = sizes_[k];
        make_room(k);
        do {
            sizes_[k] = 0;
            for (Var v = 0; v < layer_.size(); ++v)
                if (kept_layer_[v] == k) {
                    layer_[v] = k + static_cast<std::uint32_t>(random_.below(2));
                    sizes_[k] += layer_[v] == k ? 1u : 0u;
                }
        } while (sizes_[k] == 0 || sizes_[k] == size);
        sizes_[k + 1] = size - sizes_[k];
    }

    std::vector<std::uint32_t> layer_;  // of each variable
    std::vector<std::uint32_t> sizes_;  // of each layer
    std::vector<Place> places_;
    std::vector<std::uint32_t> kept_layer_, kept_sizes_;
    std::vector<Place> kept_places_;
    std::vector<Follower> followers_;
    std::vector<LayerSums> by_layer_;
    std::vector<double> options_;
    std::vector<Mask> network_;
    std::unique_ptr<GraphWalk> networks_;
};

}  // namespace

std::unique_ptr<GraphWalk> partition_walk(const FamilySums& sums, std::uint64_t seed) {
    return std::make_unique<PartitionWalk>(sums, seed);
}

}  // namespace dagwright
