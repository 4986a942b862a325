// Check d: the same Events, as often.

import { withoutPreemption } from './differences.mjs';
import { short } from './text.mjs';

/** Events that a loop repeats while something lasts: how often depends on timing. */
const kRepeated = new RegExp(`^(${[
  'FailedScheduling', 'FailedCreate', 'FailedGetResourceMetric', 'FailedComputeMetricsReplicas', 'FailedGetScale', 'FailedBinding',
  'ProvisioningFailed', 'WaitForFirstConsumer', 'NoPods', 'UnmanagedPods', 'NodeNotReady', 'JobAlreadyActive', 'UnexpectedJob',
  'SawCompletedJob', 'FailedToUpdateEndpoint.*', 'ClaimLost',
].join('|')})$`);

function compareTexts(at, want, got, out) {
  for (const message of new Set([...want.texts.keys(), ...got.texts.keys()])) {
    if (want.texts.get(message) === got.texts.get(message)) continue;
    if (want.total !== got.total && want.texts.has(message) && got.texts.has(message)) continue;
    const times = (group) => `×${group.texts.get(message) ?? 0}`;
    out.soft('d', `${at}: message ${short(message, 300)}: recorded ${times(want)}, got ${times(got)}`);
  }
}

function compareShapes(at, want, got, out) {
  if ([...want.shapes].sort().join() === [...got.shapes].sort().join()) return;
  const fields = ({ shapes }) => new Set([...shapes].join(' ').split(/[ ,]+/));
  const without = (one, other) => [...fields(one)].filter((field) => !fields(other).has(field)).join(' ') || '-';
  out.soft('d', `${at}: fields: missing ${without(want, got)}, extra ${without(got, want)}`);
}

function compareGroups(key, want, got, isLoose, out) {
  const at = `event ${key}`;
  if (want.total !== got.total) {
    const soft = kRepeated.test(want.reason) || want.scale || isLoose;
    out.add('d', !soft, `${at}: recorded ×${want.total}, got ×${got.total}`);
  } else if (want.objects !== got.objects) {
    out.soft('d', `${at}: recorded in ${want.objects} objects, got ${got.objects}`);
  }
  compareTexts(at, want, got, out);
  compareShapes(at, want, got, out);
}

/** @param {import('./differences.mjs').Differences} out */
export function compareEvents({ events: recorded }, { events: live }, out) {
  // Past ten like Events the recorder combines them, and which ones depends on timing.
  const isLoose = (about) => recorded.combined.has(about) || live.combined.has(about);
  for (const key of new Set([...recorded.groups.keys(), ...live.groups.keys()])) {
    const want = recorded.groups.get(key);
    const got = live.groups.get(key);
    if (want && got) compareGroups(key, want, got, isLoose(want.about), out);
    else if (want) out.add('d', !isLoose(want.about), `missing event ${key} ×${want.total}`);
    else if (!got.extraOk) out.add('d', !isLoose(got.about), `extra event ${key} ×${got.total}`);
  }
  for (const [about, message] of recorded.firstFailures) {
    const got = live.firstFailures.get(about) ?? message;
    const hard = withoutPreemption(got) !== withoutPreemption(message);
    if (got !== message) out.add('d', hard, `first FailedScheduling of ${about}: recorded ${short(message, 400)}; got ${short(got, 400)}`);
  }
  for (const [key, want] of recorded.runs) {
    const got = live.runs.get(key) ?? want;
    const loose = isLoose(`${key.split(' ')[0]} ScalingReplicaSet`);
    if (want.runs !== got.runs) out.add('d', !loose, `scaling of ${key}: recorded ${want.runs}; got ${got.runs}`);
    else if (want.steps !== got.steps) out.soft('d', `scaling steps of ${key}: recorded ${want.steps}; got ${got.steps}`);
  }
}
