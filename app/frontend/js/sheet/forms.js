/*
 * Every form of the sheet that is no deal: its submit goes into the outbox, what was begun there is kept, and it shows what
 * waits, else what the server holds. What each form says in words comes from its own labels.
 */
import * as acts from "./acts.js";
import { placeOf } from "./outbox.js";

const KEPT = [...["board", "absences", "terms", "end"], "penalty"];

export class Forms {
  constructor(sheet) {
    this.sheet = sheet;
    this.outbox = sheet.outbox;
    this.held = {};
    this.words = {};
  }

  /* What the server's page says in its forms. */
  adopt(page) {
    const forms = [...page.querySelectorAll("form[data-outbox]")];
    const of = (act) => forms.filter((form) => form.dataset.outbox === act);
    for (const act of KEPT) {
      const [form] = of(act);
      this.held[act] = form ? written(form) : null;
      this.words[act] = form ? inWords(form, this.sheet.texts.comma) : "";
    }
    const { said } = page.querySelector("[data-sheet]").dataset;
    if (said) {
      this.held.board = JSON.parse(said); // also of a board that is closed, and has no form any more
      this.words.board ||= page.querySelector("[data-outcome]")?.textContent.trim() ?? "";
    }
    this.penalties = of("lift").map((form) => ({ number: form.elements.number.value, words: form.dataset.words }));
  }

  start() {
    document.addEventListener("submit", (event) => {
      if (event.target.matches("form[data-outbox]")) this.submitted(event);
    });
    document.addEventListener("input", (event) => {
      const form = event.target.closest("form[data-outbox]");
      if (form) this.edited(form);
    });
    document.addEventListener("click", (event) => this.stepped(event));
    document.addEventListener("click", (event) => {
      const reason = event.target.closest("[data-fill]");
      if (reason) reason.form.elements[reason.dataset.fill].value = reason.textContent.trim();
      const act = event.target.closest("[data-mend]")?.dataset.mend;
      if (act) this.open(act);
    });
    this.follow();
  }

  get drafted() {
    return KEPT.some((act) => this.outbox.draft(act));
  }

  all(act) {
    return [...document.querySelectorAll(act ? `form[data-outbox="${act}"]` : "form[data-outbox]")];
  }

  /* What the server holds of what an entry says. */
  server({ act, words }) {
    return act === "lift" ? (this.penalties.find((penalty) => penalty.words === words) ?? null) : (this.held[act] ?? null);
  }

  /* The fields of an entry as the server counts now: a penalty is taken back by its place among the others. */
  sent(entry) {
    return entry.act === "lift" ? { number: this.server(entry).number } : entry.fields;
  }

  submitted(event) {
    event.preventDefault();
    const form = event.target;
    const { outbox: act } = form.dataset;
    if (!complete(form)) return;
    const fields = acts.read(form);
    const words = act === "lift" ? form.dataset.words : inWords(form, this.sheet.texts.comma);
    const said = { act, fields, words, url: new URL(form.action).pathname };
    if (act === "remove") this.remove(said);
    else if (act === "hand_in") this.sheet.put({ ...said, on: this.sheet.revision });
    else if (!this.isKnown(said)) this.sheet.put({ ...said, was: this.held[act] });
    this.done(form, act);
  }

  done(form, act) {
    this.outbox.setDraft(act, null);
    (form.closest("dialog") ?? form.querySelector("dialog"))?.close();
    form.closest("details")?.removeAttribute("open");
    if (act === "penalty" || act === "hand_in") form.reset();
    this.sheet.reconcile();
    if (act === "hand_in") this.sheet.upload.stale = true; // the page is known to be the newest before the sheet is closed
    if (acts.ENDS.includes(act)) this.sheet.screen.toTop();
    this.sheet.follow();
    this.sheet.upload.flush();
  }

  /* Nothing was changed: nothing is sent. */
  isKnown(said) {
    if (!acts.isCompared(said) || said.act === "board") return false;
    return !this.outbox.waiting(placeOf(said)) && acts.same(said.fields, this.held[said.act]);
  }

  /* A deal that is here only is simply forgotten. */
  remove(said) {
    const number = Number(said.fields.deal_number);
    const waiting = this.outbox.waiting(`deal ${number}`);
    if (waiting) this.outbox.drop(waiting.key);
    const saved = this.sheet.deals[number - 1];
    if (saved) this.sheet.put({ ...said, was: this.sheet.game.fromDeal(saved) });
    else this.sheet.dropEnd();
  }

  edited(form) {
    const { outbox: act } = form.dataset;
    if (!KEPT.includes(act)) return;
    const fields = acts.read(form);
    this.outbox.setDraft(act, acts.same(fields, this.known(act)) ? null : fields);
    this.sheet.refresh();
  }

