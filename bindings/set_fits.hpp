// The evidence of many sets as Python sees it.
#pragma once
#include <vector>

#include "dagwright/evidence/measure.hpp"

struct SetFits {
    explicit SetFits(const std::vector<dagwright::SetFit>& found) {
        fit.reserve(found.size());
        dim.reserve(found.size());
        for (const dagwright::SetFit& one : found) {
            fit.push_back(one.fit);
            dim.push_back(one.dim);
        }
    }
    std::vector<double> fit, dim;
};
