import { duckdbBuild } from '../build/build-dialect.ts';
import type { BuildSource } from '../build/build-source.ts';
import { mostActivities } from '../build/code-types.ts';
import { entityTypesOf } from '../build/entities.ts';
import { linkedKeys } from '../build/row-correlations.ts';
import { graphShape } from '../build/rows.ts';
import type { MadeRows } from './change-copy.ts';
import { createRowViewsSql } from './changed-properties.ts';
import { copyBuild } from './graph-copy.ts';
import {
  type ExtendedElement,
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
  findFirstSql,
  moveEventsSql,
  numberEntitiesSql,
  rankLaterSql,
  writeEventsSql,
} from './new-rows.ts';
import { type Refusal, type ReuseWork, query, run } from './reuse-work.ts';
import { dropScratchSql, newRelations, scratchRelationsSql } from './scratch-relations.ts';
import { countExtendedSql, dropBuiltAnewSql } from './tables-of-new-rows.ts';
import { whyCollated, whyNotExtended, whyOtherActivities } from './why-built-anew.ts';

/**
 * Writes the entities, events and properties of new rows into the copy, and drops what is built anew of all rows. Rejects
 * if the events of the graph are not those of the cached rows in their order.
 * @param source of all staged rows
 * @returns the rows of the tables that it has then
 */
export async function extendCopy(
  work: ReuseWork,
  extended: readonly ExtendedElement[],
  source: BuildSource,
): Promise<MadeRows | Refusal> {
  const { elements } = source;
  const shape = graphShape(elements, { ...source, dialect: copyBuild });
  const all = async (statements: readonly string[]): Promise<void> => {
    for (const sql of statements) await run(work, sql);
  };
  const numbers = async (sql: string): Promise<(name: string) => number> => {
    const [row] = await query(work, sql);
    return (name) => Number(row?.[name] ?? 0);
  };
  const before = await query(work, scratchRelationsSql);

  await all(findFirstSql(extended, shape));
  const later = await numbers(countLaterSql);
  const why = whyNotExtended(later('events'), later('later'));
  if (why !== undefined) return { why };

  await run(work, createNewKeysSql(extended, shape));
  const whyNotKeys = whyCollated((await numbers(countCollatedSql))('collated'));
  if (whyNotKeys !== undefined) return { why: whyNotKeys };
  const hasNewKeys = (await numbers(countNewKeysSql))('keys') > 0;
  if (hasNewKeys) await all(numberEntitiesSql(entityTypesOf({ ...source, linked: linkedKeys(elements, shape) })));
  const areMoved = hasNewKeys && (await numbers(countMovedSql))('moved') > 0;

  await all(createLaterRowsSql(elements, shape));
  await all(rankLaterSql(elements, shape));
  if (shape.activities) {
    const found = await numbers(countActivitiesSql);
    const whyNot = whyOtherActivities(found('others'), found('codes'), mostActivities);
    if (whyNot !== undefined) return { why: whyNot };
  }
  await run(work, createMovedEventsSql(extended, shape));
  const others = (await numbers(countOtherEventsSql(elements, shape, areMoved)))('others');
  if (others > 0) throw new Error(`${others} events of the graph are not those of the rows.`);

  await all(writeEventsSql(elements, shape, areMoved));
  for (const element of elements) await all(moveEventsSql(element));
  for (const each of extended) await run(work, addPropertiesSql(each, shape));
  await all(dropBuiltAnewSql(source));

  const made = new Map<string, number>();
  for (const { name, sql } of countExtendedSql(source)) made.set(name, (await numbers(sql))('rows'));
  // The rows are views again, of all rows, which are counted.
  const names = elements.map(({ plan }) => `rows_${plan.number}`);
  const left = newRelations(
    before.filter(({ name }) => !names.includes(String(name))),
    await query(work, scratchRelationsSql),
  );
  await all(left.map(dropScratchSql));
  await all(createRowViewsSql(elements, graphShape(elements, { ...source, dialect: duckdbBuild })));
  return made;
}
