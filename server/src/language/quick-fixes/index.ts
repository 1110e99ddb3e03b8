import type { Problem } from '../../model/problem.ts';
import type { GraphContext } from '../graph-context.ts';
import { addKey } from './add-key.ts';
import { completeCrossTable, joinDraft } from './complete-relationship.ts';
import { containSql } from './contain-sql.ts';
import { convertTime } from './convert-time.ts';
import { convertValue } from './convert-value.ts';
import { didYouMean } from './did-you-mean.ts';
import { renameActivityTwice, renameRelationshipTwice } from './duplicate-names.ts';
import { insertListKey } from './insert-list-key.ts';
import { mendFinding, removeStale } from './mend-finding.ts';
import { addMissingKeys } from './missing-keys.ts';
import { oneEnd } from './lifecycle-unclear.ts';
import { nameDataSource, nameEntityType } from './ambiguous-names.ts';
import { addPathDirection } from './path-direction.ts';
import type { Fix, QuickFix } from './quick-fix.ts';
import { removeRepeated } from './remove-repeated.ts';
import { removeSqlWord } from './remove-sql-word.ts';
import { addRequiredKeys } from './required-keys.ts';
import { addToDataObjects, useSelectedObject } from './selected-objects.ts';
import { showRows } from './show-rows.ts';
import { fixSyntax } from './yaml-syntax.ts';

/** All quick fixes. A new one is a file and a row. */
const quickFixes: readonly QuickFix[] = [
  didYouMean,
  fixSyntax,
  insertListKey,
  addMissingKeys,
  addRequiredKeys,
  convertValue,
  convertTime,
  removeRepeated,
  renameActivityTwice,
  renameRelationshipTwice,
  addPathDirection,
  oneEnd,
  nameDataSource,
  nameEntityType,
  addKey,
  joinDraft,
  completeCrossTable,
  containSql,
  removeSqlWord,
  addToDataObjects,
  useSelectedObject,
  showRows,
  mendFinding,
  removeStale,
];

/** The fixes of a problem of an entity graph, the most likely first. */
export function fixesOf(problem: Problem, context: GraphContext): readonly Fix[] {
  return quickFixes
    .filter(({ codes }) => codes?.includes(problem.code) ?? true)
    .flatMap((quickFix) => quickFix.fixes(problem, context));
}
