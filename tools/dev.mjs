#!/usr/bin/env node
// `npm run dev [-- flags]`: like `npm start`, and on every change of a source rebuilds and restarts the server, with
// the same flags, or rebuilds the page. It does not rebuild the WebAssembly; `npm run build` does. If a build fails, it
// prints the error and keeps the running server.
import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nativeSteps, pageSteps, serverPageSteps } from './build.mjs';
import { main, say, steps, top, Trouble } from './lib/run.mjs';
import { setupSteps } from './setup.mjs';

const flags = process.argv.slice(2).filter((flag) => flag !== '--verbose');

// Milliseconds without a change before a build starts, as editors write files in several steps.
const kQuiet = 300; // milliseconds

/** Returns what to rebuild when `path` (from the top, with slashes) has changed: 'server', 'page' or undefined. */
export function builtFrom(path) {
  if (/(^|\/)(build|dist|node_modules)\//.test(path) || /(~|\.swp|\.tmp)$/.test(path)) return undefined;
  if (/^(core|mock-server|third_party|cmake)\//.test(path) || path === 'CMakeLists.txt') return 'server';
  if (/^(web-demo|wasm\/src)\//.test(path)) return 'page';
  return undefined;
}

class Server {
  #child;

  start() {
    const child = spawn(join(top, 'build', 'native', 'tabernetes'), ['serve', ...flags], { stdio: 'inherit' });
    child.on('close', (code) => {
      if (child === this.#child) process.exit(code ?? 1); // it ended by itself
    });
    this.#child = child;
  }

  async stop() {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    await ended;
  }
}

/** Runs the requested builds one at a time. */
class Rebuilder {
  #wanted = new Set();
  #busy = false;
  #timer;

  constructor(builds) {
    this.builds = builds;
  }

  want(what) {
    this.#wanted.add(what);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#work(), kQuiet);
  }

  async #work() {
    if (this.#busy) return;
    this.#busy = true;
    while (this.#wanted.size > 0) {
      const [what] = this.#wanted;
      this.#wanted.delete(what);
      try {
        await this.builds[what]();
      } catch (error) {
        if (!(error instanceof Trouble)) throw error;
        say(`${error.message}\n`);
      }
    }
    this.#busy = false;
  }
}

const log = (name) => ({ log: join(top, 'build', 'logs', `${name}.log`) });

async function dev() {
  await steps([...setupSteps('native'), ...nativeSteps()], log('server'));
  const server = new Server();
  server.start();
  const rebuilder = new Rebuilder({
    server: async () => {
      await steps(nativeSteps(), log('server'));
      await server.stop();
      server.start();
    },
    page: async () => {
      // Without the WebAssembly (built once by `npm start` or `npm run build`) the page shows the server alone.
      const list = existsSync(join(top, 'dist', 'tabernetes.wasm')) ? pageSteps().slice(1) : serverPageSteps();
      await steps(list, log('page'));
      say('the page is built: reload it\n');
    },
  });
  for (const folder of ['core', 'mock-server', 'third_party', 'cmake', 'web-demo', 'wasm']) {
    watch(join(top, folder), { recursive: true }, (_, name) => {
      const what = name && builtFrom(`${folder}/${name.replaceAll('\\', '/')}`);
      if (what) rebuilder.want(what);
    });
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void server.stop().then(() => process.exit(0)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(dev);
