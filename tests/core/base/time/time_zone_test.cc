// Expected offsets are those `zdump` prints for the IANA database.
#include "base/time/time_zone.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>

#include "base/time/rfc3339.h"
#include "base/time/time_zone_data.h"

namespace tabernetes {
namespace {

// Returns "+02:00", with seconds if not zero.
std::string offset(std::string_view zone, std::string_view time) {
  const auto moment = parse_rfc3339_unix(time);
  REQUIRE(moment);
  const auto found = time_zone_offset(zone, moment->seconds);
  if (!found) return "unknown";
  const std::int32_t size = *found < 0 ? -*found : *found;
  std::string text = *found < 0 ? "-" : "+";
  const auto add = [&](std::int32_t part) {
    text += {static_cast<char>('0' + part / 10), static_cast<char>('0' + part % 10)};
  };
  add(size / 3'600);
  text += ':';
  add(size / 60 % 60);
  if (size % 60 == 0) return text;
  text += ':';
  add(size % 60);
  return text;
}

TEST_CASE("time zones: what clocks show", "[base]") {
  struct Case {
    std::string_view zone, time, offset;
  };
  static constexpr Case kCases[] = {
      // A gap in spring, an hour twice in autumn.
      {"Europe/Berlin", "2024-03-31T00:59:59Z", "+01:00"},
      {"Europe/Berlin", "2024-03-31T01:00:00Z", "+02:00"},
      {"Europe/Berlin", "2024-10-27T00:59:59Z", "+02:00"},
      {"Europe/Berlin", "2024-10-27T01:00:00Z", "+01:00"},
      {"America/St_Johns", "2024-03-10T05:29:59Z", "-03:30"},
      {"America/St_Johns", "2024-03-10T05:30:00Z", "-02:30"},
      // In the south, summer begins in October.
      {"Australia/Sydney", "2024-04-06T15:59:59Z", "+11:00"},
      {"Australia/Sydney", "2024-04-06T16:00:00Z", "+10:00"},
      {"America/Santiago", "2024-01-15T00:00:00Z", "-03:00"},
      {"America/Santiago", "2024-07-15T00:00:00Z", "-04:00"},
      // Half an hour of daylight saving; quarters of an hour; two hours.
      {"Australia/Lord_Howe", "2024-04-06T14:59:59Z", "+11:00"},
      {"Australia/Lord_Howe", "2024-04-06T15:00:00Z", "+10:30"},
      {"Asia/Kathmandu", "2024-06-01T00:00:00Z", "+05:45"},
      {"Pacific/Chatham", "2024-01-01T00:00:00Z", "+13:45"},
      {"Antarctica/Troll", "2024-07-01T00:00:00Z", "+02:00"},
      {"Antarctica/Troll", "2024-01-01T00:00:00Z", "+00:00"},
      // A rule that does not apply yet: in 2016 Haiti had no daylight saving.
      {"America/Port-au-Prince", "2015-07-01T00:00:00Z", "-04:00"},
      {"America/Port-au-Prince", "2016-07-01T00:00:00Z", "-05:00"},
      {"America/Port-au-Prince", "2017-07-01T00:00:00Z", "-04:00"},
      // A skipped day, at the date line.
      {"Pacific/Apia", "2011-12-30T09:59:59Z", "-10:00"},
      {"Pacific/Apia", "2011-12-30T10:00:00Z", "+14:00"},
      // An alias of a zone; zones that are fixed offsets.
      {"US/Pacific", "2024-11-03T08:59:59Z", "-07:00"},
      {"America/Los_Angeles", "2024-11-03T09:00:00Z", "-08:00"},
      {"GB", "2024-07-01T00:00:00Z", "+01:00"},
      {"America/Argentina/ComodRivadavia", "2024-07-01T00:00:00Z", "-03:00"},
      {"Etc/GMT+12", "2024-07-01T00:00:00Z", "-12:00"},
      {"Etc/GMT-14", "2024-07-01T00:00:00Z", "+14:00"},
      {"EST", "2024-07-01T00:00:00Z", "-05:00"},
      // Local mean times, wartime and the present, and rules without an end.
      {"Europe/Berlin", "0001-01-01T00:00:00Z", "+00:53:28"},
      {"Europe/London", "1800-06-01T00:00:00Z", "-00:01:15"},
      {"Europe/Berlin", "1893-03-31T23:06:32Z", "+01:00"},
      {"Europe/Berlin", "1945-06-01T00:00:00Z", "+03:00"},
      {"America/New_York", "1943-01-01T00:00:00Z", "-04:00"},
      {"Asia/Manila", "1844-12-31T00:00:00Z", "-15:56:08"},
      {"Africa/Monrovia", "1971-01-01T00:00:00Z", "-00:44:30"},
      {"Europe/Berlin", "2500-03-28T00:59:59Z", "+01:00"},
      {"Europe/Berlin", "2500-03-28T01:00:00Z", "+02:00"},
      {"America/New_York", "9999-12-31T23:59:59Z", "-05:00"},
      {"America/New_York", "9999-07-01T00:00:00Z", "-04:00"},
      {"America/New_York", "2400-02-29T12:00:00Z", "-05:00"},
      {"Australia/Sydney", "2401-02-28T12:00:00Z", "+11:00"},
      {"UTC", "2024-07-01T00:00:00Z", "+00:00"},
      {"Local", "2024-07-01T00:00:00Z", "+00:00"},
      {"", "2024-07-01T00:00:00Z", "+00:00"},
      {"Europe/Atlantis", "2024-07-01T00:00:00Z", "unknown"},
  };
  for (const Case& c : kCases) {
    INFO(c.zone << " at " << c.time);
    CHECK(offset(c.zone, c.time) == c.offset);
  }
}

TEST_CASE("time zones: which names there are", "[base]") {
  for (const std::string_view name :
       {"", "UTC", "Local", "CET", "Zulu", "Factory", "Africa/Abidjan", "Pacific/Kosrae",
        "Europe/Berlin", "America/Indiana/Knox", "Etc/GMT+0", "GMT0", "US/Michigan"}) {
    CHECK(time_zone_fault(name) == "");
  }
  for (const std::string_view name :
       {"Mars/Base", "utc", "local", "europe/berlin", "Europe", "Europe/", "Europe/Ber", "Berlin",
        "GMT UTC", " UTC", "UTC ", "UTC\n", "\n", " ", "posix/UTC", "+01:00"}) {
    CHECK(time_zone_fault(name) == "unknown time zone " + std::string(name));
  }
  for (const std::string_view name : {"..", "../UTC", "Europe/..", "a..b", "/UTC", "\\UTC"}) {
    CHECK(time_zone_fault(name) == "time: invalid location name");
  }
}

TEST_CASE("time zones: every one has an hour at any time, and the same after 400 years", "[base]") {
  constexpr std::int64_t kCycle = 146'097 * std::int64_t{86'400};
  constexpr std::int64_t kFirst = -62'135'596'800;    // the year 1
  constexpr std::int64_t kRulesOnly = 4'102'444'800;  // the year 2100
  constexpr std::int64_t kLast = 253'402'300'800;     // the year 10000
  const std::string_view names = kTimeZoneNames;
  int zones = 0;
  for (std::size_t i = 0; i < names.size(); ++zones) {
    const std::size_t end = names.find_first_of(" \n", i + 1);
    const std::string_view name = names.substr(i + 1, end - i - 1);
    i = names[end] == '\n' ? end + 1 : end;
    INFO(name);
    for (std::int64_t time = kFirst; time < kLast; time += kCycle / 7) {
      const auto offset = time_zone_offset(name, time);
      REQUIRE(offset);
      REQUIRE(std::abs(*offset) < 16 * 3'600);
      if (time >= kRulesOnly) REQUIRE(time_zone_offset(name, time + kCycle) == offset);
    }
  }
  CHECK(zones == 598);
}

}  // namespace
}  // namespace tabernetes
