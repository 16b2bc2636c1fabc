#include <algorithm>
#include <vector>

#include "check.hpp"
#include "dagwright/base/errors.hpp"
#include "dagwright/inference/sampling.hpp"

using namespace dagwright;

namespace {

Sampler chain() {
    Sampler sampler;
    sampler.add(2, {}, 0, std::vector<double>{0.25, 0.75});
    sampler.add(3, {0}, 1, std::vector<double>{1.0, 0.0, 0.0, 0.0, 0.5, 0.5});
    return sampler;
}

struct Rows {
    std::vector<std::uint8_t> first, second;
};

Rows drawn(const Sampler& sampler, std::uint64_t seed, std::uint64_t start, std::size_t rows,
           unsigned threads) {
    Rows result{std::vector<std::uint8_t>(rows), std::vector<std::uint8_t>(rows)};
    Workers workers(threads);
    const std::vector<DrawnColumn> columns{{result.first.data(), nullptr}, {result.second.data(), nullptr}};
    sampler.draw(seed, start, rows, columns, workers);
    return result;
}

}  // namespace

TEST("sampling draws the same rows for any split over calls and threads") {
    const Sampler sampler = chain();
    const Rows whole = drawn(sampler, 7, 0, 10000, 1);
    const Rows threaded = drawn(sampler, 7, 0, 10000, 3);
    const Rows later = drawn(sampler, 7, 5000, 5000, 2);
    CHECK(whole.first == threaded.first);
    CHECK(whole.second == threaded.second);
    CHECK(std::equal(later.second.begin(), later.second.end(), whole.second.begin() + 5000));
    CHECK(drawn(sampler, 8, 0, 10000, 1).first != whole.first);
}

TEST("sampling follows the tables") {
    const Rows rows = drawn(chain(), 1, 0, 100000, 2);
    double ones = 0;
    for (std::size_t i = 0; i < rows.first.size(); ++i) {
        ones += rows.first[i];
        CHECK((rows.second[i] == 0) == (rows.first[i] == 0));
    }
    CHECK_CLOSE(ones / 100000, 0.75, 0.01);
}

TEST("sampling never draws a state of probability zero") {
    Sampler sampler;
    sampler.add(4, {}, 0, std::vector<double>{0.1, 0.2, 0.6999999999, 0.0});
    std::vector<std::uint8_t> codes(100000);
    Workers workers(1);
    const std::vector<DrawnColumn> columns{{codes.data(), nullptr}};
    sampler.draw(3, 0, codes.size(), columns, workers);
    for (const std::uint8_t code : codes) CHECK(code < 3);
}

TEST("sampling refuses tables that do not fit") {
    Sampler sampler;
    const std::vector<double> half{0.5, 0.5};
    CHECK_THROWS(sampler.add(2, {0}, 0, half), Error);
    CHECK_THROWS(sampler.add(3, {}, 0, half), Error);
}
