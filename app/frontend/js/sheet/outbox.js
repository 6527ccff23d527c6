/*
 * What was recorded at the table and has not reached the server: kept on this phone, sent in order, never lost.
 *
 * An entry is {key, deal_number, fields, was, before?, at, refused?, conflict?}. `was` is the server's deal the entry
 * was made from, `before` what this phone had recorded of the deal meanwhile (it may have arrived with its answer
 * lost): when the server's copy is one of those, sending replaces nothing anybody else wrote; when it is none of
 * them and not ours, somebody else wrote this deal, and the referee is asked (conflict).
 * `key` is the idempotency key: an answer that was lost on the way back is asked for again and changes nothing.
 */
import { read, write } from "../store.js";

const TIMEOUT = 12000;

export class Outbox {
  constructor(token) {
    this.place = `sheet:${token}`;
    this.memory = { entries: [], drafts: {} };
    this.held = true;
  }

  get kept() {
    if (this.held) {
      const stored = read(this.place);
      if (stored?.entries) this.memory = stored;
    }
    return this.memory;
  }

  keep(kept) {
    this.memory = kept;
    const empty = kept.entries.length === 0 && Object.keys(kept.drafts).length === 0;
    // Where nothing can be stored (private windows) the memory of this page has to do; the page says so.
    this.held = write(this.place, empty ? null : kept);
  }

  get entries() {
    return this.kept.entries;
  }

  draft(number) {
    return this.kept.drafts[number];
  }

  setDraft(number, fields) {
    const { entries, drafts } = this.kept;
    const next = { ...drafts };
    if (fields) next[number] = fields;
    else delete next[number];
    this.keep({ entries, drafts: next });
  }

  /* A newer entry of the same deal takes the place of the one that still waits. */
  put(entry) {
    const { entries, drafts } = this.kept;
    const waiting = entries.findIndex((other) => other.deal_number === entry.deal_number);
    const next = [...entries];
    if (waiting >= 0) {
      const { was, before = [], fields } = entries[waiting];
      next[waiting] = { ...entry, was, before: [...before, fields] };
    } else next.push(entry);
    next.sort((a, b) => a.deal_number - b.deal_number);
    this.keep({ entries: next, drafts });
  }

  change(key, changes) {
    const { entries, drafts } = this.kept;
    this.keep({ entries: entries.map((entry) => (entry.key === key ? { ...entry, ...changes } : entry)), drafts });
  }

  drop(key) {
    const { entries, drafts } = this.kept;
    this.keep({ entries: entries.filter((entry) => entry.key !== key), drafts });
  }
}

/* crypto.randomUUID exists only on https; a venue's own server often is not. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/*
 * Sends a form body, or fetches the page when there is none. Returns {ok, status, retryAfter, page}: the answer's
 * Retry-After in seconds (0 without one) and its document. Throws when no answer came (no network, timeout).
 */
export async function exchange(url, body = null) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), TIMEOUT);
  try {
    const response = await fetch(url, {
      method: body ? "POST" : "GET",
      body: body ? new URLSearchParams(body) : undefined,
      headers: { "X-Requested-With": "sheet", Accept: "text/html" },
      credentials: "same-origin",
      signal: stop.signal,
    });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const retryAfter = Number(response.headers.get("Retry-After")) || 0;
    return { ok: response.ok, status: response.status, retryAfter, page };
  } finally {
    clearTimeout(timer);
  }
}
