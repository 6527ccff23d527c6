/*
 * The referee's sheet (本桌): one deal per screen, three scores live, nothing lost without a network.
 *
 * The page is a plain form that works alone. This module takes its submit over: the deal goes into the outbox on
 * this phone (已存本机) and from there to the very address the form posts to, with the same fields. There is no
 * second protocol: the server answers as to any browser (303 to the sheet's page), fetch follows, and the new
 * revision, deals and CSRF token are read from the page that comes back (已上传).
 *
 *   POST …/deals    deal_number, landlord (entrant id | passed_out), bid, winner, bombs, rockets, spring,
 *                   anti_spring, base_revision, idempotency_key, client_time; what does not apply may be empty.
 *                   A known idempotency_key must be answered like the first time, before base_revision is compared.
 *   POST …/match/deals  the same of a match of 升级: banker, points, unit, bottom_points, size, ended, by.
 *   POST …/hand-in  base_revision, idempotency_key, checked=1: an ordinary submit, once nothing waits here.
 *
 * A deal the server refuses as wrong (422) stays here with its reason until it is corrected; whatever else is
 * answered, it stays here and is sent again (js/sheet/upload.js). After a 409, after a new sign-in, and whenever the
 * page is opened with deals still waiting, each waiting deal is compared with the server's: unchanged since we read
 * it: sent on the newer revision; already the same: done; different: the referee chooses between the two (conflict).
 *
 * Strip and totals show what counts: the server's deals and those on their way to it. A deal that was refused, that
 * somebody else recorded too, or that came after the sheet was handed in stands in its notice and nowhere else.
 *
 * Besides deals, the page of a table now says and takes:
 *   [data-sheet-life]  how far the sheet is (templates/results/_confirming.html): data-state open | entered | disputed |
 *                      confirmed, data-revision, data-published, data-confirmation at_table | players | blind, data-waiting-for
 *                      (entrant ids), data-in-force, data-locked. Its forms (data-act say, dispute, confirm-for, decide) are one POST
 *                      each with revision or base_revision and idempotency_key; a repeated key is answered like the first time.
 *   cookie `device`    the key of this phone, made when a sheet is opened first. The phone that writes first holds the sheet.
 *   409 with [data-held]  another device holds it: nothing is wrong with the deal. The same body with `takeover_reason` takes over
 *                      and saves in one POST; POST …/takeovers (takeover_reason) takes over alone. A sheet's page shows [data-held] too.
 *   409 without it     an older base_revision, as before.
 */
import * as landlord from "./js/sheet/deal.js";
import * as match from "./js/sheet/match.js";
import { MatchScreen } from "./js/sheet/match-screen.js";
import { Outbox, newKey } from "./js/sheet/outbox.js";
import { Screen } from "./js/sheet/screen.js";
import { Upload } from "./js/sheet/upload.js";

/* What a deal is in each game, and what its page shows. */
const GAMES = { landlord: [landlord, Screen], match: [match, MatchScreen] };

class Sheet {
  constructor(form) {
    this.form = form;
    this.seats = JSON.parse(form.dataset.seats);
    this.ids = this.seats.map((seat) => seat.id);
    this.outbox = new Outbox(form.dataset.tableToken);
    this.texts = JSON.parse(form.dataset.texts);
    const [game, View] = GAMES[form.dataset.sheet || "landlord"];
    this.game = game;
    this.screen = new View(form, this.seats, this.texts, game);
    this.upload = new Upload(this);
    this.adopt(form);
  }

  /* Takes revision, deals and token from a sheet form: ours, or the one in the server's answer. */
  adopt(form) {
    this.revision = Number(form.dataset.revision);
    this.deals = JSON.parse(form.dataset.deals);
    this.recorded = JSON.parse(form.dataset.recorded ?? "[]");
    this.perStage = Number(form.dataset.dealsPerStage);
    this.state = form.dataset.state;
    this.csrf = form.elements.csrf_token?.value ?? "";
    if (form !== this.form) this.screen.renew(form);
    for (const field of document.querySelectorAll("[name=base_revision]")) field.value = this.revision;
    for (const field of document.querySelectorAll("[name=csrf_token]")) field.value = this.csrf;
  }

