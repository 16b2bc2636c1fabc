#include "dagwright/exact/cluster_cuts.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <stdexcept>

namespace dagwright {

namespace {

constexpr double kWeightless = 1e-9;

// A set of up to 64 * Words positions.
template <std::size_t Words>
struct Bits {
    Word words[Words] = {};

    void add(std::size_t at) { set_bit(words, at); }
    void drop(std::size_t at) { clear_bit(words, at); }
    bool has(std::size_t at) const { return has_bit(words, at); }
    bool meets(const Bits& other) const {
        Word any = 0;
        for (std::size_t w = 0; w < Words; ++w) any |= words[w] & other.words[w];
        return any != 0;
    }
    std::size_t common(const Bits& other) const {
        std::size_t found = 0;
        for (std::size_t w = 0; w < Words; ++w)
            found += static_cast<std::size_t>(std::popcount(words[w] & other.words[w]));
        return found;
    }
    Bits operator&(const Bits& other) const {
        Bits both;
        for (std::size_t w = 0; w < Words; ++w) both.words[w] = words[w] & other.words[w];
        return both;
    }
    Bits without(const Bits& other) const {
        Bits rest;
        for (std::size_t w = 0; w < Words; ++w) rest.words[w] = words[w] & ~other.words[w];
        return rest;
    }
    template <class Visit>
    void each(Visit&& visit) const {
        for_each_bit(std::span<const Word>(words, Words), visit);
    }
    auto operator<=>(const Bits&) const = default;
};

// The families with weight of one component, renumbered; parents outside the component are left out.
template <std::size_t Words>
class Component {
  public:
    using Set = Bits<Words>;

    Component(const Families& families, std::span<const double> weights, const std::vector<Var>& variables,
              const ClusterPlan& plan)
        : variables_(variables), plan_(plan), support_(variables.size()), base_(variables.size(), 0.0) {
        std::vector<std::size_t> position(families.variables(), variables.size());
        for (std::size_t i = 0; i < variables.size(); ++i) position[variables[i]] = i;
        for (std::size_t i = 0; i < variables.size(); ++i) {
            for (std::size_t f = families.begin(variables[i]); f < families.end(variables[i]); ++f) {
                if (weights[f] <= kWeightless) continue;
                Weighted entry;
                entry.weight = weights[f];
                for_each_bit(families.parents(f), [&](std::size_t parent) {
                    if (position[parent] < variables_.size()) entry.parents.add(position[parent]);
                });
                if (entry.parents == Set{})
                    base_[i] += entry.weight;
                else
                    support_[i].push_back(entry);
            }
            std::sort(support_[i].begin(), support_[i].end(), [](const Weighted& a, const Weighted& b) {
                if (a.weight != b.weight) return a.weight > b.weight;
                return a.parents < b.parents;
            });
        }
    }

    void grow_everywhere() {
        for (std::size_t order = 1; order <= plan_.largest_order; ++order)
            for (std::size_t i = 0; i < support_.size(); ++i)
                for (const Weighted& entry : support_[i])
                    entry.parents.each([&](std::size_t parent) { grow(i, parent, order); });
    }

    bool enumerate() {
        steps_ = plan_.steps;
        Set allowed;
        for (std::size_t i = 0; i < support_.size(); ++i) allowed.add(i);
        for (std::size_t i = 0; i < support_.size() && steps_ > 0; ++i) {
            Set only;
            only.add(i);
            branch(only, allowed);
            allowed.drop(i);
        }
        return steps_ > 0;
    }

    void collect(std::vector<Cluster>& found) const {
        for (const auto& [set, order, violation] : kept_) {
            Cluster cluster;
            cluster.order = order;
            cluster.violation = violation;
            set.each([&](std::size_t i) { cluster.members.push_back(variables_[i]); });
            found.push_back(std::move(cluster));
        }
    }
    bool any() const { return !kept_.empty(); }

  private:
    struct Weighted {
        Set parents;
        double weight = 0.0;
    };
    struct Kept {
        Set set;
        std::size_t order;
        double violation;
    };

    // The weight of the families of variable i with fewer than `order` parents in the set.
    double missing(std::size_t i, const Set& set, std::size_t order) const {
        double total = base_[i];
        for (const Weighted& entry : support_[i])
            if (order == 1 ? !entry.parents.meets(set) : entry.parents.common(set) < order)
                total += entry.weight;
        return total;
    }
    double missing(const Set& set, std::size_t order) const {
        double total = 0.0;
        set.each([&](std::size_t i) { total += missing(i, set, order); });
        return total;
    }

    void keep(const Set& set, std::size_t order, double violation) {
        if (violation < plan_.least || !seen_.insert({set, order}).second) return;
        kept_.push_back({set, order, violation});
    }

    void grow(std::size_t first, std::size_t second, std::size_t order) {
        Set set;
        set.add(first);
        set.add(second);
        if (!tried_.insert({set, order}).second) return;
        std::size_t size = 2;
        double value = missing(set, order);
        while (true) {
            if (size > order) keep(set, order, static_cast<double>(order) - value);
            // Only a parent of a member can lower the left-hand side.
            Set near;
            set.each([&](std::size_t i) {
                for (const Weighted& entry : support_[i])
                    for (std::size_t w = 0; w < Words; ++w) near.words[w] |= entry.parents.words[w];
            });
            near = near.without(set);
            std::size_t best = support_.size();
            double lowest = 0.0;
            near.each([&](std::size_t u) {
                Set larger = set;
                larger.add(u);
                const double with = missing(larger, order);
                if (best == support_.size() || with < lowest - 1e-12) {
                    best = u;
                    lowest = with;
                }
            });
            // A little worse on the way is allowed: two variables may be needed together.
            if (best == support_.size() || lowest > value + 0.34) return;
            set.add(best);
            ++size;
            value = lowest;
            if (!tried_.insert({set, order}).second) return;
        }
    }

