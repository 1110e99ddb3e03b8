import { isUtf8 } from 'node:buffer';

/** Finds invalid UTF-8 in a chunked text. */
interface Utf8Check {
  /** Returns the index of the first invalid byte; a character may continue in the next chunk. */
  push(chunk: Buffer): number | undefined;
  /** Whether the text may end here. */
  isWhole(): boolean;
}

export function createUtf8Check(): Utf8Check {
  /** Bytes of a character split between chunks. */
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

/** Number of bytes at the end that start an incomplete character. */
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

/** Index of the first invalid character; the text is known to have one. */
function firstInvalid(text: Buffer): number {
  let index = 0;
  while (index < text.length) {
    const length = characterLength(text[index] as number);
    if (!isUtf8(text.subarray(index, index + length))) return index;
    index += length;
  }
  return index;
}
