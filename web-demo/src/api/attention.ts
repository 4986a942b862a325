// Tracks whether this page is visible.

/** Milliseconds. A page that is hidden for less keeps its connections. */
const kGrace = 5000;

/** Resolves when the page is visible or `signal` aborts. */
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

/** Runs `work` with a signal that aborts when `signal` does, and also when the page has been hidden for a while. */
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
