/*
 * <time data-countdown="2021-10-31T10:00:00Z">: the time left, counted with the server's clock.
 * data-now on the same element (ISO, when the page was made) corrects a phone whose clock is wrong.
 */
const opened = Date.now();

export function start() {
  for (const place of document.querySelectorAll("[data-countdown]")) run(place);
}

/* ``made``: when the page, or the part of it, was made by the phone's own clock. */
export function run(place, made = opened) {
  const end = Date.parse(place.dataset.countdown);
  if (Number.isNaN(end)) return;
  const skew = place.dataset.now ? Date.parse(place.dataset.now) - made : 0;
  const tick = () => {
    if (!place.isConnected) return;
    const left = Math.ceil((end - (Date.now() + skew)) / 1000);
    if (left <= 0) {
      place.textContent = place.dataset.over ?? document.body.dataset.textOver;
      return;
    }
    place.textContent = words(left);
    setTimeout(tick, 1000);
  };
  tick();
}

function words(seconds) {
  const days = Math.floor(seconds / 86400);
  const two = (number) => String(Math.floor(number)).padStart(2, "0");
  const clock = `${two((seconds % 86400) / 3600)}:${two((seconds % 3600) / 60)}:${two(seconds % 60)}`;
  return days ? `${days} ${document.body.dataset.textDay} ${clock}` : clock;
}
