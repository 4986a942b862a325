// The cluster's time: the real time, or a fixed time that moves only when told.

export class Clock {
  #offset = 0;
  /** The time at which a running clock is held. */
  #held: number | undefined;

  /** `standing`: the time of a fixed clock; undefined for the real time. */
  constructor(private readonly standing: number | undefined) {}

  /** Returns an independent clock with the same time. */
  fork(): Clock {
    const other = new Clock(this.standing);
    other.#offset = this.#offset;
    other.#held = this.#held;
    return other;
  }

  /** True if time moves by itself. */
  get runs(): boolean {
    return this.standing === undefined && this.#held === undefined;
  }

  /** Returns milliseconds since 1970. */
  now(): number {
    return this.#held ?? (this.standing ?? Date.now()) + this.#offset;
  }

  advance(milliseconds: number): void {
    if (this.#held !== undefined) this.#held += milliseconds;
    else this.#offset += milliseconds;
  }

  /** Moves on to `now` if a request has moved the core's time. Stands still there while the core is `paused`. */
  follow(now: number, paused: boolean): void {
    const held = this.#held !== undefined;
    if (paused && this.standing === undefined) {
      this.#held = Math.max(now, this.#held ?? now);
      return;
    }
    this.#held = undefined;
    this.#offset += held ? now - this.now() : Math.max(0, now - this.now());
  }

  /** Returns the real time to wait until the cluster's time is `deadline`; infinite if the clock stands still. */
  until(deadline: number): number {
    return this.runs ? Math.max(0, deadline - this.now()) : Infinity;
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
