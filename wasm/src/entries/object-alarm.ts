// What rings at the deadlines of a cluster in a Durable Object: a timer for those that are near, and the object's alarm for
// the others, for which it need not stay awake.
import type { DeadlineAlarm } from '../clock.js';
import type { ObjectStorage } from '../stores/durable-object.js';

/** An alarm is a write, so it is not set for what is due at once. */
const kNearMilliseconds = 2000;

export class ObjectAlarm implements DeadlineAlarm {
  #ring: () => void = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The deadlines of the timer and of the alarm. */
  #near = Infinity;
  #far = Infinity;

  constructor(private readonly storage: Pick<ObjectStorage, 'setAlarm' | 'deleteAlarm'>) {}

  /** Returns this, which calls `ring` from now on. */
  ringing(ring: () => void): this {
    this.#ring = ring;
    return this;
  }

  /** Must be called when the object's alarm goes off. */
  ring(): void {
    this.#far = Infinity;
    this.#ring();
  }

  set(deadline: number, wait: number): void {
    if (wait === Infinity || wait > kNearMilliseconds) {
      this.clear();
      return this.#setFar(deadline, wait);
    }
    if (deadline === this.#near) return;
    this.clear();
    this.#near = deadline;
    this.#timer = setTimeout(() => {
      this.#near = Infinity;
      this.#ring();
    }, wait);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#near = Infinity;
  }

  #setFar(deadline: number, wait: number): void {
    if (wait === Infinity) deadline = Infinity;
    if (deadline === this.#far) return;
    this.#far = deadline;
    void (deadline === Infinity ? this.storage.deleteAlarm() : this.storage.setAlarm(Date.now() + wait));
  }
}
