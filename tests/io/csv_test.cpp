#include "contraflow/error.hpp"
#include "src/io/csv.hpp"
#include "tests/io/child.hpp"
#include "tests/io/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace contraflow::test {

namespace {

const std::string head = "# contraflow 1.0 abc\nstep,time,cd\n";

CsvFile make_file(const TemporaryFolder& folder) {
  return {folder / "forces.csv", "contraflow 1.0 abc", {"step", "time", "cd"}};
}

} // namespace

TEST(CsvFile, HoldsEachRowAsSoonAsItIsAppended) {
  const TemporaryFolder folder;
  CsvFile file = make_file(folder);
  EXPECT_EQ(contents(folder / "forces.csv"), head);
  file.append({1, 0.1, 1.5});
  EXPECT_EQ(contents(folder / "forces.csv"), head + "1,0.10000000000000001,1.5\n");
  file.append({2, 0.25, -0.3});
  EXPECT_EQ(contents(folder / "forces.csv"),
            head + "1,0.10000000000000001,1.5\n2,0.25,-0.29999999999999999\n");
}

TEST(CsvFile, MakesEveryLineOfTheHeaderAComment) {
  const TemporaryFolder folder;
  const CsvFile file(folder / "a.csv", "# contraflow 1.0\nsecond", {"x"});
  EXPECT_EQ(contents(folder / "a.csv"), "# contraflow 1.0\n# second\nx\n");
}

TEST(CsvFile, ReadsBackBitForBit) {
  const TemporaryFolder folder;
  CsvFile file = make_file(folder);
  const std::vector<double> first{1. / 3, std::nextafter(1., 2.), 5e-324};
  const std::vector<double> second{std::numeric_limits<double>::max(), -0., -INFINITY};
  file.append(first);
  file.append(second);
  file.append({1, std::nan(""), 2});
  const CsvTable table = read_csv(folder / "forces.csv");
  EXPECT_EQ(table.columns, (std::vector<std::string>{"step", "time", "cd"}));
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0], first);
  EXPECT_EQ(table.rows[1], second);
  EXPECT_TRUE(std::signbit(table.rows[1][1]));
  EXPECT_TRUE(std::isnan(table.rows[2][1]));
  EXPECT_EQ(table.column("cd")[2], 2);
  EXPECT_THROW(table.column("cl"), FileError);
}

TEST(CsvFile, ResumesBeforeAStep) {
  const TemporaryFolder folder;
  {
    CsvFile file = make_file(folder);
    for (const double step : {1., 2., 3., 4.}) file.append({step, step / 4, 0});
  }
  CsvFile file = CsvFile::resume(folder / "forces.csv", {"step", "time", "cd"});
  file.keep_rows_before("step", 3);
  EXPECT_EQ(contents(folder / "forces.csv"), head + "1,0.25,0\n2,0.5,0\n");
  file.append({3, 0.75, 9});
  EXPECT_EQ(contents(folder / "forces.csv"), head + "1,0.25,0\n2,0.5,0\n3,0.75,9\n");
  EXPECT_EQ(folder.names(), std::set<std::string>{"forces.csv"});
}

TEST(CsvFile, KeepsAllRowsThatComeBefore) {
  const TemporaryFolder folder;
  CsvFile file = make_file(folder);
  file.append({1, 0.25, 0});
  file.keep_rows_before("time", 0.5);
  EXPECT_EQ(contents(folder / "forces.csv"), head + "1,0.25,0\n");
  file.keep_rows_before("time", 0);
  EXPECT_EQ(contents(folder / "forces.csv"), head);
  EXPECT_THROW(file.keep_rows_before("lift", 0), FileError);
}

TEST(CsvFile, DropsARowTornByAKill) {
  const TemporaryFolder folder;
  put(folder / "forces.csv", head + "1,0.25,0\n2,0.5");
  EXPECT_EQ(read_csv(folder / "forces.csv").rows.size(), 1u);
  CsvFile file = CsvFile::resume(folder / "forces.csv", {"step", "time", "cd"});
  file.append({2, 0.5, 7});
  EXPECT_EQ(contents(folder / "forces.csv"), head + "1,0.25,0\n2,0.5,7\n");
}

TEST(CsvFile, RefusesWhatItDidNotWrite) {
  const TemporaryFolder folder;
  const auto complaint = [&](const std::string& text) {
    put(folder / "forces.csv", text);
    return message_of([&] { CsvFile::resume(folder / "forces.csv", {"step", "time", "cd"}); });
  };
  const std::string name = (folder / "forces.csv").string();
  EXPECT_EQ(complaint("step,time\n"),
            "cannot continue " + name + ": its columns are step,time, not step,time,cd");
  EXPECT_EQ(complaint(head + "1,2,3\n1,x,3\n"),
            "cannot read " + name + ": line 4 is not 3 numbers");
  EXPECT_EQ(complaint(head + "1,2,\n"), "cannot read " + name + ": line 3 is not 3 numbers");
  EXPECT_EQ(complaint(""), "cannot read " + name + ": it has no line of column names");
  EXPECT_EQ(message_of([&] { read_csv(folder / "none.csv"); }),
            "cannot read " + (folder / "none.csv").string() + ": No such file or directory");
  CsvFile file = make_file(folder);
  EXPECT_THROW(file.append({1, 2}), Error);
}

TEST(CsvFile, TakesBackARowThatDoesNotFitOnTheDisk) {
  const TemporaryFolder folder;
  const int code = in_child([&] {
    CsvFile file = make_file(folder);
    limit_file_size(head.size() + 9);
    file.append({1, 2, 3});
    return message_of([&] { file.append({4, 5, 6}); }).ends_with("File too large") ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(contents(folder / "forces.csv"), head + "1,2,3\n");
}

} // namespace contraflow::test
