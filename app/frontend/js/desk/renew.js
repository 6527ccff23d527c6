/*
 * While somebody works on the page its claim is renewed, at most every two minutes. Where a colleague has taken the
 * document over, the page says so at once, and what was typed stays.
 */
const EVERY = 2 * 60 * 1000;

export function start(desk) {
  if (!desk) return;
  let last = Date.now();
  let lost = false;

  async function renew() {
    if (lost || Date.now() - last < EVERY) return;
    last = Date.now();
    let answer;
    try {
      answer = await fetch(desk.dataset.renew, { method: "POST", headers: { "X-CSRFToken": desk.dataset.token } });
    } catch {
      return; // No network: the next movement tries again.
    }
    if (answer.status === 409) {
      lost = true;
      const notice = document.querySelector("[data-claim-lost]");
      notice.textContent = desk.dataset.lost;
      notice.hidden = false;
    }
  }
  for (const sign of ["pointerdown", "keydown", "wheel", "input"]) {
    document.addEventListener(sign, renew, { passive: true });
  }
}
