// Runs every snippet of README.md as a reader would.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { kubectl } from '../../tools/kubectl.mjs';
import { launch, serveFiles } from '../browser/browser.mjs';

const run = promisify(execFile);
const top = fileURLToPath(new URL('../../', import.meta.url));
const readme = readFileSync(join(top, 'README.md'), 'utf8');
let dir;

/** Returns the text of the snippet whose fence is marked with `mark`. */
function snippet(mark) {
  const found = readme.match(new RegExp('^```\\w+ ' + mark + '\\n([^]*?)^```$', 'm'));
  assert.ok(found, `README.md has no snippet marked ${mark}`);
  return found[1];
}

before(() => {
  dir = mkdtempSync(join(tmpdir(), 'tabernetes-readme-'));
});
after(() => rmSync(dir, { recursive: true, force: true }));

test('no snippet goes untested', () => {
  const marks = [...readme.matchAll(/^```(\w+)(?: (\w+))?$/gm)].map(([, language, mark]) => `${language} ${mark}`);
  assert.deepEqual(marks, ['sh server', 'sh kubectl', 'js node', 'js fork', 'js encoding', 'js patch', 'html browser']);
});

test('npm start, and the walk with kubectl', async () => {
  // As in the README, but on a free port, so that it does not collide with a server of the reader's.
  const words = snippet('server').trim().split(' ');
  assert.deepEqual(words.slice(0, 3), ['npm', 'start', '--']);
  const server = spawn(words[0], [...words.slice(1), '--listen', '127.0.0.1:0'].map((word) => (word.endsWith('.kubeconfig') ? join(dir, word) : word)), {
    cwd: top,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  try {
    await new Promise((resolve, reject) => {
      let text = '';
      server.stdout.on('data', (chunk) => (text += chunk).includes('tabernetes ready http://') && resolve());
      server.once('exit', (code) => reject(new Error(`npm start ended with ${code}: ${text}`)));
    });
    const path = `${dirname(kubectl())}:${process.env.PATH}`;
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', snippet('kubectl')], { cwd: dir, env: { ...process.env, PATH: path, HOME: dir } });
    for (const line of [/^default +Active/m, /^configmap\/greeting created$/m, /^ {2}hello: world$/m, /^configmap\/greeting labeled$/m,
      /^greeting +1 +\d+s$/m, /^KIND: +Deployment$/m, /^configmap "greeting" deleted/m]) {
      assert.match(stdout, line);
    }
  } finally {
    process.kill(-server.pid, 'SIGTERM');
  }
});

/** Runs a snippet with Node and returns its output. */
async function runSnippet(mark, ...flags) {
  const file = join(dir, `${mark}.mjs`);
  writeFileSync(file, snippet(mark));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env; // a snippet's own test reports through its output
  return (await run(process.execPath, [...flags, file], { env })).stdout;
}

test('the Node.js snippets', async () => {
  // Makes `import 'tabernetes'` find the built package as if installed.
  mkdirSync(join(dir, 'node_modules'));
  symlinkSync(top, join(dir, 'node_modules', 'tabernetes'));
  assert.equal(await runSnippet('node'), '201\nADDED web\n');
  const fault = 'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type []v1.Container';
  assert.equal(await runSnippet('encoding'), `69 world\n400 ${fault}\n`);
  assert.equal(await runSnippet('patch'), '.spec.replicas autoscaler\nconflict with "autoscaler" using apps/v1 .spec.replicas\n');
  assert.match(await runSnippet('fork', '--test', '--test-reporter=tap'), /^# pass 2\n# fail 0$/m);
});

test('the browser snippet', async () => {
  const site = join(dir, 'site');
  mkdirSync(site);
  symlinkSync(join(top, 'dist'), join(site, 'dist'));
  writeFileSync(join(site, 'index.html'), `<!doctype html><meta charset="utf-8"><body></body>\n${snippet('browser')}`);
  const files = await serveFiles(site);
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(files.url);
    await page.waitForFunction(() => document.body.textContent.includes('kube-system'));
    assert.equal(await page.textContent('body'), 'default kube-node-lease kube-public kube-system');
  } finally {
    await browser.close();
    await files.close();
  }
});