  known(act) {
    return this.outbox.waiting(act)?.fields ?? this.held[act];
  }

  /* Forms show what was begun, else what waits, else what the server holds. */
  follow() {
    for (const form of this.all()) {
      const { outbox: act } = form.dataset;
      if (!KEPT.includes(act) || form.contains(document.activeElement)) continue;
      const shown = this.outbox.draft(act) ?? this.known(act);
      if (shown) fill(form, shown);
    }
  }

  refresh() {
    const closed = this.sheet.locked || this.sheet.ended;
    for (const form of this.all()) {
      const { outbox: act } = form.dataset;
      const place = placeOf({ act, words: form.dataset.words });
      const waits = act === "lift" || act === "remove" ? this.outbox.waiting(place) : null;
      form.hidden = Boolean(closed || waits || (act === "remove" && !this.sheet.dealing?.last));
    }
    this.sheet.screen.confirmation(this.all("board")[0]);
  }

  open(act) {
    const [form] = this.all(act);
    form?.closest("details")?.setAttribute("open", "");
    form?.scrollIntoView({ block: "start" });
  }

  stepped(event) {
    const step = event.target.closest("[data-step]");
    const input = step?.closest("[data-counter]").querySelector("input");
    if (!input) return;
    const least = Number(input.min || 0);
    const most = Number(input.max || Infinity);
    input.value = Math.min(most, Math.max(least, (Number(input.value) || 0) + Number(step.dataset.step)));
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

/* What has to be ticked or chosen is; else it is said beside it. */
function complete(form) {
  form.querySelectorAll("[data-missing-told]").forEach((told) => told.remove());
  const missing = [...form.elements].find((control) => control.required && !control.checkValidity());
  const chosen = form.dataset.needs ? form.elements[form.dataset.needs]?.value : true;
  if (!missing && chosen) return true;
  const control = chosen ? missing : form.querySelector(`[name="${form.dataset.needs}"]`);
  const told = document.createElement("p");
  told.className = "field__error";
  told.id = `missing-${control.name}`;
  told.dataset.missingTold = "";
  told.textContent = (chosen ? form.dataset.missing : form.dataset.missingChoice) || control.validationMessage;
  control.setAttribute("aria-invalid", "true");
  control.setAttribute("aria-describedby", told.id);
  (control.closest(".field_check, .field, fieldset") ?? control).append(told);
  form.addEventListener("input", () => [control.removeAttribute("aria-invalid"), told.remove()], { once: true });
  control.focus();
  return false;
}

/* What the server wrote into a form, whatever a browser filled in since. */
function written(form) {
  const said = {};
  for (const control of form.elements) {
    if (!control.name || control.type === "hidden" || control.type === "submit") continue;
    if (control.type === "radio" || control.type === "checkbox") {
      if (control.defaultChecked) said[control.name] = control.value;
    } else if (control.options) {
      const chosen = [...control.options].find((option) => option.defaultSelected);
      if (chosen?.value) said[control.name] = chosen.value;
    } else if (control.defaultValue.trim()) said[control.name] = control.defaultValue.trim();
  }
  return said;
}

function fill(form, fields) {
  for (const control of form.elements) {
    if (!control.name || ["hidden", "submit", "button"].includes(control.type) || control.name === "checked") continue;
    const value = fields[control.name];
    if (control.type === "radio" || control.type === "checkbox") control.checked = control.value === value;
    else control.value = value ?? (control.closest("[data-counter]") ? "0" : "");
  }
}

/* 甲一：弃权，乙二：迟到分钟 5 */
function inWords(form, comma) {
  const told = [];
  for (const control of form.elements) {
    const said = control.name && !["hidden", "submit", "button"].includes(control.type) && control.name !== "checked";
    if (!said) continue;
    const ticked = control.type === "radio" || control.type === "checkbox";
    if (ticked ? !control.checked : acts.same({ value: control.value.trim() }, {})) continue;
    const group = control.closest(".weui-cells__group")?.querySelector(".weui-cells__title")?.textContent.trim() ?? "";
    const value = ticked ? "" : control.options ? control.selectedOptions[0].textContent.trim() : control.value.trim();
    told.push([group, labelOf(control), value].filter(Boolean).join(" "));
  }
  return told.join(comma);
}

function labelOf(control) {
  const label = control.labels?.[0];
  const place = label?.querySelector(".pick__face > :first-child, .weui-cell__bd") ?? label;
  return [...(place?.childNodes ?? [])].filter((node) => !node.matches?.(".field__optional")).map((node) => node.textContent).join("").trim();
}
