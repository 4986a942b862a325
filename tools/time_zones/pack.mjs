// Packs the time zones of build/third_party/moment_timezone into one C++ file.
//
//   node tools/time_zones/pack.mjs <latest.json> <output.cc>
//
// CMake runs it. core/base/time/time_zone.cc reads the output; core/base/time/time_zone_data.h describes it. The input is the
// database in moment-timezone's format, `name|abbreviations|offsets|which|when|population`: all changes up to the year
// 2500. Changes that repeat every year from some year on become a rule without an end.
import fs from 'node:fs';
import path from 'node:path';

const kDay = 86_400;
const kQuarter = 900;
const kFirstDay = -50_000; // 1833: no clock was set by law before

const [input, output] = process.argv.slice(2);
if (!output) {
  console.error('usage: pack.mjs <latest.json> <output.cc>');
  process.exit(2);
}

// --- reading -----------------------------------------------------------------------------------

const digit = (c) => '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX'.indexOf(c);

/** Returns the seconds of minutes in base 60, such as "-R.s". */
function seconds(text) {
  const [minutes, fraction = '0'] = text.replace('-', '').split('.');
  const whole = [...minutes].reduce((sum, c) => sum * 60 + digit(c), 0);
  return (text.startsWith('-') ? -1 : 1) * (whole * 60 + digit(fraction));
}

/** Returns the offset at `first` and every change: `time` and `offset` in seconds, east is positive. */
function readZone(row) {
  const [name, , offsetTexts, which, when] = row.split('|');
  const offsets = offsetTexts.split(' ').map((text) => -seconds(text));
  const [first, ...after] = [...which].map((c) => offsets[digit(c)]);
  let time = 0;
  const times = when ? when.split(' ').map((text) => (time += seconds(text))) : [];
  const steps = times.map((each, i) => ({ time: each, offset: after[i] }));
  return { names: [name], first, steps: steps.filter(({ offset }, i) => offset !== (steps[i - 1]?.offset ?? first)) };
}

function readZones({ zones, links }) {
  const found = new Map(zones.map(readZone).map((zone) => [zone.names[0], zone]));
  for (const link of links) {
    const [target, name] = link.split('|');
    found.get(target).names.push(name);
  }
  // The zone of a machine whose location was never set.
  found.get('Etc/UTC').names.push('Factory');
  return [...found.values()];
}

// --- rules -------------------------------------------------------------------------------------

/** Returns the last first of March at or before a day. Years begin there, so that leap days are at their end. */
function springOf(day) {
  const date = new Date(day * kDay * 1000);
  const year = date.getUTCFullYear() - (date.getUTCMonth() < 2 ? 1 : 0);
  return Date.UTC(year, 2, 1) / 1000 / kDay;
}

const weekday = (day) => (((day + 4) % 7) + 7) % 7;
const timeOf = (date, spring) => {
  const day = spring + date.day;
  return (day + ((date.weekday - weekday(day) + 7) % 7)) * kDay + date.seconds;
};

/**
 * Returns the rule that gives all `times`, one per year: the first `weekday` at or after `day`, at `seconds` of UTC.
 */
function dateOf(times) {
  const days = times.map((time) => Math.floor(time / kDay));
  const since = days.map((day) => day - springOf(day));
  const date = { day: Math.min(...since), weekday: weekday(days[0]), seconds: times[0] - days[0] * kDay };
  if (times.some((time, i) => timeOf(date, springOf(days[i])) !== time)) throw new Error(`no rule for ${new Date(times[0] * 1000)}`);
  return date;
}

const kYears = 400; // the calendar repeats after these

/** Sets the `rule` of a zone that changes its clocks every year for ever, and removes the steps that follow from it. */
function findRule(zone) {
  const last = zone.steps.at(-1);
  if (!last || last.time < Date.UTC(2490) / 1000) return;
  const recent = zone.steps.slice(-2 * kYears);
  const [first, second] = [0, 1].map((odd) => dateOf(recent.filter((_, i) => i % 2 === odd).map(({ time }) => time))).sort((a, b) => a.day - b.day);
  const isAt = (date, { time }) => timeOf(date, springOf(Math.floor(time / kDay))) === time;
  const winter = recent.find((step) => isAt(second, step)).offset;
  const summer = recent.find((step) => isAt(first, step)).offset;
  const starts = (step) => step.offset === winter && isAt(second, step);
  const follows = (step, next) => next.time - step.time < 360 * kDay && (starts(step) || (step.offset === summer && isAt(first, step)));
  let kept = zone.steps.length - 1;
  while (kept > 0 && follows(zone.steps[kept - 1], zone.steps[kept])) kept--;
  while (!starts(zone.steps[kept])) kept++;
  zone.rule = { first, second, change: summer - winter };
  zone.steps.length = kept + 1;
}

// --- writing -----------------------------------------------------------------------------------

/** Encodes a number: 1 byte below 224, 2 bytes below 31 * 256, otherwise 4. */
function number(value) {
  if (value < 0) throw new Error(`${value} is negative`);
  if (value < 224) return [value];
  if (value < 31 * 256) return [224 + (value >> 8), value & 255];
  return [255, value >> 16, (value >> 8) & 255, value & 255];
}

const span = (value) => number(value % kQuarter === 0 ? (value / kQuarter) * 2 : value * 2 + 1);
const change = (value) => span(value + kDay);

function writeZone(zone, rules) {
  let day = kFirstDay;
  let offset = zone.first;
  const steps = zone.steps.flatMap((step) => {
    const local = step.time + offset;
    const today = Math.floor(local / kDay);
    const bytes = [...number(today - day), ...span(local - today * kDay), ...change(step.offset - offset)];
    day = today;
    offset = step.offset;
    return bytes;
  });
  const key = JSON.stringify(zone.rule);
  if (zone.rule && !rules.has(key)) rules.set(key, zone.rule);
  const place = zone.rule ? [...rules.keys()].indexOf(key) + 1 : 0;
  const bytes = [place, ...change(zone.first), ...steps];
  return [...number(bytes.length), ...bytes];
}

function writeCpp(version, zones) {
  const rules = new Map();
  const bytes = zones.flatMap((zone) => writeZone(zone, rules));
  const rows = [];
  for (let i = 0; i < bytes.length; i += 32) rows.push(`  ${bytes.slice(i, i + 32).join(',')},`);
  const date = ({ day, weekday: on, seconds: at }) => `{${day}, ${on}, ${at}}`;
  return `// Made by tools/time_zones/pack.mjs from the IANA time zone database, ${version}.
#include "base/time/time_zone_data.h"

namespace tabernetes {

const char kTimeZoneNames[] =
${zones.map(({ names }) => `  " ${names.join(' ')}\\n"`).join('\n')};

const unsigned char kTimeZoneSteps[] = {
${rows.join('\n')}
};

const TimeZoneRule kTimeZoneRules[] = {
${[...rules.values()].map((rule) => `  {${date(rule.first)}, ${date(rule.second)}, ${rule.change}},`).join('\n')}
};

}  // namespace tabernetes
`;
}

const database = JSON.parse(fs.readFileSync(input, 'utf8'));
const zones = readZones(database);
zones.forEach(findRule);
fs.mkdirSync(path.dirname(output), { recursive: true });
fs.writeFileSync(output, writeCpp(database.version, zones));
