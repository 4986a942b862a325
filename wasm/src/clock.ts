// The cluster's time: the real time, or a fixed time that moves only when told.

export class Clock {
  #offset = 0;

  /** `standing`: the time of a fixed clock; undefined for the real time. */
  constructor(private readonly standing: number | undefined) {}

  /** Returns an independent clock with the same time. */
  fork(): Clock {
    const other = new Clock(this.standing);
    other.#offset = this.#offset;
    return other;
  }

  /** Returns milliseconds since 1970. */
  now(): number {
    return (this.standing ?? Date.now()) + this.#offset;
  }

  advance(milliseconds: number): void {
    this.#offset += milliseconds;
  }

  /** Moves on to `now` if a request has moved the core's time. */
  follow(now: number): void {
    this.#offset += Math.max(0, now - this.now());
  }

  /** Returns the real time to wait until the cluster's time is `deadline`; infinite if the clock stands still. */
  until(deadline: number): number {
    return this.standing === undefined ? Math.max(0, deadline - this.now()) : Infinity;
  }
}

/** What rings when the core has work. */
export interface DeadlineAlarm {
  /** Rings at the cluster's time `deadline`, in `wait` milliseconds, or never if infinite. Replaces the earlier setting. */
  set(deadline: number, wait: number, keepsAlive?: boolean): void;
  clear(): void;
}

/** A timer that can be set again. It keeps a Node process alive only if `keepsAlive` is set. */
export class Alarm implements DeadlineAlarm {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #deadline = Infinity;
  #keepsAlive = false;

  constructor(private readonly ring: () => void) {}

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
