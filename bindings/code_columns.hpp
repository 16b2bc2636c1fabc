// Columns of codes as they come from Python.
#pragma once
#include "arrays.hpp"
#include "dagwright/statistics/table.hpp"

using AnyColumn = nb::ndarray<nb::ndim<1>, nb::c_contig, nb::device::cpu, nb::ro>;

// The codes of a column with so many states; the array must outlive the column.
inline dagwright::Column to_column(const AnyColumn& codes, std::uint32_t states) {
    dagwright::Column column;
    column.cardinality = states;
    if (codes.dtype() == nb::dtype<std::uint8_t>() && states <= 255)
        column.narrow = static_cast<const std::uint8_t*>(codes.data());
    else if (codes.dtype() == nb::dtype<std::uint16_t>() && states <= 65535)
        column.wide = static_cast<const std::uint16_t*>(codes.data());
    else
        throw nb::type_error("codes must be uint8 (up to 255 states) or uint16 (up to 65,535)");
    return column;
}
