// Shows the page while the server is away, from its own files and starting lists. An answer of the server always
// comes first.

const PREFIX = "kibitz ";
const STORE = `${PREFIX}{{ digest }}`;
const FILES = {{ files | tojson }};
const SHOWN = /^\/messages\/|^\/lexicons\/[^/]+\/graph$/; // texts and word lists

addEventListener("install", (event) => {
  const stored = caches.open(STORE).then((store) => Promise.allSettled(FILES.map((file) => store.add(file))));
  event.waitUntil(stored.then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith(PREFIX) && name !== STORE;
  const gone = caches.keys().then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))));
  event.waitUntil(gone.then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  const isStored = FILES.includes(pathname) || SHOWN.test(pathname);
  if (method === "GET" && origin === location.origin && isStored) event.respondWith(answer(event.request, pathname));
});

/** Return the answer of the server, or the one that is stored if the server cannot be reached. */
async function answer(request, pathname) {
  const store = await caches.open(STORE);
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await store.put(pathname, fresh.clone()).catch(() => {}); // the browser's storage may be full
    return fresh;
  } catch (error) {
    const stored = await store.match(pathname, { ignoreVary: true });
    if (!stored) throw error;
    return stored;
  }
}
