// Special functions.
#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/base/special.hpp"
#include "dagwright/base/special_beta.hpp"

using namespace nb::literals;

void bind_special(nb::module_& m) {
    m.def("log_gamma", &dagwright::log_gamma, "x"_a, "log Gamma(x) for x > 0.");
    m.def("log_rising", &dagwright::log_rising, "x"_a, "n"_a, "log Gamma(x + n) - log Gamma(x).");
    m.def("chi2_sf", &dagwright::chi2_sf, "x"_a, "df"_a, "P(chi-squared > x); 1 for df = 0.");
    m.def("log_chi2_sf", &dagwright::log_chi2_sf, "x"_a, "df"_a, "log P(chi-squared > x) without underflow.");
    m.def(
        "log_chi2_sf",
        [](const Input<double>& x, const Input<double>& df) {
            if (x.shape(0) != df.shape(0)) throw nb::value_error("x and df must be of the same length");
            std::vector<double> found(x.shape(0));
            for (std::size_t i = 0; i < found.size(); ++i)
                found[i] = dagwright::log_chi2_sf(x.data()[i], df.data()[i]);
            return to_array(std::move(found));
        },
        "x"_a, "df"_a);
    m.def("chi2_isf", &dagwright::chi2_isf, "p"_a, "df"_a,
          "The x with P(chi-squared > x) = p; 0 for df = 0.");
    m.def("log_incomplete_beta", &dagwright::log_incomplete_beta, "a"_a, "b"_a, "log_x"_a,
          "log I_x(a, b), the regularized incomplete beta function.");
    m.def("log_f_sf", &dagwright::log_f_sf, "f"_a, "df1"_a, "df2"_a, "log P(F > f) without underflow.");
    m.def("nml_regret", &dagwright::nml_regret, "N"_a, "q"_a,
          "log C(N, q), the multinomial NML normalizer, in nats.");
}
