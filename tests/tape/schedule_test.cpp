#include "src/tape/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace contraflow::test {
namespace {

// Obeys a schedule with nothing but step numbers, and refuses what no flow could do.
class Executor {
public:
  Executor(long steps, int slots)
      : slot_(static_cast<std::size_t>(slots), empty), to_reverse_(steps) {}

  void operator()(const TapeAction& action) {
    ++actions;
    switch (action.verb) {
    case TapeVerb::store:
      return store(action);
    case TapeVerb::restore:
      return restore(action);
    case TapeVerb::advance:
      return advance(action);
    case TapeVerb::record:
      return record(action);
    case TapeVerb::reverse:
      return reverse(action);
    case TapeVerb::release:
      return release(action);
    }
  }

  bool all_reversed() const { return to_reverse_ == 0; }
  bool all_released() const { return stored_ == 0; }

  long advanced = 0, stores = 0, actions = 0, most_stored = 0;

private:
  static constexpr long none = -1, empty = -1;

  static void require(bool holds, const char* rule) {
    if (!holds) throw std::logic_error(rule);
  }

  long& slot_of(const TapeAction& action) {
    require(action.slot >= 0 && static_cast<std::size_t>(action.slot) < slot_.size(),
            "names a slot that exists");
    return slot_[static_cast<std::size_t>(action.slot)];
  }

  void store(const TapeAction& action) {
    require(action.step == current_, "stores the current state");
    require(slot_of(action) == empty, "stores into a free slot");
    slot_of(action) = action.step;
    most_stored = std::max(most_stored, ++stored_);
    ++stores;
  }

  void restore(const TapeAction& action) {
    require(action.step >= 0 && slot_of(action) == action.step, "restores what is stored");
    current_ = action.step;
  }

  void advance(const TapeAction& action) {
    require(action.step == current_ && current_ != none, "advances from the current state");
    require(action.count >= 1 && current_ + action.count < to_reverse_,
            "advances to a step to come");
    current_ += action.count;
    advanced += action.count;
  }

  // A record may leave any state behind, so it leaves none.
  void record(const TapeAction& action) {
    require(action.step == current_ && current_ != none, "records from the current state");
    recorded_ = current_;
    current_ = none;
  }

  void reverse(const TapeAction& action) {
    require(action.step == recorded_, "reverses the recorded step");
    require(action.step == to_reverse_ - 1, "reverses each step once, the last one first");
    recorded_ = none;
    --to_reverse_;
  }

  void release(const TapeAction& action) {
    require(action.step >= 0 && slot_of(action) == action.step, "releases what is stored");
    slot_of(action) = empty;
    --stored_;
  }

  std::vector<long> slot_; ///< the state in each
  long to_reverse_;
  long current_ = 0, recorded_ = none, stored_ = 0;
};

Executor executed(long steps, int slots) {
  Executor executor(steps, slots);
  reverse_schedule(steps, slots, [&](const TapeAction& action) { executor(action); });
  return executor;
}

void expect_complete(long steps, int slots) {
  SCOPED_TRACE(std::to_string(steps) + " steps, " + std::to_string(slots) + " slots");
  Executor run(0, 0);
  ASSERT_NO_THROW(run = executed(steps, slots));
  EXPECT_TRUE(run.all_reversed());
  EXPECT_TRUE(run.all_released());
  EXPECT_EQ(run.advanced, optimal_advances(steps, slots));
  EXPECT_LE(run.actions, 8 * steps);
}

struct OracleRow {
  long steps = 0;
  int slots = 0;
  long advances = 0;
};

std::vector<OracleRow> oracle() {
  const auto root = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
  std::ifstream file(root / "data" / "reference" / "checkpoint_oracle.csv");
  std::vector<OracleRow> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    OracleRow row;
    long repeats = 0;
    words >> row.steps >> row.slots >> repeats >> row.advances;
    rows.push_back(row);
  }
  return rows;
}

// What reversing costs, advances before stores.
using Cost = std::pair<long, long>;

