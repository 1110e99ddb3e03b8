import { parseEntityGraph } from '../model/parse-model.ts';
import type { CompleteMeasure } from './measure-sql.ts';
import { isCompleteMeasure } from './measure-sql.ts';

/** The measures that each entity type has without any text. */
const measured = [
  { name: 'throughput', duration: {} },
  { name: 'events', count: { lifecycle: 'any' } },
  { name: 'rework', count: { repeats: true } },
  { name: 'idle', duration: { sinceLast: true } },
] as const;

/** Names that no measure of a file has: they are asked for without text. */
export const namesOfEveryType: ReadonlySet<string> = new Set([...measured.map(({ name }) => name), 'rework rate']);

/** throughput, events, rework and idle of the entities of a type. */
export function defaultMeasures(entityType: string): readonly CompleteMeasure[] {
  const measures = measured.map((measure) => ({ ...measure, each: { entityType } }));
  return parseEntityGraph(JSON.stringify({ measures })).graph.measures.filter(isCompleteMeasure);
}
