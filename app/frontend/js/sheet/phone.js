/*
 * The table's page on this phone: has it kept (worker.js), and says where what is shown comes from.
 *
 *   [data-kept]  "本页没有网络也能打开", once there is a copy; of a page that came from the copy: since when.
 *
 * Needs https (or the phone itself): elsewhere browsers have no service workers, and the page can be used while it stays open.
 */
const WORKER = "/table-worker.js";

/* When the server wrote the page that is shown from this phone; null where the network brought it. */
export function keptAt() {
  const at = document.documentElement.dataset.keptAt;
  return at ? new Date(at) : null;
}

export async function start(place, texts, path) {
  show(place, texts, false);
  const workers = navigator.serviceWorker;
  if (!workers) return;
  const ask = () => workers.ready.then(({ active }) => active.postMessage({ keep: path, fresh: Boolean(workers.controller) }));
  workers.addEventListener("message", ({ data }) => show(place, texts, Boolean(data.kept)));
  workers.addEventListener("controllerchange", ask);
  try {
    await workers.register(WORKER, { scope: path.slice(0, path.lastIndexOf("/") + 1) });
    await ask();
  } catch {
    // No network the first time, or a browser that forbids it: the page works while it stays open.
  }
}

/* The page was read anew: it is the server's again. */
export function renewed(place, texts) {
  if (!keptAt()) return;
  delete document.documentElement.dataset.keptAt;
  show(place, texts, true);
}

function show(place, texts, kept) {
  const at = keptAt();
  place.classList.toggle("score__kept_old", Boolean(at));
  if (at) place.textContent = texts.keptAt.replace("{time}", beijing(at));
  else place.textContent = kept ? texts.kept : "";
}

function beijing(moment) {
  const options = { timeZone: "Asia/Shanghai", month: "long", day: "numeric", hour: "2-digit", minute: "2-digit", hour12: false };
  return new Intl.DateTimeFormat(document.documentElement.lang || "zh", options).format(moment);
}
