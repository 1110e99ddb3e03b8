const zero = 0x30;
const hyphen = 0x2d;

/** Whether the date that starts here is not valid: `0000-00-00`, or one with month or day 0. */
export function isZeroDate(bytes: Uint8Array, start = 0): boolean {
  if (bytes[start + 4] !== hyphen) return false;
  return (
    hasZeros(bytes, start + 5) || hasZeros(bytes, start + 8) || (hasZeros(bytes, start) && hasZeros(bytes, start + 2))
  );
}

function hasZeros(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === zero && bytes[at + 1] === zero;
}
