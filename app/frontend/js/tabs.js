/*
 * A strip of tabs that is wider than the phone: the tab of this page stands in view, and data-more says on which sides
 * there are others. Only the strip scrolls, never the page.
 */
export function start() {
  for (const strip of document.querySelectorAll("[data-tabs]")) {
    const here = strip.querySelector("[aria-current]");
    if (here) {
      const from = here.getBoundingClientRect().left - strip.getBoundingClientRect().left;
      strip.scrollLeft += from - (strip.clientWidth - here.offsetWidth) / 2;
    }
    const mark = () => tell(strip);
    strip.addEventListener("scroll", mark, { passive: true });
    new ResizeObserver(mark).observe(strip);
    mark();
  }
}

function tell(strip) {
  const left = strip.scrollWidth - strip.clientWidth - strip.scrollLeft;
  strip.dataset.more = [strip.scrollLeft > 1 && "start", left > 1 && "end"].filter(Boolean).join(" ");
}
