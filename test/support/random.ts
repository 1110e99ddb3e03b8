/** Equal numbers for equal seeds, from 0 up to, but not including, 1. */
export type Random = () => number;

export function randomOf(seed: number): Random {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T;
}

/** A text after each of some random edits; back to the text itself now and then, as edits leave most unreadable. */
export function* editedTexts(start: string, random: Random, pieces: readonly string[], edits = 40): Generator<string> {
  let text = start;
  for (let edit = 0; edit < edits; edit += 1) {
    const at = Math.floor(random() * (text.length + 1));
    const gone = Math.floor(random() * 4);
    text = edit % 6 === 5 ? start : text.slice(0, at) + pick(random, pieces) + text.slice(at + gone);
    yield text;
  }
}
