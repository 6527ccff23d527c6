/*
 * 判牌: taps cards into the rows of the form and asks without loading the page anew. It knows no rule of any game.
 *
 * The page is a plain GET form that works alone; this module sends the same form to the same address and takes the answer
 * and the errors (every [data-fresh]) from the page that comes back, so there is no second protocol. Without a network it
 * says so, and the cards stay: in the form, and on this phone until tomorrow for a page that is opened again.
 */
import { Cards } from "./js/judge/cards.js";
import { forget, keep, restore } from "./js/judge/draft.js";

const PATIENCE = 15_000; // a phone between two masts gives no error for minutes

class Judge {
  constructor(form) {
    this.form = form;
    this.ask = form.querySelector("[data-ask]");
    this.silent = document.querySelector("[data-silent]");
    this.key = `judge:${location.pathname}:${form.elements.ask.value}`;
  }

  start() {
    if (!location.search) restore(this.form, this.key);
    new Cards(this.form, () => this.changed());
    this.form.addEventListener("input", () => this.changed());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    for (const link of document.querySelectorAll("[data-question]")) {
      link.addEventListener("click", (event) => this.leave(event, link));
    }
    this.nameTrumps();
  }

  /* What an answer was about has changed: it no longer stands. */
  changed() {
    keep(this.form, this.key);
    this.nameTrumps();
    document.querySelector("[data-fresh=answer]").replaceChildren();
    this.silent.hidden = true;
    this.running?.abort();
  }

  nameTrumps() {
    const place = this.form.querySelector("[data-trumps-words]");
    const [suit, level] = ["trump", "level"].map((name) => this.form.elements[name]?.value);
    if (place && suit && level) place.textContent = suit + level;
  }

  address(changes) {
    const asked = new URLSearchParams();
    for (const [name, value] of new FormData(this.form)) if (value) asked.set(name, value);
    for (const [name, value] of Object.entries(changes)) asked.set(name, value);
    return `${this.form.getAttribute("action")}?${asked}`;
  }

  async send() {
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    const patience = setTimeout(() => running.abort("slow"), PATIENCE);
    this.ask.setAttribute("aria-busy", "true");
    this.silent.hidden = true;
    const address = this.address({ press: "ask" });
    try {
      const answer = await fetch(address, { signal: running.signal, headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (!page.querySelector("[data-fresh=answer]")) {
        this.say(page.querySelector("[data-problem]")?.textContent.trim() || this.form.dataset.textUnanswered);
        return;
      }
      this.show(page);
      history.replaceState(null, "", address);
      forget(this.key);
    } catch {
      if (!running.signal.aborted || running.signal.reason === "slow") this.say(this.form.dataset.textOffline);
    } finally {
      clearTimeout(patience);
      if (this.running === running) this.ask.removeAttribute("aria-busy");
    }
  }

  show(page) {
    for (const place of document.querySelectorAll("[data-fresh]")) {
      const fresh = page.querySelector(`[data-fresh="${place.dataset.fresh}"]`);
      if (fresh) place.replaceChildren(...document.importNode(fresh, true).childNodes);
      const field = place.dataset.fresh.startsWith("error-") && document.getElementById(`f-${place.dataset.fresh.slice(6)}`);
      if (!field) continue;
      if (place.childElementCount) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
    }
    for (const error of this.form.querySelectorAll(".field__error")) error.closest("details")?.setAttribute("open", "");
    const first = this.form.querySelector(".field__error") ?? document.querySelector("[data-verdict]");
    first?.scrollIntoView({ block: "start" });
  }

  say(text) {
    document.querySelector("[data-fresh=answer]").replaceChildren();
    this.silent.querySelector(".notice__text").textContent = text;
    this.silent.hidden = false;
    this.silent.scrollIntoView({ block: "start" });
  }

  /* Another question takes the cards along; without a network this page is better than the browser's. */
  leave(event, link) {
    if (!navigator.onLine) {
      event.preventDefault();
      this.say(this.form.dataset.textOffline);
      return;
    }
    link.href = this.address({ ask: link.dataset.question });
  }
}

const form = document.querySelector("form[data-judge]");
if (form) new Judge(form).start();
