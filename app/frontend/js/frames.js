/* [data-fit] is a frame of our own page, without scripts: it becomes as high as what is in it. Without this it has a height and scrolls. */
function fit(frame) {
  const page = frame.contentDocument?.documentElement;
  if (page && page.scrollHeight) frame.style.height = `${page.scrollHeight + 2}px`;
}

export function start() {
  const frames = [...document.querySelectorAll("iframe[data-fit]")];
  for (const frame of frames) {
    frame.addEventListener("load", () => fit(frame));
    fit(frame);
  }
  if (frames.length) {
    window.addEventListener("resize", () => {
      for (const frame of frames) {
        frame.style.height = ""; // a page is never lower than its window
        fit(frame);
      }
    });
  }
}
