/**
 * The length of the complete messages of PostgreSQL's protocol at the start of some bytes, and what comes after them.
 * @param isStarted whether the first message, which has no type, came before.
 */
export function cutMessages(bytes: Buffer, isStarted: boolean): { readonly length: number; readonly rest: Buffer } {
  let length = 0;
  let typeLength = isStarted ? 1 : 0;
  while (bytes.length - length >= typeLength + 4) {
    const end = length + typeLength + bytes.readInt32BE(length + typeLength);
    if (end > bytes.length) break;
    length = end;
    typeLength = 1;
  }
  return { length, rest: bytes.subarray(length) };
}
