// Numbers far outside the range of a double: mantissa * 2^(256 exponent), with the precision of a double.
//
// Marginal likelihoods of networks differ by factors of e^thousands, and sums of them with signs need more
// than logarithms.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

namespace dagwright {

class Scaled {
  public:
    constexpr Scaled() noexcept = default;
    explicit Scaled(double value) noexcept : mantissa_(value), exponent_(0) { settle(); }

    static Scaled exp(double logarithm) noexcept {
        Scaled result;
        if (logarithm == -std::numeric_limits<double>::infinity()) return result;
        const double exponent = std::nearbyint(logarithm / kLogRadix);
        result.mantissa_ = std::exp(logarithm - exponent * kLogRadix);
        result.exponent_ = static_cast<std::int64_t>(exponent);
        return result;
    }
    static Scaled binary(double mantissa, std::int64_t exponent) noexcept {
        Scaled result;
        int shift = 0;
        const double half = std::frexp(mantissa, &shift);
        if (half == 0.0) return result;
        const std::int64_t whole = exponent + shift;
        result.exponent_ = (whole + 128) >> 8;
        result.mantissa_ = std::ldexp(half, static_cast<int>(whole - result.exponent_ * 256));
        result.settle();
        return result;
    }
    // As mantissa * 2^exponent, the mantissa 0 or from 1/2 to below 1 in absolute value.
    struct Binary {
        double mantissa;
        std::int64_t exponent;
    };
    Binary binary() const noexcept {
        if (zero()) return {0.0, 0};
        int shift = 0;
        const double half = std::frexp(mantissa_, &shift);
        return {half, exponent_ * 256 + shift};
    }
    // Of the absolute value.
    double log() const noexcept {
        return std::log(std::fabs(mantissa_)) + static_cast<double>(exponent_) * kLogRadix;
    }
    bool zero() const noexcept { return mantissa_ == 0.0; }

    Scaled operator-() const noexcept {
        Scaled result = *this;
        result.mantissa_ = -mantissa_;
        return result;
    }
    friend Scaled operator*(Scaled a, const Scaled& b) noexcept {
        a.mantissa_ *= b.mantissa_;
        a.exponent_ += b.exponent_;
        a.settle();
        return a;
    }
    Scaled& operator+=(const Scaled& other) noexcept {
        if (exponent_ == other.exponent_) {
            mantissa_ += other.mantissa_;
        } else if (exponent_ > other.exponent_ + 1) {
            return *this;
        } else if (other.exponent_ > exponent_ + 1) {
            *this = other;
            return *this;
        } else if (exponent_ > other.exponent_) {
            mantissa_ += other.mantissa_ * kDown;
        } else {
            mantissa_ = mantissa_ * kDown + other.mantissa_;
            exponent_ = other.exponent_;
        }
        settle();
        return *this;
    }
    friend Scaled operator+(Scaled a, const Scaled& b) noexcept { return a += b; }
    friend Scaled operator-(Scaled a, const Scaled& b) noexcept { return a += -b; }
    // By a number other than 0.
    Scaled over(const Scaled& other) const noexcept {
        if (zero()) return *this;
        Scaled result = *this;
        result.mantissa_ /= other.mantissa_;
        result.exponent_ -= other.exponent_;
        result.settle();
        return result;
    }

    // As a double; what is too small is 0.
    double value() const noexcept { return *this / Scaled(1.0); }
    double operator/(const Scaled& other) const noexcept {
        const std::int64_t up = exponent_ - other.exponent_;
        const double ratio = mantissa_ / other.mantissa_;
        if (up == 0) return ratio;
        if (up == 1) return ratio / kDown;
        return up == -1 ? ratio * kDown : up < 0 ? 0.0 : ratio * std::numeric_limits<double>::infinity();
    }

  private:
    static constexpr std::int64_t kZero = -(std::int64_t{1} << 60);  // smaller than all others
    static constexpr double kDown = 0x1.0p-256, kUp = 0x1.0p+256;
    static constexpr double kHigh = 0x1.0p+128, kLow = 0x1.0p-128;
    static constexpr double kLogRadix = 256 * 0.693147180559945309417232;

    // The mantissa is 0 or from 2^-128 to below 2^128 in absolute value; operations leave it at most one
    // radix outside.
    void settle() noexcept {
        const double size = std::fabs(mantissa_);
        if (size >= kHigh) {
            mantissa_ *= kDown;
            ++exponent_;
        } else if (size < kLow) {
            if (size == 0.0) {
                exponent_ = kZero;
                return;
            }
            mantissa_ *= kUp;
            --exponent_;
        }
    }

    double mantissa_ = 0.0;
    std::int64_t exponent_ = kZero;
};

}  // namespace dagwright
