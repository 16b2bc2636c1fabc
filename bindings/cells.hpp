// Contingency tables for Python.
#pragma once
#include "conversions.hpp"
#include "dagwright/statistics/cell_source.hpp"

// Occurring cells in the order of their codes: (codes with one row per cell, weights of the cells).
nb::tuple cells_of(const dagwright::Counter& counter, const Members& variables, const Members& observed);
nb::tuple cells_of(dagwright::CellSource& source, const Members& variables, const Members& observed);
