// Runs many scenarios on one host and compares the result with the list of scenarios that are not yet green. Used by
// run.mjs in Node and by hosts/page.html in a browser.

import { toPlain } from './ordered_json.mjs';
import { runScenario } from './scenario.mjs';

/**
 * @typedef {{name: string, failures: import('./scenario.mjs').Failure[], exchanges: import('./transcript.mjs').Exchange[], needsEndpoint: boolean}} Result
 */

/**
 * @param {{name: string, scenario: any}[]} scenarios @param {any} transport
 * @param {(result: Result) => void} report called after each
 * @returns {Promise<Result[]>}
 */
export async function runSuite(scenarios, transport, report = () => {}) {
  const results = [];
  // Those that some hosts leave out come last, so that all hosts have had the same requests before every other.
  const plain = scenarios.filter((scenario) => !callsWebhooks(scenario));
  const others = transport.hooks ? scenarios.filter(callsWebhooks) : []; // else the host has no endpoint for webhooks
  for (const scenario of [...plain, ...others]) {
    const { failures, transcript } = await runScenario(scenario, transport);
    results.push({ name: scenario.name, failures, exchanges: transcript.exchanges, needsEndpoint: callsWebhooks(scenario) });
    report(results[results.length - 1]);
  }
  return results;
}

/** Returns whether a scenario has webhooks that the endpoint of the runner answers. */
export const callsWebhooks = ({ scenario }) => scenario.has('hooks') || JSON.stringify(toPlain(scenario)).includes('{{hook}}');

/**
 * Judges each result by the list. A listed scenario that passes is a failure: the list is exact. An entry with `chance`
 * names a scenario whose recording depends on the order of things that happen side by side: it may pass or not.
 * @param {Result[]} results @param {Record<string, {issue: number | string, why: string, chance?: true}>} list
 */
export function judge(results, list) {
  const verdicts = { passed: [], failed: [], waiting: [], nowGreen: [] };
  for (const result of results) {
    const listed = result.name in list;
    if (result.failures.length) verdicts[listed ? 'waiting' : 'failed'].push(result);
    else verdicts[listed && !list[result.name].chance ? 'nowGreen' : 'passed'].push(result);
  }
  return verdicts;
}
