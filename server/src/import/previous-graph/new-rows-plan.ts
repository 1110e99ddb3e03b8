import type { PlanStatement } from '../../query/compiled-query.ts';
import type { BuildSource } from '../build/build-source.ts';
import { entityTypesOf } from '../build/entities.ts';
import { mayHaveTies, tiesTable } from '../build/events.ts';
import { linkedKeys } from '../build/row-correlations.ts';
import { graphShape, rowsTable } from '../build/rows.ts';
import { createRowViewsSql } from './changed-properties.ts';
import { copyBuild } from './graph-copy.ts';
import {
  addPropertiesSql,
  countCollatedSql,
  countActivitiesSql,
  countLaterSql,
  countMovedSql,
  countNewKeysSql,
  countOtherEventsSql,
  createLaterRowsSql,
  createMovedEventsSql,
  createNewKeysSql,
  extendedElement,
  findFirstSql,
  moveEventsSql,
  numberEntitiesSql,
  rankLaterSql,
  writeEventsSql,
} from './new-rows.ts';
import { dropScratchSql } from './scratch-relations.ts';
import { countExtendedSql, dropBuiltAnewSql } from './tables-of-new-rows.ts';

/** Writes new rows into the copy, for a plan. */
export function newRowsStatements(source: BuildSource): readonly PlanStatement[] {
  const { elements } = source;
  if (elements.length === 0) return [];
  const shape = graphShape(elements, { ...source, dialect: copyBuild });
  const extended = elements.map((element) => extendedElement(element));
  const types = entityTypesOf({ ...source, linked: linkedKeys(elements, shape) });
  const titled = (title: string, statements: readonly string[]): readonly PlanStatement[] =>
    statements.map((sql) => ({ title, sql }));
  const scratch = [
    ...['new_keys', 'moved_entities', 'moved_events', 'sorted'].map((name) => ({ kind: 'TABLE', name }) as const),
    ...elements
      .filter((each) => mayHaveTies(each, shape))
      .map((each) => ({ kind: 'TABLE', name: tiesTable(each) }) as const),
    ...elements.map((each) => ({ kind: 'TABLE', name: rowsTable(each) }) as const),
    { kind: 'VIEW', name: 'ranked' } as const,
  ];
  return [
    ...titled('Where there are new rows, the first of their events', findFirstSql(extended, shape)),
    ...titled('The events behind it', [countLaterSql]),
    ...titled('New keys', [createNewKeysSql(extended, shape), countCollatedSql, countNewKeysSql]),
    ...titled('If there are any, the ids of all entities', [...numberEntitiesSql(types), countMovedSql]),
    ...titled('Rows of events from the first new one on', createLaterRowsSql(elements, shape)),
    ...titled('Their order', rankLaterSql(elements, shape)),
    ...titled('Whether they have new activities', shape.activities ? [countActivitiesSql] : []),
    ...titled('New ids of events that there were', [createMovedEventsSql(extended, shape)]),
    ...[false, true].flatMap((areMoved) => {
      const where = areMoved ? 'where entities have new ids' : 'where entities have their ids';
      return [
        ...titled(`Whether all of them were found, ${where}`, [countOtherEventsSql(elements, shape, areMoved)]),
        ...titled(`Events, ${where}`, writeEventsSql(elements, shape, areMoved)),
      ];
    }),
    ...titled('Properties of moved events', elements.flatMap(moveEventsSql)),
    ...titled(
      'Properties of new rows',
      extended.map((each) => addPropertiesSql(each, shape)),
    ),
    ...titled('What is built anew of all rows', dropBuiltAnewSql(source)),
    ...countExtendedSql(source).map(({ name, sql }) => ({ title: `Rows of ${name}`, sql })),
    ...titled('Dropped again', scratch.map(dropScratchSql)),
    ...titled('The rows that are counted later', createRowViewsSql(elements, graphShape(elements, source))),
  ];
}
