/*
 * One deal of 升级 (拖拉机, 八十分), as the form holds it and as the server keeps it. Pure: no page, no network.
 *
 * Nothing is scored here: levels, bank and penalties are the engine's, and the page says them once a deal has arrived.
 *
 * fields: what the form holds, all text: {banker, points, unit ("none", "single" …), bottom_points, size, ended, by}.
 * deal:   the event file's object: {banker, points, bottom: {points, unit, size}, ended, by}.
 */
export const OPEN_ENDED = true;
export const NAMES = ["banker", "points", "unit", "bottom_points", "size", "ended", "by"];
export const EMPTY = { banker: "", points: "", unit: "none", bottom_points: "", size: "", ended: "played", by: "" };
const NUMBER = /^-?\d+$/;

const isRun = (unit) => unit.endsWith("_run");

/* The first field that is missing, or null. */
export function missing(fields) {
  const told = tidy(fields);
  if (told.ended === "given_up") return told.by ? null : "by";
  if (!told.banker) return "banker";
  if (told.ended !== "played") return null;
  if (!NUMBER.test(told.points)) return "points";
  if (told.unit !== "none" && !NUMBER.test(told.bottom_points)) return "bottom_points";
  return isRun(told.unit) && !NUMBER.test(told.size) ? "size" : null;
}

export function isComplete(fields) {
  return missing(fields) === null;
}

/* Who banks is filled in beforehand, so it alone is nothing that was typed. */
export function isTouched(fields) {
  return NAMES.some((name) => name !== "banker" && (fields[name] || "") !== EMPTY[name]);
}

/* What does not apply is taken out: a deal that was not played out has no points, no bottom unless it was won. */
export function tidy(fields) {
  const told = { ...EMPTY, ...fields };
  const played = told.ended === "played";
  const unit = played ? told.unit || "none" : "none";
  return {
    ...told,
    unit,
    points: played ? told.points : "",
    bottom_points: unit === "none" ? "" : told.bottom_points,
    size: isRun(unit) ? told.size : "",
    by: told.ended === "given_up" ? told.by : "",
  };
}

export function score() {
  return null;
}

export function fromDeal(deal) {
  if (!deal) return { ...EMPTY };
  const { bottom } = deal;
  return {
    banker: String(deal.banker ?? ""),
    points: deal.points === undefined ? "" : String(deal.points),
    unit: bottom?.unit ?? "none",
    bottom_points: bottom ? String(bottom.points) : "",
    size: bottom?.size ? String(bottom.size) : "",
    ended: deal.ended ?? "played",
    by: deal.by ?? "",
  };
}

export function sent(fields) {
  return tidy(fields);
}

/* Two field sets that mean the same deal. */
export function same(one, other) {
  const [a, b] = [tidy(one), tidy(other)];
  return NAMES.every((name) => a[name] === b[name]);
}
