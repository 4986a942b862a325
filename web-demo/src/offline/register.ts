// Lets this page work without a network, once it has been shown with one.

/** `all`: keeps every file of the page, so that its own cluster starts offline; else those that were loaded. */
export async function keepForOffline(all: boolean): Promise<void> {
  // Only over HTTPS or from this machine.
  if (!('serviceWorker' in navigator) || !isSecureContext) return;
  try {
    await navigator.serviceWorker.register('./offline.js');
    const { active } = await navigator.serviceWorker.ready;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => void (document.documentElement.dataset.offline = 'ready');
    active?.postMessage({ keep: all ? 'all' : loadedFiles() }, [port2]);
  } catch {
    // Some browsers forbid it; the page works as before.
  }
}

function loadedFiles(): string[] {
  const base = new URL('./', location.href).href;
  return performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => name.startsWith(base))
    .map((name) => name.slice(base.length).split('?')[0]!);
}
