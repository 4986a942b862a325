// Running programs, alone or as the steps of a longer piece of work.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Progress } from './progress.mjs';
import { isFresh, markFresh } from './stamp.mjs';
import { top } from './top.mjs';

export { top };

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

// Where the output of programs goes while steps run; shown plainly otherwise.
let progress;

/**
 * Runs the steps { name, seconds, body, inputs, outputs, id } one after another. `seconds` is what a step takes on two
 * quiet cores, for the time left; a step with inputs and outputs is left out when nothing has changed. Shows one moving
 * line, or everything with `--verbose`; `log` keeps everything.
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

/** Shows text beside the moving line, if there is one. */
export const say = (text, stream = process.stderr) => (progress ? progress.say(text, stream) : void stream.write(text));

/** Tells of the present step what only its log needs. */
export const note = (text) => (progress ? progress.output(`${text}\n`) : console.log(text));

/**
 * Runs a program, its output shown or, in a step, logged. Resolves to { code, output }; with `check` (the default) a
 * failure is a Trouble that ends with what was printed last. `quiet` keeps the output back until the program fails.
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
