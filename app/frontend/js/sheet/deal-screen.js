/* What the page of a sheet of deals shows: fills controls and writes texts; decides nothing. */
import { PASSED_OUT, signed } from "./deal.js";
import { Screen, element } from "./screen.js";

export class DealScreen extends Screen {
  constructor(sheet) {
    super(sheet);
    this.form = this.find("form[data-deal-form]");
  }

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
    if (!this.root.dataset.firstSeat) return;
    const first = (Number(this.root.dataset.firstSeat) + number - 1) % this.seats.length;
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

  /* `standing` are the deals that count, as fields. */
  totals(totals, standing) {
    for (const place of this.root.querySelectorAll("[data-deal-count]")) place.textContent = standing.length;
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
    if (open) face.href = `${this.root.dataset.pageUrl}?deal=${number}`;
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

  /* Somebody forfeits, as far as this phone knows: then a sheet can be handed in whatever deals it has. */
  ended(ended, entries) {
    const panel = this.find("[data-forfeited]");
    if (!panel) return;
    const said = entries.find(({ act }) => act === "absences")?.fields ?? {};
    panel.hidden = ended || !Object.keys(said).some((name) => name.startsWith("forfeit-") || name.startsWith("late-"));
    if (!panel.hidden) this.find("[data-hand-in-panel]").hidden = false;
  }

  told(entry, sheet) {
    if (entry.act !== "deal") return super.told(entry);
    return this.inWords(entry.fields, this.game.score(entry.fields, sheet.ids));
  }

  theirs(entry, sheet) {
    if (entry.act !== "deal") return super.theirs(entry, sheet);
    const theirs = sheet.theirs(entry);
    const who = sheet.recorded[entry.deal_number - 1];
    const known = theirs ? this.inWords(theirs, this.game.score(theirs, sheet.ids)) : "–";
    return { label: who ? this.texts.theirsBy.replace("{who}", who) : this.texts.theirs, text: known };
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
