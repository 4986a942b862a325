// Runs programs, alone or as steps of a longer task.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Progress } from './progress.mjs';
import { isFresh, markFresh } from './stamp.mjs';
import { top } from './top.mjs';

export { top };

/** An error that the user can fix: shown without a stack. */
export class Trouble extends Error {}

/** Runs a tool's main function. A Trouble becomes one readable message and exit code 1. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    console.error(`\n${error.message}`);
    process.exit(1);
  }
}

/** The environment of child processes. Emscripten finds Debian's acorn by NODE_PATH. */
export const environment = {
  ...process.env,
  NODE_PATH: [process.env.NODE_PATH, '/usr/share/nodejs'].filter(Boolean).join(':'),
  PATH: `${join(top, 'node_modules', '.bin')}:${process.env.PATH}`,
};

export const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

// Receives the output of programs while steps run; undefined otherwise.
let progress;

/**
 * Runs the steps { name, seconds, body, inputs, outputs, id } in order. `seconds` is the time that a step takes on two
 * idle cores, for the estimate. A step with inputs and outputs is skipped if nothing has changed. Shows one moving
 * line, or all output with `--verbose`; `log` keeps everything.
 */
export async function steps(list, { log, verbose = process.argv.includes('--verbose') } = {}) {
  progress = new Progress({ log, verbose });
  progress.start(list);
  try {
    for (const step of list) {
      progress.next();
      const fresh = step.inputs && isFresh(step.id, step.inputs, step.outputs);
      if (!fresh) {
        await step.body();
        if (step.inputs) markFresh(step.id, step.inputs);
      }
      progress.ended(fresh);
    }
  } finally {
    progress.stop();
    progress = undefined;
  }
}

/** Prints text beside the moving line, if there is one. */
export const say = (text, stream = process.stderr) => (progress ? progress.say(text, stream) : void stream.write(text));

/** Writes text for the present step to the log only. */
export const note = (text) => (progress ? progress.output(`${text}\n`) : console.log(text));

/**
 * Runs a program and shows its output or, in a step, logs it. Resolves with { code, output }. With `check` (the
 * default) a failure throws a Trouble that ends with the last output. `quiet` withholds the output unless the program
 * fails.
 */
export function run(command, args, { cwd = top, env = {}, check = true, quiet = false, timeout = 0 } = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd, env: { ...environment, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    const step = progress;
    let output = '';
    const take = (stream) => (chunk) => {
      output += chunk;
      if (step) step.output(chunk);
      else if (!quiet) stream.write(chunk);
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
        const shown = step ? !step.verbose : quiet;
        if (shown) process.stderr.write(`\n${output.trimEnd().split('\n').slice(-60).join('\n')}\n`);
        const where = step?.log ? `\nEverything is in ${relative(process.cwd(), step.log)}` : '';
        fail(new Trouble(`failed (${signal ?? code}): ${[command, ...args].join(' ')}${where}`));
      } else {
        done({ code: code ?? 1, output });
      }
    });
  });
}

/** Returns the output of a small program, or undefined if it is missing or fails. */
export function ask(command, ...args) {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', env: environment, cwd: top });
  return status === 0 ? stdout.trim() : undefined;
}

/** Returns the path of a program on PATH, or undefined. */
export function which(program) {
  for (const dir of (process.env.PATH ?? '').split(':')) {
    const path = join(dir, program);
    if (dir && existsSync(path)) return path;
  }
}

/** Returns true if version `have` ("3.25.1") is at least `want` ("3.23"). */
export function atLeast(have, want) {
  const a = have.split('.').map(Number);
  const b = want.split('.').map(Number);
  for (let i = 0; i < b.length; i++) if ((a[i] ?? 0) !== b[i]) return (a[i] ?? 0) > b[i];
  return true;
}
