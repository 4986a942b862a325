import { abortReason } from './abort.js';
import type { CoreChunk } from './core.js';
import { connectionClosed } from './lost-answer.js';

/** The reading end of a stream of the core. */
export interface StreamSource {
  /** Returns the available events. If there are none, `woken` is called once when there are more. */
  read(woken: () => void): CoreChunk;
  close(): void;
}

/**
 * Returns a body stream with one chunk per event. It reads the core only when the consumer asks and has taken
 * everything read before, so that the core can detect a slow consumer.
 */
export function bodyStream(source: StreamSource, signal?: AbortSignal | null): BodyStream {
  let wake: (() => void) | undefined;
  let finish: ((error?: unknown) => void) | undefined;

  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        finish = (error) => {
          finish = undefined;
          source.close();
          signal?.removeEventListener('abort', abort);
          if (error === undefined) controller.close();
          else controller.error(error);
          wake?.();
        };
      },
      async pull(controller) {
        while (finish) {
          let woken = false; // may be set before `read` returns
          const { events, ended, broken } = source.read(() => {
            woken = true;
            wake?.();
          });
          for (const event of events) controller.enqueue(event);
          if (ended) finish(broken ? new TypeError('terminated', { cause: connectionClosed() }) : undefined);
          if (events.length > 0 || ended) return;
          if (!woken) await new Promise<void>((resolve) => (wake = resolve));
        }
      },
      cancel() {
        if (!finish) return;
        finish = undefined;
        source.close();
        signal?.removeEventListener('abort', abort);
        wake?.();
      },
    },
    { highWaterMark: 0 },
  );

  const abort = () => finish?.(abortReason(signal));
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return { stream, end: (error) => finish?.(error) };
}

export interface BodyStream {
  stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Ends the stream as the server would, or with `error`. */
  end(error?: Error): void;
}
