/*
 * <div data-strip="/c/…/strip" data-every="10000">: a part of a page that is asked for again while the page is looked at, every so
 * many milliseconds: announcements and the clock of the round, the chief referee's desk. The server answers 304 as long as nothing changed. A phone without network keeps what it shows and says nothing.
 */
import { run as count } from "./countdown.js";

const EVERY = 10000;
const TIMEOUT = 8000;

export function start() {
  for (const place of document.querySelectorAll("div[data-strip]")) keep(place);
}

async function keep(place) {
  let shown = null;
  for (;;) {
    if (document.visibilityState === "visible") shown = await ask(place, shown);
    await new Promise((resolve) => setTimeout(resolve, Number(place.dataset.every) || EVERY));
  }
}

async function ask(place, shown) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), TIMEOUT);
  try {
    const answer = await fetch(place.dataset.strip, { cache: "no-cache", signal: stop.signal });
    if (!answer.ok) return shown;
    const text = (await answer.text()).trim();
    if (text === shown) return shown;
    place.innerHTML = text;
    place.hidden = !text;
    const now = answer.headers.get("X-Saishi-Now");
    for (const clock of place.querySelectorAll("[data-countdown]")) {
      if (now) clock.dataset.now = now;
      count(clock, Date.now());
    }
    return text;
  } catch {
    return shown;
  } finally {
    clearTimeout(timer);
  }
}
