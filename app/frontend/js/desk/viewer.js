/*
 * One picture at a time in a frame: zoom by buttons, wheel or two fingers, moved by dragging, turned by quarter turns.
 * Turning is for the eye only; a page keeps its turn as long as the tab lives.
 */
const MOST = 8;
const STEP = 1.4;

/* Controls of the picture for the keyboard: step, zoom, reset, turn. Null where the document has no picture. */
export function start(section) {
  const stage = section?.querySelector("[data-stage]");
  const image = section?.querySelector("[data-image]");
  if (!stage || !image) return null;
  const links = [...section.querySelectorAll("[data-page]")];
  const full = section.querySelector("a[data-full]:not([data-page])");
  const count = section.querySelector("[data-count]");
  const view = { scale: 1, x: 0, y: 0, turn: 0 };
  let here = Math.max(
    0,
    links.findIndex((link) => link.hasAttribute("aria-current")),
  );
  stage.classList.add("viewer_live");

  function draw() {
    const frame = stage.getBoundingClientRect();
    const sideways = view.turn % 180 !== 0;
    const [wide, high] = sideways ? [image.offsetHeight, image.offsetWidth] : [image.offsetWidth, image.offsetHeight];
    // A turned picture is fitted into the frame anew; moving never loses it out of sight.
    const fit = sideways ? Math.min(frame.width / wide, frame.height / high, 1) : 1;
    const most = (size, room) => Math.max(0, (size * fit * view.scale - room) / 2);
    view.x = clamp(view.x, most(wide, frame.width));
    view.y = clamp(view.y, most(high, frame.height));
    image.style.transform = `translate(${view.x}px, ${view.y}px) rotate(${view.turn}deg) scale(${fit * view.scale})`;
    stage.classList.toggle("viewer_zoomed", view.scale > 1);
  }

  /* Zoom so that the point of the picture under (x, y), from the middle of the frame, stays where it is. */
  function zoomTo(scale, x = 0, y = 0) {
    const next = Math.min(MOST, Math.max(1, scale));
    const by = next / view.scale;
    view.x = x - (x - view.x) * by;
    view.y = y - (y - view.y) * by;
    view.scale = next;
    draw();
  }

  function reset() {
    Object.assign(view, { scale: 1, x: 0, y: 0 });
    draw();
  }

  function turn() {
    view.turn = (view.turn + 90) % 360;
    remember(image.getAttribute("src"), view.turn);
    reset();
  }

  function show(number) {
    const link = links[number];
    if (!link) return false;
    here = number;
    image.src = link.dataset.src;
    image.alt = link.querySelector("img")?.alt ?? "";
    if (full) full.href = link.dataset.full;
    for (const each of links) each.toggleAttribute("aria-current", each === link);
    link.setAttribute("aria-current", "page");
    if (count) count.textContent = count.dataset.count.replace("{n}", String(number + 1));
    view.turn = remembered(link.dataset.src);
    reset();
    return true;
  }

  const middle = (event) => {
    const frame = stage.getBoundingClientRect();
    return [event.clientX - frame.left - frame.width / 2, event.clientY - frame.top - frame.height / 2];
  };

  stage.addEventListener(
    "wheel",
    (event) => {
      // Wheeling out of an unzoomed picture scrolls the page, as everywhere else.
      if (view.scale === 1 && event.deltaY > 0 && !event.ctrlKey) return;
      event.preventDefault();
      zoomTo(view.scale * Math.exp(-event.deltaY / 300), ...middle(event));
    },
    { passive: false },
  );
  stage.addEventListener("dblclick", (event) => (view.scale > 1 ? reset() : zoomTo(2.5, ...middle(event))));

  const fingers = new Map();
  let gap = 0;
  stage.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    fingers.set(event.pointerId, event);
    if (fingers.size === 2) gap = apart(fingers);
    if (view.scale > 1 || fingers.size === 2) stage.setPointerCapture(event.pointerId);
  });
  stage.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    fingers.set(event.pointerId, event);
    if (fingers.size === 2) {
      const now = apart(fingers);
      if (gap > 0) zoomTo((view.scale * now) / gap, ...between(fingers, stage));
      gap = now;
    } else if (view.scale > 1) {
      view.x += event.clientX - before.clientX;
      view.y += event.clientY - before.clientY;
      draw();
    }
  });
  for (const over of ["pointerup", "pointercancel"]) {
    stage.addEventListener(over, (event) => fingers.delete(event.pointerId));
  }

  section.addEventListener("click", (event) => {
    const link = event.target.closest("[data-page]");
    const zoom = event.target.closest("[data-zoom]");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      show(links.indexOf(link));
    } else if (zoom) {
      zoomTo(view.scale * (zoom.dataset.zoom === "in" ? STEP : 1 / STEP));
    } else if (event.target.closest("[data-turn]")) {
      turn();
    }
  });
  image.addEventListener("load", draw);
  window.addEventListener("resize", draw);

  view.turn = remembered(image.getAttribute("src"));
  draw();
  return {
    step: (by) => show(here + by),
    zoom: (inwards) => zoomTo(view.scale * (inwards ? STEP : 1 / STEP)),
    reset,
    turn,
  };
}

function clamp(value, most) {
  return Math.min(most, Math.max(-most, value));
}

function apart(fingers) {
  const [one, other] = [...fingers.values()];
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}

function between(fingers, stage) {
  const [one, other] = [...fingers.values()];
  const frame = stage.getBoundingClientRect();
  return [
    (one.clientX + other.clientX) / 2 - frame.left - frame.width / 2,
    (one.clientY + other.clientY) / 2 - frame.top - frame.height / 2,
  ];
}

function remember(source, turn) {
  try {
    sessionStorage.setItem(`turn:${source}`, String(turn));
  } catch {
    // Without a place to keep it the picture stands as it came, next time.
  }
}

function remembered(source) {
  try {
    return Number(sessionStorage.getItem(`turn:${source}`)) || 0;
  } catch {
    return 0;
  }
}
