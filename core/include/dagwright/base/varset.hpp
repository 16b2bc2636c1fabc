// A small immutable sorted set of variables: the key of everything that is counted.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "dagwright/base/mix.hpp"

namespace dagwright {

using Var = std::uint32_t;

// Tables have at most this many columns, so that a member fits in 16 bits.
inline constexpr Var kMaxVariables = 65535;

class VarSet {
  public:
    using Member = std::uint16_t;

    VarSet() noexcept : size_(0), inline_{} {}
    VarSet(const VarSet& other) : size_(0) { assign(other.data(), other.size_); }
    VarSet(VarSet&& other) noexcept : size_(0) { steal(other); }
    VarSet& operator=(const VarSet& other) {
        if (this != &other) {
            release();
            assign(other.data(), other.size_);
        }
        return *this;
    }
    VarSet& operator=(VarSet&& other) noexcept {
        if (this != &other) {
            release();
            steal(other);
        }
        return *this;
    }
    ~VarSet() { release(); }

    // Any order, duplicates allowed.
    static VarSet of(std::span<const Var> members) {
        VarSet set;
        if (members.size() <= kInline) {
            const auto end = std::transform(members.begin(), members.end(), set.inline_, as_member);
            std::sort(set.inline_, end);
            set.size_ = static_cast<std::uint32_t>(std::unique(set.inline_, end) - set.inline_);
            return set;
        }
        std::vector<Member> sorted(members.size());
        std::transform(members.begin(), members.end(), sorted.begin(), as_member);
        std::sort(sorted.begin(), sorted.end());
        sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
        set.assign(sorted.data(), static_cast<std::uint32_t>(sorted.size()));
        return set;
    }
    static VarSet of(std::initializer_list<Var> members) {
        return of(std::span<const Var>(members.begin(), members.size()));
    }

    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    const Member* begin() const noexcept { return data(); }
    const Member* end() const noexcept { return data() + size_; }
    Member operator[](std::size_t i) const noexcept { return data()[i]; }

    bool contains(Var v) const noexcept { return std::binary_search(begin(), end(), v); }
    bool includes(const VarSet& other) const noexcept {
        return std::includes(begin(), end(), other.begin(), other.end());
    }

    VarSet with(Var v) const {
        if (contains(v)) return *this;
        VarSet result;
        Member* out = result.reserve(size_ + 1);
        const Member* at = std::lower_bound(begin(), end(), v);
        out = std::copy(begin(), at, out);
        *out++ = static_cast<Member>(v);
        std::copy(at, end(), out);
        return result;
    }
    VarSet without(Var v) const {
        if (!contains(v)) return *this;
        VarSet result;
        std::remove_copy(begin(), end(), result.reserve(size_ - 1), static_cast<Member>(v));
        return result;
    }
    VarSet united(const VarSet& other) const {
        std::vector<Member> both;
        both.reserve(size_ + other.size_);
        std::set_union(begin(), end(), other.begin(), other.end(), std::back_inserter(both));
        VarSet result;
        result.assign(both.data(), static_cast<std::uint32_t>(both.size()));
        return result;
    }

    std::uint64_t hash() const noexcept {
        // Four members are mixed in at a time.
        std::uint64_t h = kGoldenStep + size_;
        const Member* p = data();
        std::size_t left = size_;
        while (left > 0) {
            std::uint64_t chunk = 0;
            const std::size_t take = std::min<std::size_t>(left, 4);
            std::memcpy(&chunk, p, take * sizeof(Member));
            h = mix(h ^ chunk);
            p += take;
            left -= take;
        }
        return h;
    }

    friend bool operator==(const VarSet& a, const VarSet& b) noexcept {
        return a.size_ == b.size_ && std::memcmp(a.data(), b.data(), a.size_ * sizeof(Member)) == 0;
    }
    friend bool operator<(const VarSet& a, const VarSet& b) noexcept {
        if (a.size_ != b.size_) return a.size_ < b.size_;
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    }

  private:
    static constexpr std::uint32_t kInline = 16;

    static Member as_member(Var v) noexcept { return static_cast<Member>(v); }
    const Member* data() const noexcept { return size_ <= kInline ? inline_ : heap_; }
    Member* reserve(std::size_t size) {
        size_ = static_cast<std::uint32_t>(size);
        if (size_ <= kInline) return inline_;
        return heap_ = new Member[size];
    }
    void assign(const Member* from, std::uint32_t size) {
        Member* to = reserve(size);
        if (size > 0) std::memcpy(to, from, size * sizeof(Member));
    }
    void steal(VarSet& other) noexcept {
        size_ = other.size_;
        if (size_ <= kInline)
            std::memcpy(inline_, other.inline_, sizeof(inline_));
        else
            heap_ = other.heap_;
        other.size_ = 0;
    }
    void release() noexcept {
        if (size_ > kInline) delete[] heap_;
        size_ = 0;
    }

    std::uint32_t size_;
    union {
        Member inline_[kInline];
        Member* heap_;
    };
};

struct VarSetHash {
    std::size_t operator()(const VarSet& set) const noexcept { return static_cast<std::size_t>(set.hash()); }
};

}  // namespace dagwright
