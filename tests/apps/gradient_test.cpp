// The verbs `gradient`, `check` and `info`, and what the program says of itself.
#include "src/io/fields.hpp"
#include "tests/apps/program.hpp"
#include "tests/apps/small_cases.hpp"

#include <cmath>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

namespace contraflow::test {
namespace {

namespace fs = std::filesystem;

/// The rows of a table whose first column holds names: [name] the other cells.
std::map<std::string, std::vector<double>> named_rows(const fs::path& file) {
  std::map<std::string, std::vector<double>> rows;
  std::istringstream lines{contents(file)};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#') || line.starts_with("control,")) continue;
    std::istringstream cells{line};
    std::string name, cell;
    std::getline(cells, name, ',');
    while (std::getline(cells, cell, ',')) rows[name].push_back(std::stod(cell));
  }
  return rows;
}

/// The derivative that the certificate prints for a functional in a group.
double certified(const std::string& out, const std::string& functional, const std::string& group) {
  std::istringstream lines{out};
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find(group);
    if (!line.starts_with(functional + " ") || at == std::string::npos) continue;
    return std::stod(line.substr(at + group.size()));
  }
  return NAN;
}

class ProgramGradient : public testing::Test {
protected:
  ProgramGradient() {
    put(folder / "problem.toml", problem);
    put(folder / "foil.toml", foil);
  }
  TemporaryFolder folder;
};

// Along a single control the certificate's direction is plus or minus its scale.
TEST_F(ProgramGradient, WritesTheDerivativesThatTheCertificateHas) {
  ASSERT_EQ(contraflow(folder, {"gradient", "problem.toml"}).code, 0);
  const auto rows = named_rows(folder / "problem_out" / "gradient.csv");
  ASSERT_EQ(rows.size(), 2u);
  const Outcome check = contraflow(folder, {"check", "problem.toml"});
  ASSERT_EQ(check.code, 0) << check.out;
  const struct {
    std::string functional;
    std::size_t column;
  } functionals[] = {{"drag + 0.01 control effort", 1}, {"lift", 2}};
  for (const auto& [functional, column] : functionals) {
    for (const auto& [group, scale] :
         {std::pair{"rotation of cylinder", 0.5}, std::pair{"viscosity", 0.005}}) {
      const double derivative = scale * rows.at(group)[column];
      EXPECT_NEAR(std::abs(certified(check.out, functional, group)), std::abs(derivative),
                  1e-7 * std::abs(derivative))
          << functional << " " << group << "\n"
          << check.out;
    }
  }
}

TEST_F(ProgramGradient, IsTheSlopeBetweenTwoRuns) {
  ASSERT_EQ(contraflow(folder, {"gradient", "problem.toml", "-o", "middle"}).code, 0);
  const auto value_at = [&](const std::string& rotation) {
    EXPECT_EQ(contraflow(folder, {"gradient", "middle/resolved.toml", "-o", rotation, "--set",
                                  "body.0.rotation=" + rotation})
                  .code,
              0);
    const std::string table = contents(folder / rotation / "gradient.csv");
    std::smatch found;
    EXPECT_TRUE(std::regex_search(table, found, std::regex{R"(# lift = (\S+))"}));
    return std::stod(found[1]);
  };
  const double slope = (value_at("0.501") - value_at("0.499")) / 0.002;
  const double derivative =
      named_rows(folder / "middle" / "gradient.csv").at("rotation of cylinder")[2];
  EXPECT_NEAR(slope, derivative, 1e-5 * std::abs(derivative));
}

TEST_F(ProgramGradient, HasTheSameBitsOnOneAndTwoThreads) {
  for (const std::string threads : {"1", "2"}) {
    ASSERT_EQ(contraflow(folder, {"gradient", "foil.toml", "-o", threads, "--threads", threads,
                                  "--set", "output.directory=same"})
                  .code,
              0);
  }
  const auto one = all_files(folder / "1");
  EXPECT_GE(one.size(), 5u);
  EXPECT_EQ(one, all_files(folder / "2"));
}

