// An unmodified kubectl against a server of server.mjs.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { kubectl as findKubectl } from '../../tools/kubectl.mjs';

const run = promisify(execFile);

/**
 * What a user of `server` does with kubectl; outputs come without their last newline:
 *   kubectl(...args)         what it prints; throws when it fails
 *   outcome(args, env)       { code, stdout, stderr }, whatever comes of it
 *   refused(...args)         what it says on stderr; throws when it does not fail
 *   start(...args)           the running process, for what goes on
 *   fileOf(content, name)    the path of a file with a text, or an object as JSON
 * Its discovery cache lies beside the kubeconfig, so that runs do not meet.
 */
export function kubectlOf(server) {
  const binary = findKubectl();
  const all = (args) => ['--kubeconfig', server.kubeconfig, '--cache-dir', join(server.dir, 'cache'), ...args];

  async function outcome(args, env = {}) {
    const { stdout, stderr, code = 0 } = await run(binary, all(args), { env: { ...process.env, ...env }, maxBuffer: 64 << 20 }).catch((error) => error);
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
  return { kubectl, outcome, refused, start, fileOf };
}
