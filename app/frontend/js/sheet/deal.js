/*
 * One deal of 二打一, as the form holds it, as the server keeps it, and what it is worth. Pure: no page, no network.
 *
 * The server scores every deal again; this copy of the formula exists so that a referee sees the result before
 * sending, also without a network. A test compares the two.
 *
 * fields: what the form holds, all text: {landlord: entrant id | "passed_out" | "", bid, winner, bombs, rockets,
 *         spring, anti_spring}; the last three are "1" or "".
 * deal:   the event file's object: {landlord, bid, winner, rockets, bombs, spring, anti_spring} or {passed_out: true}.
 */
export const PASSED_OUT = "passed_out";
export const NAMES = ["landlord", "bid", "winner", "bombs", "rockets", "spring", "anti_spring"];
export const EMPTY = { landlord: "", bid: "", winner: "", bombs: "0", rockets: "", spring: "", anti_spring: "" };

export function isComplete(fields) {
  if (fields.landlord === PASSED_OUT) return true;
  return Boolean(fields.landlord && fields.bid && fields.winner) && /^\d{1,2}$/.test(fields.bombs || "0");
}

export function isTouched(fields) {
  return NAMES.some((name) => (fields[name] || "") !== EMPTY[name]);
}

/* What cannot be is taken out: 春天 needs the landlord to win, 反春 the defenders. */
export function tidy(fields) {
  if (fields.landlord === PASSED_OUT) return { ...EMPTY, landlord: PASSED_OUT };
  return {
    ...EMPTY,
    ...fields,
    bombs: fields.bombs || "0",
    spring: fields.winner === "landlord" ? fields.spring || "" : "",
    anti_spring: fields.winner === "defenders" ? fields.anti_spring || "" : "",
  };
}

/* {entrant id: points} of a complete deal. */
export function score(fields, ids) {
  const points = Object.fromEntries(ids.map((id) => [id, 0]));
  if (fields.landlord === PASSED_OUT) return points;
  const told = tidy(fields);
  const doublings = Number(told.bombs) + [told.rockets, told.spring, told.anti_spring].filter(Boolean).length;
  const defender = Number(told.bid) * (told.winner === "defenders" ? 1 : -1) * 2 ** doublings;
  for (const id of ids) points[id] = id === told.landlord ? -2 * defender : defender;
  return points;
}

export function fromDeal(deal) {
  if (!deal) return { ...EMPTY };
  if (deal.passed_out) return { ...EMPTY, landlord: PASSED_OUT };
  return {
    landlord: String(deal.landlord),
    bid: String(deal.bid),
    winner: deal.winner,
    bombs: String(deal.bombs ?? 0),
    rockets: Number(deal.rockets) ? "1" : "",
    spring: deal.spring ? "1" : "",
    anti_spring: deal.anti_spring ? "1" : "",
  };
}

/* What is sent of a deal. */
export function sent(fields) {
  const told = tidy(fields);
  return told.landlord === PASSED_OUT ? { landlord: PASSED_OUT } : told;
}

/* Two field sets that mean the same deal. */
export function same(one, other) {
  const [a, b] = [tidy(one), tidy(other)];
  return NAMES.every((name) => a[name] === b[name]);
}

export function signed(points) {
  if (points > 0) return `+${points}`;
  return points < 0 ? `−${-points}` : "0";
}
