import { createEntryCache } from '../language/checks/entry-cache.ts';
import { createGraphParser } from '../model/graph-parser.ts';
import { parseDataSources } from '../model/parse-data-sources.ts';
import type { Problem } from '../model/problem.ts';
import { createTimeSlices } from '../project/time-slices.ts';

/** Elements of the text: enough for V8 to compile what reads and checks an entry, a tenth of a second of work. */
const elements = 200;

/**
 * Reads and validates a small graph, so that V8 has compiled this code when the first file is opened.
 * @param isWanted asked again and again; false ends it.
 * @returns the problems of that graph; undefined when it was ended.
 */
export async function warmUp(isWanted: () => boolean): Promise<readonly Problem[] | undefined> {
  const { validateInTime } = await import('../language/validation/validate-graph.ts');
  const text = typicalGraph();
  const slices = createTimeSlices();
  const steps = createGraphParser().reading(text);
  let next = steps.next();
  while (!next.done) {
    if (slices.isTimeUp()) await slices.pause();
    if (!isWanted()) return undefined;
    next = steps.next();
  }
  const [parsed, memo] = [next.value, createEntryCache()];
  const { sources } = parseDataSources('version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv" }\n');
  const sqlValidator = () => [];
  while (isWanted()) {
    const problems = validateInTime({ text, parsed, memo, sources, sqlValidator }, slices);
    if (problems) return problems;
    await slices.pause();
  }
  return undefined;
}

/** Entries as most files have them, in block style and on one line. */
function typicalGraph(): string {
  const all = Array.from({ length: elements }, (_, index) => index);
  const element = (index: number): string => `  - activityName: Place Order ${index}
    dataObject: orders
    key: id
    entityType: order
    startTimestamp: placed_at
    properties: [note, customer_id]
    where: |
      orders.id > ${index}
`;
  const relationship = (index: number): string =>
    `  - { name: r${index}, source: Place Order ${index}, target: Place Order ${index - 1}, mappings: [{ source: customer_id, target: id }] }\n`;
  return `version: 1
name: Orders
dataSource: shop
dataObjects: [orders]
elements:
${all.map(element).join('')}relationships:
${all.slice(1).map(relationship).join('')}`;
}
