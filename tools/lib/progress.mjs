// Shows the progress of a tool as one moving line: step, part, time left. The output of programs goes to a log, or with
// `verbose` to the terminal. Without a terminal, each step prints a line when it begins and ends.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Formats milliseconds as "2 min 5 s". */
export function duration(ms) {
  const all = Math.max(0, Math.round(ms / 1000));
  return all < 60 ? `${all} s` : `${Math.floor(all / 60)} min ${all % 60} s`;
}

/** Returns the progress in a program's output, { done, total } from ninja's "[12/68]", or undefined. */
export function partOf(text) {
  const last = [...text.matchAll(/(?:^|[\r\n])\[(\d+)\/(\d+)\] /g)].at(-1);
  return last && { done: Number(last[1]), total: Number(last[2]) };
}

/**
 * Returns the milliseconds until all steps are done. Each of `steps` has the `seconds` that it takes on two idle cores.
 * The steps before `at` took `spent` milliseconds. The present one has run for `running` milliseconds and is done in
 * part (`part`, 0 to 1).
 */
export function timeLeft(steps, at, spent, running, part) {
  const expected = (list) => list.reduce((sum, step) => sum + (step.seconds ?? 1) * 1000, 0);
  const before = expected(steps.slice(0, at));
  // The speed of this machine so far. Ten assumed seconds at normal speed steady the first estimates.
  const pace = Math.min(5, Math.max(0.2, (spent + 10_000) / (before + 10_000)));
  const guessed = expected([steps[at]]) * pace;
  const left = part > 0.05 ? (running * (1 - part)) / part : Math.max(guessed - running, guessed / 20);
  return left + expected(steps.slice(at + 1)) * pace;
}

export class Progress {
  /** `stream` shows the progress; `log` is the path of the file with all output. */
  constructor({ verbose = false, log, stream = process.stderr, now = Date.now } = {}) {
    Object.assign(this, { verbose, log, stream, now });
    this.moves = Boolean(stream.isTTY) && !verbose;
    this.line = '';
    if (log) {
      mkdirSync(dirname(log), { recursive: true });
      writeFileSync(log, '');
    }
  }

  /** Starts with the list of all steps: [{ name, seconds }]. */
  start(steps) {
    Object.assign(this, { steps, at: -1, began: this.now() });
    if (this.moves) this.timer = setInterval(() => this.#draw(), 500).unref();
  }

  /** Begins the next step. */
  next() {
    this.at++;
    this.stepBegan = this.now();
    this.part = undefined;
    this.#keep(`== ${this.#title()}\n`);
    if (!this.moves) this.stream.write(`${this.#title()}\n`);
    this.#draw();
  }

  /** Ends the present step. `skipped`: there was nothing to do. */
  ended(skipped = false) {
    const took = duration(this.now() - this.stepBegan);
    if (!this.moves && !skipped) this.stream.write(`${this.#title()}: done in ${took}\n`);
    this.#keep(`== ${this.#title()}: done in ${took}\n`);
  }

  /** Takes output of a program of the present step. */
  output(text) {
    this.#keep(text);
    if (this.verbose) this.stream.write(text);
    const part = this.at >= 0 ? partOf(text) : undefined;
    if (part) this.part = part;
    this.#draw();
  }

  /** Prints lines beside the moving line, to `stream` if given. */
  say(text, stream = this.stream) {
    this.#wipe();
    stream.write(text);
    this.#keep(text);
    this.#draw();
  }

  /** Removes the moving line. */
  stop() {
    clearInterval(this.timer);
    this.#wipe();
    this.moves = false;
  }

  #title() {
    return `[${this.at + 1}/${this.steps.length}] ${this.steps[this.at].name}`;
  }

  #keep(text) {
    if (this.log) appendFileSync(this.log, text);
  }

  #wipe() {
    if (this.moves && this.line) this.stream.write('\r\x1b[K');
    this.line = '';
  }

  #draw() {
    if (!this.moves || !this.steps || this.at < 0) return;
    const { part } = this;
    const now = this.now();
    const left = timeLeft(this.steps, this.at, this.stepBegan - this.began, now - this.stepBegan, part ? part.done / part.total : 0);
    const text = `${this.#title()}${part ? `  ${part.done} of ${part.total}` : ''}  about ${duration(left)} left`;
    const line = text.slice(0, (this.stream.columns ?? 80) - 1);
    if (line === this.line) return;
    this.stream.write(`\r${line}\x1b[K`);
    this.line = line;
  }
}
