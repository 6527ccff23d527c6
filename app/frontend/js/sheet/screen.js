/* What every sheet's page shows besides its forms: state, notices, what waits; decides nothing. */
import { toast } from "../toast.js";
import { ENDS } from "./acts.js";

export class Screen {
  constructor({ root, seats, texts, game }) {
    this.game = game;
    this.root = root;
    this.seats = seats;
    this.texts = texts;
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  say(name, number) {
    return this.texts[name].replace("{n}", number);
  }

  /* The server's page as it is now: what this page does not work out itself is taken from there. */
  renew(page) {
    for (const place of document.querySelectorAll("[data-fresh]")) {
      if (place.querySelector("dialog[open]")) continue; // somebody is handing in just what stands there
      if (place.contains(document.activeElement) && document.activeElement.matches("input, select, textarea")) continue;
      if ([...place.querySelectorAll("textarea")].some((text) => text.value.trim())) continue; // why a sheet is taken over
      const fresh = page.querySelector(`[data-fresh="${place.dataset.fresh}"]`);
      if (!fresh) continue;
      const open = place.querySelector("details[open]") !== null;
      place.replaceChildren(...document.importNode(fresh, true).childNodes);
      if (open) place.querySelector("details")?.setAttribute("open", "");
    }
  }

  /* Handed in here: nothing is typed any more. */
  ended() {}
  last() {}

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
    link.href = this.root.dataset.signInUrl;
    if (newTab) link.target = "_blank";
    place.append(" ", link);
  }

  /* What is held back, each with what to do; and what waits and stands in no strip. */
  problems(entries, sheet) {
    const place = this.find("[data-sheet-problems]");
    const told = entries.map((entry) => [entry.key, entry.fields, entry.refused, entry.conflict, sheet.isOurs(entry)]);
    const shown = JSON.stringify([sheet.locked, sheet.revision, sheet.deals, told]);
    if (place.dataset.shown === shown) return;
    place.dataset.shown = shown;
    place.querySelectorAll(":scope > :not([data-returned])").forEach((old) => old.remove());
    for (const entry of entries) {
      const notice = this.notice(entry, sheet);
      if (!notice) continue;
      const box = element("div", `notice notice_${notice.tone}`);
      const text = element("div", "notice__text");
      text.append(...notice.lines.map((line) => element("p", "", line)));
      if (notice.versions) text.append(this.versions(entry, notice.versions, notice.choices));
      else text.append(this.choices(entry, notice.choices));
      box.append(element("span", "notice__mark"), text);
      place.append(box);
    }
  }

  notice(entry, sheet) {
    const mine = { side: "mine", label: this.texts.mine, text: this.told(entry, sheet) };
    const both = () => [{ side: "theirs", ...this.theirs(entry, sheet) }, mine];
    const name = this.nameOfAct(entry);
    const fill = (text) => this.texts[text].replace("{n}", entry.deal_number).replace("{what}", name);
    const deal = entry.act === "deal";
    if (sheet.locked) {
      const versions = entry.act === "hand_in" ? null : both();
      return { tone: "warn", lines: [fill(deal ? "late" : "lateAct")], versions, choices: { theirs: "discard" } };
    }
    if (!sheet.isOurs(entry)) return { tone: "warn", lines: [this.texts.others, mine.label + mine.text], choices: { ours: "sendOurs", theirs: "discard" } };
    if (entry.act === "hand_in" && entry.conflict) return { tone: "warn", lines: [this.texts.changed], choices: { theirs: "understood" } };
    if (entry.conflict) {
      const choices = entry.act === "remove" ? { theirs: "discard" } : { mine: "keepMine", theirs: "keepTheirs" };
      return { tone: "warn", lines: [fill(deal ? "conflict" : "conflictAct")], versions: both(), choices };
    }
    if (entry.refused) {
      const lines = [fill(deal ? "refused" : "refusedAct") + entry.refused, ...(deal ? [] : [this.told(entry, sheet)])];
      return { tone: "error", lines, choices: { ...(document.querySelector(`form[data-outbox="${entry.act}"]`) ? { mend: "mend" } : {}), theirs: "discard" } };
    }
    if (deal) return null;
    const lines = [fill(ENDS.includes(entry.act) ? "endedHere" : "waitsHere"), this.told(entry, sheet)].filter(Boolean);
    return { tone: "info", lines, choices: { theirs: "takeBack" } };
  }

  nameOfAct({ act }) {
    return this.texts.acts[act] ?? "";
  }

  /* What an entry says. */
  told(entry) {
    return entry.words ?? "";
  }

  theirs(entry, sheet) {
    return { label: this.texts.theirs, text: sheet.forms.words[entry.act] || "–" };
  }

  /* Both versions side by side, each over the button that keeps it. */
  versions(entry, versions, labels) {
    const place = element("div", "versions versions_pair");
    for (const { side, label, text } of versions) {
      const one = element("section", "versions__one");
      one.dataset.version = side;
      one.append(element("h3", "versions__who", label), element("p", "", text || "–"));
      if (labels[side]) one.append(this.choices(entry, { [side]: labels[side] }));
      place.append(one);
    }
    return place;
  }

  choices(entry, labels) {
    const choices = element("p", "score__choices");
    for (const [side, label] of Object.entries(labels)) {
      const button = element("button", "weui-btn weui-btn_default btn_small", this.texts[label]);
      button.type = "button";
      if (side === "mend") button.dataset.mend = entry.act;
      else Object.assign(button.dataset, { choose: side, key: entry.key });
      choices.append(button);
    }
    return choices;
  }

  /* Who won, by name and large, beside what the players tick. */
  confirmation(form) {
    const place = form?.querySelector("[data-board-words]");
    if (!place) return;
    const chosen = form.querySelector("[name=result]:checked");
    form.querySelector("[data-dialog]").disabled = !chosen;
    const result = chosen?.labels[0].querySelector(".pick__face > :first-child").textContent.trim() ?? "–";
    const counted = [...form.querySelectorAll("[data-counter]")].filter((counter) => Number(counter.querySelector("input").value));
    const words = counted.map((counter) => `${counter.querySelector("label").textContent.trim()} ${counter.querySelector("input").value}`);
    place.replaceChildren(element("strong", "words__result", result), ...words.map((each) => element("span", "words__extra", each)));
  }

  lock() {}

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
