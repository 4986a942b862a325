// Running programs and showing which step runs, how far it is and how long it took.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const top = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** An error that a person can act on: shown without a stack. */
export class Trouble extends Error {}

/** Wraps the body of a tool: a Trouble becomes one readable message and exit 1. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    console.error(`\n${error.message}`);
    process.exit(1);
  }
}

/** The environment of the programs we start. Emscripten finds Debian's acorn by NODE_PATH. */
export const environment = {
  ...process.env,
  NODE_PATH: [process.env.NODE_PATH, '/usr/share/nodejs'].filter(Boolean).join(':'),
  PATH: `${join(top, 'node_modules', '.bin')}:${process.env.PATH}`,
};

export const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/** Runs the steps [name, function] one after another, each announced as `[2/5] name`. */
export async function steps(list) {
  let n = 0;
  for (const [name, body] of list) {
    n++;
    const start = Date.now();
    console.log(`[${n}/${list.length}] ${name}`);
    await body();
    console.log(`[${n}/${list.length}] ${name}: done in ${seconds(start)}`);
  }
}

/**
 * Runs a program with its output shown. Resolves to { code, output }; with `check` (the default) a failure is a
 * Trouble. `quiet` keeps the output back and shows it only when the program fails.
 */
export function run(command, args, { cwd = top, env = {}, check = true, quiet = false, timeout = 0 } = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd, env: { ...environment, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const take = (stream) => (chunk) => {
      output += chunk;
      if (!quiet) stream.write(chunk);
    };
    child.stdout.setEncoding('utf8').on('data', take(process.stdout));
    child.stderr.setEncoding('utf8').on('data', take(process.stderr));
    let late = false;
    const timer =
      timeout &&
      setTimeout(() => {
        late = true;
        child.kill('SIGKILL');
      }, timeout * 1000);
    child.on('error', (error) => fail(new Trouble(`cannot run ${command}: ${error.message}`)));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (late) output += `\nended after ${timeout} s\n`;
      if (check && code !== 0) {
        if (quiet) process.stdout.write(output);
        fail(new Trouble(`failed (${signal ?? code}): ${[command, ...args].join(' ')}`));
      } else {
        done({ code: code ?? 1, output });
      }
    });
  });
}

/** The output of a small program, or undefined when it is missing or fails. */
export function ask(command, ...args) {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', env: environment, cwd: top });
  return status === 0 ? stdout.trim() : undefined;
}

/** The path of a program on PATH, or undefined. */
export function which(program) {
  for (const dir of (process.env.PATH ?? '').split(':')) {
    const path = join(dir, program);
    if (dir && existsSync(path)) return path;
  }
}

/** True if version text `have` ("3.25.1") is at least `want` ("3.23"). */
export function atLeast(have, want) {
  const a = have.split('.').map(Number);
  const b = want.split('.').map(Number);
  for (let i = 0; i < b.length; i++) if ((a[i] ?? 0) !== b[i]) return (a[i] ?? 0) > b[i];
  return true;
}
