#pragma once

#include "tests/support/flow_models.hpp"
#include "tests/support/padded_field.hpp"

namespace contraflow::test {

/// A flow around one body, in every scalar type, with blocks of values over its box or ring.
class BodyModels {
public:
  BodyModels(int dimension, const std::array<int, 3>& cells, const Box& box)
      : models_{std::make_shared<FlowModels>(box_setup(
            dimension, cells,
            {{{BoundaryType::inflow, BoundaryType::outflow}, periodic_sides, periodic_sides}}))} {
    const std::array<double, 3> centre{0.47, 0.52, 0.4};
    models_->as<double>().add_body(box, centre);
    models_->as<float>().add_body(box, centre);
    models_->as<Dual>().add_body(box, centre);
  }

  template <class T> FlowModel<T>& flow() const { return models_->as<T>(); }
  template <class T> const BodyModel<T>& body() const { return models_->as<T>().bodies[0]; }

  std::size_t components() const { return static_cast<std::size_t>(flow<double>().components()); }
  const Layout& layout() const { return flow<double>().layout; }
  const Layout& body_layout() const { return body<double>().layout; }
  const Box& box() const { return body<double>().box; }
  const Box& ring() const { return body<double>().ring; }

  static std::vector<double> block(const Box& box) {
    return std::vector<double>(static_cast<std::size_t>(box.count()));
  }

private:
  std::shared_ptr<FlowModels> models_;
};

} // namespace contraflow::test
