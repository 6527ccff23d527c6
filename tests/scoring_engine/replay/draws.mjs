// Draws replayed from docs/draws.md alone, without a line of the engine: reads the vectors' inputs from standard input,
// prints what follows from them, section by section, in the same shape.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const sha256 = (...parts) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const bytes = (hex) => Buffer.from(hex, "hex");
const text = (value) => Buffer.from(value, "utf8");

// By code point: UTF-8 keeps that order, JavaScript's own comparison does not.
const sorted = (ids) => [...ids].sort((one, other) => Buffer.compare(text(one), text(other)));

class Stream {
  constructor(seed) {
    this.seed = bytes(seed);
    this.block = 0n;
    this.waiting = [];
  }

  word() {
    if (this.waiting.length === 0) {
      const counter = Buffer.alloc(8);
      counter.writeBigUInt64BE(this.block++);
      const block = sha256(this.seed, counter);
      for (const at of [0, 8, 16, 24]) this.waiting.push(block.readBigUInt64BE(at));
    }
    return this.waiting.shift();
  }

  below(bound) {
    const n = BigInt(bound);
    const limit = 2n ** 64n - (2n ** 64n % n);
    for (;;) {
      const word = this.word();
      if (word < limit) return word % n;
    }
  }

  index(bound) {
    return Number(this.below(bound));
  }

  shuffle(items) {
    const drawn = [...items];
    for (let i = drawn.length - 1; i >= 1; i--) {
      const k = this.index(i + 1);
      [drawn[i], drawn[k]] = [drawn[k], drawn[i]];
    }
    return drawn;
  }
}

const upTo = (count) => Array.from({ length: count }, (_, i) => i);
const chunks = (items, size) =>
  upTo(Math.floor(items.length / size)).map((i) => items.slice(i * size, (i + 1) * size));

const listHash = (ids) => sha256(text(JSON.stringify(sorted(ids)))).toString("hex");

const proof = (seed, entrants, tables, byes) =>
  sha256(text(JSON.stringify({ byes, entrants: sorted(entrants), seed, tables }))).toString("hex");

const fewestByes = (ids, had, reading) => {
  const count = (id) => had[id] ?? 0;
  const fewest = Math.min(...ids.map(count));
  return sorted(reading === "any" ? ids : ids.filter((id) => count(id) === fewest));
};

const GROUPINGS = {
  blocks: (order) => chunks(order, 3),
  deal_out: (order) => {
    const tables = order.length / 3;
    return upTo(tables).map((t) => upTo(3).map((turn) => order[turn * tables + t]));
  },
  snake: (order) => {
    const tables = order.length / 3;
    return upTo(tables).map((t) => [order[t], order[2 * tables - 1 - t], order[2 * tables + t]]);
  },
};

const RANKS = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"];
const DUELS = {
  colour_and_rank: ["♦♥", "♣♠"],
  suit_and_rank: ["♦♦", "♥♥", "♣♣", "♠♠"],
};

