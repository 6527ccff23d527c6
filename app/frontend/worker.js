/*
 * The service worker of the tables' pages (/c/<slug>/t/<token>): a page that was opened once opens again without a network.
 *
 * The network is always asked first, and what it answers is shown. Only where no answer comes (or a gateway says that the
 * server is away) the copy on this phone is shown, marked with the moment it was read at (<html data-kept-at="…">), which
 * the page says (js/sheet/phone.js). Kept are these pages and nothing else: no other page, no answer to the API.
 *
 *   page   every whole table page that comes by, also as the answer to a post, takes the place of its copy; one of an older
 *          revision does not. 401, 403, 404 and 410 delete the copy; so does signing out (js/account.js).
 *   files  the build names them by their content and lists them here (FILES); a version of this worker keeps its own, and
 *          pages of its own build only, until no kept page is of that build.
 */
const FILES = __FILES__;
const VERSION = __VERSION__;
const PAGES = "saishi-tables";
const FILES_OF = "saishi-files-";
const PATIENCE = 8000;
const MOST_PAGES = 8;
const KEPT_FOR = 3 * 24 * 3600 * 1000;
const TABLE = /^\/c\/[^/]+\/t\/[^/]+/;
const GUARDS = ["Content-Type", "Content-Language", "Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Permissions-Policy"];
const GONE = [401, 403, 404, 410];
const GATEWAY = [502, 503, 504];

self.addEventListener("install", (event) => {
  self.skipWaiting(); // a page goes on with its own files whatever worker is there
  event.waitUntil(caches.open(FILES_OF + VERSION).then((cache) => cache.addAll(FILES)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), tidy()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (FILES.includes(pathname) || pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (!TABLE.test(pathname)) return;
  else if (request.mode !== "navigate") event.respondWith(exchanged(event));
  else if (request.method === "GET") event.respondWith(opened(event));
});

/* {keep: path, fresh: whether this worker brought the page}; answered with {kept: whether there is a copy}. */
self.addEventListener("message", (event) => {
  const { keep, fresh } = event.data ?? {};
  if (typeof keep !== "string" || !TABLE.test(keep)) return;
  const asked = async () => {
    if (!fresh || !(await copyOf(keep))) await (fetching ??= fetchCopy(keep));
    event.source.postMessage({ kept: Boolean(await copyOf(keep)) });
  };
  event.waitUntil(asked());
});

let fetching = null;

/* The page was there before this worker: it is asked for once more, its files come from the browser's own store. */
async function fetchCopy(page) {
  try {
    await note(await fetch(page, { headers: { Accept: "text/html" } }));
  } catch {
    // no network: the next opening keeps it
  } finally {
    fetching = null;
  }
}

async function file(request) {
  return (await caches.match(request)) ?? fetch(request);
}

async function exchanged(event) {
  const response = await fetch(event.request);
  event.waitUntil(note(response.clone()));
  return response;
}

async function opened(event) {
  const asked = fetch(event.request);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, null));
  const answer = await Promise.race([asked.catch(() => null), late]);
  if (answer && !GATEWAY.includes(answer.status)) {
    event.waitUntil(note(answer.clone()));
    return answer;
  }
  const copy = await copyOf(new URL(event.request.url).pathname);
  event.waitUntil(asked.then((response) => note(response.clone())).catch(() => {}));
  return copy ?? asked;
}

function copyOf(path) {
  return caches.open(PAGES).then((cache) => cache.match(path, { ignoreVary: true }));
}

/* What an answer means for the copy of the page it belongs to. */
async function note(response) {
  const { pathname } = new URL(response.url || location.href);
  const page = TABLE.exec(pathname)?.[0];
  if (!page) return;
  if (GONE.includes(response.status)) await caches.open(PAGES).then((cache) => cache.delete(page));
  else if (response.ok && page === pathname) await keep(page, response);
}

async function keep(page, response) {
  const body = await response.text();
  const revision = Number(/ data-revision="(\d+)"/.exec(body)?.[1] ?? NaN);
  if (Number.isNaN(revision)) return;
  const used = body.match(/\/static\/[\w-]+-[0-9A-Z]{8}\.\w+/g) ?? [];
  if (used.some((name) => !FILES.includes(name))) {
    await self.registration.update().catch(() => {}); // of another build: its own worker will keep it
    return;
  }
  const old = await copyOf(page);
  if (old && Number(old.headers.get("X-Revision")) > revision) return;
  const at = new Date(response.headers.get("Date") ?? Date.now()).toISOString();
  const headers = new Headers({ "X-Revision": revision, "X-Stored": Date.now(), "X-Version": VERSION });
  for (const name of GUARDS) if (response.headers.has(name)) headers.set(name, response.headers.get(name));
  const marked = body.replace("<html ", `<html data-kept-at="${at}" `);
  const cache = await caches.open(PAGES);
  await cache.put(page, new Response(marked, { headers }));
  await tidy();
}

/* The newest pages stay, and the files of the builds they are of. */
async function tidy() {
  const cache = await caches.open(PAGES);
  const kept = [];
  for (const request of await cache.keys()) {
    const { headers } = (await cache.match(request, { ignoreVary: true })) ?? new Response();
    kept.push({ request, at: Number(headers.get("X-Stored")), version: headers.get("X-Version") });
  }
  kept.sort((one, other) => other.at - one.at);
  const stay = kept.slice(0, MOST_PAGES).filter(({ at }) => Date.now() - at < KEPT_FOR);
  const versions = [VERSION, ...stay.map(({ version }) => version)];
  await Promise.all([
    ...kept.filter((one) => !stay.includes(one)).map(({ request }) => cache.delete(request)),
    ...(await caches.keys()).filter((name) => name.startsWith(FILES_OF) && !versions.includes(name.slice(FILES_OF.length))).map((name) => caches.delete(name)),
  ]);
}
