// Runs the recipe of docs/guides/dashboard-tests.md: Headlamp's list of pods without its mocks. HEADLAMP=<folder> is a checkout of
// Headlamp; without it, the test gets one where the network has it, and is skipped elsewhere.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { environment, npm, unpackInto } from './project.mjs';
import { kNewerNode, newerNode } from './newer_node.mjs';

const kRepository = 'https://github.com/kubernetes-sigs/headlamp';
const kCommit = '6d2b42cc71d4b958a23e11cd5c3cba3446bf384b';
const kName = 'PodList.cluster.test.tsx';
const execute = promisify(execFile);
const folder = join(tmpdir(), `tabernetes-headlamp-${userInfo().uid}`);
const frontend = join(folder, 'frontend');

/** Puts a checkout into the folder, unless an earlier run did. Returns why not, or undefined. */
async function checkOut() {
  if (existsSync(join(folder, 'checked-out'))) return undefined;
  rmSync(folder, { recursive: true, force: true });
  if (process.env.HEADLAMP) {
    mkdirSync(folder, { recursive: true });
    cpSync(join(process.env.HEADLAMP, 'frontend'), frontend, { recursive: true, filter: (path) => !path.endsWith('node_modules') });
  } else {
    const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' };
    try {
      await execute('git', ['ls-remote', kRepository, 'HEAD'], { env, timeout: 20_000 });
      await execute('git', ['init', '--quiet', folder], { env });
      await execute('git', ['-C', folder, 'fetch', '--quiet', '--depth', '1', kRepository, kCommit], { env, timeout: 300_000 });
      await execute('git', ['-C', folder, 'checkout', '--quiet', 'FETCH_HEAD'], { env });
    } catch (error) {
      return `Headlamp is not to be had: ${error.message.split('\n')[0]}`;
    }
  }
  writeFileSync(join(folder, 'checked-out'), '');
  return undefined;
}

test("Headlamp's list of pods, without its mocks", { timeout: 1_500_000 }, async (t) => {
  const missing = await checkOut();
  if (missing) return t.skip(missing);
  const node = await newerNode();
  const path = { PATH: `${join(node, '..')}:${process.env.PATH}` };
  if (!existsSync(join(folder, 'installed'))) {
    await npm(frontend, 'ci');
    writeFileSync(join(folder, 'installed'), '');
  }
  await unpackInto(frontend);
  const guide = readFileSync(new URL('../../docs/guides/dashboard-tests.md', import.meta.url), 'utf8');
  const recipe = guide.match(new RegExp(`^\`\`\`tsx ${kName}\\n([^]*?)^\`\`\`$`, 'm'))[1];
  writeFileSync(join(frontend, 'src/components/pod', kName), recipe);
  const { stdout } = await execute(node, ['node_modules/vitest/vitest.mjs', 'run', `src/components/pod/${kName}`], { cwd: frontend, env: { ...environment(), ...path }, timeout: 600_000, maxBuffer: 64 << 20 }).catch((error) => {
    throw new Error(`with Node.js ${kNewerNode}: ${error.message}\n${error.stdout}\n${error.stderr}`);
  });
  assert.match(stdout, /Tests +1 passed/);
});
