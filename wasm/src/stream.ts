import { abortReason } from './abort.js';
import { connectionClosed } from './lost-answer.js';

/** The reading end of a stream. */
export interface StreamSource {
  /** The consumer wants more: what there is next is to be given to the body stream, outside of this call. */
  ask(): void;
  close(): void;
}

/** A part of a stream. */
export interface Chunk {
  /** Each item is one whole event. */
  events: readonly Uint8Array<ArrayBuffer>[];
  ended: boolean;
  /** True if it has ended before its end, as when a connection closes. */
  broken: boolean;
}

export interface BodyStream {
  stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Hands over what was asked for. Runs code of the consumer, as when the stream is piped. */
  give(chunk: Chunk): void;
  /** Ends the stream as the server would, or with `error`. */
  end(error?: Error): void;
}

/**
 * Returns a body stream with one chunk per event. It asks the source only when the consumer asks and has taken
 * everything given before, so that the core can detect a slow consumer.
 */
export function bodyStream(source: StreamSource, signal?: AbortSignal | null): BodyStream {
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined; // until the end
  let asked = false;
  let breaksOff = false;

  const close = () => {
    const open = controller;
    controller = undefined;
    if (!open) return undefined;
    source.close();
    signal?.removeEventListener('abort', abort);
    return open;
  };
  const finish = (error?: unknown) => {
    const open = close();
    if (error === undefined) open?.close();
    else open?.error(error);
  };
  const abort = () => finish(abortReason(signal));

  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start: (given) => void (controller = given),
      // Returns at once: the stream pulls again only after a chunk or another read.
      pull() {
        if (asked) return;
        asked = true;
        if (breaksOff) finish(terminated());
        else source.ask();
      },
      cancel: () => void close(),
    },
    { highWaterMark: 0 },
  );
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });

  const give = ({ events, ended, broken }: Chunk) => {
    const last = events.length - 1;
    if (last < 0 && !ended) return source.ask(); // still wanted
    breaksOff = broken && last >= 0; // told with the next read: an error would take the events away
    for (let i = 0; i <= last; i++) {
      if (i === last) asked = false; // the consumer may want more than this
      controller?.enqueue(events[i]!);
    }
    if (ended && !breaksOff) finish(broken ? terminated() : undefined);
  };
  return { stream, give, end: finish };
}

const terminated = () => new TypeError('terminated', { cause: connectionClosed() });
