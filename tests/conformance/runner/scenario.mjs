// Runs one scenario against one host: a fresh server, set-up, the steps in order, and finally the checks that need all
// answers (order of versions, tokens).
//
// A transport is an object with
//
//   reset(): Promise                       a fresh server
//   request(request): Promise<Answer>      a body that streams is read to its end
//   watch(request): Promise<{status, headers, stream: ByteStream, cancel()}>
//   advance(milliseconds): Promise         moves the server's clock
//   compact(): Promise                     drops old versions
//   settle(): Promise                      resolves when the work under way is done
//   expect?(exchange)                      only in the replay: announces the next request
//   hooks?: HookEndpoint                   what the webhooks of scenarios call; without it, those are left out

import { compareAnswer, compareWatch } from './answer.mjs';
import { compareReviews } from './reviews.mjs';
import { repairBlemishes } from './allowances.mjs';
import { fromUtf8 } from './bytes.mjs';
import { splitEvents } from './events.mjs';
import { offRecordBefore } from './off_record.mjs';
import { parseJson, printJson, toPlain } from './ordered_json.mjs';
import { Bindings, UnboundPlaceholder } from './placeholders.mjs';
import { makeRequest } from './request.mjs';
import { checkTokens, checkVersionOrder } from './final_checks.mjs';
import { sidesOf } from './side_by_side.mjs';
import { Transcript } from './transcript.mjs';
import { movesClock } from './transports/start.mjs';

/**
 * @typedef {{step: string, request: string, differences: import('./compare.mjs').Difference[], sides?: import('./side_by_side.mjs').Sides}} Failure
 * sides: for an answer that differs
 */

const kPatience = 60_000; // real time for an answer that should come at once
const kEventPatience = 3_000; // real time for events that should come at once
// Milliseconds of server time for control loops after a step: enough for the second look at a namespace, except where
// writes must fall into one second, and where the recorder waited for the next minute.
const kLoopTime = 10_000;
const kShortly = 100;
const kLoopTimes = {
  'controllers/pdb': () => kShortly,
  'controllers/replicaset': () => kShortly,
  'controllers/statefulset': () => kShortly,
  'controllers/daemonset': () => kShortly,
  'controllers/quota': () => kShortly,
  'controllers/job-failed': (step) => (step === 0 ? kShortly : kLoopTime),
  'controllers/cronjob': (step) => (step === 0 ? 61_000 : kShortly),
  'crd/crd-update': () => kLoopTime,
};
const loopTime = (name, step) => {
  const known = kLoopTimes[name];
  if (known) return known(step);
  return /^(crd|custom-resources)\/|\/custom-resource$/.test(name) ? kShortly : kLoopTime;
};
const kTick = 250; // milliseconds
const kMaxWait = 70; // seconds of server time for an answer that waits

/** Returns the scenarios of a file, with blemishes repaired. @param {string} text */
export function readScenarios(text) {
  const file = parseJson(text);
  return file.get('scenarios').map((scenario) => {
    const name = `${file.get('topic')}/${scenario.get('name')}`;
    return { name, scenario: repairedScenario(name, scenario) };
  });
}

function repairedScenario(name, scenario) {
  const text = printJson(scenario);
  const repaired = repairBlemishes(name, text);
  return repaired === text ? scenario : parseJson(repaired);
}

/**
 * @param {{name: string, scenario: any}} recorded @param {any} transport
 * @returns {Promise<{failures: Failure[], transcript: Transcript}>}
 */
export async function runScenario(recorded, transport) {
  const run = new ScenarioRun(recorded, transport);
  await run.all();
  return { failures: run.failures, transcript: run.transcript };
}

class ScenarioRun {
  /** @type {Failure[]} */
  failures = [];
  transcript = new Transcript();

  constructor({ name, scenario }, transport) {
    this.name = name;
    this.scenario = scenario;
    this.transport = transport;
    this.contains = recordedValues(scenario);
    this.bindings = new Bindings();
  }

  async all() {
    await this.attempt('reset', '', () => this.transport.reset(this.name));
    this.transport.hooks?.begin(this.scenario.get('hooks'), this.bindings);
    for (const [i, step] of (this.scenario.get('setup') ?? []).entries()) await this.step(step, i, `setup ${i}`);
    for (const [i, step] of this.scenario.get('steps').entries()) {
      await this.offRecord(i);
      await this.step(step, i, String(i));
    }
    this.check('at the end', [
      ...checkVersionOrder(this.scenario.get('rvOrder'), this.bindings),
      ...checkTokens(this.scenario, this.bindings, this.name),
    ]);
  }

  check(step, differences, request = '', sides = () => undefined) {
    if (differences.length) this.failures.push({ step, request, differences, sides: sides() });
  }

  async offRecord(index) {
    const extra = offRecordBefore(this.name, index);
    if (!extra) return;
    await this.attempt(`before ${index}`, '', async () => {
      if (extra.advance) await this.transport.advance(extra.advance);
      if (extra.compact) await this.transport.compact();
      if (!extra.request) return;
      const request = makeRequest(parseJson(JSON.stringify(extra.request)), this.bindings);
      const answer = await this.transport.request(request, { offRecord: extra });
      if (extra.names) this.bindNames(extra.names, answer);
    });
  }

