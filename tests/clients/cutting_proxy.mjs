// A TCP proxy that simulates network failures: its connections can be cut and its target can be changed.
import net from 'node:net';

/** Starts a proxy to `target` and returns { url, cut(), moveTo(url), close() }. `cut` resets every open connection. */
export async function cuttingProxy(target) {
  let far = new URL(target);
  const pairs = new Set();
  const server = net.createServer((near) => {
    const away = net.connect(Number(far.port), far.hostname);
    const pair = [near, away];
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      near.destroy();
      away.destroy();
    };
    for (const [from, to] of [[near, away], [away, near]]) {
      from.on('error', end);
      from.on('close', end);
      from.pipe(to);
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const [near, away] of pairs) {
      near.resetAndDestroy();
      away.resetAndDestroy();
    }
    return pairs.size;
  };
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    cut,
    moveTo(url) {
      far = new URL(url);
      cut();
    },
    close() {
      cut();
      server.close();
    },
  };
}
