/*
 * Pages of tables that were kept on this phone (worker.js) are of whoever was signed in. Every page says who is (a keyed
 * mark, body data-account); when it is somebody else, or nobody any more, they are deleted. What was typed and not sent yet
 * stays: it is put to whoever signs in next (sheet.js).
 */
import { read, write } from "./store.js";

const KEPT = "saishi-tables";
const PLACE = "account";

export function start() {
  const mark = document.body.dataset.account ?? null;
  if (read(PLACE) !== mark) {
    forget();
    write(PLACE, mark);
  }
  document.addEventListener("submit", (event) => {
    if (event.target.matches('form[action="/sign-out"]')) forget();
  });
}

function forget() {
  // A browser without them, or a page that is not on https, keeps none.
  globalThis.caches?.delete(KEPT).catch(() => {});
}
