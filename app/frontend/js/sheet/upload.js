/*
 * Brings what waits in the outbox to the server: in order, one at a time, again and again until it is there.
 *
 * Only two answers leave an entry to the referee: 422 (this is wrong: `refused`, with the server's words) and something
 * that somebody else recorded differently (`conflict`). Every other refusal is about the moment, not about the entry: no
 * network, signed out (401), no role (403), too many requests (429), a page that is too old (400, 409), a server that is
 * down, another device that holds the sheet (409 with [data-held]). The entry then stays as it is, `waiting` says for what, and it is sent again by itself: after a while, and at once
 * when something may have changed (see `flush` in sheet.js).
 *
 * After any answer but a save the page is `stale`: its revision, contents and CSRF token are read anew before anything
 * is sent, which is also what a new sign-in needs.
 */
import { bodyOf, mayGo } from "./acts.js";
import { exchange } from "./outbox.js";

const RETRY_FIRST = 2000;
const RETRY_MOST = 30000;
const RETRY_ASKED_MOST = 600000;
const OLD_PAGES = 3;

export class Upload {
  constructor(sheet) {
    this.sheet = sheet;
    this.waiting = null;
    this.stale = false;
    this.running = null;
    this.retryAfter = RETRY_FIRST;
  }

  /*
   * Resolves when everything is sent or `waiting` says why not. Whatever may have changed starts the waits between two tries
   * anew: a network that comes back is often not quite there at first.
   */
  flush(again = false) {
    if (!again) this.retryAfter = RETRY_FIRST;
    this.running ??= this.send().finally(() => {
      this.running = null;
      this.sheet.refresh();
    });
    this.sheet.refresh();
    return this.running;
  }

  /* What is held back holds nothing else back, but for what needs it (acts.js). */
  next() {
    if (this.sheet.locked) return undefined;
    const { entries } = this.sheet.outbox;
    return entries.find((entry, place) => this.sheet.goes(entry) && mayGo(entry, entries.slice(0, place), this.sheet));
  }

  async send() {
    clearTimeout(this.timer);
    this.oldPages = 0;
    for (;;) {
      const entry = this.next();
      if (!entry && !this.stale) break;
      let goOn;
      try {
        goOn = await (this.stale ? this.look() : this.post(entry));
      } catch {
        goOn = this.wait("offline");
      }
      if (!goOn) return;
      this.sheet.refresh();
    }
    this.arrived();
  }

  arrived() {
    this.waiting = null;
    this.retryAfter = RETRY_FIRST;
  }

  /* The sheet as it is now. */
  async look() {
    const answer = await exchange(this.sheet.root.dataset.pageUrl);
    if (!isSheet(answer)) return this.waitAfter(answer);
    this.stale = false;
    this.sheet.adopt(answer.page);
    this.sheet.reconcile();
    this.sheet.follow();
    return true;
  }

  async post(entry) {
    const { root, account } = this.sheet;
    const answer = await exchange(entry.url ?? root.dataset.saveUrl, bodyOf(entry, this.sheet), account);
    if (isSheet(answer)) {
      this.arrived();
      this.oldPages = 0;
      this.sheet.outbox.drop(entry.key, true);
      this.sheet.adopt(answer.page);
      this.sheet.reconcile();
      this.sheet.follow();
      return true;
    }
    if (answer.status === 422) {
      this.sheet.outbox.change(entry.key, { refused: problemOf(answer) });
      this.sheet.follow();
      return true;
    }
    this.stale = true;
    if (answer.page.querySelector("[data-held]")) {
      await this.look(); // which shows who holds the sheet, and how it is taken over
      return this.wait("held", problemOf(answer));
    }
    if (answer.status === 400 || answer.status === 409) {
      this.oldPages += 1;
      if (this.oldPages < OLD_PAGES) return true;
    }
    return this.waitAfter(answer);
  }

  waitAfter(answer) {
    const { ok, status, retryAfter } = answer;
    // An answer that is no sheet and no refusal is not ours: the sign-in page of the venue's network.
    if (ok) return this.wait("offline");
    if (status === 401) return this.wait("signedOut");
    if (status === 429 || status >= 500) return this.wait("busy", problemOf(answer), retryAfter);
    return this.wait("blocked", problemOf(answer), 0, status === 403);
  }

  wait(why, text = "", asked = 0, otherAccount = false) {
    this.waiting = { why, text, otherAccount };
    this.timer = setTimeout(() => this.flush(true), Math.min(Math.max(this.retryAfter, asked * 1000), RETRY_ASKED_MOST));
    this.retryAfter = Math.min(this.retryAfter * 2, RETRY_MOST);
    return false;
  }
}

function isSheet({ ok, page }) {
  return ok && page.querySelector("[data-sheet]") !== null;
}

/* The server's words: the page's own, else those beside the fields. */
function problemOf({ page, status }) {
  const told = page.querySelector("[data-problem]") ? "[data-problem]" : ".field__error";
  const texts = [...page.querySelectorAll(told)].map((place) => place.textContent.trim().replace(/\s+/g, " "));
  return [...new Set(texts)].join(" ") || `HTTP ${status}`;
}
