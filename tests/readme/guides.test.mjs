// Runs every snippet of the guides as a reader would, page by page, from top to bottom. The mark behind the language of
// a fence says what it is:
//
//   sh server            starts the server, on a free port that stands for 8001 in the rest of the page
//   console              commands behind `$ `, each with its output; `…` is any text within a line, a line of its own
//                        any lines
//   LANGUAGE examples/…  lines of this file of an example, which a suite of its own runs
//   LANGUAGE NAME        a file that the commands of the page use
//   mermaid              a picture
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { kubectl } from '../../tools/kubectl.mjs';

const run = promisify(execFile);
const top = fileURLToPath(new URL('../../', import.meta.url));
const binary = process.env.TABERNETES_BINARY ?? join(top, 'build/native/tabernetes');
const pages = [...readdirSync(join(top, 'docs/guides')).map((name) => `docs/guides/${name}`), 'docs/admin.md', 'docs/behaviour.md', 'docs/containers.md', 'docs/faults.md', 'docs/comparison.md'];

/** Fences that other tests run: tests/tools has workerd and Headlamp. */
const kElsewhere = { 'docs/guides/edge.md': ['js worker.js'], 'docs/guides/dashboard-tests.md': ['tsx PodList.cluster.test.tsx'] };

/** Returns the fences of a page: [{ mark, text }]. */
const fencesOf = (page) => [...readFileSync(join(top, page), 'utf8').matchAll(/^```(.+)\n([^]*?)^```$/gm)].map(([, mark, text]) => ({ mark, text }));

/** Returns the commands of a console with the output that the page shows. */
function commandsOf(text) {
  const commands = [];
  for (const line of text.split('\n').slice(0, -1)) {
    if (line.startsWith('$ ')) commands.push({ command: line.slice(2), shown: '' });
    else if (line.startsWith('> ') && commands.at(-1)?.shown === '') commands.at(-1).command += `\n${line.slice(2)}`;
    else commands.at(-1).shown += `${line}\n`;
  }
  return commands;
}

const quoted = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns the pattern of an output. */
const patternOf = (shown) => new RegExp(`^${shown.split(/^…\n/m).map((part) => part.split('…').map(quoted).join('.*')).join('[^]*')}$`);

/** Where a page is tried: a folder in which the package is installed, and its server. */
class Place {
  folder = mkdtempSync(join(tmpdir(), 'tabernetes-guide-'));
  #server;
  #address;

  constructor() {
    mkdirSync(join(this.folder, 'node_modules'));
    symlinkSync(top, join(this.folder, 'node_modules/tabernetes'));
    mkdirSync(join(this.folder, 'node_modules/.bin'));
    symlinkSync(join(top, 'dist/cli.js'), join(this.folder, 'node_modules/.bin/tabernetes'));
    symlinkSync(join(top, 'node_modules/@kubernetes'), join(this.folder, 'node_modules/@kubernetes'));
  }

  /** Starts the server of a line `npx tabernetes serve …`. */
  async serve(line) {
    const words = line.trim().split(' ');
    assert.deepEqual(words.slice(0, 3), ['npx', 'tabernetes', 'serve']);
    await this.stop();
    this.#server = spawn(binary, [...words.slice(2), '--listen', '127.0.0.1:0'], { cwd: this.folder, stdio: ['ignore', 'pipe', 'inherit'] });
    this.#address = await new Promise((resolve, reject) => {
      let text = '';
      this.#server.stdout.on('data', (chunk) => {
        const [, address] = (text += chunk).match(/^tabernetes ready http:\/\/(\S+)$/m) ?? [];
        if (address) resolve(address);
      });
      this.#server.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
    });
  }

  /** Runs a command and returns its output. */
  async shell(command) {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env; // a guide's own test reports through its output
    const real = this.#address ? command.replaceAll('127.0.0.1:8001', this.#address) : command;
    const script = `${real}\n`;
    const options = { cwd: this.folder, env: { ...env, PATH: `${dirname(kubectl())}:${env.PATH}`, HOME: this.folder, KUBECONFIG: join(this.folder, 'kubeconfig'), npm_config_update_notifier: 'false' }, timeout: 60_000 };
    const { stdout, stderr } = await run('bash', ['-c', `exec 2>&1\n${script}`], options).catch((error) => error);
    return (stdout + stderr).replaceAll(this.#address ?? '127.0.0.1:8001', '127.0.0.1:8001');
  }

  async stop() {
    if (!this.#server) return;
    const ended = new Promise((resolve) => this.#server.once('exit', resolve));
    this.#server.kill();
    await ended;
  }

  async remove() {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function tryFence(place, { mark, text }) {
  const [, name] = mark.match(/^\w+ (\S+)$/) ?? [];
  if (mark === 'mermaid') return;
  if (mark === 'sh server') return place.serve(text);
  if (mark === 'console') {
    for (const { command, shown } of commandsOf(text)) assert.match(await place.shell(command), patternOf(shown), `$ ${command}`);
    return;
  }
  assert.ok(name, `a fence is not marked: ${mark}`);
  if (name.startsWith('examples/')) return assert.ok(readFileSync(join(top, name), 'utf8').includes(text), `${name} does not contain\n${text}`);
  mkdirSync(dirname(join(place.folder, name)), { recursive: true });
  writeFileSync(join(place.folder, name), text);
}

for (const page of pages) {
  test(page, { timeout: 300_000 }, async () => {
    const place = new Place();
    try {
      for (const fence of fencesOf(page)) if (!kElsewhere[page]?.includes(fence.mark)) await tryFence(place, fence);
    } finally {
      await place.remove();
    }
  });
}
