#pragma once

#include "contraflow/hd.hpp"

namespace contraflow {

/// Cell widths and their kin along one axis, valid from 8 below the first cell to 8 above the last.
/// Face m lies between cells m-1 and m.
template <class T> struct AxisMetric {
  const T* width;        ///< of cell m
  const T* inv_width;    ///< 1/width
  const T* inv_spacing;  ///< of face m: 1/distance between the centres of cells m-1 and m
  const T* inv_gradient; ///< inv_spacing where the pressure gradient acts, 0 at prescribed faces
  const T* centre;       ///< coordinate of the centre of cell m
  const T* face;         ///< coordinate of face m
};

template <class T> struct Metric { AxisMetric<T> axis[3]; };

/// Volume of the momentum cell around the face (i,j,k) of the velocity along `component`.
template <class T>
CONTRAFLOW_HD T face_volume(const Metric<T>& metric, int component, int i, int j, int k) {
  const T x = component == 0 ? T(1) / metric.axis[0].inv_spacing[i] : metric.axis[0].width[i];
  const T y = component == 1 ? T(1) / metric.axis[1].inv_spacing[j] : metric.axis[1].width[j];
  const T z = component == 2 ? T(1) / metric.axis[2].inv_spacing[k] : metric.axis[2].width[k];
  return x * y * z;
}

/// Area of the face (i,j,k) normal to `component`.
template <class T>
CONTRAFLOW_HD T face_area(const Metric<T>& metric, int component, int i, int j, int k) {
  const T x = component == 0 ? T(1) : metric.axis[0].width[i];
  const T y = component == 1 ? T(1) : metric.axis[1].width[j];
  const T z = component == 2 ? T(1) : metric.axis[2].width[k];
  return x * y * z;
}

} // namespace contraflow
