import type { BuildSource } from '../build/build-source.ts';
import { correlatingRelationships, mayCorrelateOthers } from '../build/correlations.ts';
import { entityTypesOf } from '../build/entities.ts';
import { linkedKeys } from '../build/row-correlations.ts';
import { type GraphShape, graphShape } from '../build/rows.ts';
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
import { type ReuseWork, counts, run, runCounted } from './reuse-work.ts';

/** The reason, for users, why new rows have directly-follows and the process map built anew, whichever rows they are. */
export function whyMapBuiltAnew(source: BuildSource): string | undefined {
  const { elements, relationships, paths } = source;
  const linked = linkedKeys(elements, graphShape(elements, source));
  return mayCorrelateOthers(correlatingRelationships(relationships, paths), linked)
    ? 'events are correlated with related entities'
    : undefined;
}

/**
 * Brings directly-follows and the process map of the copy up to date with `ranked`, before its events are written.
 * @param areMoved ids of entities have changed
 * @returns the reason, for users, why that is not exact, so that they must be built anew
 */
export async function extendMap(
  work: ReuseWork,
  source: BuildSource,
  shape: GraphShape,
  areMoved: boolean,
): Promise<string | undefined> {
  const { elements } = source;
  const types = entityTypesOf({ ...source, linked: linkedKeys(elements, shape) });
  const all = async (statements: readonly string[]): Promise<void> => {
    for (const sql of statements) await run(work, sql);
  };
  await run(work, createLaterStepsSql(elements, shape, areMoved));
  if ((await counts(work, countUnplacedSql))('unplaced') > 0) return 'an activity has its first start or change';
  await all(writePartsSql(types));
  const impossible = (await counts(work, countImpossibleSql))('impossible');
  if (impossible > 0) throw new Error(`${impossible} numbers of the process map are not those of its events.`);
  await all(writeMapSql(types));
  if ((await counts(work, countLackingTimesSql(types)))('lacking') > 0) {
    return 'a median or a 90 % quantile is now beyond the times that were kept';
  }
  await all(writeQuantilesSql(types));
  if (areMoved) await all(moveFollowsSql);
  for (const change of writeFollows) await runCounted(work, change, 'directly-follows');
  return undefined;
}
