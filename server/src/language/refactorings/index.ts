import { isMap } from 'yaml';
import type { GraphContext } from '../graph-context.ts';
import { createFirstElement } from './create-element.ts';
import { convertProperties, sortProperties } from './properties.ts';
import { takeEndOfDay } from './end-of-day.ts';
import type { OfferedChange, Refactoring } from './refactoring.ts';
import { relateByForeignKey } from './relate-by-foreign-key.ts';
import { shareWhere } from './share-where.ts';
import { splitByValues } from './split-by-values.ts';

/** All refactorings. A new one is a file and a row. */
const refactorings: Readonly<Record<string, Refactoring>> = {
  createFirstElement,
  relateByForeignKey,
  splitByValues,
  convertProperties,
  sortProperties,
  shareWhere,
  takeEndOfDay,
};

/** A refactoring at a position. */
interface FoundChange extends OfferedChange {
  /** Identifies it at this position of this text. */
  readonly id: string;
  readonly kind: string;
}

/** The refactorings at a position; none in an unreadable text. */
export function changesAt(context: GraphContext, offset: number): readonly FoundChange[] {
  if (context.parsed.problems.length > 0 || hasOtherThanList(context)) return [];
  return Object.entries(refactorings).flatMap(([name, { kind, offers }]) =>
    offers(context, offset).map((change, index) => ({ ...change, kind, id: `${name} ${index}` })),
  );
}

/** Adding an entry would overwrite a value that is not a list. */
function hasOtherThanList({ parsed }: GraphContext): boolean {
  const { contents } = parsed.yaml.document;
  return ['elements', 'entities', 'relationships'].some((key) => isMap(contents) && isMap(contents.get(key, true)));
}
