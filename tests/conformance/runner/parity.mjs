// Checks that all hosts give the same bytes for the same seed and clock.

import { firstDifference } from './transcript.mjs';
import { kAddress } from './transports/start.mjs';

/** @typedef {{host: string, results: import('./suite.mjs').Result[], port?: string}} HostRun */

/**
 * Compares every host with the first, in the scenarios that are green.
 * @param {HostRun[]} runs @param {Record<string, any>} notYetGreen
 */
export function compareHosts([first, ...others], notYetGreen) {
  const disagreements = [];
  let agreed = 0;
  for (const result of first.results.filter(({ name }) => !(name in notYetGreen))) {
    for (const other of others) {
      const twin = other.results.find(({ name }) => name === result.name);
      if (!twin && result.needsEndpoint) continue; // the other host has no endpoint for webhooks
      const difference = firstDifference(normal(result, first), normal(twin, other));
      if (difference) disagreements.push({ name: result.name, hosts: [first.host, other.host], difference });
      else agreed++;
    }
  }
  return { agreed, disagreements };
}

// Replaces the server's own address, which some answers contain, by the same one for every host.
function normal(result, { port }) {
  const exchanges = result?.exchanges ?? [];
  if (!port) return exchanges;
  const [, kPort] = kAddress.split(':');
  const rename = (text) => text.replaceAll(`127.0.0.1:${port}`, kAddress).replaceAll(`"targetPort":${port}`, `"targetPort":${kPort}`);
  return exchanges.map((exchange) => ({ ...exchange, body: rename(exchange.body) }));
}

export function describeDisagreement({ name, hosts, difference }) {
  const lines = [`${name}: step ${difference.step}: ${difference.request}: the ${difference.what} differs`];
  return [...lines, ...hosts.map((host, i) => `  ${host}: ${difference.values[i]}`)].join('\n');
}
