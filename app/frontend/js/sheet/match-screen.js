/* What the page of a match of 升级 shows; levels and bank stay as the server wrote them. */
import { missing, tidy } from "./match.js";
import { DealScreen } from "./deal-screen.js";
import { element } from "./screen.js";

export class MatchScreen extends DealScreen {
  constructor(sheet) {
    super(sheet);
    this.brought = results(document);
  }

  /* Levels, bank, words and what must be mended are the engine's: they are taken from the server's page, the form is not. */
  renew(page, root) {
    super.renew(page, root);
    this.root.dataset.bank = root.dataset.bank ?? "";
    this.brought = results(page);
    const [here, there] = [document, page].map((one) => one.querySelector("[data-hand-in-panel]"));
    if (here && there) here.toggleAttribute("data-complete", there.hasAttribute("data-complete"));
  }

  /* Who must bank is known of the first deal that is not recorded, and of no later one. */
  empty(fields, first) {
    return { ...fields, banker: first ? (this.root.dataset.bank ?? "") : "" };
  }

  fill(fields) {
    for (const control of this.form.elements) {
      if (control.type === "radio") control.checked = control.value === (fields[control.name] || "");
      else if (control.type === "number") control.value = fields[control.name] || "";
    }
    this.clearInvalid();
  }

  live() {}

  totals(_totals, standing) {
    for (const place of document.querySelectorAll("[data-deal-count]")) place.textContent = standing.length;
  }

  /* A match has no number of deals: it can be handed in once there is anything. */
  ended(ended, entries) {
    const panel = document.querySelector("[data-hand-in-panel]");
    if (!panel) return;
    panel.hidden = ended || !("complete" in panel.dataset || entries.some(({ act }) => act === "deal" || act === "terms" || act === "end"));
    this.later(entries.filter(({ act }) => act === "deal"));
  }

  /* The last deal is the one that can be taken out. */
  last(number) {
    const remove = document.querySelector('form[data-outbox="remove"]');
    if (!remove || !number) return;
    remove.elements.deal_number.value = number;
    remove.querySelector("[type=submit]").textContent = this.say("removeDeal", number);
  }

  /* Levels and bank are the engine's: while deals wait here, those of the server are older than what was played. */
  later(waiting) {
    const text = waiting.length ? this.say("levelsLater", waiting.length) : "";
    const note = this.find("[data-levels-note]");
    note.hidden = !text;
    note.textContent = text;
    document.querySelector('[data-fresh="words"]').hidden = Boolean(text);
    const [later, now] = ["[data-levels-later]", "[data-levels-now]"].map((place) => document.querySelector(place));
    if (!later) return;
    later.hidden = !text;
    now.hidden = Boolean(text);
    later.querySelector("strong").textContent = text;
    const told = waiting.map(({ deal_number: number, fields }) => element("li", "", `${this.say("deal", number)}${this.texts.colon}${this.inWords(fields)}`));
    later.querySelector("ol").replaceChildren(...told);
  }

  stripDeal(number, fields, _points, { mark, open, current }) {
    const item = this.find(`[data-deal="${number}"]`);
    item.classList.toggle("strip__deal_saved", Boolean(fields));
    item.classList.toggle("strip__deal_waits", mark === "waits");
    if (mark) item.classList.toggle("strip__deal_held", mark === "held");
    const face = this.face(item, number, open);
    if (current) face.setAttribute("aria-current", "true");
    else face.removeAttribute("aria-current");
    const result = mark ? short(fields) : (this.brought[number - 1] ?? "–");
    item.querySelector("[data-result]").textContent = result;
    const words = [this.say("deal", number), mark ? this.inWords(fields ?? {}) : result, mark ? this.texts.pending : ""];
    face.setAttribute("aria-label", words.filter(Boolean).join(this.texts.comma));
  }

  inWords(fields) {
    const told = tidy(fields);
    const name = (id) => (id ? this.nameOf(id) : "");
    if (told.ended !== "played") return [name(told.banker), this.texts[told.ended], name(told.by)].filter(Boolean).join(this.texts.comma);
    const bottom = told.unit === "none" ? "" : this.texts.bottom.replace("{n}", told.bottom_points);
    const points = told.points === "" ? "" : this.texts.points.replace("{n}", told.points);
    return [name(told.banker), points, bottom].filter(Boolean).join(this.texts.comma) || "–";
  }

  part(number, saved) {
    super.part(number, saved);
    this.find("[data-deal-title]").textContent = this.say("deal", number);
  }

  markMissing(fields) {
    const name = missing(fields);
    const control = this.form.querySelector(`[name="${name}"]`);
    const row = control.closest("fieldset");
    row.classList.add("deal__row_missing");
    row.scrollIntoView({ block: "center" });
    control.focus({ preventScroll: true });
  }
}

function results(page) {
  return [...page.querySelectorAll("[data-result]")].map((place) => place.textContent.trim());
}

function short(fields) {
  const told = tidy(fields ?? {});
  return told.ended === "played" ? told.points.replace("-", "−") || "–" : "×";
}
