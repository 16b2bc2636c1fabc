// Contingency tables for Python.
#pragma once
#include "conversions.hpp"
#include "dagwright/statistics/cell_source.hpp"

// Occurring cells of a set of variables in the order of their codes: a row of codes and a count for each.
struct CellTable {
    std::vector<std::uint32_t> codes;
    std::size_t width = 0;
    std::vector<std::uint64_t> units;
    double unit = 1.0;
};

CellTable cells_of(const dagwright::Counter& counter, const Members& variables, const Members& observed);
CellTable cells_of(dagwright::CellSource& source, const Members& variables, const Members& observed);
