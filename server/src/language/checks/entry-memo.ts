import type { Catalog } from '../../catalog/catalog.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceRange } from '../../model/source-range.ts';

/**
 * What was found in the entries of a document, kept by whoever checks its versions, so that only entries that changed
 * are checked again. The keys are what `originOf` gives.
 */
export interface EntryMemo {
  /** Of the rules that look at one entry alone. */
  readonly local: WeakMap<object, EntryFindings>;
  /** Of the queries, those of relationships with the origins of their ends. */
  readonly queries: WeakMap<object, EntryFindings>;
  /** Of custom SQL, with its judge and the origins of a relationship's ends. */
  readonly sql: WeakMap<object, EntryFindings>;
}

export interface EntryFindings {
  readonly catalog: Catalog | undefined;
  readonly others: readonly (object | undefined)[];
  /** Where the entry began. */
  readonly start: number;
  readonly problems: readonly Problem[];
}

export function createEntryMemo(): EntryMemo {
  return { local: new WeakMap(), queries: new WeakMap(), sql: new WeakMap() };
}

/** Findings at the place where their entry now stands; undefined when they hold no more. */
export function recalled(
  findings: EntryFindings | undefined,
  now: Pick<EntryFindings, 'catalog' | 'others'>,
  entry: { readonly range: SourceRange },
): readonly Problem[] | undefined {
  if (findings?.catalog !== now.catalog || !findings) return undefined;
  if (findings.others.some((other, index) => other !== now.others[index])) return undefined;
  if (findings.problems.length === 0) return findings.problems;
  const distance = entry.range.start - findings.start;
  const move = ({ start, end }: SourceRange): SourceRange => ({ start: start + distance, end: end + distance });
  return findings.problems.map(({ range, related, ...problem }) => ({
    ...problem,
    range: move(range),
    ...(related ? { related: related.map((each) => ({ ...each, range: move(each.range) })) } : {}),
  }));
}