  get locked() {
    return this.state !== "open";
  }

  start() {
    this.reconcile();
    const asked = Number(this.form.elements.deal_number.value);
    this.opened = new URLSearchParams(location.search).has("deal") && this.opens(asked);
    if (document.querySelector("[data-returned]")) this.show(asked, this.read());
    else this.show(this.opened ? asked : this.next()); // the server does not know of the deals that wait here
    this.form.addEventListener("input", () => this.edited());
    this.form.addEventListener("submit", (event) => this.submitted(event));
    this.form.addEventListener("click", (event) => this.stepped(event));
    this.screen.root.addEventListener("click", (event) => this.tapped(event));
    document.addEventListener("submit", (event) => {
      if (event.target.matches("form[data-hand-in]")) this.handIn(event);
    });
    this.upload.flush();
    // What may have changed what we wait for: the network, a sign-in in another tab, coming back through the history.
    for (const name of ["online", "focus", "pageshow"]) window.addEventListener(name, () => this.upload.flush());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.upload.flush();
    });
  }

  /* What deal `number` is as far as this phone knows: waiting here, else saved there, else null. */
  known(number) {
    const waiting = this.outbox.entries.find((entry) => entry.deal_number === number);
    if (waiting) return waiting.fields;
    return this.deals[number - 1] ? this.game.fromDeal(this.deals[number - 1]) : null;
  }

  /* What counts of deal `number`; see the head of this module. */
  standing(number) {
    const waiting = this.outbox.entries.find((entry) => entry.deal_number === number);
    if (waiting && !this.locked && !waiting.refused && !waiting.conflict) return waiting.fields;
    return this.deals[number - 1] ? this.game.fromDeal(this.deals[number - 1]) : null;
  }

  /* How many deals the strip has: the stage's, or of a match, which has no number of them, one more than are known. */
  get length() {
    if (!this.game.OPEN_ENDED) return this.perStage;
    const waiting = this.outbox.entries.map((entry) => entry.deal_number);
    return Math.max(this.deals.length, ...waiting) + (this.locked ? 0 : 1);
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
    return !this.locked && (this.known(number) !== null || number === this.next());
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
    this.screen.fill(fields ?? (number && (this.outbox.draft(number) ?? this.known(number))) ?? this.screen.empty(this.game.EMPTY, number === this.deals.length + 1));
    this.refresh();
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
    this.refresh();
  }

  refresh() {
    const fields = this.read();
    this.screen.live(fields, this.game.isComplete(fields) ? this.game.score(fields, this.ids) : null);
    const totals = Object.fromEntries(this.ids.map((id) => [id, 0]));
    let recorded = 0;
    this.screen.stripLength(this.length);
    for (const number of this.numbers()) {
      const standing = this.standing(number);
      const points = standing && this.game.score(standing, this.ids);
      if (points) for (const id of this.ids) totals[id] += points[id];
      if (standing) recorded += 1;
      const waiting = this.locked ? null : this.outbox.entries.find((entry) => entry.deal_number === number);
      const mark = waiting ? (waiting.refused || waiting.conflict ? "held" : "waits") : "";
      const current = number === this.current && !this.locked;
      this.screen.stripDeal(number, standing, points, { mark, open: this.opens(number), current });
    }
    this.screen.totals(totals, recorded);
    this.screen.part(this.current, this.current !== null && this.known(this.current) !== null);
    this.screen.problems(this.outbox.entries, this, this.locked);
    this.showState();
    if (this.locked) this.screen.lock();
  }

  showState() {
    const { waiting } = this.upload;
    const name = this.stateName();
    const signIn = waiting?.why === "signedOut" ? "signIn" : waiting?.otherAccount ? "otherAccount" : null;
    // A phone that cannot store must not leave the page to sign in.
    const newTab = !this.outbox.held;
    this.screen.state(name, { why: waiting?.text, signIn: this.locked ? null : signIn, newTab });
  }

  stateName() {
    if (this.locked) return this.state === "confirmed" ? "confirmed" : "entered";
    const { waiting, running } = this.upload;
    const waits = this.outbox.entries.length > 0;
    const drafted = this.current !== null && Boolean(this.outbox.draft(this.current));
    if ((waits || drafted) && !this.outbox.held) return "memory";
    if (waits && waiting) return waiting.why;
    if (waits && running) return "sending";
    if (waits || drafted) return "local";
    if (waiting?.why === "signedOut") return "expired";
    return this.deals.length ? "uploaded" : "";
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
    const refused = this.outbox.entries.some((entry) => entry.deal_number === number && entry.refused);
    if (!known || !this.game.same(fields, known) || refused) {
      this.outbox.put({
        key: newKey(),
        deal_number: number,
        fields,
        was: this.deals[number - 1] ? this.game.fromDeal(this.deals[number - 1]) : null,
        at: new Date().toISOString(),
      });
    }
    this.reconcile();
    this.leave(number);
    this.upload.flush();
  }

  /* Done with this deal: on to the next one, or to the summary. */
  leave(number) {
    this.outbox.setDraft(number, null);
    document.querySelector("[data-returned]")?.remove();
    this.opened = false;
    this.show(this.next());
    this.screen.toTop();
  }

  stepped(event) {
    const step = event.target.closest("[data-step]");
    if (!step) return;
    const input = this.form.elements.bombs;
    const most = Number(input.max);
    input.value = Math.min(most, Math.max(0, (Number(input.value) || 0) + Number(step.dataset.step)));
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  tapped(event) {
    const deal = event.target.closest("[data-deal]");
    if (deal && deal.querySelector("a")) {
      event.preventDefault();
      this.opened = true;
      this.show(Number(deal.dataset.deal));
      return;
    }
    if (event.target.closest("[data-leave]")) {
      event.preventDefault();
      this.leave(this.current);
      return;
    }
    const choice = event.target.closest("[data-choose]");
    if (choice) this.choose(choice.dataset.key, choice.dataset.choose);
  }

  choose(key, side) {
    const entry = this.outbox.entries.find((one) => one.key === key);
    if (!entry) return;
    if (side === "mine") {
      const theirs = this.deals[entry.deal_number - 1];
      this.outbox.change(key, { conflict: false, key: newKey(), was: theirs ? this.game.fromDeal(theirs) : null });
    } else {
      this.outbox.drop(key);
    }
    this.follow();
    this.upload.flush();
  }

  /* Compares what waits here with what the server holds; see the head of this module. */
  reconcile() {
    for (const entry of this.outbox.entries) {
      const theirs = this.deals[entry.deal_number - 1] ? this.game.fromDeal(this.deals[entry.deal_number - 1]) : null;
      if (theirs && this.game.same(theirs, entry.fields)) this.outbox.drop(entry.key);
      else if (theirs ? ours(entry).some((fields) => this.game.same(theirs, fields)) : !entry.was) this.outbox.change(entry.key, { conflict: false });
      else this.outbox.change(entry.key, { conflict: true, refused: null });
    }
  }

  /* Handing in is an ordinary submit, once nothing waits here and the page is known to be the newest. */
  async handIn(event) {
    if (this.handsIn) return;
    event.preventDefault();
    const form = event.target;
    const { revision } = this;
    this.upload.stale = true;
    await this.upload.flush();
    const hindrance = this.handInWaitsFor(revision);
    if (hindrance) {
      form.elements.checked.checked = false;
      form.closest("dialog")?.close();
      this.screen.announce(hindrance);
      if (this.game.OPEN_ENDED && !this.upload.waiting) {
        this.upload.stale = true; // what was to be handed in is shown as it is now
        this.upload.flush();
      }
      return;
    }
    this.handsIn = true;
    form.requestSubmit();
    this.handsIn = false;
  }

  handInWaitsFor(revision) {
    const { waiting } = this.upload;
    if (waiting) return waiting.text || this.texts[waiting.why === "signedOut" ? "expired" : "unreachable"];
    if (this.outbox.entries.length > 0) return this.texts.handInWaits;
    return this.revision === revision ? null : this.texts.changed;
  }
}

/* What the server may hold of this deal without anybody else having written it. */
function ours({ was, before = [] }) {
  return was ? [was, ...before] : before;
}

const form = document.querySelector("form[data-sheet]");
if (form) new Sheet(form).start();