const SECTIONS = {
  stream: ({ seed, words }) => {
    const stream = new Stream(seed);
    return { words: words.map(() => stream.word().toString(16).padStart(16, "0")) };
  },
  below: ({ seed, bounds }) => {
    const stream = new Stream(seed);
    return { numbers: bounds.map((bound) => stream.below(bound).toString()) };
  },
  shuffle: ({ seed, count }) => ({ order: new Stream(seed).shuffle(upTo(count)) }),
  groups: ({ seed, entrants }) => {
    const drawn = new Stream(seed).shuffle(sorted(entrants));
    const tables = chunks(drawn, 3);
    const byes = drawn.slice(3 * tables.length);
    return {
      tables,
      byes,
      proof: proof(seed, entrants, tables, byes),
      entrants_sha256: listHash(entrants),
    };
  },
  stage: ({ seed, ranks, grouping }) => {
    const stream = new Stream(seed);
    const order = ranks.flatMap((shared) => (shared.length > 1 ? stream.shuffle(sorted(shared)) : shared));
    const tables = GROUPINGS[grouping](order);
    return { tables, first_bidders: tables.map((table) => table[stream.index(3)]) };
  },
  cards: ({ seed, entrants, opponents, byes_had }) => {
    const ids = sorted(entrants);
    const duels = Math.ceil(ids.length / 2);
    const kinds = DUELS[opponents];
    const cards = upTo(duels).flatMap((duel) => {
      const pack = Math.floor(duel / (13 * kinds.length));
      const within = duel % (13 * kinds.length);
      const rank = RANKS[Math.floor(within / kinds.length)];
      const back = pack === 0 ? "" : `${pack + 1}:`;
      return [...kinds[within % kinds.length]].map((suit) => `${back}${suit}${rank}`);
    });
    const stream = new Stream(seed);
    const places = stream.shuffle(upTo(2 * duels));
    const holder = new Map(ids.map((id, turn) => [places[turn], id]));
    let left = null;
    let byes = [];
    if (ids.length % 2 === 1) {
      left = places[places.length - 1];
      const partner = left % 2 === 0 ? left + 1 : left - 1;
      const able = fewestByes(ids, byes_had, "spread");
      if (!able.includes(holder.get(partner))) {
        const chosen = able[stream.index(able.length)];
        const [place] = [...holder].find(([, id]) => id === chosen);
        holder.set(place, holder.get(partner));
        holder.set(partner, chosen);
      }
      byes = [holder.get(partner)];
    }
    const complete = upTo(duels).filter((duel) => holder.has(2 * duel) && holder.has(2 * duel + 1));
    return {
      cards: Object.fromEntries([...holder].map(([place, id]) => [id, cards[place]])),
      left: left === null ? null : cards[left],
      tables: complete.map((duel) => [holder.get(2 * duel), holder.get(2 * duel + 1)]),
      byes,
    };
  },
  bracket_first: ({ seed, entrants }) => {
    const drawn = new Stream(seed).shuffle(sorted(entrants));
    return { tables: chunks(drawn, 2), byes: drawn.length % 2 ? [drawn[drawn.length - 1]] : [] };
  },
  bracket_later: ({ seed, order, later_rounds, byes_had, bye_reading }) => {
    const stream = new Stream(seed);
    let left = [...order];
    let byes = [];
    if (left.length % 2 === 1) {
      const able = fewestByes(left, byes_had, bye_reading);
      byes = [able[stream.index(able.length)]];
      left = left.filter((id) => id !== byes[0]);
    }
    if (later_rounds === "drawn") left = stream.shuffle(sorted(left));
    return { tables: chunks(left, 2), byes };
  },
  commitments: ({ committed_seed, contribution }) => ({
    commitment: sha256(bytes(committed_seed)).toString("hex"),
    seed: contribution === null
      ? committed_seed
      : sha256(bytes(committed_seed), text(contribution)).toString("hex"),
  }),
  group_seeds: ({ seed, group }) => ({ group_seed: sha256(bytes(seed), text(group)).toString("hex") }),
  repairs: ({ tables, byes, changes }) => {
    const seats = tables.map((table) => [...table]);
    let resting = [...byes];
    const leave = (id) => {
      for (const table of seats) if (table.includes(id)) table.splice(table.indexOf(id), 1);
      resting = resting.filter((other) => other !== id);
    };
    const exchange = (one, other) => {
      const to = (id) => (id === one ? other : id === other ? one : id);
      seats.forEach((table, at) => { seats[at] = table.map(to); });
      resting = resting.map(to);
    };
    for (const change of changes) {
      if ("swap" in change) exchange(...change.swap);
      if ("swap_tables" in change) {
        const [one, other] = change.swap_tables.map((number) => number - 1);
        [seats[one], seats[other]] = [seats[other], seats[one]];
      }
      if ("instead_of" in change) exchange(change.bye, change.instead_of);
      else if ("bye" in change) {
        leave(change.bye);
        resting.push(change.bye);
      }
      if ("set_table" in change) {
        change.set_table.entrants.forEach(leave);
        seats[change.set_table.number - 1] = [...change.set_table.entrants];
      }
    }
    return { repaired_tables: seats.filter((table) => table.length > 0), repaired_byes: resting };
  },
};

const vectors = JSON.parse(readFileSync(0, "utf8"));
const replayed = Object.fromEntries(
  Object.entries(vectors).map(([section, cases]) => [section, cases.map((each) => SECTIONS[section](each))]),
);
process.stdout.write(JSON.stringify(replayed));
