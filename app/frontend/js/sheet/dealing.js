/* The part of a sheet that is typed deal by deal: which deal is open, what counts of each, the strip. */
import * as keypad from "./keypad.js";

export class Dealing {
  constructor(sheet) {
    this.sheet = sheet;
    this.outbox = sheet.outbox;
    this.game = sheet.game;
    this.screen = sheet.screen;
    this.form = sheet.root.querySelector("form[data-deal-form]");
  }

  get locked() {
    return this.sheet.locked;
  }

  get drafted() {
    return this.current !== null && Boolean(this.outbox.draft(this.current));
  }

  start() {
    const asked = Number(new URLSearchParams(location.search).get("deal"));
    this.opened = asked > 0 && this.opens(asked);
    if (document.querySelector("[data-returned]")) this.show(Number(this.form.elements.deal_number.value), this.read());
    else this.show(this.opened ? asked : this.next()); // the server does not know of the deals that wait here
    keypad.start(this.form, this.sheet.texts);
    this.form.addEventListener("input", () => this.edited());
    this.form.addEventListener("submit", (event) => this.submitted(event));
    this.sheet.root.addEventListener("click", (event) => this.tapped(event));
  }

  waiting(number) {
    return this.outbox.waiting(`deal ${number}`);
  }

  /* Whether a deal that is to be taken out is still on the server. */
  removed(number) {
    return Number(this.outbox.waiting("remove")?.fields.deal_number) === number;
  }

  saved(number) {
    const deal = this.sheet.deals[number - 1];
    return deal && !this.removed(number) ? this.game.fromDeal(deal) : null;
  }

  /* What deal `number` is as far as this phone knows: waiting here, else saved there, else null. */
  known(number) {
    return this.waiting(number)?.fields ?? this.saved(number);
  }

  /* What counts of deal `number`; see the head of sheet.js. */
  standing(number) {
    const waiting = this.waiting(number);
    return waiting && this.sheet.goes(waiting) ? waiting.fields : this.saved(number);
  }

  /* How many deals the strip has: the stage's, or of a match, which has no number of them, one more than are known. */
  get length() {
    if (!this.game.OPEN_ENDED) return this.sheet.perStage;
    return this.last + (this.locked ? 0 : 1);
  }

  /* The last deal that is known, 0 before the first. */
  get last() {
    const waiting = this.outbox.entries.filter(({ act }) => act === "deal").map((entry) => entry.deal_number);
    const known = Math.max(this.sheet.deals.length, ...waiting);
    return this.removed(known) ? known - 1 : known;
  }

  numbers() {
    return Array.from({ length: this.length }, (_, index) => index + 1);
  }

  /* The first deal nobody has recorded, else the first that does not count yet; null when all do. */
  next() {
    const numbers = this.numbers();
    return numbers.find((number) => !this.known(number)) ?? numbers.find((number) => !this.standing(number)) ?? null;
  }

  /* A recorded deal and the next one open on a tap. */
  opens(number) {
    return !this.locked && !this.sheet.ended && (this.known(number) !== null || number === this.next());
  }

  read() {
    const chosen = new FormData(this.form);
    return this.game.tidy(Object.fromEntries(this.game.NAMES.map((name) => [name, chosen.get(name) ?? this.game.EMPTY[name]])));
  }

  /* `null` shows the summary: every deal stands, what is left is to hand in. */
  show(number, fields = null) {
    this.current = number;
    this.form.elements.deal_number.value = number ?? "";
    this.screen.firstBidder(number ?? 1);
    this.screen.fill(fields ?? (number && (this.outbox.draft(number) ?? this.known(number))) ?? this.screen.empty(this.game.EMPTY, number === this.sheet.deals.length + 1));
    this.sheet.refresh();
  }

  /* The sheet was read anew: a deal nobody has touched here shows what is known of it now. */
  follow() {
    if (this.current && this.outbox.draft(this.current)) return;
    this.show(this.opened && this.opens(this.current) ? this.current : this.next());
  }

  edited() {
    const fields = this.read();
    const known = this.known(this.current);
    const worthKeeping = known ? !this.game.same(fields, known) : this.game.isTouched(fields);
    this.outbox.setDraft(this.current, worthKeeping ? fields : null);
    this.screen.clearInvalid();
    this.sheet.refresh();
  }

  refresh() {
    const { ids } = this.sheet;
    const fields = this.read();
    this.screen.live(fields, this.game.isComplete(fields) ? this.game.score(fields, ids) : null);
    const totals = Object.fromEntries(ids.map((id) => [id, 0]));
    const standing = [];
    this.screen.stripLength(this.length);
    for (const number of this.numbers()) {
      const counts = this.standing(number);
      const points = counts && this.game.score(counts, ids);
      if (points) for (const id of ids) totals[id] += points[id];
      if (counts) standing.push(counts);
      const waiting = this.locked ? null : this.waiting(number);
      const mark = waiting ? (this.sheet.goes(waiting) ? "waits" : "held") : this.removed(number) ? "waits" : "";
      const current = number === this.current && !this.locked;
      this.screen.stripDeal(number, counts, points, { mark, open: this.opens(number), current });
    }
    this.screen.totals(totals, standing);
    this.screen.last(this.last);
    this.screen.part(this.current, this.current !== null && this.known(this.current) !== null);
    if (this.locked || this.sheet.ended) this.screen.lock();
  }

  submitted(event) {
    event.preventDefault();
    const fields = this.read();
    if (!this.game.isComplete(fields)) {
      this.screen.markMissing(fields);
      return;
    }
    const number = this.current;
    const known = this.known(number);
    if (!known || !this.game.same(fields, known) || this.waiting(number)?.refused) {
      const removal = this.removed(number) ? this.outbox.waiting("remove") : null;
      if (removal) this.outbox.drop(removal.key);
      this.sheet.put({ act: "deal", deal_number: number, fields, was: this.saved(number) });
    }
    this.sheet.reconcile();
    this.leave(number);
    this.sheet.upload.flush();
  }

  /* Done with this deal: on to the next one, or to the summary. */
  leave(number) {
    this.outbox.setDraft(number, null);
    document.querySelector("[data-returned]")?.remove();
    this.opened = false;
    this.show(this.next());
    this.screen.toTop();
  }

  tapped(event) {
    const deal = event.target.closest("[data-deal]");
    if (deal && deal.querySelector("a")) {
      event.preventDefault();
      this.opened = true;
      this.show(Number(deal.dataset.deal));
    } else if (event.target.closest("[data-leave]")) {
      event.preventDefault();
      this.leave(this.current);
    }
  }
}
