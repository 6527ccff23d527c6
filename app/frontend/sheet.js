/*
 * The referee's sheet (本桌): everything said of a table by thumb, nothing lost without a network.
 *
 * The page is made of plain forms that work alone. This module takes their submits over: what was done goes into the outbox
 * on this phone (已存本机) and from there to the very address the form posts to, with the same fields. There is no second
 * protocol: the server answers as to any browser (303 to the sheet's page), fetch follows, and the new revision, contents
 * and CSRF token are read from the page that comes back (已上传).
 *
 *   [data-sheet]         the sheet: landlord, match or board; its attributes say what the server holds of it.
 *   form[data-deal-form] one deal (js/sheet/dealing.js); form[data-outbox] everything else (js/sheet/forms.js, acts.js).
 *   [data-fresh]         what is taken from the server's page as it is whenever one comes.
 *
 *   POST  base_revision, idempotency_key, client_time and the fields of the form; what does not apply may be empty.
 *         A known idempotency_key must be answered like the first time, before base_revision is compared.
 *
 * What the server refuses as wrong (422) stays here with its reason until it is corrected; whatever else is answered, it
 * stays here and is sent again (js/sheet/upload.js). After a 409, after a new sign-in, and whenever the page is opened with
 * something still waiting, each entry is compared with what the server holds of the same: unchanged since we read it: sent
 * on the newer revision; already the same: done; different: the referee chooses between the two (conflict). Handing in is
 * sent last, and only on the revision that holds what the players checked.
 *
 * Totals and strip show what counts: the server's and what is on its way to it. What was refused, what somebody else
 * recorded too, or what came after the sheet was handed in stands in its notice and nowhere else.
 *
 *   [data-sheet-life]  how far the sheet is (templates/results/_confirming.html). Its forms (data-act) are one POST each and go to the
 *                      server as they are: who confirms has to be there, and what he confirms too.
 *   cookie `device`    the key of this phone, made when a sheet is opened first. The phone that writes first holds the sheet.
 *   409 with [data-held]  another device holds it: nothing is wrong with what is sent. The same body with `takeover_reason`
 *                      takes over and saves in one POST. A sheet's page shows [data-held] too, with a form that takes over alone.
 *   409 without it     an older base_revision.
 */
import { Dealing } from "./js/sheet/dealing.js";
import { Forms } from "./js/sheet/forms.js";
import * as acts from "./js/sheet/acts.js";
import * as landlord from "./js/sheet/deal.js";
import * as match from "./js/sheet/match.js";
import { DealScreen } from "./js/sheet/deal-screen.js";
import { MatchScreen } from "./js/sheet/match-screen.js";
import { Outbox, newKey } from "./js/sheet/outbox.js";
import * as phone from "./js/sheet/phone.js";
import { Screen } from "./js/sheet/screen.js";
import { Upload } from "./js/sheet/upload.js";
import { toast } from "./js/toast.js";

/* What a deal is in each game, and what its page shows. */
const GAMES = { landlord: [landlord, DealScreen], match: [match, MatchScreen], board: [null, Screen] };

class Sheet {
  constructor(root) {
    this.root = root;
    this.texts = { ...JSON.parse(root.dataset.common), ...JSON.parse(root.dataset.texts ?? "{}") };
    this.seats = JSON.parse(root.dataset.seats);
    this.ids = this.seats.map((seat) => seat.id);
    this.outbox = new Outbox(root.dataset.tableToken);
    const [game, View] = GAMES[root.dataset.sheet];
    this.game = game;
    this.screen = new View(this);
    this.upload = new Upload(this);
    this.forms = new Forms(this);
    this.dealing = root.querySelector("form[data-deal-form]") ? new Dealing(this) : null;
    this.adopt(document);
  }

  /* Takes revision, contents and token from a page of the sheet: ours, or the one in the server's answer. */
  adopt(page) {
    const root = page.querySelector("[data-sheet]");
    const { revision, deals, recorded, dealsPerStage, state, shape } = root.dataset;
    const changed = page !== document && (state !== this.state || shape !== this.shape);
    Object.assign(this, { state, shape, revision: Number(revision), deals: JSON.parse(deals), recorded: JSON.parse(recorded ?? "[]") });
    this.account = page.body.dataset.account;
    this.perStage = Number(dealsPerStage);
    this.csrf = page.querySelector("[name=csrf_token]")?.value ?? "";
    this.forms.adopt(page);
    if (page !== document) {
      this.screen.renew(page, root);
      phone.renewed(this.screen.find("[data-kept]"), this.texts);
    }
    for (const field of document.querySelectorAll("[name=base_revision]")) field.value = this.revision;
    for (const field of document.querySelectorAll("[name=csrf_token]")) field.value = this.csrf;
    // Handed in, given back, forfeited: another page, which the server writes whole.
    if (changed && this.outbox.held) location.replace(root.dataset.pageUrl);
  }

  get locked() {
    return this.state !== "open";
  }

  /* Handed in on this phone, and not at the server yet. */
  get ended() {
    return this.outbox.entries.some((entry) => acts.ENDS.includes(entry.act) && this.goes(entry));
  }

  /* Whether it is on its way: neither refused, nor somebody else's word against it, nor another account's. */
  goes(entry) {
    return !this.locked && !entry.refused && !entry.conflict && this.isOurs(entry);
  }

  isOurs(entry) {
    return !entry.by || entry.by === this.account;
  }

