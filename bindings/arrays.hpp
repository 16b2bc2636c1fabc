// Arrays that cross the border: read from Python, or owned by what Python gets.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

namespace nb = nanobind;

// From Python: contiguous arrays in memory, which the core only reads.
template <class Value>
using Input = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class Value>
using InputMatrix = nb::ndarray<const Value, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// To Python: arrays that own their values, and views of the values of a bound object.
template <class Value>
using Array = nb::ndarray<nb::numpy, Value, nb::ndim<1>>;
template <class Value>
using Matrix = nb::ndarray<nb::numpy, Value, nb::ndim<2>>;
template <class Value>
using View = nb::ndarray<nb::numpy, const Value, nb::ndim<1>>;
template <class Value>
using MatrixView = nb::ndarray<nb::numpy, const Value, nb::ndim<2>>;
using FloatArray = Array<double>;

template <class Value>
std::span<const Value> span_of(const Input<Value>& array) {
    return {array.data(), array.size()};
}

template <class Value>
std::vector<Value> copied(const Input<Value>& array) {
    return {array.data(), array.data() + array.size()};
}

// The values in row-major order as an array of this shape that owns them.
template <class Result, class Value>
Result owned_array(std::vector<Value> values, std::initializer_list<std::size_t> shape) {
    auto* owned = new std::vector<Value>(std::move(values));
    const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<Value>*>(p); });
    return Result(owned->data(), shape, owner);
}

template <class Value>
Array<Value> to_array(std::vector<Value> values) {
    const std::size_t size = values.size();
    return owned_array<Array<Value>>(std::move(values), {size});
}

template <class Value>
Matrix<Value> to_matrix(std::vector<Value> values, std::size_t rows, std::size_t columns) {
    return owned_array<Matrix<Value>>(std::move(values), {rows, columns});
}

// Values of a bound object, which lives as long as the view of them.
template <class Value>
View<Value> view(nb::handle self, std::span<const Value> values) {
    return View<Value>(values.data(), {values.size()}, self);
}

// A property that shows a field of a bound object without a copy.
template <class Class, class Value>
auto viewed(std::vector<Value> Class::* field) {
    return [field](nb::handle self) {
        return view<Value>(self, std::span<const Value>(nb::cast<const Class&>(self).*field));
    };
}
