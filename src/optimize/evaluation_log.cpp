#include "src/optimize/evaluation_log.hpp"

#include "contraflow/error.hpp"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <string_view>
#include <system_error>

namespace contraflow {
namespace {

enum class RecordKind : std::uint64_t { values = 1, diverged = 2 };

constexpr std::uint64_t format_version = 1;
constexpr std::size_t word = sizeof(std::uint64_t);

std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  return hash;
}

void put(std::string& bytes, std::uint64_t value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put(std::string& bytes, double value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put(std::string& bytes, const std::vector<double>& values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
}

std::uint64_t word_at(std::string_view bytes, std::size_t offset) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

void take(std::string_view& bytes, double& value) {
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
}

void take(std::string_view& bytes, std::vector<double>& values) {
  for (double& value : values) take(bytes, value);
}

struct Section {
  std::string bytes;
  const char* differs; ///< what to say where the file has other bytes
};

template <class Value> Section section(const Value& value, const char* differs) {
  Section made{{}, differs};
  put(made.bytes, value);
  return made;
}

std::vector<Section> header_sections(const OptimisationProblem& problem, OptimiserMethod method) {
  const auto count = [](std::size_t size) { return static_cast<std::uint64_t>(size); };
  std::string equality;
  for (const bool equal : problem.equality) equality.push_back(equal ? '=' : '<');
  return {section(format_version, "its format has another version"),
          section(static_cast<std::uint64_t>(method), "it was made with another method"),
          section(count(problem.start.size()), "it has another number of controls"),
          section(count(problem.equality.size()), "it has another number of constraints"),
          section(problem.lower, "its lower bounds differ"),
          section(problem.upper, "its upper bounds differ"),
          section(problem.start, "its start differs"),
          section(problem.scale, "its scales differ"),
          {equality, "its constraints are of other kinds"},
          section(fnv1a(problem.identity), "its case differs")};
}

constexpr std::string_view signature = "CFOPTLOG";

std::string header(const OptimisationProblem& problem, OptimiserMethod method) {
  std::string bytes(signature);
  for (const Section& part : header_sections(problem, method)) bytes += part.bytes;
  return bytes;
}

// The records of a log: what stands behind its header, once that agrees with the problem.
std::string_view behind_header(std::string_view bytes, const OptimisationProblem& problem,
                               OptimiserMethod method, const std::string& file) {
  if (!bytes.starts_with(signature)) throw FileError(file + ": not a log of evaluations");
  bytes.remove_prefix(signature.size());
  for (const Section& part : header_sections(problem, method)) {
    if (!bytes.starts_with(part.bytes)) {
      throw CaseError(file + ": this log is of another problem: " + part.differs +
                      "; start without resuming, or resume with the case that wrote it");
    }
    bytes.remove_prefix(part.bytes.size());
  }
  return bytes;
}

// The payload of the first record and its checksum's agreement; empty where the record is torn.
std::string_view whole_payload(std::string_view bytes) {
  if (bytes.size() < 2 * word) return {};
  const std::uint64_t size = word_at(bytes, 0);
  if (size > bytes.size() - 2 * word) return {};
  const std::size_t end = word + static_cast<std::size_t>(size);
  if (word_at(bytes, end) != fnv1a(bytes.substr(0, end))) return {};
  return bytes.substr(word, end - word);
}

std::string payload_of(const LoggedEvaluation& evaluation) {
  std::string bytes;
  const bool diverged = !evaluation.diverged.empty();
  put(bytes, static_cast<std::uint64_t>(diverged ? RecordKind::diverged : RecordKind::values));
  put(bytes, evaluation.x);
  if (diverged) return bytes + evaluation.diverged;
  put(bytes, evaluation.values.objective);
  put(bytes, evaluation.values.gradient);
  put(bytes, evaluation.values.constraint);
  for (const auto& row : evaluation.values.jacobian) put(bytes, row);
  return bytes;
}

// Throws FileError: the checksum holds, so a size that does not fit is no torn record.
LoggedEvaluation evaluation_of(std::string_view payload, const OptimisationProblem& problem,
                               const std::string& file) {
  const std::size_t controls = problem.start.size(), constraints = problem.equality.size();
  LoggedEvaluation evaluation{
      std::vector<double>(controls), undefined_evaluation(controls, constraints), {}};
  const std::size_t numbers = 1 + controls + constraints + constraints * controls;
  const std::size_t head = word + controls * sizeof(double);
  const auto kind = static_cast<RecordKind>(payload.size() < head ? 0 : word_at(payload, 0));
  const bool fits = kind == RecordKind::values ? payload.size() == head + numbers * sizeof(double)
                                               : kind == RecordKind::diverged;
  if (!fits) throw FileError(file + ": a record of this log has the wrong size");
  payload.remove_prefix(word);
  take(payload, evaluation.x);
  if (kind == RecordKind::diverged) {
    evaluation.diverged = payload;
    return evaluation;
  }
  take(payload, evaluation.values.objective);
  take(payload, evaluation.values.gradient);
  take(payload, evaluation.values.constraint);
  for (auto& row : evaluation.values.jacobian) take(payload, row);
  return evaluation;
}

std::string read_all(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(stream), {});
  if (!stream) throw FileError(file.string() + ": cannot be read");
  return bytes;
}

} // namespace

Evaluation undefined_evaluation(std::size_t controls, std::size_t constraints) {
  constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> per_control(controls, undefined);
  return {undefined, per_control, std::vector<double>(constraints, undefined),
          std::vector<std::vector<double>>(constraints, per_control)};
}

EvaluationLog::EvaluationLog(const std::filesystem::path& file, const OptimisationProblem& problem,
                             OptimiserMethod method, bool resume) {
  std::error_code error;
  if (resume && std::filesystem::exists(file, error)) {
    const std::string bytes = read_all(file);
    std::string_view rest = behind_header(bytes, problem, method, file.string());
    for (auto payload = whole_payload(rest); !payload.empty(); payload = whole_payload(rest)) {
      earlier_.push_back(evaluation_of(payload, problem, file.string()));
      rest.remove_prefix(payload.size() + 2 * word);
    }
    if (!rest.empty()) std::filesystem::resize_file(file, bytes.size() - rest.size(), error);
    if (error) throw FileError(file.string() + ": cannot be cut: " + error.message());
  } else {
    DurableFile::publish(file, header(problem, method));
  }
  file_.emplace(file);
}

void EvaluationLog::append(const LoggedEvaluation& evaluation) {
  const std::string payload = payload_of(evaluation);
  std::string record;
  put(record, static_cast<std::uint64_t>(payload.size()));
  record += payload;
  put(record, fnv1a(record));
  file_->append(record);
}

} // namespace contraflow
