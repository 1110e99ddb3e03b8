import { comparedLines } from './line-changes.ts';

/** Lines of the base that a text has otherwise. */
interface Hunk {
  readonly start: number;
  /** Exclusive; that of the start where lines were added only. */
  readonly end: number;
  readonly lines: readonly string[];
}

/**
 * A text with the changes that another one makes to the base of both, line by line. Undefined where both change the same
 * lines in different ways. Line ends are those of the text.
 */
export function mergeTexts(base: string, text: string, other: string): string | undefined {
  const [own, theirs] = [hunksOf(base, text), hunksOf(base, other)];
  const added = theirs.filter((hunk) => !own.some((each) => isSame(each, hunk)));
  if (added.some((hunk) => own.some((each) => doesMeet(each, hunk)))) return undefined;
  const lines = base.split(/\r?\n/);
  // From the end, so that places before stay.
  for (const { start, end, lines: given } of [...own, ...added].toSorted((one, next) => next.start - one.start))
    lines.splice(start, end - start, ...given);
  return lines.join(text.includes('\r\n') ? '\r\n' : '\n');
}

function hunksOf(base: string, text: string): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let at = 0;
  let isOpen = false;
  for (const { kind, text: line } of comparedLines(base, text)) {
    if (kind === 'same') {
      at += 1;
      isOpen = false;
      continue;
    }
    const { start, end, lines } = (isOpen ? hunks.pop() : undefined) ?? { start: at, end: at, lines: [] };
    if (kind === 'lost') at += 1;
    hunks.push({ start, end: kind === 'lost' ? at : end, lines: kind === 'lost' ? lines : [...lines, line] });
    isOpen = true;
  }
  return hunks;
}

function isSame(one: Hunk, other: Hunk): boolean {
  return one.start === other.start && one.end === other.end && one.lines.join('\n') === other.lines.join('\n');
}

function doesMeet(one: Hunk, other: Hunk): boolean {
  return one.start === other.start || (one.start < other.end && other.start < one.end);
}
