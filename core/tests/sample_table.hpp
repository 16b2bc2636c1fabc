// Random coded tables for the tests of the core.
#pragma once
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "dagwright/statistics/table.hpp"

namespace sample {

struct Options {
    std::size_t rows = 1000;
    std::vector<std::uint32_t> cardinalities;
    bool missing = false;
    std::vector<double> weights;
};

// Owns the arrays behind a Table.
struct Sample {
    std::vector<std::vector<std::uint8_t>> narrow;
    std::vector<std::vector<std::uint16_t>> wide;
    std::shared_ptr<const dagwright::Table> table;
};

// Each column leans on the one before it, so that there is something to find.
inline Sample draw(unsigned seed, const Options& options) {
    std::mt19937 random(seed);
    Sample result;
    std::vector<dagwright::Column> columns;
    result.narrow.reserve(options.cardinalities.size());
    result.wide.reserve(options.cardinalities.size());
    std::vector<std::uint32_t> previous(options.rows, 0);
    for (const std::uint32_t r : options.cardinalities) {
        std::vector<std::uint32_t> codes(options.rows);
        for (std::size_t i = 0; i < options.rows; ++i) {
            codes[i] = random() % 3 == 0 ? static_cast<std::uint32_t>(random() % r) : previous[i] % r;
            previous[i] = codes[i];
        }
        dagwright::Column column;
        column.cardinality = r;
        const bool gaps = options.missing && random() % 2 == 0;
        if (r <= 255) {
            std::vector<std::uint8_t>& stored = result.narrow.emplace_back(codes.begin(), codes.end());
            for (std::uint8_t& code : stored)
                if (gaps && random() % 5 == 0) code = 255;
            column.narrow = stored.data();
        } else {
            std::vector<std::uint16_t>& stored = result.wide.emplace_back(codes.begin(), codes.end());
            for (std::uint16_t& code : stored)
                if (gaps && random() % 5 == 0) code = 65535;
            column.wide = stored.data();
        }
        columns.push_back(column);
    }
    result.table =
        std::make_shared<const dagwright::Table>(options.rows, std::move(columns), options.weights);
    return result;
}

}  // namespace sample