    // All violated clusters that hold `in` and lie within `allowed`.
    void branch(const Set& in, const Set& allowed) {
        if (steps_ == 0) return;
        --steps_;
        double certain = 0.0, value = 0.0, heaviest = 0.0;
        Set open;
        in.each([&](std::size_t i) {
            certain += base_[i];
            value += base_[i];
            for (const Weighted& entry : support_[i]) {
                if (entry.parents.meets(in)) continue;
                value += entry.weight;
                if (!entry.parents.meets(allowed)) {
                    certain += entry.weight;
                } else if (entry.weight > heaviest) {
                    heaviest = entry.weight;
                    open = entry.parents & allowed;
                }
            }
        });
        if (certain > 1.0 - plan_.least) return;
        if (1.0 - value >= plan_.least) keep(in, 1, 1.0 - value);
        if (heaviest == 0.0) return;
        Set left = allowed;
        open.each([&](std::size_t u) {
            Set larger = in;
            larger.add(u);
            branch(larger, left);
            left.drop(u);
        });
        branch(in, left);
    }

    const std::vector<Var>& variables_;
    const ClusterPlan& plan_;
    std::vector<std::vector<Weighted>> support_;
    std::vector<double> base_;  // weight of families without a parent in the component
    std::vector<Kept> kept_;
    std::set<std::pair<Set, std::size_t>> seen_, tried_;
    std::uint64_t steps_ = 0;
};

// Tarjan's algorithm on the arcs parent -> child that have weight, without recursion.
std::vector<std::vector<Var>> components(const Families& families, std::span<const double> weights) {
    const std::size_t n = families.variables();
    std::vector<std::vector<Var>> parents(n);
    for (Var v = 0; v < n; ++v) {
        BitRow joined(families.words(), 0);
        for (std::size_t f = families.begin(v); f < families.end(v); ++f) {
            if (weights[f] <= kWeightless) continue;
            for (std::size_t w = 0; w < families.words(); ++w) joined[w] |= families.parents(f)[w];
        }
        for_each_bit(std::span<const Word>(joined),
                     [&](std::size_t p) { parents[v].push_back(static_cast<Var>(p)); });
    }
    constexpr std::size_t kUnseen = static_cast<std::size_t>(-1);
    std::vector<std::size_t> index(n, kUnseen), low(n, 0), next(n, 0);
    std::vector<bool> waiting(n, false);
    std::vector<Var> stack, path;
    std::vector<std::vector<Var>> found;
    std::size_t counter = 0;
    for (Var root = 0; root < n; ++root) {
        if (index[root] != kUnseen) continue;
        path.push_back(root);
        while (!path.empty()) {
            const Var v = path.back();
            if (index[v] == kUnseen) {
                index[v] = low[v] = counter++;
                stack.push_back(v);
                waiting[v] = true;
            }
            if (next[v] < parents[v].size()) {
                const Var u = parents[v][next[v]++];
                if (index[u] == kUnseen)
                    path.push_back(u);
                else if (waiting[u])
                    low[v] = std::min(low[v], index[u]);
                continue;
            }
            path.pop_back();
            if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[v]);
            if (low[v] != index[v]) continue;
            std::vector<Var> members;
            Var member = v;
            do {
                member = stack.back();
                stack.pop_back();
                waiting[member] = false;
                members.push_back(member);
            } while (member != v);
            if (members.size() > 1) {
                std::sort(members.begin(), members.end());
                found.push_back(std::move(members));
            }
        }
    }
    return found;
}

template <std::size_t Words>
void search_component(const Families& families, std::span<const double> weights,
                      const std::vector<Var>& members, const ClusterPlan& plan, ClustersFound& found) {
    Component<Words> component(families, weights, members, plan);
    component.grow_everywhere();
    if (!component.any()) found.complete = component.enumerate() && found.complete;
    component.collect(found.clusters);
}

}  // namespace

ClustersFound violated_clusters(const Families& families, std::span<const double> weights,
                                const ClusterPlan& plan) {
    if (weights.size() != families.size()) throw std::invalid_argument("one weight per family is needed");
    ClustersFound found;
    for (const std::vector<Var>& members : components(families, weights)) {
        const std::size_t words = words_for(members.size());
        if (words == 1)
            search_component<1>(families, weights, members, plan, found);
        else if (words <= 4)
            search_component<4>(families, weights, members, plan, found);
        else if (words <= 16)
            search_component<16>(families, weights, members, plan, found);
        else
            throw std::invalid_argument("clusters are sought among at most 1024 variables");
    }
    std::sort(found.clusters.begin(), found.clusters.end(), [](const Cluster& a, const Cluster& b) {
        if (a.violation != b.violation) return a.violation > b.violation;
        if (a.members.size() != b.members.size()) return a.members.size() < b.members.size();
        if (a.order != b.order) return a.order < b.order;
        return a.members < b.members;
    });
    if (found.clusters.size() > plan.most) found.clusters.resize(plan.most);
    return found;
}

std::vector<std::int64_t> cluster_row(const Families& families, std::span<const Var> members,
                                      std::size_t order) {
    BitRow set(families.words(), 0);
    for (const Var v : members) {
        if (v >= families.variables()) throw std::invalid_argument("a cluster has a member out of range");
        set_bit(set, v);
    }
    std::vector<std::int64_t> row;
    for_each_bit(std::span<const Word>(set), [&](std::size_t v) {
        for (std::size_t f = families.begin(static_cast<Var>(v)); f < families.end(static_cast<Var>(v)); ++f)
            if (families.common(f, set) < order) row.push_back(static_cast<std::int64_t>(f));
    });
    return row;
}

}  // namespace dagwright
