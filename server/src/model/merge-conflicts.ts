import type { SourceRange } from './source-range.ts';

/** A merge conflict in a text. */
export interface MergeConflict {
  /** The line of the first marker. */
  readonly mark: SourceRange;
  /** Absent for missing or nested markers. */
  readonly sides?: {
    /** From the first marker to the end of the last marker's line. */
    readonly whole: SourceRange;
    readonly current: string;
    readonly incoming: string;
  };
}

interface Mark extends SourceRange {
  readonly sign: string;
  /** Start of the next line. */
  readonly after: number;
}

/** The conflicts and stray markers in a text, in order. */
export function mergeConflicts(text: string): readonly MergeConflict[] {
  const marks = [...text.matchAll(/^([<|>])\1{6}(?= |\r?$).*$|^={7}(?=\r?$)/gm)].map(({ index, 0: line }): Mark => {
    const end = index + line.trimEnd().length;
    const lineEnd = text.indexOf('\n', end);
    return { sign: line.charAt(0), start: index, end, after: lineEnd < 0 ? text.length : lineEnd + 1 };
  });
  const conflicts: MergeConflict[] = [];
  for (let at = 0; at < marks.length;) {
    const next = marks.findIndex(({ sign }, index) => index > at && sign === '<');
    const own = marks.slice(at, next < 0 ? undefined : next);
    conflicts.push(conflictOf(own, text));
    at += own.length;
  }
  return conflicts;
}

function conflictOf(marks: readonly Mark[], text: string): MergeConflict {
  const [first, ...rest] = marks;
  if (!first) throw new Error('A conflict has a mark.');
  const mark = { start: first.start, end: first.end };
  const [base, middle, last] = rest.length === 3 ? rest : [rest[0], ...rest];
  const order = marks.map(({ sign }) => sign).join('');
  if (!base || !middle || !last || !/^<\|?=>$/.test(order)) return { mark };
  return {
    mark,
    sides: {
      whole: { start: first.start, end: last.after },
      current: text.slice(first.after, base.start),
      incoming: text.slice(middle.after, last.start),
    },
  };
}
