import type { BuildSource } from '../build/build-source.ts';
import { mostActivities } from '../build/code-types.ts';
import { entityTypesOf } from '../build/entities.ts';
import { linkedKeys } from '../build/row-correlations.ts';
import { graphShape } from '../build/rows.ts';
import { extendMapStatements, isMapExtended, mapRebuildReason } from './extend-map.ts';
import { type ExtensionStatement, type KnownCounts, counted, titled } from './extension-statement.ts';
import { checkpointCopySql, copyBuild } from './graph-copy.ts';
import {
  type ExtendedElement,
  addPropertiesSql,
  countActivitiesSql,
  countCollatedSql,
  countLaterSql,
  countMovedSql,
  countNewKeysSql,
  countOtherEventsSql,
  createLaterRowsSql,
  createMovedEventsSql,
  createNewKeysSql,
  findFirstSql,
  movePropertiesSql,
  numberEntitiesSql,
  rankLaterSql,
  writeEventsSql,
} from './new-rows.ts';
import { activityCodesReason, collationReason, renumberedEventsReason } from './rebuild-reason.ts';
import { countExtendedSql, dropBuiltAnewSql } from './tables-of-new-rows.ts';

/** Asks whether the copy can take new rows. Leaves the variables of `findFirstSql`. @param source of all staged rows */
export function extensionQuestions(
  extended: readonly ExtendedElement[],
  source: BuildSource,
): readonly ExtensionStatement[] {
  const shape = graphShape(source.elements, { ...source, dialect: copyBuild });
  return [
    ...titled('Where there are new rows, the first of their events', findFirstSql(extended, shape)),
    {
      title: 'The events behind it',
      sql: countLaterSql,
      counts: ['events', 'later'],
      check: (known) => renumberedEventsReason(known('events'), known('later')),
    },
    ...(shape.activities
      ? [
          {
            title: 'Whether they have new activities',
            sql: countActivitiesSql(extended, shape),
            counts: ['others', 'codes'],
            check: (known: KnownCounts) => activityCodesReason(known('others'), known('codes'), mostActivities),
          },
        ]
      : []),
  ];
}

/**
 * Writes the entities, events and properties of new rows into the copy, drops the tables that are built anew from all
 * rows, and counts the others.
 * @param source of all staged rows
 */
export function extensionStatements(
  extended: readonly ExtendedElement[],
  source: BuildSource,
): readonly ExtensionStatement[] {
  const { elements } = source;
  const shape = graphShape(elements, { ...source, dialect: copyBuild });
  const types = entityTypesOf({ ...source, linked: linkedKeys(elements, shape) });
  const hasNewKeys = (known: KnownCounts): boolean => known('keys') > 0;
  const hasMovedEntities = (known: KnownCounts): boolean => hasNewKeys(known) && known('moved') > 0;
  const isMapAnew = mapRebuildReason(source) !== undefined;
  const byIds = (
    of: (areMoved: boolean, where: string, when: ExtensionStatement['when']) => readonly ExtensionStatement[],
  ) =>
    [false, true].flatMap((areMoved) =>
      of(
        areMoved,
        areMoved ? 'where entities have new ids' : 'where entities have their ids',
        (known) => hasMovedEntities(known) === areMoved,
      ),
    );
  return [
    { title: 'New keys', sql: createNewKeysSql(extended, shape) },
    {
      title: 'New keys',
      sql: countCollatedSql,
      counts: ['collated'],
      check: (known) => collationReason(known('collated')),
    },
    // New events and entities are written into the blocks of the dropped tables, so that the file does not grow.
    ...titled('Built anew from all rows', dropBuiltAnewSql(source, isMapAnew)),
    { title: 'Their blocks can be used', sql: checkpointCopySql },
    { title: 'Whether there are new keys', sql: countNewKeysSql, counts: ['keys'] },
    ...titled('If there are any, the ids of all entities', numberEntitiesSql(types), hasNewKeys),
    {
      title: 'If there are any, the ids of all entities',
      sql: countMovedSql,
      when: hasNewKeys,
      counts: ['moved'],
    },
    ...titled('Rows of events from the first new one on', createLaterRowsSql(elements, shape)),
    ...titled('Their order', rankLaterSql(elements, shape)),
    { title: 'New ids of events that there were', sql: createMovedEventsSql(extended, shape) },
    ...byIds((areMoved, where, when) => [
      {
        title: `Whether all of them were found, ${where}`,
        sql: countOtherEventsSql(elements, shape, areMoved),
        when,
        counts: ['others'],
        check: expectNoOthers,
      },
    ]),
    // While the graph still has the events without the new ones.
    ...(isMapAnew
      ? []
      : [
          ...extendMapStatements(source, shape, hasMovedEntities),
          { title: 'Blocks of what was replaced can be used', sql: checkpointCopySql, when: hasMovedEntities },
        ]),
    ...byIds((areMoved, where, when) => titled(`Events, ${where}`, writeEventsSql(elements, shape, areMoved), when)),
    ...counted('Properties of moved events', elements.flatMap(movePropertiesSql), 'properties'),
    ...counted(
      'Properties of new rows',
      extended.map((each) => addPropertiesSql(each, shape)),
      'properties',
    ),
    ...countExtendedSql(source, 'gets rows').map(({ name, sql }) => ({ title: `Rows of ${name}`, sql, rowsOf: name })),
    ...(isMapAnew ? [] : countExtendedSql(source, 'gets rows or is built anew')).map(({ name, sql }) => ({
      title: `Rows of ${name}`,
      sql,
      when: isMapExtended,
      rowsOf: name,
    })),
  ];
}

function expectNoOthers(known: KnownCounts): undefined {
  const others = known('others');
  if (others > 0) throw new Error(`${others} events of the graph are not those of the rows.`);
}
