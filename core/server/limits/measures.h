// What is measured about requests in flight, in the cluster's time: averages of a level over a
// while, histograms of single values, and histograms of the time that a ratio had a value. Source:
// upstream 1.36 apiserver/pkg/util/flowcontrol/fairqueuing/integrator.go,
// metrics/timing_ratio_histogram.go.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tabernetes/time.h"

namespace tabernetes::server {

// A value over time. A value that does not last, as it changes again at the same moment, leaves no
// trace: so what is answered at once is the same whether a view or the writer answers it.
class Integrator {
 public:
  explicit Integrator(Time now) : begun_(now), changed_(now) {}

  struct Results {
    double seconds = 0, average = 0, deviation = 0, most = 0;
  };
  void set(double value, Time now);
  // Returns the results since the last call, and begins anew.
  Results take(Time now);
  double value() const { return value_; }

 private:
  void catch_up(Time now);

  Time begun_, changed_;
  double value_ = 0, integral_ = 0, square_integral_ = 0, most_ = 0;
};

// Counts values, or something that has values, in buckets.
class Buckets {
 public:
  // `ends` are the upper ends, without the infinite one. REQUIRES: they are static.
  explicit Buckets(std::span<const double> ends) : ends_(ends), counts_(ends.size() + 1) {}

  void add(double value, std::uint64_t times = 1);
  void clear();

  std::span<const double> ends() const { return ends_; }
  // One more than `ends()`.
  const std::vector<std::uint64_t>& counts() const { return counts_; }
  std::uint64_t count() const { return count_; }
  double sum() const { return sum_; }

 private:
  std::span<const double> ends_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  double sum_ = 0;
};

// The time, in nanoseconds, during which a ratio had a value.
class RatioOverTime {
 public:
  RatioOverTime(std::span<const double> ends, double denominator, Time now)
      : buckets_(ends), denominator_(denominator), changed_(now) {}

  void set(double numerator, Time now);
  void set_denominator(double denominator, Time now);
  const Buckets& until(Time now);
  // Forgets the time before `now`.
  void begin_anew(Time now);

 private:
  void catch_up(Time now);

  Buckets buckets_;
  double numerator_ = 0, denominator_;
  Time changed_;
};

}  // namespace tabernetes::server
