// The cells of x and y within the strata of z, and the statistics that follow from them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "dagwright/base/exact_sum.hpp"
#include "dagwright/statistics/counts.hpp"

namespace dagwright {

// How Pearson's statistic is wanted: not at all, to about twelve digits, or rounded once, so that no order
// of the columns changes a digit.
enum class Pearson : std::uint8_t { none, rough, exact };

class Strata {
  public:
    struct Facts {
        double pearson = 0.0;      // sum (n - E)^2 / E with E = n_xz n_yz / n_z
        double adjusted_df = 0.0;  // sum over strata of (states of x seen - 1)(states of y seen - 1)
    };

    explicit Strata(Pearson pearson) : pearson_(pearson) {}

    // The cells of all configurations of `base`, the first member changing slowest, times the states of y.
    void set_base(std::span<const Var> base, Var x, std::span<const std::uint32_t> cardinalities) {
        std::size_t configurations = 1;
        for (const Var v : base) configurations *= cardinalities[v];
        stratum_of_.assign(configurations, 0);
        x_of_.assign(configurations, 0);
        strata_ = 1;
        std::size_t after = configurations;
        for (const Var v : base) {
            const std::size_t states = cardinalities[v];
            after /= states;
            for (std::size_t c = 0; c < configurations; ++c) {
                const auto state = static_cast<std::uint32_t>((c / after) % states);
                if (v == x)
                    x_of_[c] = state;
                else
                    stratum_of_[c] = static_cast<std::uint32_t>(stratum_of_[c] * states + state);
            }
            if (v != x) strata_ *= states;
        }
        x_states_ = cardinalities[x];
    }

    template <class Count>
    Facts of_table(std::span<const Count> counts, std::uint32_t y_states, double unit) {
        begin(strata_, x_states_, y_states);
        std::size_t at = 0;
        for (std::size_t c = 0; c < stratum_of_.size(); ++c)
            for (std::uint32_t y = 0; y < y_states; ++y, ++at)
                if (counts[at] > 0) add(stratum_of_[c], x_of_[c], y, static_cast<double>(counts[at]) * unit);
        return facts();
    }

    // The cells that occur, of variables in the order z, x, y.
    Facts of_cells(const Cells& cells, std::size_t z, std::size_t x, std::size_t y, double unit) {
        const std::size_t width = z + x + y;
        std::map<std::vector<std::uint32_t>, std::uint32_t> numbers[3];
        std::vector<std::uint32_t> numbered;
        for (std::size_t i = 0; i < cells.counts.size(); ++i) {
            if (cells.counts[i] == 0) continue;  // rows of weight zero
            const std::uint32_t* codes = cells.codes.data() + i * width;
            const std::size_t ends[] = {0, z, z + x, width};
            for (std::size_t part = 0; part < 3; ++part) {
                std::vector<std::uint32_t> key(codes + ends[part], codes + ends[part + 1]);
                const auto fresh = static_cast<std::uint32_t>(numbers[part].size());
                numbered.push_back(numbers[part].try_emplace(std::move(key), fresh).first->second);
            }
        }
        begin(numbers[0].size(), numbers[1].size(), numbers[2].size());
        std::size_t at = 0;
        for (const std::uint64_t n : cells.counts) {
            if (n == 0) continue;
            add(numbered[at], numbered[at + 1], numbered[at + 2], static_cast<double>(n) * unit);
            at += 3;
        }
        return facts();
    }

  private:
    struct Cell {
        std::size_t stratum, xz, yz;
        double n;
    };

    void begin(std::size_t strata, std::size_t x_states, std::size_t y_states) {
        x_width_ = x_states;
        y_width_ = y_states;
        n_z_.assign(strata, 0.0);
        n_xz_.assign(strata * x_states, 0.0);
        n_yz_.assign(strata * y_states, 0.0);
        cells_.clear();
    }

    void add(std::size_t stratum, std::size_t x, std::size_t y, double n) {
        const Cell cell{stratum, stratum * x_width_ + x, stratum * y_width_ + y, n};
        cells_.push_back(cell);
        n_z_[stratum] += n;
        n_xz_[cell.xz] += n;
        n_yz_[cell.yz] += n;
    }

    Facts facts() {
        Facts found;
        std::size_t possible = 0;  // cells that the margins allow: E > 0
        for (std::size_t z = 0; z < n_z_.size(); ++z) {
            if (!(n_z_[z] > 0.0)) continue;
            const std::size_t x = seen(n_xz_, z, x_width_), y = seen(n_yz_, z, y_width_);
            found.adjusted_df += (static_cast<double>(x) - 1.0) * (static_cast<double>(y) - 1.0);
            possible += x * y;
        }
        const bool with_empty_cells = cells_.size() < possible;
        if (pearson_ == Pearson::rough)
            found.pearson = rough(with_empty_cells);
        else if (pearson_ == Pearson::exact)
            found.pearson = exact(with_empty_cells);
        return found;
    }

    static std::size_t seen(std::span<const double> n, std::size_t z, std::size_t width) {
        return static_cast<std::size_t>(
            std::ranges::count_if(n.subspan(z * width, width), [](double some) { return some > 0.0; }));
    }

    double expected(const Cell& cell) const { return n_xz_[cell.xz] * n_yz_[cell.yz] / n_z_[cell.stratum]; }

    double rough(bool with_empty_cells) const {
        double chi = 0.0, left = 0.0;
        for (const Cell& cell : cells_) {
            const double e = expected(cell), off = cell.n - e;
            chi += off * off / e;
            left += off;
        }
        return chi + (with_empty_cells ? std::max(0.0, left) : 0.0);
    }

    double exact(bool with_empty_cells) {
        left_.clear(), chi_.clear();
        double total = 0.0;
        for (const Cell& cell : cells_) {
            const double e = expected(cell), off = cell.n - e;
            chi_.add(off * off / e);
            if (!with_empty_cells) continue;
            total += cell.n;
            left_.add(cell.n);
            left_.add(-e);
        }
        if (!with_empty_cells) return chi_.value();
        // An empty cell adds its E: together the rows less the E of the others. A tiny rest is rounding.
        const double empty = left_.value();
        return chi_.value() + (empty > 1e-12 * total ? empty : 0.0);
    }

    std::vector<std::uint32_t> stratum_of_, x_of_;  // of each configuration of the base
    std::size_t strata_ = 1, x_states_ = 1;
    std::size_t x_width_ = 1, y_width_ = 1;
    std::vector<double> n_z_, n_xz_, n_yz_;
    std::vector<Cell> cells_;
    ExactSum chi_, left_;
    Pearson pearson_;
};

}  // namespace dagwright
