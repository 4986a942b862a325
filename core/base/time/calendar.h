// The proleptic Gregorian calendar, counted in eras of 400 years that begin on 1 March (the
// algorithm of Howard Hinnant's "chrono-compatible date algorithms").
#pragma once

#include <cstdint>

namespace tabernetes {

struct Date {
  std::int64_t year;
  int month, day;  // both from 1
};

// Days since 1970-01-01. REQUIRES: there is such a day.
std::int64_t days_from_date(Date date);
Date date_from_days(std::int64_t days);

}  // namespace tabernetes
