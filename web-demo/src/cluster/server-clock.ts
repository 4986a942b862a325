// The time of the server's cluster, as the Date of its answers tells it.

export class ServerClock {
  /** What the server's time is ahead of ours, or the time itself if it stands. */
  #known: number | undefined;

  /** `stands`: it moves only when it is told to. */
  constructor(private readonly stands: boolean) {}

  /** `date`: the header of an answer that has just come. */
  follow(date: string | null): void {
    const time = Date.parse(date ?? '');
    if (Number.isNaN(time)) return;
    if (this.stands) return void (this.#known = time);
    // Dates are whole seconds, so up to one of them is ours to keep: ages then do not jump back and forth.
    const lead = time - Date.now();
    if (this.#known === undefined || lead > this.#known || lead < this.#known - 2000) this.#known = lead;
  }

  now(): Date {
    if (this.stands) return new Date(this.#known ?? Date.now());
    return new Date(Date.now() + (this.#known ?? 0));
  }
}
