/** A request of the page; its status is missing until the answer begins. */
export interface Exchange {
  id: number;
  method: string;
  path: string;
  status?: number;
}

const kMost = 50;

/** The last requests of the page, newest first, in the form that React's `useSyncExternalStore` takes. */
export class Exchanges {
  #all: readonly Exchange[] = [];
  #next = 1;
  readonly #listeners = new Set<() => void>();

  /** Adds a request. Returns the function that sets its status. */
  begin(method: string, path: string): (status: number) => void {
    const id = this.#next++;
    this.#set([{ id, method, path }, ...this.#all].slice(0, kMost));
    return (status) => this.#set(this.#all.map((each) => (each.id === id ? { ...each, status } : each)));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): readonly Exchange[] => this.#all;

  #set(all: readonly Exchange[]): void {
    this.#all = all;
    for (const listener of this.#listeners) listener();
  }
}
