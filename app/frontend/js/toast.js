/* A short notice at the lower edge, read out by screen readers; for what is done, never for errors. */
let timer;

export function toast(text, seconds = 2.5) {
  const place = document.getElementById("toast");
  if (!place || !text) return;
  place.textContent = text;
  place.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => {
    place.hidden = true;
  }, seconds * 1000);
}
