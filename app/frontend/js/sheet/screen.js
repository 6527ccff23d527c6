/* What the sheet's page shows: fills controls and writes texts; decides nothing. */
import { toast } from "../toast.js";
import { PASSED_OUT, signed } from "./deal.js";

export class Screen {
  constructor(form, seats, texts, game) {
    this.game = game;
    this.form = form;
    this.seats = seats;
    this.texts = texts;
    this.root = form.closest("[data-score]");
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  say(name, number) {
    return this.texts[name].replace("{n}", number);
  }

  /* The server's page as it is now, of which `form` is the sheet: what this page does not work out itself. */
  renew() {}

  /* What a deal that nobody has touched shows. */
  empty(fields) {
    return { ...fields };
  }

  fill(fields) {
    for (const control of this.form.elements) {
      if (control.type === "radio") control.checked = control.value === (fields[control.name] || "");
      else if (control.type === "checkbox") control.checked = Boolean(fields[control.name]);
      else if (control.name === "bombs") control.value = fields.bombs || "0";
    }
    this.clearInvalid();
  }

  /* 首叫 goes round: the seat drawn for deal 1, then the next one. */
  firstBidder(number) {
    if (!this.form.dataset.firstSeat) return;
    const first = (Number(this.form.dataset.firstSeat) + number - 1) % this.seats.length;
    this.seats.forEach(({ id }, seat) => {
      const face = this.form.querySelector(`[name=landlord][value="${id}"]`).nextElementSibling;
      face.querySelector(".pick__note")?.remove();
      if (seat === first) face.append(element("span", "pick__note", this.texts.first));
    });
  }

  live(fields, points) {
    const passedOut = fields.landlord === PASSED_OUT;
    for (const row of this.form.querySelectorAll("[data-played]")) {
      row.disabled = passedOut;
      row.classList.toggle("deal__row_off", passedOut);
    }
    this.possible("spring", fields.winner === "landlord");
    this.possible("anti_spring", fields.winner === "defenders");
    for (const { id } of this.seats) {
      const place = this.find(`[data-live] [data-seat="${id}"] [data-points]`);
      write(place, points ? points[id] : null);
    }
    this.find("[data-sum]").hidden = !points;
  }

  /* Only what can be: the other of 春天 and 反春 is not offered, and never sent. */
  possible(name, can) {
    const control = this.form.elements[name];
    control.closest(".pick").hidden = !can;
    if (!can) control.checked = false;
  }

  totals(totals, recorded) {
    for (const place of this.root.querySelectorAll("[data-deal-count]")) place.textContent = recorded;
    for (const { id } of this.seats) write(this.find(`[data-totals] [data-seat="${id}"] [data-total]`), totals[id]);
    for (const words of this.root.querySelectorAll("[data-words]")) words.replaceChildren(...this.seats.map((seat) => seatInWords(seat, totals)));
  }

  /* Where passed-out deals are replayed, the sheet grows while it is played. */
  stripLength(most) {
    const strip = this.find("[data-strip]");
    while (strip.children.length > most) strip.lastElementChild.remove();
    while (strip.children.length < most) {
      const item = strip.lastElementChild.cloneNode(true);
      item.dataset.deal = strip.children.length + 1;
      item.querySelector(".strip__number").textContent = item.dataset.deal;
      strip.append(item);
    }
  }

  /* `mark` is "waits" (to be sent), "held" (its notice says why it is not), or empty. */
  stripDeal(number, fields, points, { mark, open, current }) {
    const item = this.find(`[data-deal="${number}"]`);
    item.classList.toggle("strip__deal_saved", Boolean(fields));
    item.classList.toggle("strip__deal_waits", mark === "waits");
    item.classList.toggle("strip__deal_held", mark === "held");
    const face = this.face(item, number, open);
    if (current) face.setAttribute("aria-current", "true");
    else face.removeAttribute("aria-current");
    face.setAttribute(
      "aria-label",
      [this.say("deal", number), fields ? this.inWords(fields, points) : "", mark ? this.texts.pending : ""].filter(Boolean).join(this.texts.comma),
    );
    item.querySelector("[data-result]").textContent = this.inShort(fields, points);
  }

  /* A deal that may be opened is a link, any other a plain box. */
  face(item, number, open) {
    const old = item.querySelector(".strip__face");
    if ((old.tagName === "A") === open) return old;
    const face = element(open ? "a" : "span", "strip__face");
    if (open) face.href = `${this.form.dataset.pageUrl}?deal=${number}`;
    face.append(...old.childNodes);
    old.replaceWith(face);
    return face;
  }

  nameOf(id) {
    return this.seats.find((seat) => seat.id === id)?.name ?? id;
  }

  inShort(fields, points) {
    if (!fields) return "–";
    if (fields.landlord === PASSED_OUT) return this.texts.passedOut;
    return [...this.nameOf(fields.landlord)][0] + signed(points[fields.landlord]);
  }

  /* 庄家 张三，叫3分，胜，炸弹1，春天：张三 +24，李四 −12，王五 −12 */
  inWords(fields, points) {
    if (fields.landlord === PASSED_OUT) return this.texts.passedOut;
    const told = [
      `${this.texts.landlordWord} ${this.nameOf(fields.landlord)}`,
      this.say("bid", fields.bid),
      fields.winner === "landlord" ? this.texts.won : this.texts.lost,
      Number(fields.bombs) ? this.say("bombs", fields.bombs) : "",
      ...["rockets", "spring", "anti_spring"].map((name) => (fields[name] ? this.texts[name] : "")),
    ];
    const scores = this.seats.map(({ id, name }) => `${name} ${signed(points[id])}`);
    return `${told.filter(Boolean).join(this.texts.comma)}${this.texts.colon}${scores.join(this.texts.comma)}`;
  }

  /* One thing at a time: a deal's form with its button, or (number null) the summary with 核对交表. */
  part(number, saved) {
    this.form.hidden = number === null;
    for (const part of this.root.querySelectorAll("[data-summary], [data-hand-in-panel]")) part.hidden = number !== null;
    if (number === null) return;
    this.find("[data-save]").textContent = this.say(saved ? "change" : "save", number);
    this.find("[data-leave]").hidden = !saved;
  }

  /* `signIn` names the words of a link to sign in, or is null; in a new tab where this page must stay. */
  state(name, { why = "", signIn = null, newTab = false }) {
    const place = this.find("[data-sheet-state]");
    const text = name ? this.texts[name].replace("{why}", why) : "";
    const label = signIn ? `${text} ${this.texts[signIn]}` : text;
    place.dataset.state = name;
    if (place.textContent.trim() === label) return;
    place.replaceChildren(text);
    if (!signIn) return;
    const link = element("a", "score__sign-in", this.texts[signIn]);
    link.href = this.form.dataset.signInUrl;
    if (newTab) link.target = "_blank";
    place.append(" ", link);
  }

  /* Refused and doubly recorded deals, each with what to do. */
  problems(entries, { deals, recorded, ids }, locked) {
    const place = this.find("[data-sheet-problems]");
    const shown = JSON.stringify([locked, deals, entries.map(({ key, refused, conflict }) => [key, refused, conflict])]);
    if (place.dataset.shown === shown) return;
    place.dataset.shown = shown;
    place.querySelectorAll(":scope > :not([data-returned])").forEach((old) => old.remove());
    for (const entry of entries) {
      if (!locked && !entry.refused && !entry.conflict) continue;
      const box = element("div", `notice ${entry.refused && !locked ? "notice_error" : "notice_warn"}`);
      const text = element("div", "notice__text");
      box.append(element("span", "notice__mark"), text);
      if (locked || entry.conflict) {
        const saved = deals[entry.deal_number - 1];
        const theirs = { deal: saved ? this.game.fromDeal(saved) : null, who: recorded[entry.deal_number - 1] };
        this.conflict(text, entry, theirs, ids, locked);
      } else text.append(element("p", "", this.say("refused", entry.deal_number) + entry.refused), this.choices(entry, { theirs: "discard" }));
      place.append(box);
    }
  }

  /* Once the sheet is handed in there is nothing left to choose here: a correction is the chief referee's. */
  conflict(text, entry, { deal, who }, ids, locked) {
    const known = deal ? this.inWords(deal, this.game.score(deal, ids)) : "–";
    text.append(
      element("p", "", this.say(locked ? "late" : "conflict", entry.deal_number)),
      element("p", "", (who ? this.texts.theirsBy.replace("{who}", who) : this.texts.theirs) + known),
      element("p", "", this.texts.mine + this.inWords(entry.fields, this.game.score(entry.fields, ids))),
    );
    text.append(this.choices(entry, locked ? { theirs: "discard" } : { mine: "keepMine", theirs: "keepTheirs" }));
  }

  choices(entry, labels) {
    const choices = element("p", "score__choices");
    for (const [side, label] of Object.entries(labels)) {
      const button = element("button", "weui-btn weui-btn_default btn_small", this.texts[label]);
      button.type = "button";
      button.dataset.choose = side;
      button.dataset.key = entry.key;
      choices.append(button);
    }
    return choices;
  }

  markMissing(fields) {
    const missing = ["landlord", "bid", "winner"].find((name) => !fields[name]) ?? "bombs";
    const row = this.form.querySelector(`[name="${missing}"]`).closest("fieldset");
    row.classList.add("deal__row_missing");
    row.scrollIntoView({ block: "center" });
    row.querySelector("input").focus({ preventScroll: true });
  }

  clearInvalid() {
    this.form.querySelectorAll(".deal__row_missing").forEach((row) => row.classList.remove("deal__row_missing"));
  }

  lock() {
    this.form.hidden = true;
    for (const part of this.root.querySelectorAll("[data-summary], [data-hand-in-panel]")) part.hidden = true;
  }

  toTop() {
    window.scrollTo({ top: 0 });
  }

  announce(text) {
    toast(text, 5);
  }
}

export function element(name, className, text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

function seatInWords({ id, name }, totals) {
  const points = element("span", "number");
  write(points, totals[id]);
  const seat = element("span", "words__seat");
  seat.append(element("span", "words__name", name), " ", points);
  return seat;
}

function write(place, points) {
  place.textContent = points === null ? "–" : signed(points);
  place.classList.toggle("plus", points > 0);
  place.classList.toggle("minus", points < 0);
}
