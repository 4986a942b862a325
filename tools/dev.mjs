#!/usr/bin/env node
// `npm run dev [-- flags]`: like `npm start`, and on every change of a source rebuilds and restarts the server, with
// the same flags, or rebuilds the page. It does not rebuild the WebAssembly; `npm run build` does. If a build fails, it
// prints the error and keeps the running server.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nativeSteps, pageSteps, serverPageSteps } from './build.mjs';
import { placePlaceholder, servesPage } from './lib/page.mjs';
import { main, say, steps, top, Trouble } from './lib/run.mjs';
import { setupSteps } from './setup.mjs';

const flags = process.argv.slice(2).filter((flag) => flag !== '--verbose');

// Milliseconds without a change before a build starts, as editors write files in several steps.
const kQuiet = 300;

// The folders that are watched, beside the files at the top, and what in them is not.
const kFolders = ['core', 'mock-server', 'third_party', 'cmake', 'flags', 'tools', 'web-demo', 'wasm'];
const kIgnored = new Set(['build', 'dist', 'node_modules']);

/** Returns what to rebuild when `path` (from the top, with slashes) has changed: 'server', 'page' or undefined. */
export function builtFrom(path) {
  if (/(^|\/)(build|dist|node_modules)\//.test(path) || /(~|\.swp|\.tmp)$/.test(path)) return undefined;
  if (/^(core|mock-server|third_party|cmake|flags)\//.test(path) || /^CMake(Lists\.txt|Presets\.json)$/.test(path)) return 'server';
  if (/^tools\/(catalogue|explain|rules|time_zones)\//.test(path)) return 'server'; // they make its data
  if (/^(web-demo|wasm\/src)\//.test(path)) return 'page';
  return undefined;
}

/**
 * Calls `changed(path)` for every change of a file below `root`; paths are from there, with slashes. Returns a function that
 * ends this. (Each folder is watched by itself: Node 20's own recursion loses files that are replaced by renaming.)
 */
export function watchSources(root, changed) {
  const watched = new Map(); // by folder, with a slash at the end; the top is ''
  const enter = (folder) => {
    const path = join(root, folder);
    watched.set(folder, { ino: statSync(path).ino, watcher: watch(path, (_, name) => name && look(folder + name)) });
    if (folder !== '') for (const { name } of foldersIn(path)) enter(`${folder}${name}/`);
  };
  const leave = (folder) => {
    for (const inner of [...watched.keys()].filter((each) => each.startsWith(folder))) {
      watched.get(inner).watcher.close();
      watched.delete(inner);
    }
  };
  const look = (path) => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    if (watched.has(`${path}/`) && watched.get(`${path}/`).ino !== stat?.ino) leave(`${path}/`);
    if (!stat?.isDirectory()) return changed(path);
    if (!isWatched(path) || watched.has(`${path}/`)) return;
    try {
      enter(`${path}/`);
      // What came before its watcher.
      for (const entry of readdirSync(join(root, path), { recursive: true })) changed(`${path}/${entry.replaceAll('\\', '/')}`);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error; // it is gone already, and its parent tells
    }
  };
  enter('');
  for (const { name } of foldersIn(root)) if (isWatched(name)) enter(`${name}/`);
  return () => leave('');
}

const foldersIn = (path) => readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory() && !kIgnored.has(entry.name));

const isWatched = (path) => kFolders.includes(path.split('/')[0]) && !path.split('/').some((name) => kIgnored.has(name));

class Server {
  #child;
  #restarted = false;

  start() {
    const child = spawn(join(top, 'build', 'native', 'tabernetes'), ['serve', ...flags], { stdio: ['inherit', 'pipe', 'pipe'] });
    child.stdout.setEncoding('utf8').on('data', (text) => say(text, process.stdout));
    child.stderr.setEncoding('utf8').on('data', (text) => say(text, process.stderr));
    child.on('close', (code) => child === this.#child && this.#endedByItself(code));
    this.#child = child;
  }

  async restart() {
    await this.stop();
    this.#restarted = true;
    this.start();
  }

  async stop() {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    await ended;
  }

  // What has served before a change is mended by another change; what never served, such as wrong flags, is not.
  #endedByItself(code) {
    this.#child = undefined;
    if (!this.#restarted) process.exit(code ?? 1);
    say(`the server ended (${code ?? 'by a signal'}): the next change starts it again\n`);
  }
}

/** Runs the requested builds one at a time: `builds` has a function for each name. */
export class Rebuilder {
  #wanted = new Set();
  #busy = false;
  #timer;

  constructor(builds, { quiet = kQuiet, tell = say } = {}) {
    Object.assign(this, { builds, quiet, tell });
  }

  want(what) {
    this.#wanted.add(what);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#work(), this.quiet);
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
        this.tell(`${error.message}\n`);
      }
    }
    this.#busy = false;
  }
}

const log = (name) => ({ log: join(top, 'build', 'logs', `${name}.log`) });

/** Builds the page; without the WebAssembly (`npm start` or `npm run build` make it) one that shows the server alone. */
async function buildPage() {
  const javaScript = setupSteps('build').filter(({ name }) => name === 'JavaScript tools');
  const list = existsSync(join(top, 'dist', 'tabernetes.wasm')) ? pageSteps().slice(1) : serverPageSteps();
  await steps([...javaScript, ...list], log('page'));
  say('the page is built: reload it\n');
}

async function dev() {
  const server = new Server();
  const rebuilder = new Rebuilder({
    server: async () => {
      await steps(nativeSteps(), log('server'));
      await server.restart();
    },
    page: buildPage,
  });
  await steps([...setupSteps('native'), ...nativeSteps()], log('server'));
  if (servesPage(flags)) placePlaceholder();
  server.start();
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void server.stop().then(() => process.exit(0)));
  watchSources(top, (path) => builtFrom(path) && rebuilder.want(builtFrom(path)));
  if (servesPage(flags) && !existsSync(join(top, 'dist', 'ui', 'assets'))) rebuilder.want('page');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(dev);
