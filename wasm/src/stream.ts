import type { CoreChunk } from './core.js';

/** What a stream needs of its cluster. */
export interface StreamSource {
  /** What is ready. When that is nothing, `woken` is called once when there is more. */
  read(woken: () => void): CoreChunk;
  close(): void;
}

/**
 * A body that goes on, a chunk an event. Reads the core only when the consumer asks and has taken all that was read
 * before, so that a slow one is the core's to judge.
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
          let woken = false; // perhaps before `read` is back
          const { events, ended } = source.read(() => {
            woken = true;
            wake?.();
          });
          for (const event of events) controller.enqueue(event);
          if (ended) finish();
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

  const abort = () => finish?.(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return { stream, end: (error) => finish?.(error) };
}

export interface BodyStream {
  stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Ends it as the server would, or breaks it off with `error`. */
  end(error?: Error): void;
}
