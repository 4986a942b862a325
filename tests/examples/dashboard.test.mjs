// Runs examples/dashboard as a reader would, in a copy outside of the checkout, with the packed package.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { copyOf } from '../tools/project.mjs';

const native = fileURLToPath(new URL('../../build/native/tabernetes', import.meta.url));
let project;

before(async () => {
  project = await copyOf('examples/dashboard');
}, { timeout: 900_000 });

/** Returns ports that are free now. */
async function freePorts(count) {
  const servers = await Promise.all(Array.from({ length: count }, () => new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => resolve(server));
  })));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Runs a script of the example's package.json and returns its output. */
async function script(name, env = {}) {
  const [PORT, API_PORT] = await freePorts(2);
  const { stdout } = await project.run({ PORT, API_PORT, CHROMIUM: process.env.CHROMIUM ?? '/usr/bin/chromium', ...env }, 'npm', 'run', name);
  return stdout;
}

test('Vitest with MSW', { timeout: 300_000 }, async () => {
  assert.match(await script('test'), /Test Files {2}2 passed \(2\)\n\s+Tests {2}9 passed \(9\)/);
});

test('Playwright with a cluster for each test', { timeout: 300_000 }, async () => {
  assert.match(await script('test:pages'), /^ {2}3 passed/m);
});

test("Playwright against the package's server", { timeout: 300_000 }, async () => {
  assert.match(await script('test:server'), /^ {2}2 passed/m);
});

test('Playwright against the native server', { timeout: 300_000 }, async () => {
  assert.ok(existsSync(native), `${native} is not there: npm run build -- native`);
  assert.match(await script('test:server', { TABERNETES: native }), /^ {2}2 passed/m);
});

test('its types are right, and it is built as a page that does not contain the package', { timeout: 300_000 }, async () => {
  assert.doesNotMatch(await script('build'), /tabernetes.*\.wasm/);
  assert.ok(existsSync(join(project.folder, 'dist/index.html')));
});
