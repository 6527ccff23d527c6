/*
 * A field to sign in: every stroke is a list of whole points on 1000 × 400, whatever the screen, as the server keeps it.
 * Strokes that came back with the form (the text had changed) are drawn again.
 */
const WIDTH = 1000;
const HEIGHT = 400;
const NEAR = 4;
const MOST_POINTS = 3900;
const MOST_STROKES = 100;

export function start(form) {
  const field = form.querySelector("[data-sign-field]");
  const stored = form.elements.strokes;
  const problem = form.querySelector("[data-sign-problem]");
  const undo = form.querySelector("[data-sign-undo]");
  const clear = form.querySelector("[data-sign-clear]");
  const pen = field.getContext("2d");
  let strokes = read(stored.value);
  let drawing = null;

  function paint() {
    const scale = window.devicePixelRatio || 1;
    const { width, height } = field.getBoundingClientRect();
    field.width = Math.round(width * scale);
    field.height = Math.round(height * scale);
    pen.setTransform(field.width / WIDTH, 0, 0, field.height / HEIGHT, 0, 0);
    pen.lineWidth = 7;
    pen.lineCap = "round";
    pen.lineJoin = "round";
    pen.strokeStyle = "#111";
    for (const stroke of strokes) line(stroke);
  }

  function line(points) {
    pen.beginPath();
    pen.moveTo(...points[0]);
    for (const point of points.length > 1 ? points.slice(1) : points) pen.lineTo(...point);
    pen.stroke();
  }

  function keep() {
    stored.value = strokes.length ? JSON.stringify(strokes) : "";
    undo.disabled = clear.disabled = strokes.length === 0;
    if (strokes.length) problem.hidden = true;
  }

  function place(event) {
    const box = field.getBoundingClientRect();
    const within = (value, most) => Math.min(most, Math.max(0, Math.round(value)));
    return [
      within(((event.clientX - box.left) / box.width) * WIDTH, WIDTH),
      within(((event.clientY - box.top) / box.height) * HEIGHT, HEIGHT),
    ];
  }

  const full = () => strokes.reduce((sum, stroke) => sum + stroke.length, 0) >= MOST_POINTS;

  field.addEventListener("pointerdown", (event) => {
    // A second finger, or the ball of the hand, draws nothing.
    if (drawing !== null || event.button !== 0 || strokes.length >= MOST_STROKES || full()) return;
    event.preventDefault();
    drawing = event.pointerId;
    field.setPointerCapture(drawing);
    strokes.push([place(event)]);
    line(strokes[strokes.length - 1]);
  });
  field.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drawing || full()) return;
    const stroke = strokes[strokes.length - 1];
    for (const each of event.getCoalescedEvents?.() ?? [event]) add(stroke, place(each));
    if (stroke.length > 1) line(stroke);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    field.addEventListener(end, (event) => {
      if (event.pointerId !== drawing) return;
      drawing = null;
      keep();
    });
  }
  undo.addEventListener("click", () => {
    strokes.pop();
    paint();
    keep();
  });
  clear.addEventListener("click", () => {
    strokes = [];
    paint();
    keep();
  });
  form.addEventListener("submit", (event) => {
    if (strokes.length) return;
    event.preventDefault();
    problem.textContent = form.dataset.empty;
    problem.hidden = false;
    field.scrollIntoView({ block: "center" });
  });
  window.addEventListener("resize", paint);
  paint();
  keep();
}

function add(stroke, [x, y]) {
  const [lastX, lastY] = stroke[stroke.length - 1];
  if (Math.abs(x - lastX) + Math.abs(y - lastY) >= NEAR) stroke.push([x, y]);
}

function read(value) {
  try {
    const strokes = JSON.parse(value || "[]");
    const drawn = Array.isArray(strokes) && strokes.every((each) => Array.isArray(each) && each.length > 0);
    return drawn ? strokes : [];
  } catch {
    return [];
  }
}
