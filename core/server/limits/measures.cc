#include "server/limits/measures.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tabernetes::server {

void Integrator::catch_up(Time now) {
  const double seconds = (now - changed_).seconds();
  most_ = std::max(most_, value_);
  integral_ += value_ * seconds;
  square_integral_ += value_ * value_ * seconds;
  changed_ = now;
}

void Integrator::set(double value, Time now) {
  if (changed_ < now) catch_up(now);
  value_ = value;
}

Integrator::Results Integrator::take(Time now) {
  catch_up(now);
  Results results{.seconds = (now - begun_).seconds(), .most = most_};
  if (results.seconds > 0) {
    results.average = integral_ / results.seconds;
    const double variance = square_integral_ / results.seconds - results.average * results.average;
    results.deviation = std::sqrt(std::max(0.0, variance));
  }
  begun_ = now;
  integral_ = square_integral_ = 0;
  most_ = value_;
  return results;
}

void Buckets::clear() { *this = Buckets(ends_); }

void Buckets::add(double value, std::uint64_t times) {
  const auto place = std::lower_bound(ends_.begin(), ends_.end(), value) - ends_.begin();
  counts_[static_cast<std::size_t>(place)] += times;
  count_ += times;
  sum_ += value * static_cast<double>(times);
}

void RatioOverTime::catch_up(Time now) {
  if (!(changed_ < now)) return;
  buckets_.add(numerator_ / denominator_, static_cast<std::uint64_t>((now - changed_).nanoseconds));
  changed_ = now;
}

void RatioOverTime::set(double numerator, Time now) {
  catch_up(now);
  numerator_ = numerator;
}

void RatioOverTime::set_denominator(double denominator, Time now) {
  catch_up(now);
  denominator_ = denominator;
}

void RatioOverTime::begin_anew(Time now) {
  catch_up(now);
  buckets_.clear();
}

const Buckets& RatioOverTime::until(Time now) {
  catch_up(now);
  return buckets_;
}

}  // namespace tabernetes::server
