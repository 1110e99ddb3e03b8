import type { PlanStatement } from '../../query/compiled-query.ts';
import type { BuildSource } from '../build/build-source.ts';
import { entityTypesOf } from '../build/entities.ts';
import { mayHaveTies, tiesTable } from '../build/events.ts';
import { linkedKeys } from '../build/row-correlations.ts';
import { graphShape, rowsTable } from '../build/rows.ts';
import { createRowViewsSql } from './changed-properties.ts';
import { checkpointCopySql, copyBuild } from './graph-copy.ts';
import {
  countImpossibleSql,
  countLackingTimesSql,
  countUnplacedSql,
  createLaterStepsSql,
  moveFollowsSql,
  writeFollows,
  writeMapSql,
  writePartsSql,
  writeQuantilesSql,
} from './map-of-new-rows.ts';
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
  movePropertiesSql,
  numberEntitiesSql,
  rankLaterSql,
  writeEventsSql,
} from './new-rows.ts';
import { whyMapBuiltAnew } from './extend-map.ts';
import type { CountedChange } from './reuse-work.ts';
import { dropScratchSql } from './scratch-relations.ts';
import { countExtendedSql, dropBuiltAnewSql, dropMapSql } from './tables-of-new-rows.ts';

function statementsOf({ expected, sql }: CountedChange): readonly string[] {
  return [expected, sql];
}

/** Asks whether new rows can be put into the copy, for a plan. */
export function newRowsQuestions(source: BuildSource): readonly PlanStatement[] {
  const { elements } = source;
  if (elements.length === 0) return [];
  const shape = graphShape(elements, { ...source, dialect: copyBuild });
  const extended = elements.map((element) => extendedElement(element));
  const titled = (title: string, sql: string): PlanStatement => ({ title, sql });
  return [
    ...findFirstSql(extended, shape).map((sql) => titled('Where there are new rows, the first of their events', sql)),
    titled('The events behind it', countLaterSql),
    ...(shape.activities ? [titled('Whether they have new activities', countActivitiesSql(extended, shape))] : []),
  ];
}

/** Writes new rows into the copy, for a plan. */
export function newRowsStatements(source: BuildSource): readonly PlanStatement[] {
  const { elements } = source;
  if (elements.length === 0) return [];
  const shape = graphShape(elements, { ...source, dialect: copyBuild });
  const extended = elements.map((element) => extendedElement(element));
  const types = entityTypesOf({ ...source, linked: linkedKeys(elements, shape) });
  const isMapAnew = whyMapBuiltAnew(source) !== undefined;
  const titled = (title: string, statements: readonly string[]): readonly PlanStatement[] =>
    statements.map((sql) => ({ title, sql }));
  const scratch = [
    ...['new_keys', 'moved_entities', 'moved_events', 'sorted', ...(isMapAnew ? [] : ['later_steps'])].map(
      (name) => ({ kind: 'TABLE', name }) as const,
    ),
    ...elements
      .filter((each) => mayHaveTies(each, shape))
      .map((each) => ({ kind: 'TABLE', name: tiesTable(each) }) as const),
    ...elements.map((each) => ({ kind: 'TABLE', name: rowsTable(each) }) as const),
    { kind: 'VIEW', name: 'ranked' } as const,
  ];
  return [
    ...titled('New keys', [createNewKeysSql(extended, shape), countCollatedSql]),
    ...titled('Built anew from all rows', dropBuiltAnewSql(source, isMapAnew)),
    ...titled('Their blocks can be used', [checkpointCopySql]),
    ...titled('Whether there are new keys', [countNewKeysSql]),
    ...titled('If there are any, the ids of all entities', [...numberEntitiesSql(types), countMovedSql]),
    ...titled('Rows of events from the first new one on', createLaterRowsSql(elements, shape)),
    ...titled('Their order', rankLaterSql(elements, shape)),
    ...titled('New ids of events that there were', [createMovedEventsSql(extended, shape)]),
    ...[false, true].flatMap((areMoved) => {
      const where = areMoved ? 'where entities have new ids' : 'where entities have their ids';
      return titled(`Whether all of them were found, ${where}`, [countOtherEventsSql(elements, shape, areMoved)]);
    }),
    ...(isMapAnew ? [] : mapStatements(source, types, titled)),
    ...[false, true].flatMap((areMoved) => {
      const where = areMoved ? 'where entities have new ids' : 'where entities have their ids';
      return titled(`Events, ${where}`, writeEventsSql(elements, shape, areMoved));
    }),
    ...titled('Properties of moved events', elements.flatMap(movePropertiesSql).flatMap(statementsOf)),
    ...titled(
      'Properties of new rows',
      extended.flatMap((each) => statementsOf(addPropertiesSql(each, shape))),
    ),
    ...countExtendedSql(source, isMapAnew).map(({ name, sql }) => ({ title: `Rows of ${name}`, sql })),
    ...titled('Dropped again', scratch.map(dropScratchSql)),
    ...titled('The rows that are counted later', createRowViewsSql(elements, graphShape(elements, source))),
  ];
}

/** Brings directly-follows and the process map up to date, for a plan. */
function mapStatements(
  source: BuildSource,
  types: readonly string[],
  titled: (title: string, statements: readonly string[]) => readonly PlanStatement[],
): readonly PlanStatement[] {
  const { elements } = source;
  const shape = graphShape(elements, { ...source, dialect: copyBuild });
  return [
    ...[false, true].flatMap((areMoved) => {
      const where = areMoved ? 'where entities have new ids' : 'where entities have their ids';
      return titled(`Steps to events from the first new one on, ${where}`, [
        createLaterStepsSql(elements, shape, areMoved),
      ]);
    }),
    ...titled('Whether their activities have numbers', [countUnplacedSql]),
    ...titled('How often each step is taken', [...writePartsSql(types), countImpossibleSql]),
    ...titled('Process map', writeMapSql(types)),
    ...titled('Whether the times of its quantiles are kept', [countLackingTimesSql(types)]),
    ...titled('Its quantiles', writeQuantilesSql(types)),
    ...titled('Directly-follows, where entities have new ids', moveFollowsSql),
    ...titled('Directly-follows', writeFollows.flatMap(statementsOf)),
    ...titled('If that is not exact, both are built anew', dropMapSql(source)),
  ];
}
