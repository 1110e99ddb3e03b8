import { isUtf8 } from 'node:buffer';

/** Finds what is not UTF-8 in a text that comes in chunks. */
export interface Utf8Check {
  /** Returns the index of the first byte that no text in UTF-8 has there; a character may go on in the next chunk. */
  push(chunk: Buffer): number | undefined;
  /** Whether the text may end here. */
  isWhole(): boolean;
}

export function createUtf8Check(): Utf8Check {
  /** The bytes so far of a character that the chunk before has cut. */
  let cut: Buffer = Buffer.alloc(0);
  return {
    push(chunk) {
      const before = cut.length;
      const text = before === 0 ? chunk : Buffer.concat([cut, chunk]);
      const end = text.length - cutOff(text);
      if (!isUtf8(text.subarray(0, end))) return Math.max(0, firstInvalid(text.subarray(0, end)) - before);
      cut = Buffer.from(text.subarray(end));
      return undefined;
    },
    isWhole: () => cut.length === 0,
  };
}

/** How many bytes at the end begin a character that is longer. */
function cutOff(text: Buffer): number {
  for (let back = 1; back <= Math.min(3, text.length); back += 1) {
    const byte = text[text.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < characterLength(byte) ? back : 0;
  }
  return 0;
}

function characterLength(first: number): number {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** Where the first character begins that is none; the text is known to have one. */
function firstInvalid(text: Buffer): number {
  let index = 0;
  while (index < text.length) {
    const length = characterLength(text[index] as number);
    if (!isUtf8(text.subarray(index, index + length))) return index;
    index += length;
  }
  return index;
}
