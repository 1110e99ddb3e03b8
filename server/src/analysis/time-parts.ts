/** Maximum number of readable bars. */
const mostParts = 120;

/** Units of time with their lengths in seconds; `century` is any longer one. */
const units: readonly (readonly [name: string, seconds: number])[] = [
  ['second', 1],
  ['minute', 60],
  ['hour', 3600],
  ['day', 86_400],
  ['week', 604_800],
  ['month', 2_629_746],
  ['quarter', 7_889_238],
  ['year', 31_556_952],
  ['decade', 315_569_520],
];

/** The smallest unit that divides a time into few enough parts. */
export function unitOfParts(seconds: number): string {
  const [unit] = units.find(([, length]) => seconds / length <= mostParts) ?? ['century'];
  return unit;
}
