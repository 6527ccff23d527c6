/* Sentences one after another; in Chinese nothing is between them. */
export function joined(sentences, between = document.documentElement.lang.startsWith("zh") ? "" : " ") {
  return sentences.join(between);
}

/* One file of the list: its picture, its words, its progress, its buttons. */
export class Page {
  constructor(field, element, file) {
    this.field = field;
    this.element = element;
    this.file = file;
    this.state = element.dataset.state;
    this.input = element.querySelector("[name=upload]");
    this.bar = element.querySelector("[data-progress]");
    const remove = element.querySelector("[data-remove]");
    remove.type = "button";
    remove.addEventListener("click", () => field.remove(this));
    this.button("[data-up]", () => field.move(this, -1)).hidden = false;
    this.button("[data-down]", () => field.move(this, 1)).hidden = false;
    this.again = this.button("[data-again]", () => field.wake());
    if (file.name) element.querySelector("[data-name]").textContent = file.name;
    if (file.blob) this.picture(file.blob);
  }

  button(selector, act) {
    const button = this.element.querySelector(selector);
    button.addEventListener("click", act);
    return button;
  }

  get settled() {
    return this.state === "ready" || this.state === "refused";
  }

  picture(blob) {
    if (!blob.type.startsWith("image/")) return;
    const image = this.element.querySelector("img");
    const address = URL.createObjectURL(blob);
    image.onload = () => URL.revokeObjectURL(address);
    image.onerror = () => {
      image.hidden = true; // this browser cannot show it (HEIC), or it is no picture
      URL.revokeObjectURL(address);
    };
    image.src = address;
    image.hidden = false;
  }

  thumbnail() {
    const image = this.element.querySelector("img");
    image.onload = image.onerror = null;
    image.src = `${this.field.url}/${this.file.token}/thumbnail`;
    image.hidden = false;
  }

  /* `state` is a key of the field's texts; `values` fill its places. */
  show(state, values = {}) {
    // a reader of the screen hears every quarter, not every piece
    const told = state === "sending" ? `sending ${Math.floor(values.n / 25)}` : state;
    const changed = this.told !== told;
    this.told = told;
    this.state = state;
    this.element.dataset.state = state;
    const words = this.field.say(state === "ready" && values.n > 1 ? "readyPages" : state, values);
    this.element.querySelector("[data-words]").textContent = words;
    const changes = this.element.querySelector("[data-notes]"); // what cleaning changed in the file
    changes.textContent = joined(values.notes ?? []);
    changes.hidden = !changes.textContent;
    this.bar.hidden = state !== "sending";
    if (state === "sending") {
      this.bar.value = values.n;
      this.bar.textContent = `${values.n} %`;
    }
    this.again.hidden = !["network", "busy", "signedOut", "stalePage"].includes(state);
    this.input.value = this.file.token ?? "";
    this.input.disabled = !this.file.token || state === "refused";
    if (state === "ready") this.thumbnail();
    if (changed) this.field.changed(this, joined([words, changes.textContent].filter(Boolean), " "));
  }

  /* Its place in the list, from 1; names the parts for people who do not see them. */
  place(number, last) {
    const name = this.field.say("page", { n: number });
    this.element.setAttribute("aria-label", name);
    this.bar.setAttribute("aria-label", name);
    this.element.querySelector("[data-up]").disabled = number === 1;
    this.element.querySelector("[data-down]").disabled = number === last;
  }
}
