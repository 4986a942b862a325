// All answers of a host in a scenario, so that hosts can be compared byte for byte.

import { kTransportHeaders } from './allowances.mjs';
import { fromUtf8, toBase64 } from './bytes.mjs';

// What the native server adds to /metrics of its connections, which other hosts do not have.
const kConnectionMetrics = /^# HELP apiserver_tls_handshake_errors_total [^]*$/m;

/** @typedef {{step: string, request: string, status: number, headers: [string, string][], body: string}} Exchange */

export class Transcript {
  /** @type {Exchange[]} */
  exchanges = [];

  /** @param {string} step @param {string} request @param {import('./answer.mjs').Answer} answer */
  add(step, request, answer) {
    const headers = answer.headers.map(([name, value]) => [name.toLowerCase(), value]);
    this.exchanges.push({
      step,
      request,
      status: answer.status,
      headers: headers.filter(([name]) => !kTransportHeaders.has(name)).sort(byName),
      body: fromUtf8(answer.body)?.replace(kConnectionMetrics, '') ?? `base64 ${toBase64(answer.body)}`,
    });
  }
}

// Compares by name only: several values of one header keep their order.
const byName = ([a], [b]) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Returns the first difference between two hosts, or null.
 * @param {Exchange[]} a @param {Exchange[]} b
 */
export function firstDifference(a, b) {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const what = differenceOf(a[i], b[i]);
    if (what) return { step: (a[i] ?? b[i]).step, request: (a[i] ?? b[i]).request, ...what };
  }
  return null;
}

function differenceOf(a, b) {
  if (!a || !b) return { what: 'exchange', values: [a ? 'there' : 'missing', b ? 'there' : 'missing'] };
  if (a.status !== b.status) return { what: 'status', values: [a.status, b.status] };
  const [headersA, headersB] = [a, b].map((each) => each.headers.map((pair) => pair.join(': ')).join('\n'));
  if (headersA !== headersB) return { what: 'headers', values: [headersA, headersB] };
  return a.body === b.body ? null : { what: 'body', values: around(a.body, b.body) };
}

// Returns the texts around their first difference.
function around(a, b) {
  let at = 0;
  while (a[at] === b[at]) at++;
  return [a, b].map((text) => `…${text.slice(Math.max(0, at - 60), at + 100)}… (byte ${at})`);
}
