// Steps from one Markov equivalence class to the next: the operators of Chickering (2002), and the turning of
// Hauser & Buehlmann (2012).
//
// NA_yx: the neighbors of y that are adjacent to x. A move concerns a pair (x, y) and a clique C of neighbors
// of y. It stands for a member DAG in which exactly the neighbors in C point at y, and in that DAG
//   insert  adds x -> y         x, y not adjacent;  C = NA_yx + T, the operator Insert(x, y, T) of the paper
//   remove  deletes x -> y      x -> y or x -- y;   C = NA_yx - H, the operator Delete(x, y, H)
//   turn    makes y -> x into x -> y
// An insertion is valid when C is a clique and every semi-directed path from y to x meets C (Theorem 15
// there), a deletion when C is a clique (Theorem 17).
// Every class that differs from a member by one such change is reached by a move, and the gain in score is
// that of the change of families. With intervention targets the classes are interventional ones, and the same
// operators lead from one to the next (Hauser & Buehlmann 2012, section 3).
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "dagwright/base/control.hpp"
#include "dagwright/base/random.hpp"
#include "dagwright/evidence/score.hpp"
#include "dagwright/graph/essential_state.hpp"

namespace dagwright {

enum class ClassMoveKind : std::uint8_t { insert, remove, turn };

struct ClassMove {
    ClassMoveKind kind;
    Var x, y;
    VarSet clique;
    double gain;
};

class ClassMoves {
  public:
    static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

    ClassMoves(LocalScore& score, const Knowledge& knowledge, const std::vector<VarSet>& start,
               std::span<const VarSet> targets, std::size_t max_parents, Control& control);

    const EssentialState& state() const noexcept { return state_; }
    // Scored so far; copies of this object share the account.
    std::uint64_t operators() const noexcept { return account_->operators; }
    std::uint64_t families() const noexcept { return account_->families; }
    // From so many families on no move is scored any more, and none is best.
    void stop_after(std::uint64_t families) { account_->most = families; }
    bool cut_off() const noexcept { return account_->cut_off; }

    // From now on moves of this kind only.
    void look_for(ClassMoveKind kind) { kind_ = kind; }
    // Forgets all gains, so that the next call scores every move again.
    void forget();
    // From now on this pair is not joined again, and the one that was named before may be.
    void bar(Var x, Var y);
    void bar_none() { bar(0, 0); }
    // For each pair that is joined the deletion that loses least, the best first. They need not be valid.
    std::vector<ClassMove> deletions();
    bool valid(const ClassMove& move) const { return target(move).has_value(); }
    // The valid move that gains most, and more than rounding; of those that gain the same the first by y, x
    // and clique, or any of them with a random stream. Scores what is not known. Nothing when there is none
    // or when asked to stop.
    std::optional<ClassMove> best(Random* ties = nullptr);
    void apply(const ClassMove& move);

  private:
    void score_pairs();
    void list_moves(Var x, Var y, std::vector<ClassMove>& moves) const;
    void list_turns(Var x, Var y, std::vector<ClassMove>& moves) const;
    void list_cliques(ClassMoveKind kind, Var x, Var y, const VarSet& clique, std::span<const Word> more,
                      std::vector<ClassMove>& moves) const;
    std::size_t room(Var y) const;
    void add_families(const ClassMove& move, std::vector<Family>& families) const;
    bool going() const { return !account_->cut_off && control_.should_stop() == Stop::none; }
    bool score_moves(std::vector<ClassMove>& moves);
    void find_gains(std::vector<ClassMove>& moves);
    void keep(std::vector<ClassMove>& moves);
    bool is_barred(Var x, Var y) const {
        return std::minmax(x, y) == std::minmax(barred_.first, barred_.second);
    }
    // The class that the move leads to, if the move is valid and knowledge allows some member of that class.
    std::optional<EssentialState> target(const ClassMove& move) const;

    LocalScore& score_;
    const Knowledge& knowledge_;
    const Knowledge nothing_;
    const std::span<const VarSet> targets_;
    Control& control_;
    EssentialState state_;
    std::size_t max_parents_;
    // What is known of the moves of one kind.
    struct Known {
        std::vector<std::vector<ClassMove>> gaining;  // by y: moves known to gain, best first
        BitMatrix unknown;  // row: y, column: x; pairs whose moves have to be scored
    };
    struct Account {
        std::uint64_t operators = 0, families = 0, most = kNoLimit;
        bool cut_off = false;
    };

    void forget(Known& known) const;
    void find_unknown(const EssentialState& before, const ClassMove& move, BitMatrix& unknown) const;
    Known& known() { return known_[static_cast<std::size_t>(kind_)]; }

    ClassMoveKind kind_ = ClassMoveKind::insert;
    std::array<Known, 3> known_;
    std::pair<Var, Var> barred_{0, 0};
    std::shared_ptr<Account> account_ = std::make_shared<Account>();
    bool told_ = false;  // the first round of scoring is over
};

}  // namespace dagwright
