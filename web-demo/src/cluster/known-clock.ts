// What the page knows of a cluster's time between two answers.

export class KnownClock {
  /** The cluster's lead over our time; for a clock that stands, the time itself. */
  #known: number | undefined;
  #paused = false;

  /** `stands`: the time moves only by requests. */
  constructor(private readonly stands: boolean) {}

  /** `date`: the header of an answer that has just arrived. */
  follow(date: string | null): void {
    const time = Date.parse(date ?? '');
    if (Number.isNaN(time)) return;
    if (!this.#runs) return void (this.#known = time);
    // Dates are whole seconds. Keeping a lead within that error stops ages from jumping back and forth.
    const lead = time - Date.now();
    if (this.#known === undefined || lead > this.#known || lead < this.#known - 2000) this.#known = lead;
  }

  /** Takes the exact time, and whether the clock is paused. */
  set(time: number, paused = this.#paused): void {
    this.#paused = paused;
    this.#known = this.#runs ? time - Date.now() : time;
  }

  get paused(): boolean {
    return this.#paused;
  }

  now(): Date {
    if (!this.#runs) return new Date(this.#known ?? Date.now());
    return new Date(Date.now() + (this.#known ?? 0));
  }

  get #runs(): boolean {
    return !this.stands && !this.#paused;
  }
}
