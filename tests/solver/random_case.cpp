#include "tests/solver/random_case.hpp"

#include "tests/design/body_cases.hpp"

namespace contraflow::test {

RandomCase::RandomCase(int dimension, unsigned seed, const std::filesystem::path& folder)
    : engine_{seed} {
  case_.path = "random case";
  case_.grid.dimension = dimension;
  description_ = std::to_string(dimension) + "D, seed " + std::to_string(seed) + ':';
  choose_grid();
  choose_boundaries();
  choose_bodies();
  case_.flow.viscosity = between(0.01, 0.05);
  case_.flow.advection = pick(3) == 0 ? Advection::central : Advection::kappa;
  case_.time.scheme = pick(2) == 0 ? TimeScheme::heun : TimeScheme::ssp_rk3;
  note(case_.flow.advection == Advection::central ? "central" : "kappa");
  note(case_.time.scheme == TimeScheme::heun ? "heun" : "ssp_rk3");
  case_.time.steps = dimension == 3 ? 12 : 30 + pick(16);
  case_.initial.velocity = {0.9, 0.05, 0};
  case_.initial.perturbation = 0.4;
  case_.check.seed = seed;
  freeze_constants(case_);
  choose_controls();
  choose_objectives(folder);
}

double RandomCase::between(double low, double high) {
  return low + (high - low) * static_cast<double>(engine_()) / 4294967296.0;
}

void RandomCase::choose_grid() {
  GridSpec& grid = case_.grid;
  if (grid.dimension == 2) {
    grid.spacing = 0.1;
    grid.axis[0] = stretched_axis(-2, -1.3, 1.5, 3);
    grid.axis[1] = stretched_axis(-1.8, -1.1, 1.1, 1.7);
    return;
  }
  grid.spacing = 0.2;
  grid.axis[0] = stretched_axis(-2.2, -1.4, 1.4, 2.6);
  grid.axis[1] = stretched_axis(-1.9, -1.2, 1.2, 2);
  extruded_ = pick(3) > 0;
  if (extruded_) grid.axis[2] = uniform_axis(-0.4, 0.6, 5);
  if (!extruded_) grid.axis[2] = stretched_axis(-2, -1.2, 1.2, 1.9);
}

void RandomCase::choose_inflow(BoundarySpec& inflow, const AxisSpec& across) {
  const int profile = pick(3);
  inflow.profile = static_cast<InflowProfile>(profile);
  inflow.speed = profile == 1 ? 1.4 : 1;
  note(profile == 0 ? "uniform" : profile == 1 ? "parabolic" : "values");
  if (inflow.profile != InflowProfile::values) return;
  inflow.position = {across.low, 0.6 * across.low, 0.1, 0.5 * across.high, across.high};
  if (pick(3) > 0) inflow.times = {0, 0.3, 0.7, 5};
  for (std::size_t n = 0; n < std::max<std::size_t>(inflow.times.size(), 1) * 5; ++n) {
    inflow.values.push_back(between(0.7, 1.2));
  }
  if (!inflow.times.empty()) note("in time");
}

void RandomCase::choose_boundaries() {
  auto& boundary = case_.boundary;
  const std::size_t from = pick(4) == 0 ? 1 : 0; // which end the flow comes from
  boundary[0][from] = side(BoundaryType::inflow);
  boundary[0][1 - from] = side(BoundaryType::outflow, 0.9);
  note(from == 0 ? "from low," : "from high,");
  choose_inflow(boundary[0][from], case_.grid.axis[1]);
  BoundarySpec moving = side(BoundaryType::wall);
  moving.velocity = {0.6, -0.3, 0.2};
  for (std::size_t a = 1; a < static_cast<std::size_t>(case_.grid.dimension); ++a) {
    moving.velocity[a] = 0;
    const int kind = pick(5);
    boundary[a][0] = side(BoundaryType::slip);
    boundary[a][1] = kind == 0 ? side(BoundaryType::outflow, 0.2) : moving;
    if (kind == 1) boundary[a] = {moving, side(BoundaryType::slip)};
    if (kind == 2) boundary[a] = {side(BoundaryType::inflow, 0.1), side(BoundaryType::slip)};
    if (kind == 4) { // periodic, hence uniform
      if (case_.grid.dimension == 2) case_.grid.axis[1] = uniform_axis(-1.6, 1.6, 32);
      if (case_.grid.dimension == 3 && !(a == 2 && extruded_)) {
        case_.grid.axis[a] = uniform_axis(-1.8, 1.8, 18);
      }
      boundary[a] = {side(BoundaryType::periodic), side(BoundaryType::periodic)};
    }
    const char* kinds[] = {"slip|outflow", "wall|slip", "inflow|slip", "slip|wall", "periodic"};
    note(kinds[kind]);
  }
}

BodySpec RandomCase::random_body() {
  BodySpec body = circle("body", between(-0.1, 0.1), between(-0.1, 0.1), between(0.35, 0.5));
  if (case_.grid.dimension == 3) {
    note(extruded_ ? "extruded" : "sphere");
    body.radius = 0.38;
    body.scale = between(0.9, 1.05);
    if (!extruded_) {
      body.kind = ShapeKind::sphere;
      body.centre = {between(-0.1, 0.1), between(-0.06, 0.06), between(-0.06, 0.06)};
      return body;
    }
    if (pick(2) == 0) return body;
  }
  const int kind = pick(5);
  const char* kinds[] = {"circle", "naca", "file", "fourier", "plate"};
  note(kinds[kind]);
  body.angle = between(-8, 12);
  if (kind == 1) {
    body.kind = ShapeKind::naca4;
    body.naca = pick(2) == 0 ? "0015" : "2412";
    body.displacement_modes = 2;
    body.displacement = {0.01, 0.005, -0.01, 0.01};
  }
  if (kind == 2) {
    body.kind = ShapeKind::airfoil_file;
    body.file = airfoil_path(pick(2) == 0 ? "clarky.dat" : "naca4412.dat");
    body.displacement_modes = 3;
  }
  if (kind == 3) {
    body.kind = ShapeKind::fourier;
    body.radius = 0.4;
    body.cosine = {0.02, 0.05, -0.01};
    body.sine = {0.01, -0.03, 0.02};
  }
  if (kind == 4) {
    body.kind = ShapeKind::plate;
    body.thickness = 0.1;
  }
  if (kind == 1 || kind == 2 || kind == 4) body.centre[0] = -0.25;
  return body;
}

void RandomCase::choose_bodies() {
  const bool two = case_.grid.dimension == 2 && pick(4) == 0;
  if (two) {
    note("two circles");
    case_.bodies = {circle("body", -0.45, -0.05, 0.28), circle("other", 0.75, 0.1, 0.3)};
    case_.bodies[1].rotation = {0.5};
  } else {
    case_.bodies = {random_body()};
  }
  const int turning = pick(3);
  if (turning == 1) case_.bodies[0].rotation = {-0.8};
  if (turning == 2) {
    case_.bodies[0].rotation_times = {0.1, 0.4, 0.9};
    case_.bodies[0].rotation = {0.3, -0.6, 0.9};
  }
  const char* turnings[] = {"at rest", "turning", "turning in time"};
  note(turnings[turning]);
}

void RandomCase::choose_controls() {
  std::vector<ControlSpec> all = {
      control(ControlKind::shape, 0.1),     control(ControlKind::position, 0.2),
      control(ControlKind::angle, 10),      control(ControlKind::scale, 0.2),
      control(ControlKind::rotation, 1),    control(ControlKind::inflow, 0.5),
      control(ControlKind::viscosity, .01), control(ControlKind::initial, 1)};
  const BodySpec& body = case_.bodies[0];
  if (body.kind == ShapeKind::naca4 || body.kind == ShapeKind::airfoil_file ||
      body.kind == ShapeKind::plate) {
    all[0].scale = 0.03;
  }
  if (case_.boundary[0][0].type != BoundaryType::inflow) all[5].side = "x_high";
  for (const ControlSpec& spec : all) {
    if (spec.kind == ControlKind::rotation && body.rotation.empty()) continue;
    if (spec.kind == ControlKind::angle && body.kind == ShapeKind::circle) continue;
    if (spec.kind == ControlKind::angle && body.kind == ShapeKind::sphere) continue;
    case_.controls.push_back(spec);
  }
}

TermSpec RandomCase::random_misfit() {
  TermSpec misfit = term(TermKind::velocity_misfit, between(0.5, 1));
  misfit.region = {Vec3{0.9, -0.8, -0.9}, Vec3{1.9, 0.7, 1.1}};
  misfit.target = {0.8, 0.1, -0.05};
  return misfit;
}

/// A flow of another viscosity and another inflow.
std::string RandomCase::record_flow(const std::filesystem::path& folder) const {
  Case other = case_;
  other.controls.clear();
  other.flow.viscosity *= 1.3;
  const auto tunnel = cpu_tunnel(other);
  tunnel->advance(case_.frozen.steps, {});
  const auto file = folder / ("recorded_" + std::to_string(case_.check.seed) + ".h5");
  write_restart(file, tunnel->grid(), tunnel->state(), "");
  return file.string();
}

void RandomCase::choose_objectives(const std::filesystem::path& folder) {
  const double end = case_.frozen.dt * static_cast<double>(case_.frozen.steps);
  std::vector<TermSpec> forces = {term(TermKind::drag), term(TermKind::lift, 0.7),
                                  term(TermKind::moment, -1.3)};
  for (TermSpec& force : forces) {
    force.window = pick(2) == 0 ? Window::hann : Window::square;
    force.from = between(0, 0.5) * end;
    if (pick(2) == 0) force.to = between(0.6, 0.9) * end;
  }
  forces[0].body = case_.bodies.back().name;
  TermSpec uniform = random_misfit(), recorded = random_misfit();
  recorded.target_file = record_flow(folder);
  recorded.window = Window::hann;
  uniform.from = 0.5 * end;
  case_.objective = {forces[0], uniform, term(TermKind::control_effort, 0.05),
                     term(TermKind::area, 0.3)};
  for (const TermSpec& other : {forces[1], forces[2], recorded}) {
    case_.constraints.push_back({other, ConstraintKind::at_most, 1, 1e-4});
  }
}

} // namespace contraflow::test
