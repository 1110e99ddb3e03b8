import type { Located, SourceRange } from './source-range.ts';

/** What a change of the data or of the text may cost at most (docs/semantics.md#206-guards). */
export interface Guard {
  readonly range: SourceRange;
  /** An element, or an entry of `entities`. */
  readonly element?: Located<string>;
  readonly relationship?: Located<string>;
  /** The share of events, or of entities, that an import may lose; undefined if it cannot be read. */
  readonly losesAtMost?: Located<number | undefined>;
  /** The share of the entities of one end that may be in no pair. */
  readonly unmatchedAtMost?: Located<number | undefined>;
  /** Default: `source`. */
  readonly side: 'source' | 'target';
  /** As it is written; only a guard of a relationship has one. */
  readonly writtenSide?: Located<string>;
  readonly severity: 'error' | 'warning';
}

/** What a guard asks for, wherever it stands: the results of the last import are known by it. */
export function guardKey({ element, losesAtMost, relationship, unmatchedAtMost, side, severity }: Guard): string {
  const values = [element, losesAtMost, relationship, unmatchedAtMost].map((each) => each?.value ?? null);
  return JSON.stringify([...values, side, severity]);
}

/** The share of a text such as `10%`; undefined for other texts, and for more than 100 %. */
export function parseShare(text: string): number | undefined {
  const [, number] = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(text) ?? [];
  const share = number === undefined ? NaN : Number(number) / 100;
  return share <= 1 ? share : undefined;
}
