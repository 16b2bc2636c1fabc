// Special functions, offered to Python one number at a time.
#include "bindings.hpp"
#include "dagwright/special.hpp"

using namespace nb::literals;

void bind_special(nb::module_& m) {
    m.def("log_gamma", &dagwright::log_gamma, "x"_a, "log Gamma(x) for x > 0.");
    m.def("log_rising", &dagwright::log_rising, "x"_a, "n"_a, "log Gamma(x + n) - log Gamma(x).");
    m.def("chi2_sf", &dagwright::chi2_sf, "x"_a, "df"_a, "P(chi-squared > x); 1 for df = 0.");
    m.def("log_chi2_sf", &dagwright::log_chi2_sf, "x"_a, "df"_a, "log P(chi-squared > x) without underflow.");
    m.def("chi2_isf", &dagwright::chi2_isf, "p"_a, "df"_a,
          "The x with P(chi-squared > x) = p; 0 for df = 0.");
    m.def("nml_regret", &dagwright::nml_regret, "N"_a, "q"_a,
          "log C(N, q), the multinomial NML normaliser, in nats.");
}
