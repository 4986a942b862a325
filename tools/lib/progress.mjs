// What a person sees while a tool works: one line that moves (step, part, time left). All that programs print goes to a
// log; with `verbose` it is shown instead. Where the output is no terminal, each step has a line when it begins and ends.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** "2 min 5 s" of milliseconds. */
export function duration(ms) {
  const all = Math.max(0, Math.round(ms / 1000));
  return all < 60 ? `${all} s` : `${Math.floor(all / 60)} min ${all % 60} s`;
}

/** How far a program is, read from what it prints: { done, total } of ninja's "[12/68]", or undefined. */
export function partOf(text) {
  const last = [...text.matchAll(/(?:^|[\r\n])\[(\d+)\/(\d+)\] /g)].at(-1);
  return last && { done: Number(last[1]), total: Number(last[2]) };
}

/**
 * Milliseconds until all steps are done. `steps` have the `seconds` that each takes on two quiet cores; those before
 * `at` took `spent` milliseconds. The present one runs for `running` milliseconds, and `part` (0 to 1) of it is done.
 */
export function timeLeft(steps, at, spent, running, part) {
  const expected = (list) => list.reduce((sum, step) => sum + (step.seconds ?? 1) * 1000, 0);
  const before = expected(steps.slice(0, at));
  // How fast this machine is, as far as it has shown: a guess of ten seconds at the usual pace steadies the beginning.
  const pace = Math.min(5, Math.max(0.2, (spent + 10_000) / (before + 10_000)));
  const guessed = expected([steps[at]]) * pace;
  const left = part > 0.05 ? (running * (1 - part)) / part : Math.max(guessed - running, guessed / 20);
  return left + expected(steps.slice(at + 1)) * pace;
}

export class Progress {
  /** `stream` is where a person looks, `log` the path of the file that keeps everything. */
  constructor({ verbose = false, log, stream = process.stderr, now = Date.now } = {}) {
    Object.assign(this, { verbose, log, stream, now });
    this.moves = Boolean(stream.isTTY) && !verbose;
    this.line = '';
    if (log) {
      mkdirSync(dirname(log), { recursive: true });
      writeFileSync(log, '');
    }
  }

  /** Begins with the list of all steps: [{ name, seconds }]. */
  start(steps) {
    Object.assign(this, { steps, at: -1, began: this.now() });
    if (this.moves) this.timer = setInterval(() => this.#draw(), 500).unref();
  }

  /** The next step begins. */
  next() {
    this.at++;
    this.stepBegan = this.now();
    this.part = undefined;
    this.#keep(`== ${this.#title()}\n`);
    if (!this.moves) this.stream.write(`${this.#title()}\n`);
    this.#draw();
  }

  /** The present step has ended; `skipped` when there was nothing to do. */
  ended(skipped = false) {
    const took = duration(this.now() - this.stepBegan);
    if (!this.moves && !skipped) this.stream.write(`${this.#title()}: done in ${took}\n`);
    this.#keep(`== ${this.#title()}: done in ${took}\n`);
  }

  /** What a program of the present step has printed. */
  output(text) {
    this.#keep(text);
    if (this.verbose) this.stream.write(text);
    const part = this.at >= 0 ? partOf(text) : undefined;
    if (part) this.part = part;
    this.#draw();
  }

  /** A line or more that must be seen, whatever is drawn; on `stream` if given. */
  say(text, stream = this.stream) {
    this.#wipe();
    stream.write(text);
    this.#keep(text);
    this.#draw();
  }

  /** Nothing moves from here on. */
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
