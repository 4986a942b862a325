// Keeps the cluster of this page in this browser, a moment after each change.

/** Milliseconds without a change. */
const kQuiet = 300;

export class Keeper {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;
  /** Writes one after the other, so that the last snapshot stays. */
  #work: Promise<void> = Promise.resolve();

  /** `keep`: writes the present state. Calls `onFailure` if it rejects, e.g. since the browser gives no room. */
  constructor(
    private readonly keep: () => Promise<void>,
    private readonly onFailure: (fault: Error) => void,
  ) {
    addEventListener('pagehide', this.#now);
    document.addEventListener('visibilitychange', this.#now);
  }

  /** Must be called after each change. */
  changed(): void {
    if (this.#ended) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#now, kQuiet);
  }

  /** Resolves when no write is under way, and none comes any more. */
  end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    removeEventListener('pagehide', this.#now);
    document.removeEventListener('visibilitychange', this.#now);
    return this.#work;
  }

  readonly #now = () => {
    if (this.#timer === undefined || this.#ended) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#work = this.#work.then(() => this.keep()).catch(this.onFailure);
  };
}