TEST_F(ProgramGradient, HasTheSameBitsWithFewStoredStates) {
  const auto memory = [&](const std::string& amount) {
    const Outcome outcome = contraflow(
        folder, {"gradient", "problem.toml", "-o", "out", "--set", "tape.memory=" + amount});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return std::pair{outcome.out, named_rows(folder / "out" / "gradient.csv")};
  };
  const auto [plenty, all] = memory("\"1 GiB\"");
  const auto [scarce, few] = memory("\"100 kB\"");
  EXPECT_NE(plenty.find("nothing is computed twice"), std::string::npos) << plenty;
  EXPECT_NE(scarce.find("runs of recomputation"), std::string::npos) << scarce;
  EXPECT_EQ(all, few);
}

TEST_F(ProgramGradient, WritesAdjointAndSurfaceFields) {
  ASSERT_EQ(contraflow(folder, {"gradient", "foil.toml"}).code, 0);
  const fs::path out = folder / "foil_out";
  const NamedField adjoint = read_field(out / "gradient_000000.vtkhdf", "adjoint_velocity");
  double largest = 0;
  for (const double value : adjoint.full) largest = std::max(largest, std::abs(value));
  EXPECT_EQ(adjoint.components, 3);
  EXPECT_NE(adjoint.full, read_field(out / "gradient_000000.vtkhdf", "velocity").full);
  EXPECT_GT(largest, 1e-6);
  EXPECT_NE(contents(out / "gradient.xmf").find("adjoint_velocity"), std::string::npos);
  EXPECT_NE(contents(out / "foil.vtp").find("sensitivity"), std::string::npos);
}

TEST_F(ProgramGradient, CertifiesCasesWithoutControls) {
  const struct {
    std::string name, text, groups;
  } cases[] = {{"cylinder", cylinder, "shape position viscosity inflow"},
               {"sphere", sphere, "shape position viscosity inflow"},
               {"cavity", cavity, "viscosity"},
               {"periodic", periodic, "viscosity"}};
  for (const auto& [name, text, groups] : cases) {
    put(folder / (name + ".toml"), text);
    const std::string steps = std::to_string(name == "sphere" ? 4 : 20 / patience);
    const Outcome outcome =
        contraflow(folder, {"check", name + ".toml", "--set", "time.steps=" + steps});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("certificate: PASSED"), std::string::npos) << outcome.out;
    std::istringstream words{groups};
    for (std::string group; words >> group;) {
      EXPECT_NE(outcome.out.find(group), std::string::npos) << group << " in " << outcome.out;
    }
    EXPECT_FALSE(fs::exists(folder / (name + "_out")));
  }
}

TEST(ProgramItself, ShowsHelpWithAnExampleForEveryVerb) {
  const TemporaryFolder folder;
  const Outcome all = contraflow(folder, {"--help"});
  EXPECT_EQ(all.code, 0);
  for (const std::string verb : {"run", "gradient", "check", "optimize", "info"}) {
    EXPECT_NE(all.out.find("\n  " + verb + " "), std::string::npos) << verb;
    const Outcome help = contraflow(folder, {verb, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_NE(help.out.find("\n  contraflow " + verb), std::string::npos) << help.out;
    EXPECT_EQ(help.err, "");
  }
  EXPECT_NE(contraflow(folder, {}).err.find("Usage: contraflow"), std::string::npos);
}

TEST(ProgramItself, ShowsVersionBackEndsAndMemory) {
  const TemporaryFolder folder;
  const Outcome version = contraflow(folder, {"--version"}), info = contraflow(folder, {"info"});
  EXPECT_TRUE(std::regex_match(version.out, std::regex{R"(contraflow \d+\.\d+\.\d+ \S+\n)"}))
      << version.out;
  EXPECT_EQ(info.code, 0);
  for (const char* word : {"contraflow ", "cpu", "threads", "GiB"}) {
    EXPECT_NE(info.out.find(word), std::string::npos) << word;
  }
}

} // namespace
} // namespace contraflow::test
