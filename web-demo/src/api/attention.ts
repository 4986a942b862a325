// Whether anybody looks at this page.

/** A page that is covered only for a moment keeps what it has. */
const kGrace = 5000;

/** Resolves when the page is seen, or when `signal` aborts. */
export function untilSeen(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (!document.hidden || signal.aborted) return resolve();
    const look = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look, { once: true });
  });
}

/** Runs `work` with a signal that aborts like `signal`, and also when nobody has seen the page for a while. */
export async function whileSeen(signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const unseen = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    timer = document.hidden ? setTimeout(() => unseen.abort(), kGrace) : undefined;
  };
  document.addEventListener('visibilitychange', look);
  look();
  try {
    await work(AbortSignal.any([signal, unseen.signal]));
  } catch (error) {
    if (!unseen.signal.aborted || signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', look);
  }
}
