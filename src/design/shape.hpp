#pragma once

#include "src/design/case.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace contraflow {

/// The point of a surface that is nearest to a query point.
struct ClosestPoint {
  double distance = 0; ///< signed, negative inside
  Vec3 point{};        ///< X(s), on the surface
  Vec3 normal{};       ///< gradient of the distance at the query point, unit length
  double s = 0;        ///< curve parameter of X (2D)
};

/// A surface for files: in 2D a closed line through the points, in 3D triangles between them,
/// numbered counter-clockwise as seen from outside.
struct SurfaceMesh {
  std::vector<Vec3> points;
  std::vector<std::array<std::size_t, 3>> triangles; ///< empty: a closed line
};

/// A closed, smooth (but for named corners) surface X(s; a) with parameters a, placed in the
/// domain: X = centre + scale R(-angle) (X_shape - pivot). The parameters of a placed body are
///
///   [shape parameters..., centre x, y (, z where dimension() is 3), angle [rad], scale]
///
/// Everything the flow knows of it is the signed distance. A change of parameters moves the
/// distance at x by dd = -n . (dX/da)(s) da at the closest point (design, section 3), exactly.
/// On the medial axis, where two points are equally near, the one with the smaller s counts.
class Body {
public:
  virtual ~Body() = default;
  virtual ClosestPoint closest(const Vec3& x) const = 0;

  /// dX/da of every parameter at a closest point, [parameters()].
  virtual void displacement(const ClosestPoint& at, std::span<Vec3> dx_da) const = 0;

  virtual int shape_parameters() const = 0; ///< how many of the parameters shape it
  int parameters() const;                   ///< all: shape, centre, angle, scale
  virtual int dimension() const = 0;        ///< 2: a curve in the plane z = 0 (in 3D: extruded), 3
  virtual std::vector<double> values() const = 0;     ///< of all parameters
  virtual std::vector<std::string> names() const = 0; ///< of all parameters, for tables

  /// Low and high corner of the surface.
  virtual std::array<Vec3, 2> bounds() const = 0;

  /// Enclosed area (3D: volume), and its derivative, [parameters()] or empty.
  virtual double area(std::span<double> d_area) const = 0;

  /// `points` >= 2 along the surface for files and pictures, counter-clockwise, the last one on the
  /// first (airfoils: the trailing edge); of a 3D body its outline in the plane of its centre.
  virtual std::vector<Vec3> outline(int points) const = 0;

  /// The surface: for a curve its outline of so many points (the first is not repeated), for a 3D
  /// body triangles, `points` of them to once around.
  virtual SurfaceMesh surface(int points) const;
};

/// Builds the body of a case. `values` (empty: as the case says) replaces all parameters.
/// Throws CaseError naming what is wrong with the shape (bad digits, unreadable file, a curve that
/// crosses itself or has no area).
std::unique_ptr<Body> make_body(const BodySpec& spec, int dimension,
                                std::span<const double> values = {});

} // namespace contraflow
