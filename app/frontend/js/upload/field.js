/*
 * The files of a form: chosen, made smaller, sent one after the other, put in order. The form is sent when all of them are ready.
 *
 * Without this module the field is an ordinary file input, whose files travel with the form.
 */
import { Page, joined } from "./page.js";
import { Refused, Sender, Stopped } from "./sender.js";
import { shrink } from "./shrink.js";
import * as storage from "./storage.js";

const MIB = 1024 * 1024;

export class Field {
  constructor(element) {
    this.element = element;
    this.form = element.form ?? element.closest("form");
    const { url, purpose, subject = "", kind = "", place, most, pictureBytes, pdfBytes } = element.dataset;
    Object.assign(this, { url, purpose, subject, kind, most: Number(most), pictureBytes: Number(pictureBytes), pdfBytes: Number(pdfBytes) });
    this.kept = place;
    this.texts = JSON.parse(element.dataset.texts);
    this.list = element.querySelector("ol");
    this.says = element.querySelector("[data-says]");
    this.accepted = element.querySelector(".upload__hint").textContent.trim();
    this.left = element.querySelector("[data-left]");
    this.pauseButton = element.querySelector("[data-pause]");
    this.pages = [];
    this.paused = false;
    this.working = false;
    this.wakers = new Set();
  }

  get csrf() {
    return this.form.elements.csrf_token?.value ?? "";
  }

  async start() {
    for (const plain of this.form.querySelectorAll("[data-plain]")) {
      plain.hidden = true;
      for (const input of plain.querySelectorAll("input")) input.disabled = true;
    }
    this.element.querySelector("[data-choose]").hidden = false;
    for (const input of this.element.querySelectorAll("[data-file]")) {
      input.addEventListener("change", () => {
        const files = [...input.files];
        input.value = ""; // the same file may be chosen again after it was deleted
        this.add(files);
      });
    }
    this.pauseButton.addEventListener("click", () => this.pause(!this.paused));
    this.form.addEventListener("submit", (event) => this.submitted(event), true);
    for (const name of ["online", "focus", "pageshow"]) window.addEventListener(name, () => this.wake());
    document.addEventListener("visibilitychange", () => !document.hidden && this.wake());
    await this.resume();
  }

  /* What the page shows already, and what this phone was sending when it was left. */
  async resume() {
    const records = await storage.of(this.kept);
    const known = new Map(records.filter((record) => record.token).map((record) => [record.token, record]));
    for (const element of [...this.list.children]) {
      const record = known.get(element.dataset.token);
      const file = record ?? { key: element.dataset.token, token: element.dataset.token, name: "" };
      known.delete(file.token);
      this.pages.push(new Page(this, element, file));
    }
    let unfinished = 0;
    for (const record of records) {
      if (record.token && !known.has(record.token)) continue;
      if (!record.token && !record.blob) continue;
      if (record.token && !record.blob && (await this.isOver(record))) {
        await storage.drop(record.key);
        continue;
      }
      unfinished += record.blob ? 1 : 0;
      this.pages.push(this.page(record));
    }
    if (unfinished) this.announce(this.say("resumed"));
    this.arrange();
    this.work();
  }

  /* Whether the file is part of a form by now, or gone. What cannot be asked is asked later. */
  async isOver(record) {
    try {
      const answer = await fetch(`${this.url}/${record.token}`, { headers: { Accept: "application/problem+json" }, cache: "no-store" });
      return answer.status === 404 || (answer.ok && (await answer.json()).claimed);
    } catch {
      return false;
    }
  }

  page(file) {
    const element = this.element.querySelector("template").content.firstElementChild.cloneNode(true);
    this.list.append(element);
    const page = new Page(this, element, file);
    page.show(file.blob ? "queued" : "checking");
    return page;
  }

  async add(files) {
    this.tellLeft([]);
    for (const [index, file] of files.entries()) {
      if (this.pages.filter((page) => page.state !== "refused").length >= this.most) {
        this.tellLeft(files.slice(index));
        break;
      }
      const mark = `${file.name}/${file.size}/${file.lastModified}`;
      if (this.pages.some((page) => page.file.mark === mark)) {
        this.announce(this.say("twice"));
        continue;
      }
      const page = this.page({ key: newKey(), place: this.kept, name: file.name, blob: file, token: null, fresh: true, mark });
      this.pages.push(page);
      this.arrange();
      await this.keep(page.file);
    }
    this.work();
  }

  /* Which files were chosen beyond the limit: stays until the list changes, as what else is said passes in a second. */
  tellLeft(files) {
    this.left.hidden = !files.length;
    this.left.textContent = files.length ? this.say("tooMany", { n: this.most, names: files.map((file) => file.name).join(this.say("comma")) }) : "";
  }

  /* One file at a time: on a bad network two would both be slow. */
  async work() {
    if (this.working) return;
    this.working = true;
    for (;;) {
      const page = this.pages.find((each) => !each.settled);
      if (!page) break;
      await this.bring(page);
    }
    this.working = false;
    this.pauseButton.hidden = true;
  }

