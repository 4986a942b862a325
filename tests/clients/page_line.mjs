// Runs lines of the page's command line and of kubectl, each on a server of its own, and compares what they print.
import assert from 'node:assert/strict';
import { pageModule } from '../concepts/tour_code.mjs';
import { kubectlOf } from './kubectl_client.mjs';
import { startServer } from './server.mjs';

export const { completions, runLine, Session } = await pageModule('kubectl.ts');

// Both servers make the same uids, names and times.
const kFlags = ['--seed', '7', '--clock', '2026-05-01T12:00:00Z', '--nodes', '1'];

/** A cluster behind `fetch`. */
const apiOf = ({ url }) => ({
  async send({ method = 'GET', target, headers = {}, body = '', signal }) {
    const answer = await fetch(url + target, { method, headers, body: body === '' ? undefined : body, signal });
    const warnings = [...(answer.headers.get('warning') ?? '').matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text.replaceAll(/\\(.)/g, '$1'));
    return { status: answer.status, text: await answer.text(), warnings };
  },
  async watch({ target, headers = {}, signal }, onLine) {
    const { body } = await fetch(url + target, { headers, signal });
    let rest = '';
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      lines.forEach(onLine);
    }
  },
});

const wordsOf = (line) => [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
/** Ages depend on the client's clock, which kubectl does not take from the server. */
const steady = ({ code, stdout, stderr }) => ({ code: code === 0 ? 0 : 1, stdout, stderr });
const unnamed = (text) => text.replaceAll(/"\/\S+\.yaml"/g, '"STDIN"');

/**
 * Starts two servers, on which `prepare` is called with functions as kubectlOf's and the url. Returns:
 *
 *   session()            a new session of the page's, on the first server
 *   ours(line, …)        runs a line of the page's; returns { code, stdout, stderr }
 *   both(line, input)    returns what the page's [0] and kubectl [1] answered, without what must differ
 *   same(line, input)    throws if they differ
 *   stop()
 */
export async function startPair(prepare, ...flags) {
  const servers = await Promise.all([0, 1].map(() => startServer(...kFlags, ...flags)));
  const clients = servers.map(kubectlOf);
  for (const [index, { url }] of servers.entries()) await prepare(clients[index], url);
  const session = () => new Session(apiOf(servers[0]), new Map(), () => new Date('2026-05-01T12:00:00Z'));

  async function ours(line, own = session(), signal = AbortSignal.timeout(20_000)) {
    const printed = { stdout: '', stderr: '' };
    const code = await runLine(line, own, { out: (text) => void (printed.stdout += text), err: (text) => void (printed.stderr += text), signal });
    return { code, stdout: printed.stdout.trimEnd(), stderr: printed.stderr.trimEnd() };
  }
  async function both(line, input) {
    const { outcome, fileOf } = clients[1];
    const theirs = await outcome(wordsOf(line.replace('-f -', () => `-f ${fileOf(input)}`)));
    const mine = await ours(`kubectl ${line}${input === undefined ? '' : ` <<EOF\n${input}EOF`}`);
    const answers = [steady(mine), { ...steady(theirs), stderr: unnamed(theirs.stderr) }];
    // kubectl lists labels and annotations in the order of a Go map, which is another each time.
    if (/^(label|annotate) .*--list/.test(line)) for (const answer of answers) answer.stdout = answer.stdout.split('\n').sort().join('\n');
    return answers;
  }
  async function same(line, input) {
    const [mine, theirs] = await both(line, input);
    assert.deepEqual(mine, theirs);
  }
  const stop = () => Promise.all(servers.map((server) => server.stop()));
  return { session, ours, both, same, stop };
}
