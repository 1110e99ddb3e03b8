import { duckdbBuild } from '../build/build-dialect.ts';
import type { BuildSource } from '../build/build-source.ts';
import { mostActivities } from '../build/code-types.ts';
import { entityTypesOf } from '../build/entities.ts';
import { linkedKeys } from '../build/row-correlations.ts';
import { graphShape } from '../build/rows.ts';
import type { MadeTables } from './change-copy.ts';
import { createRowViewsSql } from './changed-properties.ts';
import { extendMap } from './extend-map.ts';
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
import { type Refusal, type ReuseWork, counts, query, run, runCounted } from './reuse-work.ts';
import { dropScratchSql, newRelations, scratchRelationsSql } from './scratch-relations.ts';
import { builtAnewSteps, countExtendedSql, dropBuiltAnewSql, dropMapSql } from './tables-of-new-rows.ts';
import { whyCollated, whyNotExtended, whyOtherActivities } from './why-built-anew.ts';

/** The reason why new rows are not put into the copy, by a few counts. Leaves the variables of `findFirstSql`. */
export async function whyNotPut(
  work: ReuseWork,
  extended: readonly ExtendedElement[],
  source: BuildSource,
): Promise<string | undefined> {
  const shape = graphShape(source.elements, { ...source, dialect: copyBuild });
  for (const sql of findFirstSql(extended, shape)) await run(work, sql);
  const later = await counts(work, countLaterSql);
  const found = shape.activities ? await counts(work, countActivitiesSql(extended, shape)) : undefined;
  return (
    whyNotExtended(later('events'), later('later')) ??
    (found && whyOtherActivities(found('others'), found('codes'), mostActivities))
  );
}

/** A copy with new rows. */
export interface ExtendedCopy extends MadeTables {
  /** Why directly-follows and the process map are built anew. */
  readonly whyMapAnew: string | undefined;
}

/**
 * Writes the entities, events and properties of new rows into the copy, and directly-follows and the process map if they
 * can be brought up to date, and drops the tables that are built anew from all rows. Rejects if the events of the graph
 * are not those of the cached rows in their order.
 * @param source of all staged rows
 * @param whyMap why the map is built anew in any case
 */
export async function extendCopy(
  work: ReuseWork,
  extended: readonly ExtendedElement[],
  source: BuildSource,
  whyMap: string | undefined,
): Promise<ExtendedCopy | Refusal> {
  const { elements } = source;
  const shape = graphShape(elements, { ...source, dialect: copyBuild });
  const all = async (statements: readonly string[]): Promise<void> => {
    for (const sql of statements) await run(work, sql);
  };
  const before = await query(work, scratchRelationsSql);

  await run(work, createNewKeysSql(extended, shape));
  const whyNotKeys = whyCollated((await counts(work, countCollatedSql))('collated'));
  if (whyNotKeys !== undefined) return { why: whyNotKeys };

  // New events and entities are written into the blocks of the dropped tables, so that the file does not grow.
  await all(dropBuiltAnewSql(source, whyMap !== undefined));
  await run(work, checkpointCopySql);

  const hasNewKeys = (await counts(work, countNewKeysSql))('keys') > 0;
  if (hasNewKeys) await all(numberEntitiesSql(entityTypesOf({ ...source, linked: linkedKeys(elements, shape) })));
  const areMoved = hasNewKeys && (await counts(work, countMovedSql))('moved') > 0;

  await all(createLaterRowsSql(elements, shape));
  await all(rankLaterSql(elements, shape));
  await run(work, createMovedEventsSql(extended, shape));
  const others = (await counts(work, countOtherEventsSql(elements, shape, areMoved)))('others');
  if (others > 0) throw new Error(`${others} events of the graph are not those of the rows.`);

  const whyMapAnew = whyMap ?? (await extendMap(work, source, shape, areMoved));
  const isMapAnew = whyMapAnew !== undefined;
  if (isMapAnew && whyMap === undefined) await all(dropMapSql(source));

  await all(writeEventsSql(elements, shape, areMoved));
  for (const element of elements) {
    for (const change of movePropertiesSql(element)) await runCounted(work, change, 'properties');
  }
  for (const each of extended) await runCounted(work, addPropertiesSql(each, shape), 'properties');

  const rows = new Map<string, number>();
  for (const { name, sql } of countExtendedSql(source, isMapAnew)) rows.set(name, (await counts(work, sql))('rows'));
  // The rows become views of all rows again, for counts.
  const names = elements.map(({ plan }) => `rows_${plan.number}`);
  const left = newRelations(
    before.filter(({ name }) => !names.includes(String(name))),
    await query(work, scratchRelationsSql),
  );
  await all(left.map(dropScratchSql));
  await all(createRowViewsSql(elements, graphShape(elements, { ...source, dialect: duckdbBuild })));
  return { rows, whyMapAnew, builtAnew: new Set(builtAnewSteps(source, isMapAnew).map(({ name }) => name)) };
}
