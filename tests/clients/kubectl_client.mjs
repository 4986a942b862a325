// An unmodified kubectl for a server of server.mjs.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { kubectl as findKubectl } from '../../tools/kubectl.mjs';

const run = promisify(execFile);

// On a busy machine kubectl (client-go, remotecommand/websocket.go) reads the first messages of a connection before it has
// made the streams that they are for, and then gives up.
const kRace = /Unknown stream id \d, discarding message/;

/**
 * Returns functions that run kubectl against `server`; outputs lack their last newline:
 *
 *   kubectl(...args)         returns the output; throws if it fails
 *   outcome(args, env)       returns { code, stdout, stderr }, also if it fails
 *   refused(...args)         returns stderr; throws if it succeeds
 *   start(...args)           returns the running process; start.with(env) is the same with other variables
 *   fileOf(content, name)    returns the path of a file with a text, or with an object as JSON
 *
 * The discovery cache is beside the kubeconfig, so that runs do not share it.
 */
export function kubectlOf(server) {
  const binary = findKubectl();
  const all = (args) => ['--kubeconfig', server.kubeconfig, '--cache-dir', join(server.dir, 'cache'), ...args];

  async function outcome(args, env = {}, attempts = 3) {
    const { stdout, stderr, code = 0 } = await run(binary, all(args), { env: { ...process.env, ...env }, maxBuffer: 64 << 20 }).catch((error) => error);
    if (code !== 0 && attempts > 1 && kRace.test(stderr)) return outcome(args, env, attempts - 1);
    return { code, stdout: stdout.trimEnd(), stderr: stderr.trimEnd() };
  }
  async function kubectl(...args) {
    const { code, stdout, stderr } = await outcome(args);
    assert.equal(code, 0, stderr);
    return stdout;
  }
  async function refused(...args) {
    const { code, stderr } = await outcome(args);
    assert.notEqual(code, 0, `kubectl ${args.join(' ')} should have failed`);
    return stderr;
  }
  let files = 0;
  function fileOf(content, name = `${++files}.${typeof content === 'string' ? 'yaml' : 'json'}`) {
    const path = join(server.dir, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }
  const start = (...args) => spawn(binary, all(args));
  start.with = (env) => (...args) => spawn(binary, all(args), { env: { ...process.env, ...env } });
  return { kubectl, outcome, refused, start, fileOf };
}
