// The requests of this page and their answers, for the exchange pane.
import type { TransportRequest } from './transport';

export interface StreamEvent {
  /** Counted from 0 in its stream. */
  number: number;
  /** Milliseconds after the request. */
  at: number;
  text: string;
}

export interface Exchange {
  id: number;
  startedAt: Date;
  /** The HTTP version, if known. */
  protocol: string;
  method: string;
  target: string;
  requestHeaders: readonly (readonly [string, string])[];
  requestBody: string;
  /** Undefined until there is an answer. */
  status?: number;
  responseHeaders: [string, string][];
  responseBody: string;
  /** Milliseconds until the answer. */
  took?: number;
  /** For a stream: its events so far. */
  events?: StreamEvent[];
  open: boolean;
  /** The reason if there was no answer. */
  failure?: string;
}

const kMostExchanges = 200;
const kMostEvents = 500;
/** Milliseconds between two calls of the listeners, and while much happens: nobody reads hundreds of lines a second. */
const kBetween = 120;
const kBetweenBusy = 500;
/** From this many changes between two calls on, much happens. */
const kBusy = 10;

/** The latest exchanges, newest first. Listeners are called a few times a second at most. */
export class ExchangeLog {
  #exchanges: readonly Exchange[] = [];
  #lastId = 0;
  #told = true;
  #changes = 0;
  #busy = false;
  readonly #listeners = new Set<() => void>();

  get exchanges(): readonly Exchange[] {
    return this.#exchanges;
  }

  begin({ method, target, headers, body }: TransportRequest, protocol: string): Exchange {
    const exchange: Exchange = {
      id: ++this.#lastId,
      startedAt: new Date(),
      protocol,
      method,
      target,
      requestHeaders: headers,
      requestBody: body,
      responseHeaders: [],
      responseBody: '',
      open: true,
    };
    this.#exchanges = [exchange, ...this.#exchanges].slice(0, kMostExchanges);
    this.changed();
    return exchange;
  }

  addEvent(exchange: Exchange, text: string): void {
    const events = exchange.events ?? [];
    const event = { number: (events.at(-1)?.number ?? -1) + 1, at: Date.now() - exchange.startedAt.getTime(), text };
    events.push(event);
    if (events.length > 2 * kMostEvents) events.splice(0, events.length - kMostEvents);
    exchange.events = events;
    this.changed();
  }

  /** Adds to the last event, if that is text which `text` goes on with: `name: text`, on the same line. */
  addText(exchange: Exchange, name: string, text: string): void {
    const last = exchange.events?.at(-1);
    if (!last?.text.startsWith(`${name}: `) || last.text.endsWith('\n')) return this.addEvent(exchange, `${name}: ${text}`);
    last.text += text;
    this.changed();
  }

  clear(): void {
    this.#exchanges = this.#exchanges.filter(({ open }) => open);
    this.changed();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  changed(): void {
    this.#changes++;
    if (!this.#told) return;
    this.#told = false;
    setTimeout(() => {
      this.#told = true;
      this.#busy = this.#changes > kBusy;
      this.#changes = 0;
      for (const listener of this.#listeners) listener();
    }, this.#busy ? kBetweenBusy : kBetween);
  }
}
