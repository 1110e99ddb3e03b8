import { thousands } from '../../../protocol/thousands.ts';

/** GitHub accepts no longer comment; other servers accept longer ones. */
const mostCharacters = 65_536;

/** Room for a line that says what is left out. */
const roomForNote = 100;

/**
 * The lines of a comment, as many as the build servers accept. Rows within `<details>` are left out first, from the end
 * of each table, and counted there; then lines from the end.
 */
export function withinComment(lines: readonly string[], most = mostCharacters): readonly string[] {
  if (lengthOf(lines) <= most) return lines;
  const isRow = rowsOfDetails(lines);
  const tables = lines.filter((line) => line === detailsEnd).length;
  let room = most - lengthOf(lines.filter((_, index) => !isRow[index])) - tables * roomForNote;
  let left = 0;
  const shown = lines.flatMap((line, index) => {
    if (isRow[index] === true) {
      room -= line.length + 1;
      if (room >= 0 && left === 0) return [line];
      left += 1;
      return [];
    }
    const more = left > 0 ? ['', `… ${thousands(left)} more`] : [];
    left = 0;
    return [...more, line];
  });
  return lengthOf(shown) <= most ? shown : firstLines(shown, most);
}

const detailsEnd = '</details>';

/** Which lines are rows of tables in `<details>`: behind the header and the line below it. */
function rowsOfDetails(lines: readonly string[]): readonly boolean[] {
  let within: number | undefined;
  return lines.map((line) => {
    if (line.startsWith('<details>')) within = 0;
    else if (line === detailsEnd) within = undefined;
    else if (within !== undefined && line.startsWith('| ')) within += 1;
    return within !== undefined && within > 2 && line.startsWith('| ');
  });
}

function firstLines(lines: readonly string[], most: number): readonly string[] {
  let room = most - roomForNote;
  const end = lines.findIndex((line) => (room -= line.length + 1) < 0);
  const first = lines.slice(0, end);
  const count = (start: string): number => first.filter((line) => line.startsWith(start)).length;
  const isOpen = count('<details>') > count(detailsEnd);
  return [...first, ...(isOpen ? ['', detailsEnd] : []), '', `… ${thousands(lines.length - end)} more lines`, ''];
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
