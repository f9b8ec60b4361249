// SPDX-License-Identifier: Apache-2.0
// A QR code (ISO/IEC 18004) of bytes, in the versions 1 to 10 with the error correction L.

/** Of each version: its codewords, those for correction in a block, its blocks. */
const SIZES = [[26, 7, 1], [44, 10, 1], [70, 15, 1], [100, 20, 1], [134, 26, 1], [172, 18, 2],
  [196, 20, 2], [242, 24, 2], [292, 30, 2], [346, 18, 4]];

// The field of 256 elements.
const powers = [], logs = [];
for (let power = 0, value = 1; power < 255; power++) {
  powers[power] = value;
  logs[value] = power;
  value = value << 1 ^ (value > 127 ? 0x11d : 0);
}
const times = (a, b) => a && b && powers[(logs[a] + logs[b]) % 255];

/** What is left of a block after a division by the generator. */
function correction(block, count) {
  let generator = [1];
  for (let power = 0; power < count; power++) {
    generator = [...generator, 0].map((each, index) =>
      each ^ times(generator[index - 1] ?? 0, powers[power]));
  }
  const rest = [...block, ...Array(count).fill(0)];
  block.forEach((_, index) => {
    const factor = rest[index];
    generator.forEach((each, other) => { rest[index + other] ^= times(each, factor); });
  });
  return rest.slice(block.length);
}

/** The rest of a division of polynomials over bits, behind the bits themselves. */
function checked(value, generator, length) {
  let rest = value << length;
  for (let bit = 31 - Math.clz32(rest); bit >= length; bit--) {
    if (rest >> bit & 1) rest ^= generator << bit - length;
  }
  return value << length | rest;
}

function codewords(bytes, version) {
  const [all, count, blocks] = SIZES[version - 1], room = all - count * blocks;
  const bits = [[4, 4], [bytes.length, version < 10 ? 8 : 16], ...[...bytes].map((each) =>
    [each, 8])].map(([value, length]) => value.toString(2).padStart(length, "0")).join("");
  const padded = bits.padEnd(Math.min(room * 8, Math.ceil((bits.length + 4) / 8) * 8), "0");
  const data = /** @type {string[]} */ (padded.match(/.{8}/g)).map((each) => parseInt(each, 2));
  for (let pad = 0xec; data.length < room; pad ^= 0xec ^ 0x11) data.push(pad);
  const parts = [], short = Math.floor(room / blocks), long = room % blocks;
  for (let index = 0, start = 0; index < blocks; index++) {
    const end = start + short + (index >= blocks - long ? 1 : 0);
    parts.push(data.slice(start, end));
    start = end;
  }
  const mixed = (all) => all.at(-1).flatMap((_, index) => all.map((each) => each[index]))
    .filter((each) => each !== undefined);
  return [...mixed(parts), ...mixed(parts.map((each) => correction(each, count)))];
}

/** A mask turns the modules around where it is 0. These are half of those that there are. */
const masks = [(x, y) => (x + y) % 2, (_, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3];

/** The rows of the code, true where it is dark; none if the text is too long. */
export function qr(text) {
  const bytes = new TextEncoder().encode(text);
  const version = 1 + SIZES.findIndex(([all, count, blocks], index) =>
    bytes.length <= all - count * blocks - (index < 9 ? 2 : 3));
  if (version === 0) return [];
  const size = 17 + 4 * version;
  /** @type {boolean[][]} */
  const rows = Array.from({ length: size }, () => []);
  const set = (x, y, value) => { rows[y][x] = Boolean(value); };
  const square = (x, y, radius, isDark) => {
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dx = -radius; dx <= radius; dx++) {
        if (rows[y + dy] && x + dx >= 0 && x + dx < size) {
          set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
        }
      }
    }
  };
  const last = size - 7;
  const centers = version < 2 ? [] : version < 7 ? [6, last] : [6, size / 2 | 0, last];
  for (let at = 8; at < size - 8; at++) {
    set(at, 6, at % 2 === 0);
    set(6, at, at % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
    square(x, y, 4, (away) => away !== 2 && away !== 4);
  }
  for (const x of centers) {
    for (const y of centers) {
      // Three of them would be on a corner.
      const isCorner = x === 6 && (y === 6 || y === last) || x === last && y === 6;
      if (!isCorner) square(x, y, 2, (away) => away !== 1);
    }
  }
  const marks = (mask) => {
    const format = checked(8 | mask, 0x537, 10) ^ 0x5412;
    for (let bit = 0; bit < 15; bit++) {
      const value = format >> bit & 1;
      set(8, bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit, value);
      set(bit < 8 ? size - 1 - bit : bit < 9 ? 7 : 14 - bit, 8, value);
    }
    set(8, size - 8, true);
    const number = checked(version, 0x1f25, 12);
    for (let bit = 0; bit < 18 && version > 6; bit++) {
      const [far, near] = [size - 11 + bit % 3, bit / 3 | 0];
      set(far, near, number >> bit & 1);
      set(near, far, number >> bit & 1);
    }
  };
  marks(0);
  const bits = codewords(bytes, version).map((each) => each.toString(2).padStart(8, "0")).join("");
  const free = [];
  for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      for (const x of [right, right - 1]) {
        const y = isUp ? size - 1 - step : step;
        if (rows[y][x] === undefined) free.push([x, y, bits[free.length] === "1"]);
      }
    }
  }
  const drawn = masks.map((rest, mask) => {
    for (const [x, y, value] of free) set(x, y, value !== (rest(x, y) === 0));
    marks(mask);
    return rows.map((row) => [...row]);
  });
  return drawn.reduce((best, each) => penalty(each) < penalty(best) ? each : best);
}

/** @param {boolean[][]} rows @returns how hard they are to read: by long runs and corners */
const penalty = (rows) => /** @type {string[]} */ ([...rows, ...rows.map((_, x) =>
  rows.map((row) => row[x]))].map((line) => line.map(Number).join("")).join()
  .match(/0{5,}|1{5,}|1011101/g)).length;

/** The same as the path of a drawing, of which each module is one unit. */
export const pathOf = (rows) => rows.flatMap((row, y) => row.map((isDark, x) =>
  isDark ? `M${x} ${y}h1v1h-1z` : "")).join("");