// [slots][steps]: the least cost over every place where the second state could be stored. The
// part before it finds its first state stored already.
std::vector<std::vector<Cost>> least_costs(std::size_t most_steps, std::size_t most_slots) {
  std::vector least(most_slots + 1, std::vector<Cost>(most_steps + 1, {0, 0}));
  for (std::size_t s = 1; s <= most_slots; ++s) {
    for (std::size_t n = 2; n <= most_steps; ++n) {
      least[s][n] = {static_cast<long>(n * (n - 1) / 2), 1};
      for (std::size_t m = 1; m < n && s > 1; ++m) {
        const Cost &after = least[s - 1][n - m], &before = least[s][m];
        const long stores = 1 + after.second + before.second - (m > 1 ? 1 : 0);
        const Cost split{static_cast<long>(m) + after.first + before.first, stores};
        least[s][n] = std::min(least[s][n], split);
      }
    }
  }
  return least;
}

TEST(ReverseSchedule, AdvancesAsOftenAsTheOracleInEveryRow) {
  const auto rows = oracle();
  ASSERT_EQ(rows.size(), 35u);
  for (const OracleRow& row : rows) {
    EXPECT_EQ(optimal_advances(row.steps, row.slots), row.advances);
    EXPECT_EQ(executed(row.steps, row.slots).advanced, row.advances)
        << row.steps << " steps, " << row.slots << " slots";
    expect_complete(row.steps, row.slots);
  }
}

TEST(ReverseSchedule, AdvancesAndStoresAsLittleAsAnySplittingCould) {
  const auto least = least_costs(70, 12);
  for (int slots = 1; slots <= 12; ++slots) {
    for (long steps = 1; steps <= 70; ++steps) {
      expect_complete(steps, slots);
      const Executor run = executed(steps, slots);
      const Cost& cost = least[static_cast<std::size_t>(slots)][static_cast<std::size_t>(steps)];
      EXPECT_EQ(Cost(run.advanced, run.stores), cost) << steps << " steps, " << slots << " slots";
    }
  }
}

TEST(ReverseSchedule, TakesOneSweepWhereEveryStateFits) {
  EXPECT_EQ(executed(100, 99).advanced, 99);
  EXPECT_EQ(executed(100, 100).advanced, 99);
  EXPECT_EQ(executed(100, 1000000).advanced, 99);
  EXPECT_EQ(executed(100, 100).stores, 99) << "the last state is used at once and never stored";
}

TEST(ReverseSchedule, NeedsNoSlotForOneStep) {
  std::vector<TapeVerb> verbs;
  reverse_schedule(1, 1, [&](const TapeAction& action) { verbs.push_back(action.verb); });
  EXPECT_EQ(verbs, (std::vector{TapeVerb::record, TapeVerb::reverse}));
}

TEST(ReverseSchedule, UsesTheSlotsItIsGivenAndNoMore) {
  EXPECT_EQ(executed(1000, 1).most_stored, 1);
  EXPECT_EQ(executed(1000, 3).most_stored, 3);
  EXPECT_EQ(executed(1000, 20).most_stored, 20);
}

TEST(ReverseSchedule, HandlesAMillionSteps) {
  for (const int slots : {2, 100, 1000000}) expect_complete(1000000, slots);
  EXPECT_EQ(executed(1000000, 1).advanced, 499999500000);
}

TEST(ReverseSchedule, StaysExactForTheLargestCounts) {
  const long most = 2147483647;
  EXPECT_EQ(optimal_advances(most, 2147483647), most - 1);
  EXPECT_EQ(optimal_advances(most, 65535), 2 * most - 65537);
}

TEST(ReverseSchedule, RefusesCountsThatMeanNothing) {
  const auto ignore = [](const TapeAction&) {};
  EXPECT_THROW(reverse_schedule(0, 3, ignore), std::invalid_argument);
  EXPECT_THROW(reverse_schedule(3, 0, ignore), std::invalid_argument);
  EXPECT_THROW(optimal_advances(-1, 3), std::invalid_argument);
  EXPECT_THROW(optimal_advances(2147483648, 3), std::invalid_argument);
}

} // namespace
} // namespace contraflow::test