  bindNames(templates, answer) {
    const names = JSON.parse(fromUtf8(answer.body)).items.map((item) => item.metadata.name);
    for (const template of templates) names.find((name) => this.bindings.match(template, name) === null);
  }

  // Runs an action. An error of the transport is a failure of the step.
  async attempt(label, request, action) {
    try {
      return await action();
    } catch (error) {
      const got = error instanceof UnboundPlaceholder ? 'not sent' : `${error.stack ?? error}`;
      this.check(label, [{ path: 'step', expected: error instanceof UnboundPlaceholder ? error.message : 'an answer', got }], request);
      return null;
    }
  }

  async step(step, index, label) {
    const watch = step.get('watch');
    const recorded = watch ?? step.get('request');
    const title = `${recorded.get('method') ?? 'WATCH'} ${recorded.get('path')}`;
    await this.attempt(label, title, async () => {
      const request = makeRequest(recorded, this.bindings);
      this.transport.expect?.(step);
      if (watch) await this.watch(step, request, index, label, title);
      else await this.exchange(step, request, index, label, title);
      if (movesClock(this.name)) await this.transport.advance(loopTime(this.name, index));
    });
  }

  place(step) {
    return { scenario: this.name, step, bindings: this.bindings, contains: this.contains };
  }

  async exchange(step, request, index, label, title) {
    const answer = await this.answered(this.transport.request(request), waits(step, request));
    this.transcript.add(label, title, answer);
    const place = this.place(index);
    const reviews = this.transport.hooks ? compareReviews(step.get('reviews') ?? [], this.transport.hooks.take(), place) : [];
    this.check(label, [...compareAnswer(step.get('response'), answer, place), ...reviews], title, () => sidesOf(step, answer, place));
  }

  // Returns the answer. While it waits, the clock is advanced a second at a time.
  async answered(promise, isWaiting) {
    let late;
    const timeout = new Promise((_, reject) => {
      late = setTimeout(() => reject(new Error(`no answer in ${kPatience / 1000} s`)), kPatience);
    });
    try {
      const calls = this.scenario.has('hooks') ? this.keepTime(promise) : promise;
      return await Promise.race([timeout, isWaiting ? this.advanceUntil(promise) : calls]);
    } finally {
      clearTimeout(late);
    }
  }

  async advanceUntil(promise) {
    for (let i = 0; i < kMaxWait; i++) {
      const answer = await Promise.race([promise, this.transport.settle().then(() => null)]);
      if (answer) return answer;
      await this.transport.advance(1000);
    }
    return promise;
  }

  // Lets the server's clock go as the real one while webhooks are called.
  async keepTime(promise) {
    for (;;) {
      const pause = new Promise((resolve) => setTimeout(resolve, kTick));
      const answer = await Promise.race([promise, pause]);
      if (answer) return answer;
      await this.transport.advance(kTick);
    }
  }

  async watch(step, request, index, label, title) {
    const watch = await this.answered(this.transport.watch(request), false);
    for (const [i, inner] of step.get('after').entries()) await this.step(inner, index, `${label}.after.${i}`);
    await this.collect(step, watch, timeoutOf(request));
    const answer = { status: watch.status, headers: watch.headers, body: watch.stream.bytes() };
    const ended = watch.stream.ended;
    watch.cancel();
    await this.transport.settle();
    this.transcript.add(label, title, answer);
    const expected = step.get('response');
    const place = this.place(index);
    const differences = expected.has('body') ? compareAnswer(expected, answer, place) : compareWatch(step, answer, ended, place);
    this.check(label, differences, title, () => sidesOf(step, answer, place));
  }

  // Waits for the expected number of events, then for the end or a moment of silence.
  async collect(step, watch, timeoutSeconds) {
    const { stream } = watch;
    await until(stream, () => count(watch) >= step.get('events').length);
    await this.transport.settle();
    if (!step.get('ended')) return;
    for (let i = 0; i <= timeoutSeconds && !stream.ended; i++) {
      await this.transport.advance(1000);
      await this.transport.settle();
    }
    await until(stream, () => false);
  }
}

// Returns the values of the recorded run. Those of an answer are often listed only with a later one.
function recordedValues(value) {
  if (Array.isArray(value)) return Object.assign({}, ...value.map(recordedValues));
  if (!(value instanceof Map)) return {};
  return Object.assign({}, ...[...value].map(([key, item]) => (key === 'bytesContain' ? toPlain(item) : recordedValues(item))));
}

// Waits until the stream has ended or `enough` returns true, for a limited time.
async function until(stream, enough) {
  const deadline = Date.now() + kEventPatience;
  while (!stream.ended && !enough() && Date.now() < deadline) await stream.changed(deadline - Date.now());
}

function count(watch) {
  const contentType = watch.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  try {
    return splitEvents(watch.stream.bytes(), contentType).events.length;
  } catch {
    return 0;
  }
}

const kTimeout = /[?&]timeoutSeconds=(\d+)/;

const timeoutOf = (request) => Number(kTimeout.exec(request.path)?.[1] ?? -1);

// Returns true if the real server answers this only after some seconds.
function waits(step, request) {
  const isWatch = /\/watch\/|[?&]watch=/.test(request.path) && timeoutOf(request) > 0;
  return isWatch || step.get('response').get('status').text === '504';
}
