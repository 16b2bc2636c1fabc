// Reference values computed with 40-digit arithmetic (mpmath).
#include <limits>

#include "check.hpp"
#include "dagwright/base/errors.hpp"
#include "dagwright/base/special.hpp"

using namespace dagwright;

namespace {

bool relative(double value, double truth, double tolerance) {
    return std::fabs(value - truth) <= tolerance * std::fabs(truth);
}

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST("log_gamma is accurate everywhere, also beside its zeros") {
    const double table[][2] = {{1e-6, 13.815509980749431714},      {0.25, 1.2880225246980774574},
                               {0.999, 0.00057803853289138023817}, {1.001, -0.00057639359828330615152},
                               {2.5, 0.28468287047291915963},      {3.7, 1.4280723266653881292},
                               {9.99, 12.77931521435019336},       {10.0, 12.801827480081469611},
                               {171.25, 707.85792962271008672},    {1e6, 12815504.56914761166},
                               {1e15, 33538776394910668.91}};
    for (const auto& [x, truth] : table) CHECK(relative(log_gamma(x), truth, 1e-15));
    CHECK(log_gamma(1.0) == 0.0);
    CHECK(log_gamma(2.0) == 0.0);
    CHECK(log_gamma(0.0) == infinity);
    CHECK_THROWS(log_gamma(-1.5), Error);
    CHECK_THROWS(log_gamma(std::nan("")), Error);
}

TEST("log_rising does not cancel") {
    const double table[][3] = {{1e-6, 3.0, -13.12236187740495384},   {0.125, 40.0, 105.07208039082181519},
                               {12.5, 0.5, 1.2528669837254404479},   {1e9, 7.0, 145.06286087962487805},
                               {1e9, 1000.0, 20723.266336446244739}, {3.0, 1e6, 12815545.32253510499}};
    for (const auto& [x, n, truth] : table) CHECK(relative(log_rising(x, n), truth, 1e-15));
    CHECK(log_rising(0.3, 0.0) == 0.0);
    CHECK(relative(log_rising(1e-30, 16.0), std::log(1e-30) + log_gamma(16.0), 1e-15));
    CHECK(relative(log_rising(1e40, 10.0), 10.0 * std::log(1e40), 1e-15));
}

TEST("the chi-squared tail") {
    const double table[][3] = {{3.841458820694124, 1.0, 0.050000000000000057435},
                               {0.5, 1.0, 0.47950012218695346232},
                               {25.0, 3.0, 0.000015440498291101364902},
                               {9.5, 9.5, 0.43894719757757198114},
                               {1100.0, 1000.0, 0.014614408126295194045},
                               {900.0, 1000.0, 0.98928276190871025844},
                               {30.0, 0.5, 1.0571160092570999437e-8},
                               {1005000.0, 1e6, 0.00020767800946703002892},
                               {202000.0, 2e5, 0.00080842151292559073247},
                               {999000.0, 1e6, 0.76017673145987281269},
                               {10010000.0, 1e7, 0.012693185164478449248}};
    for (const auto& [x, df, truth] : table) CHECK(relative(chi2_sf(x, df), truth, 1e-13));
    CHECK(relative(log_chi2_sf(2000.0, 1.0), -1004.026741958951945, 1e-15));
    CHECK(relative(log_chi2_sf(1e4, 50.0), -4850.3672822160164875, 1e-15));
    CHECK(relative(log_chi2_sf(5000.0, 2.5), -2497.9456166958398064, 1e-15));
    CHECK(chi2_sf(2000.0, 1.0) == 0.0);
    CHECK(log_chi2_sf(infinity, 3.0) == -infinity);
    CHECK(chi2_sf(0.0, 4.0) == 1.0);
    CHECK(chi2_sf(7.0, infinity) == 1.0);
    CHECK(chi2_isf(0.05, infinity) == infinity);
    CHECK(chi2_sf(-1.0, 4.0) == 1.0);
    CHECK(chi2_sf(0.0, 0.0) == 1.0);
    CHECK(chi2_sf(7.0, 0.0) == 1.0);
    CHECK_THROWS(chi2_sf(1.0, -1.0), Error);
    CHECK_THROWS(chi2_sf(std::nan(""), 1.0), Error);
}

TEST("the expansions of the chi-squared tail meet") {
    // The uniform expansion takes over at df = 2e5 and hands back at 1.1 df: no step in log Q on either
    // border.
    const double df = 2e5;
    for (const double z : {-3.0, -0.5, 0.0, 0.5, 3.0, 20.0}) {
        const double x = df + z * std::sqrt(2.0 * df);
        CHECK_CLOSE(log_chi2_sf(x, df * (1.0 - 1e-15)), log_chi2_sf(x, df), 1e-10);
    }
    CHECK_CLOSE(log_chi2_sf(330000.0 * (1.0 - 1e-14), 3e5), log_chi2_sf(330000.0 * (1.0 + 1e-14), 3e5),
                1e-10);
}

TEST("chi2_isf inverts chi2_sf") {
    for (const double df : {0.3, 1.0, 2.0, 7.0, 100.0, 1e4, 1e6})
        for (const double p : {1e-200, 1e-12, 0.001, 0.05, 0.5, 0.95})
            CHECK(relative(log_chi2_sf(chi2_isf(p, df), df), std::log(p), 1e-9));
    CHECK(relative(chi2_isf(0.05, 1.0), 3.841458820694124, 1e-14));
    CHECK(chi2_isf(0.05, 0.0) == 0.0);
    CHECK(chi2_isf(1.0, 5.0) == 0.0);
    CHECK(chi2_isf(0.0, 5.0) == infinity);
    CHECK_THROWS(chi2_isf(1.5, 5.0), Error);
}

TEST("NML regret by the recurrence") {
    const double table[][3] = {
        {1.0, 7.0, 1.9459101490553133051},     {10.0, 2.0, 1.5390617303283199675},
        {10.0, 3.0, 2.6851374084921656097},    {99.0, 5.0, 8.4037534886877047365},
        {100.0, 5.0, 8.4223050587634232429},   {1000.0, 2.0, 3.6964311909900900437},
        {1000.0, 40.0, 85.028647639280441433}, {5000.0, 100000.0, 15334.406448002208734}};
    for (const auto& [N, q, truth] : table) {
        CHECK(relative(nml_regret(N, q), truth, 1e-13));
        CHECK(NmlRegret(N)(q) == nml_regret(N, q));
        CHECK(NmlRegret(N, 3.0)(q) == nml_regret(N, q));
    }
    CHECK(nml_regret(0.0, 5.0) == 0.0);
    CHECK(nml_regret(50.0, 1.0) == 0.0);
    CHECK_THROWS(nml_regret(-1.0, 2.0), Error);
    CHECK_THROWS(NmlRegret(infinity), Error);
}

TEST("NML regret beyond the recurrence stays within its stated error") {
    CHECK_CLOSE(nml_regret(50.0, 200000.0), 414.72085196945858473, 1e-8);
    CHECK(nml_regret(50.0, 200000.0) == NmlRegret(50.0)(200000.0));
    CHECK(nml_regret(50.0, 200000.0) == NmlRegret(50.0, 10.0)(200000.0));
    // For N far below q nearly every observation has a cell of its own: C(N, q) ~ (q/N)^N.
    CHECK(relative(nml_regret(3.0, 1e15), 3.0 * std::log(1e15 / 3.0), 1e-9));
    // From 2^1024 cells on only their logarithm is a number.
    CHECK_CLOSE(NmlRegret(50.0).of_log(std::log(1e300)), nml_regret(50.0, 1e300), 1e-9);
    CHECK(NmlRegret(0.0).of_log(1000.0) == 0.0);
    // The recurrence, continued by hand past its limit.
    const double N = 1e5;
    double log_c = nml_regret(N, 100000.0);
    double ratio = std::exp(log_c - nml_regret(N, 99999.0));
    for (int q = 100000; q < 300000; ++q) {
        ratio = 1.0 + N / (q - 1.0) / ratio;
        log_c += std::log(ratio);
    }
    CHECK(std::fabs(nml_regret(N, 300000.0) - log_c) < 1e-5);
}
