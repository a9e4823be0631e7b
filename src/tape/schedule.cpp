#include "src/tape/schedule.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace contraflow {
namespace {

// With b(s, r) = C(s+r, s), the number of steps that s stored states reverse when no step is
// advanced over more than r times.
struct Repetition {
  std::int64_t repeats; ///< r, smallest with b(s, r) >= steps
  std::int64_t reach;   ///< b(s, r-1), less than steps; 0 for r = 0
};

Repetition repetition(std::int64_t steps, std::int64_t slots) {
  Repetition found{.repeats = 0, .reach = 0};
  for (std::int64_t reach = 1; reach < steps;) {
    ++found.repeats;
    found.reach = reach;
    reach = reach * (slots + found.repeats) / found.repeats;
  }
  return found;
}

// How far to advance before the next state is stored: of the splits m that make
// m + t(steps-m, slots-1) + t(m, slots) minimal, the one that stores the fewest states:
//
//   m = steps - b(s-1, r-1) - b(s-2, r-1), held between b(s, r-2) and b(s, r-1)
std::int64_t optimal_split(std::int64_t steps, std::int64_t slots) {
  const auto [r, reach] = repetition(steps, slots);
  const std::int64_t one_less = reach * slots / (slots + r - 1);          // b(s-1, r-1)
  const std::int64_t two_less = one_less * (slots - 1) / (slots + r - 2); // b(s-2, r-1)
  const std::int64_t shortest = std::max<std::int64_t>(1, reach - one_less);
  return std::clamp(steps - one_less - two_less, shortest, reach);
}

// Products of two counts must stay within 64 bits.
constexpr long most_steps = std::numeric_limits<std::int32_t>::max();

void require_counts(long steps, int slots) {
  if (steps < 1 || steps > most_steps) {
    throw std::invalid_argument("a tape reverses 1 to " + std::to_string(most_steps) +
                                " steps, not " + std::to_string(steps));
  }
  if (slots < 1) {
    throw std::invalid_argument("a tape needs at least one slot, not " + std::to_string(slots));
  }
}

// Emits the actions and follows the two things they change: the current state and the slots.
class Reversal {
public:
  Reversal(long steps, int slots, const std::function<void(const TapeAction&)>& act)
      : end_(steps), slots_(slots), act_(act) {}

  void run() {
    if (end_ > 1) store();
    while (end_ > 0) reverse_last();
  }

private:
  // Steps [base, end) are left to the innermost stored state. One pass either reverses the last
  // of them or stores a state between, so that no pass costs more than one split.
  void reverse_last() {
    const long base = stored_.empty() ? 0 : stored_.back();
    if (current_ != base) act_({.verb = TapeVerb::restore, .step = base, .slot = top_slot()});
    current_ = base;
    const long left = end_ - base;
    if (left > 1) advance(split(left));
    if (end_ - current_ > 1) {
      store();
    } else {
      record_and_reverse();
    }
  }

  long split(long left) const {
    const auto free = slots_ - static_cast<std::int64_t>(stored_.size());
    return free > 0 ? static_cast<long>(optimal_split(left, free + 1)) : left - 1;
  }

  void advance(long count) {
    act_({.verb = TapeVerb::advance, .step = current_, .count = count});
    current_ += count;
  }

  void store() {
    stored_.push_back(current_);
    act_({.verb = TapeVerb::store, .step = current_, .slot = top_slot()});
  }

  // What the current state is after a record is left open: nothing may rely on it.
  void record_and_reverse() {
    const long step = current_;
    act_({.verb = TapeVerb::record, .step = step});
    act_({.verb = TapeVerb::reverse, .step = step});
    current_ = unknown;
    end_ = step;
    if (!stored_.empty() && stored_.back() == step) {
      act_({.verb = TapeVerb::release, .step = step, .slot = top_slot()});
      stored_.pop_back();
    }
  }

  int top_slot() const { return static_cast<int>(stored_.size()) - 1; }

  static constexpr long unknown = -1;
  long current_ = 0; ///< the state that is current
  long end_;         ///< steps below it are still to be reversed
  std::int64_t slots_;
  std::vector<long> stored_; ///< state held by each slot, ascending
  const std::function<void(const TapeAction&)>& act_;
};

} // namespace

void reverse_schedule(long steps, int slots, const std::function<void(const TapeAction&)>& act) {
  require_counts(steps, slots);
  const long useful_slots = std::min<long>(slots, steps);
  Reversal(steps, static_cast<int>(useful_slots), act).run();
}

std::int64_t optimal_advances(long steps, int slots) {
  require_counts(steps, slots);
  const std::int64_t s = std::min<std::int64_t>(slots, steps);
  const auto [r, reach] = repetition(steps, s);
  return r * steps - reach * (s + r) / (s + 1); // C(s+r, r-1) = b(s, r-1) (s+r)/(s+1)
}

} // namespace contraflow