  start() {
    this.upload.stale = phone.keptAt() !== null; // a page from this phone is read anew as soon as that is possible
    this.reconcile();
    this.forms.start();
    this.dealing?.start();
    this.refresh();
    document.addEventListener("click", (event) => this.tapped(event));
    this.upload.flush();
    // What may have changed what we wait for: the network, a sign-in in another tab, coming back through the history.
    for (const name of ["online", "focus", "pageshow"]) window.addEventListener(name, () => this.upload.flush());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.upload.flush();
    });
    phone.start(this.screen.find("[data-kept]"), this.texts, new URL(this.root.dataset.pageUrl, location).pathname);
  }

  /* Something was done here; `said` is what to keep of it besides. Whatever the players checked before is to be checked again. */
  put(said) {
    if (!acts.ENDS.includes(said.act)) this.dropEnd();
    this.outbox.put({ key: newKey(), at: new Date().toISOString(), by: this.account, ...said });
  }

  dropEnd() {
    const ends = this.outbox.entries.filter(({ act }) => act === "hand_in");
    for (const { key } of ends) this.outbox.drop(key);
    if (ends.length) toast(this.texts.checkAgain, 5);
  }

  /* The sheet was read anew: what nobody has touched here shows what is known of it now. */
  follow() {
    this.forms.follow();
    this.dealing?.follow();
  }

  refresh() {
    this.dealing?.refresh();
    this.screen.ended(this.ended, this.outbox.entries);
    this.screen.problems(this.outbox.entries, this);
    this.forms.refresh();
    this.showState();
  }

  showState() {
    const { waiting } = this.upload;
    const others = this.outbox.entries.some((entry) => !this.isOurs(entry));
    const signIn = waiting?.why === "signedOut" ? "signIn" : waiting?.otherAccount || others ? "otherAccount" : null;
    // A phone that cannot store must not leave the page to sign in.
    this.screen.state(this.stateName(), { why: waiting?.text, signIn: this.locked ? null : signIn, newTab: !this.outbox.held });
  }

  stateName() {
    if (this.locked) return this.state;
    const { waiting, running } = this.upload;
    const waits = this.outbox.entries.length > 0;
    const drafted = this.forms.drafted || Boolean(this.dealing?.drafted);
    if ((waits || drafted) && !this.outbox.held) return "memory";
    if (waits && waiting) return waiting.why;
    if (waits && running) return "sending";
    if (waits || drafted) return "local";
    if (waiting?.why === "signedOut") return "expired";
    return this.revision ? "uploaded" : "";
  }

  tapped(event) {
    const choice = event.target.closest("[data-choose]");
    if (choice) this.choose(choice.dataset.key, choice.dataset.choose);
  }

  choose(key, side) {
    const entry = this.outbox.entries.find((one) => one.key === key);
    if (!entry) return;
    if (!acts.ENDS.includes(entry.act)) this.dropEnd();
    if (side === "mine") this.outbox.change(key, { conflict: false, key: newKey(), was: this.theirs(entry) });
    else if (side === "ours") this.outbox.change(key, { by: this.account });
    else this.outbox.drop(key);
    this.follow();
    this.upload.flush();
  }

  /* What the server holds of what an entry says; null where it holds nothing. */
  theirs(entry) {
    if (entry.act !== "deal") return this.forms.server(entry);
    const deal = this.deals[entry.deal_number - 1];
    return deal ? this.game.fromDeal(deal) : null;
  }

  /* Compares what waits here with what the server holds; see the head of this module. */
  reconcile() {
    for (const entry of this.outbox.entries) {
      const verdict = this.compared(entry);
      if (verdict === "done") this.outbox.drop(entry.key, !acts.ENDS.includes(entry.act));
      else if (verdict === "conflict") this.outbox.change(entry.key, { conflict: true, refused: null });
      else if (entry.conflict) this.outbox.change(entry.key, { conflict: false });
    }
    this.checkEnd();
  }

  compared(entry) {
    const theirs = this.theirs(entry);
    if (entry.act === "deal") return verdict(entry, theirs, this.game.same);
    if (entry.act === "lift") return theirs ? "free" : "done";
    if (entry.act === "remove") return this.removal(entry);
    if (!acts.isCompared(entry)) return "free";
    const found = verdict(entry, theirs, acts.same);
    // An open board is not handed in, whatever is written there.
    return found === "done" && entry.act === "board" && !this.locked ? "free" : found;
  }

  removal({ fields, was }) {
    const number = Number(fields.deal_number);
    if (this.deals.length < number) return "done";
    const last = this.deals.length === number && this.game.same(this.game.fromDeal(this.deals[number - 1]), was);
    return last ? "free" : "conflict";
  }

  /* What the players checked is what the server holds, or they have to check again. */
  checkEnd() {
    const entry = this.outbox.entries.find(({ act }) => act === "hand_in");
    if (!entry) return;
    if (this.locked && this.revision === entry.on + 1) this.outbox.drop(entry.key);
    else if (!this.locked && this.outbox.entries[0].key === entry.key && this.revision !== entry.on && !entry.conflict) {
      this.outbox.change(entry.key, { conflict: true });
      toast(this.texts.changed, 5);
    }
  }
}

/* done: the server holds just this; conflict: something that is neither ours nor what we knew. */
function verdict({ fields, was, before = [] }, theirs, same) {
  if (theirs && same(theirs, fields)) return "done";
  const ours = was ? [was, ...before] : before;
  const free = theirs ? ours.some((known) => same(theirs, known)) : !was;
  return free ? "free" : "conflict";
}

const root = document.querySelector("[data-sheet]");
if (root) new Sheet(root).start();
