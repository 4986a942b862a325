// The time of the server's cluster, from the Date of its answers.

export class ServerClock {
  /** The server's lead over our time; for a standing clock, the time itself. */
  #known: number | undefined;

  /** `stands`: the time moves only by requests. */
  constructor(private readonly stands: boolean) {}

  /** `date`: the header of an answer that has just arrived. */
  follow(date: string | null): void {
    const time = Date.parse(date ?? '');
    if (Number.isNaN(time)) return;
    if (this.stands) return void (this.#known = time);
    // Dates are whole seconds. Keeping a lead within that error stops ages from jumping back and forth.
    const lead = time - Date.now();
    if (this.#known === undefined || lead > this.#known || lead < this.#known - 2000) this.#known = lead;
  }

  now(): Date {
    if (this.stands) return new Date(this.#known ?? Date.now());
    return new Date(Date.now() + (this.#known ?? 0));
  }
}
