/*
 * What was done at the table and has not reached the server: kept on this phone, sent in the order it was done, never lost.
 *
 * An entry is {key, act, fields, was, before?, at, by, refused?, conflict?} and, of a deal, deal_number; of every other act
 * url and words; of handing in, `on`. `fields` is what is sent. `was` is what the server held of the same when it was done,
 * `before` what this phone had done of the same meanwhile (it may have arrived with its answer lost): when the server's copy
 * is one of those, sending replaces nothing anybody else wrote; when it is none of them and not ours, somebody else wrote
 * there, and the referee is asked (conflict). `by` is the mark of who was signed in: nobody else's session sends it unasked.
 * `on` is the revision that holds just what the players checked; our own entries before it raise it as they arrive.
 * `key` is the idempotency key: an answer that was lost on the way back is asked for again and changes nothing.
 *
 * Drafts are what was begun and not done: by deal number, and by act for the other forms.
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

  /* An entry without `act` was written by an earlier version, which knew deals only. */
  get entries() {
    return this.kept.entries.map((entry) => ({ act: "deal", ...entry }));
  }

  draft(name) {
    return this.kept.drafts[name];
  }

  setDraft(name, fields) {
    const { entries, drafts } = this.kept;
    const next = { ...drafts };
    if (fields) next[name] = fields;
    else delete next[name];
    this.keep({ entries, drafts: next });
  }

  waiting(place) {
    return this.entries.find((entry) => placeOf(entry) === place);
  }

  /* A newer entry of the same takes the place of the one that still waits. */
  put(entry) {
    const { drafts } = this.kept;
    const next = this.entries;
    const waiting = next.findIndex((other) => placeOf(other) === placeOf(entry));
    if (waiting >= 0) {
      const { was, before = [], fields } = next[waiting];
      next[waiting] = { ...entry, was, before: [...before, fields] };
    } else next.push(entry);
    this.keep({ entries: inOrder(next), drafts });
  }

  change(key, changes) {
    this.keep({ ...this.kept, entries: this.entries.map((entry) => (entry.key === key ? { ...entry, ...changes } : entry)) });
  }

  /* `arrived`: the server has it now, one revision later than before. */
  drop(key, arrived = false) {
    const rest = this.entries.filter((entry) => entry.key !== key);
    const entries = arrived ? rest.map((entry) => ("on" in entry ? { ...entry, on: entry.on + 1 } : entry)) : rest;
    this.keep({ ...this.kept, entries });
  }
}

/* What an entry says something of: another one of the same place takes its place. */
export function placeOf({ act, deal_number: number, key, words }) {
  if (act === "deal") return `deal ${number}`;
  if (act === "penalty") return key;
  return act === "lift" ? `lift ${words}` : act;
}

/* As it was done, but deals by number: the server takes deal 5 only after deal 4, and a correction may come before both. */
function inOrder(entries) {
  const deals = entries.filter(({ act }) => act === "deal").sort((one, other) => one.deal_number - other.deal_number);
  return entries.map((entry) => (entry.act === "deal" ? deals.shift() : entry));
}

/* crypto.randomUUID exists only on https; a venue's own server often is not. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/*
 * Sends a form body as `account`, or fetches the page when there is none. Returns {ok, status, retryAfter, page}: the answer's
 * Retry-After in seconds (0 without one) and its document. Throws when no answer came (no network, timeout).
 */
export async function exchange(url, body = null, account = undefined) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), TIMEOUT);
  try {
    const response = await fetch(url, {
      method: body ? "POST" : "GET",
      body: body ? new URLSearchParams(body) : undefined,
      headers: { "X-Requested-With": "sheet", Accept: "text/html", ...(account ? { "X-Account": account } : {}) },
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
