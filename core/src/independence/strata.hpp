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

class Strata {
  public:
    struct Facts {
        double pearson = 0.0;      // sum (n - E)^2 / E with E = n_xz n_yz / n_z
        double adjusted_df = 0.0;  // sum over strata of (states of x seen - 1)(states of y seen - 1)
    };

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
        total_.clear(), left_.clear(), chi_.clear();
        for (const Cell& cell : cells_) {
            const double expected = n_xz_[cell.xz] * n_yz_[cell.yz] / n_z_[cell.stratum];
            const double off = cell.n - expected;
            chi_.add(off * off / expected);
            total_.add(cell.n);
            left_.add(cell.n);
            left_.add(-expected);
        }
        // An empty cell adds its E. What is left of the difference for a full table is rounding.
        const double empty = std::max(0.0, left_.value());
        found.pearson = chi_.value() + (empty > 1e-12 * total_.value() ? empty : 0.0);
        for (std::size_t z = 0; z < n_z_.size(); ++z) {
            if (!(n_z_[z] > 0.0)) continue;
            const auto seen = [&](const std::vector<double>& n, std::size_t width) {
                return static_cast<double>(
                    std::count_if(n.begin() + static_cast<std::ptrdiff_t>(z * width),
                                  n.begin() + static_cast<std::ptrdiff_t>((z + 1) * width),
                                  [](double some) { return some > 0.0; }));
            };
            found.adjusted_df += (seen(n_xz_, x_width_) - 1.0) * (seen(n_yz_, y_width_) - 1.0);
        }
        return found;
    }

    std::vector<std::uint32_t> stratum_of_, x_of_;  // of each configuration of the base
    std::size_t strata_ = 1, x_states_ = 1;
    std::size_t x_width_ = 1, y_width_ = 1;
    std::vector<double> n_z_, n_xz_, n_yz_;
    std::vector<Cell> cells_;
    ExactSum chi_, total_, left_;
};

}  // namespace dagwright
