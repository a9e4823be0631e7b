#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace contraflow {

/// What the tape does next. A state is the flow at the start of a step; step n leads from state n
/// to state n+1. The executor holds one current state and `slots` stored ones.
enum class TapeVerb {
  store,   ///< copy the current state (step `step`) into slot `slot`
  restore, ///< copy slot `slot` (which holds state `step`) into the current state
  advance, ///< take `count` steps from the current state, which is at `step`
  record,  ///< take step `step` from the current state, keeping its stage values
  reverse, ///< run the adjoint of the recorded step `step`
  release  ///< slot `slot` is free again
};

struct TapeAction {
  TapeVerb verb;
  long step = 0;
  long count = 1;
  int slot = -1;
};

/// Optimal reversal of `steps` steps with at most `slots` stored states, the first included
/// (Revolve, Griewank & Walther 2000). Calls `act` for each action in order; pure: it knows no
/// flow. State 0 is current at first. Steps advanced in total: optimal_advances(steps, slots), not
/// counting records; of the schedules that reach it, the one that stores the fewest states. After a
/// record the current state may be anything. A state that is used up at once is not stored, so
/// that one step takes no slot. O(steps) actions, no recursion.
/// Throws std::invalid_argument unless 1 <= steps < 2^31 and slots >= 1.
void reverse_schedule(long steps, int slots, const std::function<void(const TapeAction&)>& act);

/// t(n, s) = r n - C(s+r, r-1), r smallest with C(s+r, s) >= n: the minimal number of steps
/// advanced (without recording) to reverse n steps with s stored states.
std::int64_t optimal_advances(long steps, int slots);

} // namespace contraflow
