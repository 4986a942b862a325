// The streams of a cluster that consumers read, and which of them are read next.
import type { CoreChunk } from './core.js';
import { bodyStream, type BodyStream } from './stream.js';

export interface StreamReader {
  /**
   * Returns the next chunk of each of these streams, or undefined if there is no cluster any more. Calls `noted` with them
   * before any of the streams can wake.
   */
  read(ids: readonly number[], noted: (chunks: readonly CoreChunk[]) => void): readonly CoreChunk[] | undefined;
  close(id: number): void;
}

interface OpenStream {
  readonly id: number;
  readonly body: BodyStream;
  /** The id becomes ready when there is more; no read is needed before. */
  waits: boolean;
  /** The consumer wants more, which is not about to be read yet. */
  asked: boolean;
}

export class OpenStreams {
  /** By the core's id. */
  readonly #open = new Map<number, OpenStream>();
  /** What is read next, all in one call. */
  #toRead: OpenStream[] = [];

  constructor(private readonly reader: StreamReader) {}

  /** Opens the stream `id`. */
  open(id: number, signal: AbortSignal | null | undefined): BodyStream {
    const body = bodyStream(
      {
        ask: () => {
          stream.asked = true;
          if (!stream.waits) this.#readLater(stream);
        },
        close: () => {
          this.#open.delete(id);
          this.reader.close(id);
        },
      },
      signal,
    );
    const stream: OpenStream = { id, body, waits: false, asked: false };
    if (!signal?.aborted) this.#open.set(id, stream);
    return body;
  }

  has(id: number): boolean {
    return this.#open.has(id);
  }

  /** There is more of the stream `id`. Returns false if that is none. */
  wake(id: number): boolean {
    const stream = this.#open.get(id);
    if (!stream) return false;
    stream.waits = false;
    if (stream.asked) this.#readLater(stream);
    return true;
  }

  /** Ends all streams, as the server would or with `error`. */
  end(error?: Error): void {
    for (const { body } of this.#open.values()) body.end(error);
  }

  /** Streams are read outside of turns, since their consumers may run at once. */
  #readLater(stream: OpenStream): void {
    stream.asked = false;
    if (this.#toRead.push(stream) === 1) queueMicrotask(() => this.#read());
  }

  #read(): void {
    const streams = this.#toRead.filter(({ id }) => this.#open.has(id));
    this.#toRead = [];
    if (streams.length === 0) return;
    const noted = (chunks: readonly CoreChunk[]) => {
      for (let i = 0; i < streams.length; i++) streams[i]!.waits = chunks[i]!.waits;
    };
    const chunks = this.reader.read(streams.map(({ id }) => id), noted);
    if (chunks) for (let i = 0; i < streams.length; i++) streams[i]!.body.give(chunks[i]!);
  }
}
