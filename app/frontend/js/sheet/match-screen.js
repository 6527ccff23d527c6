/* What the page of a match of 升级 shows; levels and bank stay as the server wrote them. */
import { missing, tidy } from "./match.js";
import { Screen } from "./screen.js";

export class MatchScreen extends Screen {
  constructor(form, seats, texts, game) {
    super(form, seats, texts, game);
    this.told = results(document);
  }

  /* Levels, bank, words and what must be mended are the engine's: they are taken from the server's page, the form is not. */
  renew(form) {
    const page = form.ownerDocument;
    this.form.dataset.bank = form.dataset.bank ?? "";
    this.told = results(page);
    for (const place of document.querySelectorAll("[data-fresh]")) {
      if (place.querySelector("dialog[open]")) continue; // somebody is handing in just what stands there
      const fresh = page.querySelector(`[data-fresh="${place.dataset.fresh}"]`);
      if (fresh) place.replaceChildren(...document.importNode(fresh, true).childNodes);
    }
  }

  /* Who must bank is known of the first deal that is not recorded, and of no later one. */
  empty(fields, first) {
    return { ...fields, banker: first ? (this.form.dataset.bank ?? "") : "" };
  }

  fill(fields) {
    for (const control of this.form.elements) {
      if (control.type === "radio") control.checked = control.value === (fields[control.name] || "");
      else if (control.type === "number") control.value = fields[control.name] || "";
    }
    this.clearInvalid();
  }

  live() {}

  totals() {}

  stripDeal(number, fields, _points, { mark, open, current }) {
    const item = this.find(`[data-deal="${number}"]`);
    item.classList.toggle("strip__deal_saved", Boolean(fields));
    item.classList.toggle("strip__deal_waits", mark === "waits");
    if (mark) item.classList.toggle("strip__deal_held", mark === "held");
    const face = this.face(item, number, open);
    if (current) face.setAttribute("aria-current", "true");
    else face.removeAttribute("aria-current");
    const result = mark ? short(fields) : (this.told[number - 1] ?? "–");
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
