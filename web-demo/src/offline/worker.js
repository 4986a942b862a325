// The service worker: this page without a network. vite.config.mjs fills in FILES and BUILD and writes offline.js.
//
// Files with a hash in their name never change, so they come from the cache. The page itself comes from the network while
// there is one, so that a new build is seen at once. Requests for anything else, such as a server's API, are not touched.
const kCache = `tabernetes-${BUILD}`;
const kShell = ['./'];

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(kCache).then((cache) => cache.addAll(kShell)));
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  const forget = caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith('tabernetes-') && name !== kCache).map((name) => caches.delete(name))));
  event.waitUntil(forget.then(() => self.clients.claim()));
});

// The page says what to keep: all files, or those that it has loaded. The answer says that they are there.
self.addEventListener('message', (event) => {
  const { keep } = event.data;
  const wanted = keep === 'all' ? FILES : FILES.filter((name) => keep.includes(name));
  const all = caches.open(kCache).then(async (cache) => {
    for (const name of wanted) if (!(await cache.match(`./${name}`))) await cache.add(`./${name}`);
  });
  event.waitUntil(all.then(() => event.ports[0]?.postMessage('kept')));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const scope = new URL('./', self.location.href);
  if (request.method !== 'GET' || url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return;
  const name = url.pathname.slice(scope.pathname.length);
  if (name === '' || name === 'index.html') event.respondWith(fromNetwork(request));
  else if (FILES.includes(name)) event.respondWith(fromCache(request));
});

async function fromNetwork(request) {
  try {
    return await fetch(request);
  } catch (fault) {
    const kept = await caches.match('./', { cacheName: kCache });
    if (kept) return kept;
    throw fault;
  }
}

async function fromCache(request) {
  const cache = await caches.open(kCache);
  const kept = await cache.match(request, { ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}