  async bring(page) {
    const { file } = page;
    this.pauseButton.hidden = !file.blob;
    try {
      if (file.fresh) {
        page.show("shrinking");
        file.blob = await shrink(file.blob);
        if (page.removed) return;
        file.fresh = false;
        this.require(file.blob, file.name);
        await this.keep(file);
      }
      page.sender = new Sender(this, file, (state, values) => page.show(state, values));
      const seen = await page.sender.run();
      page.show("ready", { n: seen.pages, notes: seen.notes });
    } catch (error) {
      if (error instanceof Stopped) return;
      const { detail, next_step: next } = error instanceof Refused ? error.problem : { detail: String(error.message ?? error) };
      page.show("refused", { why: joined([detail, next].filter(Boolean)) });
      await storage.drop(file.key);
    }
  }

  /* The server's limits, told before anything is sent. */
  require(blob, name) {
    const most = blob.type === "application/pdf" || /\.pdf$/i.test(name) ? this.pdfBytes : this.pictureBytes;
    if (blob.size === 0) throw new Refused({ detail: this.say("empty"), next_step: this.accepted });
    if (blob.size > most) {
      const size = Math.ceil((blob.size / MIB) * 10) / 10;
      throw new Refused({ detail: this.say("tooLarge", { size, most: Math.floor(most / MIB) }), next_step: this.accepted });
    }
  }

  async remove(page) {
    if (page.removed) return;
    page.removed = true;
    page.sender?.stop();
    const after = page.element.nextElementSibling ?? page.element.previousElementSibling;
    this.pages = this.pages.filter((each) => each !== page);
    page.element.remove();
    this.tellLeft([]);
    this.arrange();
    (after?.querySelector("[data-remove]") ?? this.element.querySelector("[data-file]")).focus();
    this.announce(this.say("removed"));
    await storage.drop(page.file.key);
    if (page.file.token) {
      // an answer that is lost leaves an upload that nobody claims: the server deletes it a day later
      fetch(`${this.url}/${page.file.token}`, { method: "DELETE", headers: { "X-CSRFToken": this.csrf }, keepalive: true }).catch(() => {});
    }
  }

  move(page, by) {
    const from = this.pages.indexOf(page);
    const to = from + by;
    if (to < 0 || to >= this.pages.length) return;
    this.pages.splice(from, 1);
    this.pages.splice(to, 0, page);
    this.list.insertBefore(page.element, this.list.children[by < 0 ? to : to + 1] ?? null);
    this.arrange();
    const button = page.element.querySelector(by < 0 ? "[data-up]" : "[data-down]");
    (button.disabled ? page.element.querySelector("[data-remove]") : button).focus();
    this.announce(this.say("moved", { n: to + 1 }));
    for (const each of this.pages) if (each.file.place) this.keep(each.file);
  }

  arrange() {
    this.pages.forEach((page, index) => {
      page.file.order = index;
      page.place(index + 1, this.pages.length);
    });
  }

  keep(file) {
    if (!this.pages.some((page) => page.file === file)) return undefined; // deleted meanwhile
    const { key, name, blob, token, order, fresh, mark } = file;
    file.place = this.kept;
    return storage.put({ key, place: this.kept, name, blob, token, order, fresh, mark });
  }

  /* Another key for a file that the server has forgotten. */
  newKey(old) {
    storage.drop(old);
    return newKey();
  }

  pause(paused) {
    this.paused = paused;
    this.pauseButton.textContent = this.say(paused ? "goOn" : "pause");
    this.wake();
  }

  /* Resolves while nothing is paused. */
  async running(signal, tell) {
    while (this.paused && !signal.aborted) {
      tell();
      await this.rest(60000, signal);
    }
  }

  /* Waits, but not longer than until something may have changed. */
  rest(milliseconds, signal) {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.wakers.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      this.wakers.add(done);
      signal.addEventListener("abort", done);
    });
  }

  wake() {
    for (const done of [...this.wakers]) done();
  }

  /* The CSRF token of a page that was open too long, read from the page as it is now. */
  async renew() {
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[name=csrf_token]");
      if (!fresh || fresh.value === this.csrf) return false;
      for (const input of document.querySelectorAll("[name=csrf_token]")) input.value = fresh.value;
      return true;
    } catch {
      return false;
    }
  }

  /* The form goes once every file of it is ready; a button with an address of its own (delete) is none of ours. */
  submitted(event) {
    if (event.submitter?.hasAttribute("formaction")) return;
    const refused = this.pages.find((page) => page.state === "refused");
    const waiting = this.pages.filter((page) => !page.settled);
    if (!refused && !waiting.length) return;
    event.preventDefault();
    event.stopPropagation();
    this.announce(refused ? this.say("mend") : this.say("wait", { n: waiting.length }));
    (refused ?? waiting[0]).element.scrollIntoView({ block: "center" });
  }

  say(name, values = {}) {
    return (this.texts[name] ?? "").replace(/\{(\w+)\}/g, (_, place) => String(values[place] ?? ""));
  }

  changed(page, words) {
    if (page.state === "queued") return;
    this.announce(`${this.say("page", { n: this.pages.indexOf(page) + 1 || this.pages.length + 1 })} ${words}`);
  }

  announce(text) {
    this.says.textContent = text;
  }
}

function newKey() {
  const random = crypto.getRandomValues(new Uint8Array(24));
  return [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
