import type { BuildSource } from '../build/build-source.ts';
import { correlatingRelationships, mayCorrelateOthers } from '../build/correlations.ts';
import { entityTypesOf } from '../build/entities.ts';
import { linkedKeys } from '../build/row-correlations.ts';
import { type GraphShape, graphShape } from '../build/rows.ts';
import { type ExtensionStatement, type KnownCounts, counted, titled } from './extension-statement.ts';
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
import { dropMapSql } from './tables-of-new-rows.ts';

/**
 * The reason, for users, why directly-follows and the process map are built anew where there are new rows.
 * @param known the counts of `extendMapStatements`; without them, the reason whichever rows are new
 */
export function mapRebuildReason(source: BuildSource, known?: KnownCounts): string | undefined {
  const { elements, relationships, paths } = source;
  const linked = linkedKeys(elements, graphShape(elements, source));
  if (mayCorrelateOthers(correlatingRelationships(relationships, paths), linked))
    return 'events are correlated with related entities';
  if (!known || isMapExtended(known)) return undefined;
  return areStepsPlaced(known)
    ? 'a median or a 90 % quantile is now beyond the times that were kept'
    : 'an activity has its first start or change';
}

/** Whether directly-follows and the process map were brought up to date. */
export function isMapExtended(known: KnownCounts): boolean {
  return areStepsPlaced(known) && known('lacking') === 0;
}

function areStepsPlaced(known: KnownCounts): boolean {
  return known('unplaced') === 0;
}

/**
 * Brings directly-follows and the process map of the copy up to date with `ranked`, before its events are written; drops
 * them if that is not exact.
 * @param hasMovedEntities ids of entities have changed
 */
export function extendMapStatements(
  source: BuildSource,
  shape: GraphShape,
  hasMovedEntities: (known: KnownCounts) => boolean,
): readonly ExtensionStatement[] {
  const { elements } = source;
  const types = entityTypesOf({ ...source, linked: linkedKeys(elements, shape) });
  return [
    ...[false, true].flatMap((areMoved) =>
      titled(
        `Steps to events from the first new one on, where entities have ${areMoved ? 'new' : 'their'} ids`,
        [createLaterStepsSql(elements, shape, areMoved)],
        (known) => hasMovedEntities(known) === areMoved,
      ),
    ),
    { title: 'Whether their activities have numbers', sql: countUnplacedSql, counts: ['unplaced'] },
    ...titled('How often each step is taken', writePartsSql(types), areStepsPlaced),
    {
      title: 'How often each step is taken',
      sql: countImpossibleSql,
      when: areStepsPlaced,
      counts: ['impossible'],
      check: expectNoneImpossible,
    },
    ...titled('Process map', writeMapSql(types), areStepsPlaced),
    {
      title: 'Whether the times of its quantiles are kept',
      sql: countLackingTimesSql(types),
      when: areStepsPlaced,
      counts: ['lacking'],
    },
    ...titled('Its quantiles', writeQuantilesSql(types), isMapExtended),
    ...titled(
      'Directly-follows, where entities have new ids',
      moveFollowsSql,
      (known) => isMapExtended(known) && hasMovedEntities(known),
    ),
    ...counted('Directly-follows', writeFollows, 'directly-follows', isMapExtended),
    ...titled('If that is not exact, both are built anew', dropMapSql(source), (known) => !isMapExtended(known)),
  ];
}

function expectNoneImpossible(known: KnownCounts): undefined {
  const impossible = known('impossible');
  if (impossible > 0) throw new Error(`${impossible} numbers of the process map are not those of its events.`);
}
