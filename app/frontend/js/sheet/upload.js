/*
 * Brings what waits in the outbox to the server: in order, one at a time, again and again until it is there.
 *
 * Only two answers leave a deal to the referee: 422 (this deal is wrong: `refused`, with the server's words) and a
 * deal that somebody else recorded differently (`conflict`). Every other refusal is about the moment, not about the
 * deal: no network, signed out (401), no role (403), too many requests (429), a page that is too old (400, 409), a
 * server that is down. The deal then stays as it is, `waiting` says for what, and it is sent again by itself: after a
 * while, and at once when something may have changed (see `flush` in sheet.js).
 *
 * After any answer but a save the page is `stale`: its revision, deals and CSRF token are read anew before anything
 * is sent, which is also what a new sign-in needs.
 */
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

  /* Resolves when everything is sent or `waiting` says why not. */
  flush() {
    this.running ??= this.send().finally(() => {
      this.running = null;
      this.sheet.refresh();
    });
    this.sheet.refresh();
    return this.running;
  }

  /* The server takes deal 5 only after deal 4; a correction that is held back holds nothing else back. */
  next() {
    if (this.sheet.locked) return undefined;
    const most = this.sheet.deals.length + 1;
    return this.sheet.outbox.entries.find((entry) => !entry.conflict && !entry.refused && entry.deal_number <= most);
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
    const answer = await exchange(this.sheet.form.dataset.pageUrl);
    const latest = sheetOf(answer);
    if (!latest) return this.waitAfter(answer);
    this.stale = false;
    this.sheet.adopt(latest);
    this.sheet.reconcile();
    this.sheet.follow();
    return true;
  }

  async post(entry) {
    const answer = await exchange(this.sheet.form.dataset.saveUrl, this.body(entry));
    const latest = sheetOf(answer);
    if (latest) {
      this.arrived();
      this.oldPages = 0;
      this.sheet.adopt(latest);
      this.sheet.outbox.drop(entry.key);
      this.sheet.follow();
      return true;
    }
    if (answer.status === 422) {
      this.sheet.outbox.change(entry.key, { refused: problemOf(answer) });
      this.sheet.follow();
      return true;
    }
    this.stale = true;
    if (answer.status === 400 || answer.status === 409) {
      this.oldPages += 1;
      if (this.oldPages < OLD_PAGES) return true;
    }
    return this.waitAfter(answer);
  }

  body(entry) {
    const sent = this.sheet.game.sent(entry.fields);
    return {
      ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== "")),
      deal_number: entry.deal_number,
      base_revision: this.sheet.revision,
      idempotency_key: entry.key,
      client_time: entry.at,
      csrf_token: this.sheet.csrf,
    };
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
    this.timer = setTimeout(() => this.flush(), Math.min(Math.max(this.retryAfter, asked * 1000), RETRY_ASKED_MOST));
    this.retryAfter = Math.min(this.retryAfter * 2, RETRY_MOST);
    return false;
  }
}

function sheetOf({ ok, page }) {
  return ok ? page.querySelector("form[data-sheet]") : null;
}

function problemOf({ page, status }) {
  const text = page.querySelector("[data-problem]")?.textContent.trim().replace(/\s+/g, " ");
  return text || `HTTP ${status}`;
}
