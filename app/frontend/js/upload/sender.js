/*
 * Brings one file to the server, in pieces, again and again until it is there.
 *
 *   POST   url            {purpose, subject, kind, size, name, idempotency_key} -> {token, offset, piece_bytes, state}
 *   PATCH  url/token      Upload-Offset + bytes -> 204 + Upload-Offset; 409 wrong_offset + offset: go on from there
 *   POST   url/token/finish   -> {state}
 *   GET    url/token      -> {state, offset, why, next_step, pages}
 *
 * Every request may be repeated: begin by its key, a piece by its place. So whatever happens to an answer, the same
 * request is sent again, after a while that doubles, and at once when the network is back. Only an answer that says
 * something about this file (422, 409, 404) ends the attempts.
 */
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30000;
const PATIENCE = 90000;
const SMALL_PIECE = 64 * 1024;
const POLLS = [700, 1000, 1500, 2000, 3000, 5000];

export class Refused extends Error {
  constructor(problem) {
    super(problem.detail ?? "");
    this.problem = problem;
  }
}

export class Stopped extends Error {}

export class Sender {
  /* `file` is {key, name, blob, token}; `tell(state, values)` is called with what is going on. */
  constructor(field, file, tell) {
    this.field = field;
    this.file = file;
    this.tell = tell;
    this.stopped = new AbortController();
    this.failures = 0;
    this.begins = 0;
  }

  stop() {
    this.stopped.abort();
    this.field.wake();
  }

  /* Until the file is ready or refused. Throws Refused or Stopped. */
  async run() {
    if (!this.file.token) await this.begin();
    if (this.file.blob) await this.send();
    return this.watch();
  }

  async begin() {
    const { file, field } = this;
    this.begins += 1;
    const answer = await this.ask(field.url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        purpose: field.purpose,
        subject: field.subject,
        kind: field.kind,
        size: file.blob.size,
        name: file.name,
        idempotency_key: file.key,
      }),
    });
    const begun = await answer.json();
    file.token = begun.token;
    this.pieceBytes = begun.piece_bytes;
    await field.keep(file);
  }

  async send() {
    const { file, field } = this;
    const seen = await this.see();
    if (!seen) return;
    this.pieceBytes = seen.piece_bytes;
    if (seen.state === "receiving") {
      let offset = seen.offset;
      while (offset < file.blob.size) {
        this.tell("sending", { n: Math.floor((offset / file.blob.size) * 100) });
        // a bad network drops long pieces; short ones get through
        const end = offset + (this.failures > 1 ? Math.min(SMALL_PIECE, this.pieceBytes) : this.pieceBytes);
        offset = await this.piece(offset, await bytes(file.blob.slice(offset, end)));
      }
      this.tell("sending", { n: 100 });
      await this.ask(`${field.url}/${file.token}/finish`, { method: "POST" });
    }
    file.blob = null;
    await field.keep(file);
  }

  async piece(offset, content) {
    try {
      const answer = await this.ask(`${this.field.url}/${this.file.token}`, {
        method: "PATCH",
        headers: { "Content-Type": "application/octet-stream", "Upload-Offset": String(offset) },
        body: content,
      });
      return Number(answer.headers.get("Upload-Offset"));
    } catch (error) {
      if (error instanceof Refused && error.problem.code === "wrong_offset") return error.problem.offset;
      throw error;
    }
  }

  /* How the upload stands; begins anew if the server has forgotten it. */
  async see() {
    try {
      return await (await this.ask(`${this.field.url}/${this.file.token}`, {})).json();
    } catch (error) {
      const gone = error instanceof Refused && error.problem.status === 404;
      if (!gone || !this.file.blob || this.begins > 1) throw error;
      this.file.key = this.field.newKey(this.file.key);
      this.file.token = null;
      await this.begin();
      return { state: "receiving", offset: 0, piece_bytes: this.pieceBytes };
    }
  }

  async watch() {
    for (let polled = 0; ; polled += 1) {
      const seen = await (await this.ask(`${this.field.url}/${this.file.token}`, {})).json();
      if (seen.claimed || seen.state === "ready") return seen;
      if (seen.state === "receiving") throw new Refused({ status: 409, code: "not_whole", detail: this.field.say("lost") });
      if (seen.state !== "waiting" && seen.state !== "checking") {
        throw new Refused({ status: 422, code: "file_refused", detail: seen.why ?? "", next_step: seen.next_step });
      }
      this.tell(seen.postponed ? "postponed" : "checking", {});
      await this.field.rest(POLLS[Math.min(polled, POLLS.length - 1)], this.stopped.signal);
      this.require();
    }
  }

  require() {
    if (this.stopped.signal.aborted) throw new Stopped();
  }

  /* One request, until it is answered. Throws Refused for an answer about this file. */
  async ask(url, options) {
    for (;;) {
      this.require();
      await this.field.running(this.stopped.signal, () => this.tell("paused", {}));
      this.require();
      const waits = await this.attempt(url, options);
      if (waits.answer) {
        this.failures = 0;
        return waits.answer;
      }
      this.failures += 1;
      this.tell(waits.why, {});
      const doubled = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(this.failures - 1, 10));
      await this.field.rest(waits.after ?? doubled * (0.75 + Math.random() / 2), this.stopped.signal);
    }
  }

  async attempt(url, options) {
    const request = new AbortController();
    const end = () => request.abort();
    const timer = setTimeout(end, PATIENCE);
    this.stopped.signal.addEventListener("abort", end);
    try {
      const answer = await fetch(url, {
        ...options,
        signal: request.signal,
        cache: "no-store",
        credentials: "same-origin",
        redirect: "error",
        headers: { Accept: "application/problem+json, application/json", "X-CSRFToken": this.field.csrf, ...options.headers },
      });
      if (answer.ok) return answer.headers.has("Upload-Offset") || ours(answer) ? { answer } : { why: "network" };
      const problem = await problemOf(answer);
      if (answer.status === 401) return { why: "signedOut" };
      if (problem?.code === "stale_form") return { why: (await this.field.renew()) ? "busy" : "stalePage", after: 200 };
      if (answer.status === 429 && problem?.code === "day_full") throw new Refused(problem);
      if (answer.status >= 500 || answer.status === 429 || !problem) {
        const asked = Number(answer.headers.get("Retry-After"));
        return { why: "busy", after: asked > 0 ? Math.min(asked * 1000, LONGEST_WAIT) : undefined };
      }
      throw new Refused(problem);
    } catch (error) {
      if (error instanceof Refused) throw error;
      return { why: "network" };
    } finally {
      clearTimeout(timer);
      this.stopped.signal.removeEventListener("abort", end);
    }
  }
}

function bytes(blob) {
  // read first: a file that was deleted or changed under us fails here, not within the request
  return blob.arrayBuffer();
}

/* An answer without our marks is a venue's sign-in page. */
function ours(answer) {
  return (answer.headers.get("Content-Type") ?? "").startsWith("application/json");
}

async function problemOf(answer) {
  if (!(answer.headers.get("Content-Type") ?? "").startsWith("application/problem+json")) return null;
  const problem = await answer.json();
  return { ...problem, status: answer.status };
}
