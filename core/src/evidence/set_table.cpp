#include "dagwright/evidence/set_table.hpp"

#include <bit>
#include <cmath>
#include <numeric>

namespace dagwright {

double SetTable::bytes(std::size_t variables) {
    return std::ldexp(static_cast<double>(sizeof(std::int32_t)), static_cast<int>(variables));
}

SetTable::SetTable(std::size_t variables)
    : order_(variables), positions_(variables), fits_(new std::int32_t[std::size_t{1} << variables]) {
    std::iota(order_.begin(), order_.end(), Var{0});
    place();
}

void SetTable::place() {
    for (std::size_t k = 0; k < order_.size(); ++k)
        positions_[order_[k]] = static_cast<std::uint32_t>(order_.size() - 1 - k);
}

VarSet SetTable::members(Mask set) const {
    std::vector<Var> all;
    for (; set != 0; set &= set - 1)
        all.push_back(order_[order_.size() - 1 - static_cast<std::size_t>(std::countr_zero(set))]);
    return VarSet::of(all);
}

}  // namespace dagwright
