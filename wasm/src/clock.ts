// The cluster's time: the real one, or one that stands still until it is moved.

export class Clock {
  #offset = 0;

  /** `standing`: the time, if it is to stand still. */
  constructor(private readonly standing: number | undefined) {}

  /** A clock that shows the same and goes on alike, by itself. */
  fork(): Clock {
    const other = new Clock(this.standing);
    other.#offset = this.#offset;
    return other;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return (this.standing ?? Date.now()) + this.#offset;
  }

  advance(milliseconds: number): void {
    this.#offset += milliseconds;
  }

  /** The core's time was moved to `now` by a request: goes on from there. */
  follow(now: number): void {
    this.#offset += Math.max(0, now - this.now());
  }

  /** How long to wait in real time until the cluster's time is `deadline`; infinite if that never comes by itself. */
  until(deadline: number): number {
    return this.standing === undefined ? Math.max(0, deadline - this.now()) : Infinity;
  }
}

/** One timer that is set again and again. It keeps a program of Node's alive only if it is told to. */
export class Alarm {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #deadline = Infinity;
  #keepsAlive = false;

  constructor(private readonly ring: () => void) {}

  /** `wait` milliseconds from now, in place of what was set before; never if infinite. */
  set(deadline: number, wait: number, keepsAlive = false): void {
    if (deadline === this.#deadline && keepsAlive === this.#keepsAlive) return;
    clearTimeout(this.#timer);
    this.#deadline = wait === Infinity ? Infinity : deadline;
    this.#keepsAlive = keepsAlive;
    if (wait === Infinity) return;
    const timer = setTimeout(() => {
      this.#deadline = Infinity;
      this.ring();
    }, Math.min(wait, kLongestTimeout));
    if (!keepsAlive) (timer as { unref?: () => void }).unref?.();
    this.#timer = timer;
  }

  clear(): void {
    this.set(Infinity, Infinity);
  }
}

const kLongestTimeout = 2 ** 31 - 1;
