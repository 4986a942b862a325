/** Throws the reason of an aborted signal. Those of older versions of jsdom have neither the method nor a reason. */
export function throwIfAborted(signal: AbortSignal | null | undefined): void {
  if (signal?.aborted) throw abortReason(signal);
}

/** Returns why the signal was aborted. */
export function abortReason(signal: AbortSignal | null | undefined): unknown {
  return (signal?.reason as unknown) ?? new DOMException('This operation was aborted', 'AbortError');
}
