/* Rows of cards and the keys that fill them. A row is a text: words parted by blanks, "/" between the units of a throw. */
const CARD = /([♠♥♣♦SHCD])|(10|小王|大王|[2-9TJQKABR])/giu;
const SUITS = { S: "♠", H: "♥", C: "♣", D: "♦" };
const JOKERS = ["小王", "大王", "B", "R"];
const LAST = /(?:小王|大王|双王|[♠♥♣♦]?(?:10|\S))$/u;

export class Cards {
  /* `changed()` is called after each key. */
  constructor(form, changed) {
    this.form = form;
    this.changed = changed;
    this.keys = [...form.querySelectorAll("[data-sign]")];
    this.typing = form.querySelector("[data-typing]");
    this.digits = form.querySelector("[data-digits]") !== null;
    for (const row of this.rows()) {
      // A tap on the cards chooses the row; the phone's keyboard comes only when it is asked for, a real one always types.
      row.inputMode = "none";
      row.addEventListener("focus", () => this.choose(row.name));
    }
    form.addEventListener("click", (event) => this.tapped(event));
    form.addEventListener("input", () => this.refresh());
    this.typing?.addEventListener("click", () => this.type());
    this.refresh();
  }

  rows() {
    return this.form.querySelectorAll("[data-cards]");
  }

  get row() {
    return this.form.elements[this.form.elements.active.value];
  }

  choose(name) {
    for (const radio of this.form.querySelectorAll("[name=active]")) radio.checked = radio.value === name;
    this.refresh();
  }

  counted(number) {
    return this.form.dataset.textCount.replace("{n}", number);
  }

  card(key) {
    return "plain" in key.dataset ? key.dataset.sign : this.form.elements.suit.value + key.dataset.sign;
  }

  tapped(event) {
    const key = event.target.closest("[name=press]");
    if (!key || key.value === "ask") return;
    event.preventDefault();
    const { row } = this;
    if (key.getAttribute("aria-disabled") === "true") return;
    const text = row.value.trim();
    if (key.value === "clear") row.value = "";
    else if (key.value === "undo") row.value = this.digits ? text.slice(0, -1) : text.replace(LAST, "").trimEnd();
    else if (key.value === "minus") row.value = text.startsWith("-") ? text.slice(1) : `-${text}`;
    else if (key.value === "unit") row.value = !text || text.endsWith("/") ? text : `${text} /`;
    else if (this.digits) row.value = text.length < row.maxLength - 1 ? text + key.dataset.sign : text;
    else row.value = `${text} ${this.card(key)}`.trim();
    this.refresh();
    this.changed();
  }

  type() {
    const on = this.typing.getAttribute("aria-pressed") !== "true";
    this.typing.setAttribute("aria-pressed", String(on));
    for (const row of this.rows()) row.inputMode = !on ? "none" : this.digits ? "numeric" : "text";
    this.row.blur();
    if (on) this.row.focus();
  }

  /* Counts beside each row, and on each key how many of the card stand in the chosen one; with the last it is off. */
  refresh() {
    if (this.digits) return;
    for (const row of this.rows()) {
      const held = cardsIn(row.value).length;
      row.closest("[data-row]").querySelector("[data-count]").textContent = held ? this.counted(held) : "";
      row.rows = 1;
      while (row.scrollHeight > row.clientHeight + 2 && row.rows < 8) row.rows += 1;
    }
    const held = cardsIn(this.row.value);
    for (const key of this.keys) {
      const card = this.card(key);
      const count = held.filter((one) => one === card).length;
      key.dataset.name ??= key.getAttribute("aria-label");
      if (count) key.dataset.held = count;
      else delete key.dataset.held;
      key.setAttribute("aria-label", count ? `${key.dataset.name} ${this.counted(count)}` : key.dataset.name);
      if (count >= Number(key.dataset.copies)) key.setAttribute("aria-disabled", "true");
      else key.removeAttribute("aria-disabled");
    }
  }
}

/* The cards of a row as its keys write them: ♠10, 大王; what was typed in other words is only counted roughly. */
function cardsIn(text) {
  const found = [];
  let suit = "";
  for (const [, sign, rank] of text.matchAll(CARD)) {
    if (sign) suit = SUITS[sign.toUpperCase()] ?? sign;
    else found.push(JOKERS.includes(rank.toUpperCase()) ? rank.toUpperCase() : suit + (rank.toUpperCase() === "T" ? "10" : rank.toUpperCase()));
  }
  return found;
}
