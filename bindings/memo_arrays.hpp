// What a memo remembers as NumPy arrays, for every class that has one.
#pragma once
#include "conversions.hpp"
#include "dagwright/statistics/memo_entries.hpp"

template <class Value>
using GivenArray = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::dict memo_arrays(dagwright::MemoEntries entries);

// The methods remembered() and remember(...).
template <class Class>
void bind_memory(Class& bound) {
    using nb::literals::operator""_a;
    using Owner = typename Class::Type;
    using Number = std::uint32_t;
    using Member = dagwright::VarSet::Member;
    const auto copied = []<class Value>(const GivenArray<Value>& array) {
        return std::vector<Value>(array.data(), array.data() + array.size());
    };
    bound.def(
        "remembered",
        [](const Owner& self) {
            dagwright::MemoEntries entries;
            {
                const nb::gil_scoped_release release;
                entries = self.remembered();
            }
            return memo_arrays(std::move(entries));
        },
        "Everything remembered, as arrays that remember() takes.");
    bound.def(
        "remember",
        [copied](Owner& self, const GivenArray<Number>& sizes, const GivenArray<Member>& members,
                 const GivenArray<Number>& kinds, const GivenArray<double>& parameters,
                 const GivenArray<Number>& rows, const GivenArray<double>& values,
                 const GivenArray<Number>& selection_sizes, const GivenArray<Member>& selection_members) {
            self.remember({{copied(sizes), copied(members)},
                           copied(kinds),
                           copied(rows),
                           copied(parameters),
                           copied(values),
                           {copied(selection_sizes), copied(selection_members)}});
        },
        nb::kw_only(), "sizes"_a.noconvert(), "members"_a.noconvert(), "kinds"_a.noconvert(),
        "parameters"_a.noconvert(), "rows"_a.noconvert(), "values"_a.noconvert(),
        "selection_sizes"_a.noconvert(), "selection_members"_a.noconvert(),
        "Take up what was remembered; ValueError for what cannot be.");
}
