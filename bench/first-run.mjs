// Clones this commit and measures the time from `npm start` to the first answer and to the page with its WebAssembly,
// then again with nothing changed. Takes some ten minutes, so it runs only by name. System packages that are installed
// already are not counted. No compiler cache is used.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const doc = 'npm start in a fresh clone, and again';
export const missing = () => (process.argv.includes('first-run') ? undefined : 'it takes long: npm run bench -- first-run');

const top = fileURLToPath(new URL('..', import.meta.url));

/** Starts in `folder`, calls `see` with { since, output, child, get } and ends it. */
async function start(folder, see) {
  const env = { ...process.env, CCACHE_DISABLE: '1' };
  const began = Date.now();
  const child = spawn('npm', ['start', '--', '--listen', '127.0.0.1:0'], { cwd: folder, env, detached: true });
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (output += text));
  let ended = false;
  child.on('close', () => (ended = true));
  const until = async (what) => {
    for (;;) {
      const found = await what();
      if (found) return found;
      if (ended) throw new Error(`npm start has ended:\n${output}`);
      await sleep(50);
    }
  };
  try {
    return await see({ since: () => (Date.now() - began) / 1000, until, printed: (text) => output.match(text) });
  } finally {
    process.kill(-child.pid, 'SIGTERM');
    while (!ended) await sleep(50);
  }
}

/** Returns the seconds until the first answer, and with `page` until the page is built. */
const timesOf = (folder, page) =>
  start(folder, async ({ since, until, printed }) => {
    const [, url] = await until(() => printed(/tabernetes ready (http:\S+)/));
    const answer = await fetch(`${url}/api/v1/namespaces`);
    if (answer.status !== 200) throw new Error(`the first answer was ${answer.status}`);
    await answer.arrayBuffer();
    const answered = since();
    if (!page) return { answered };
    await until(() => printed(/playground ready/));
    const html = await (await fetch(`${url}/ui/`, { headers: { accept: 'text/html' } })).text();
    if (!html.includes('assets/')) throw new Error(`the page is not there:\n${html}`);
    return { answered, paged: since() };
  });

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'tabernetes-first-run-'));
  try {
    const { status, stderr } = spawnSync('git', ['clone', '--quiet', top, folder], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    const first = await timesOf(folder, true);
    const second = await timesOf(folder, false);
    const lines = (name) => readFileSync(join(folder, 'build', 'logs', name), 'utf8').match(/^== .* done in .*$/gm) ?? [];
    console.error([...lines('server.log'), ...lines('page.log')].join('\n'));
    return [
      { measure: 'first answer', value: first.answered, unit: 's', budget: 300 },
      { measure: 'page with its WebAssembly', value: first.paged, unit: 's', budget: 540 },
      { measure: 'first answer again, nothing changed', value: second.answered, unit: 's', budget: 2 },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
