import type { Catalog } from '../../../server/src/catalog/catalog.ts';
import { tellDependents } from '../../../server/src/language/validation/tell-dependents.ts';
import { judgedBy } from '../../../server/src/lineage/dependents.ts';
import { lineageJson } from '../../../server/src/lineage/formats/lineage-json.ts';
import { lineageMermaid } from '../../../server/src/lineage/formats/mermaid.ts';
import { openLineageEvent } from '../../../server/src/lineage/formats/open-lineage.ts';
import { lineageOf } from '../../../server/src/lineage/lineage.ts';
import { columnsNamed, outputsOf, placesOf } from '../../../server/src/lineage/trace.ts';
import { createLineIndex } from '../../../server/src/model/line-index.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { assertGrowsInProportion } from '../../support/doubling.ts';
import { catalog as shop } from '../language/shop-catalog.ts';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** So many data objects with an element, a relationship, a path, a rule and a measure each. */
function textOf(count: number): string {
  const each = (line: (index: number) => string): string => numbers(count).map(line).join('');
  return `version: 1
dataSource: shop
elements:
${each((n) => `  - { activityName: A${n}, dataObject: t${n}, key: id, entityType: e${n}, startTimestamp: at, where: note <> 'x' AND id > ${n}, properties: [note, { column: amount, name: amount${n} }] }\n`)}relationships:
${each((n) => `  - { name: R${n}, source: A${n}, target: A${(n + 1) % count}, mappings: [{ source: id, target: amount }, { expression: source.at < target.at }] }\n`)}${each((n) => `  - { name: P${n}, source: A${n}, target: A${(n + 2) % count}, path: [R${n}, R${(n + 1) % count}] }\n`)}rules:
${each((n) => `  - { name: J${n}, each: { entityType: e${n} }, expect: [{ from: A${n}, to: A${(n + 1) % count}, atMost: 5d }] }\n`)}measures:
${each((n) => `  - { name: M${n}, each: { activity: A${n} }, value: amount${n} }\n`)}`;
}

function catalogOf(count: number): Catalog {
  const column = { type: 'integer', sense: 'integer', nullable: true, primaryKey: false } as const;
  return {
    ...shop,
    objects: numbers(count).map((n) => ({
      ...{ name: `t${n}`, kind: 'table', path: ['public', `t${n}`], primaryKey: ['id'], foreignKeys: [] },
      statistics: { columnCount: 4 },
      columns: ['id', 'at', 'note', 'amount'].map((name) => ({ ...column, name })),
    })),
  };
}

describe('lineage of twice as many elements, relationships, rules and measures takes at most 2.3 times as long', () => {
  const works: Readonly<Record<string, (count: number) => () => unknown>> = {
    'its outputs': (count) => {
      const [{ graph }, catalog] = [parseEntityGraph(textOf(count)), catalogOf(count)];
      return () => lineageOf(graph, catalog);
    },
    'its answers': (count) => {
      const text = textOf(count);
      const lineage = lineageOf(parseEntityGraph(text).graph, catalogOf(count));
      return () => {
        lineageJson(lineage, createLineIndex(text));
        lineageMermaid(lineage);
        openLineageEvent(lineage, 'graph', new Date(0));
        for (const column of columnsNamed('t0.amount', lineage)) {
          placesOf(column, lineage);
          outputsOf(column, lineage);
        }
        const users = judgedBy(lineage);
        for (const output of lineage) users([output]);
      };
    },
    'what depends on lost columns': (count) => {
      const { graph } = parseEntityGraph(textOf(count));
      const catalog = catalogOf(count);
      const problems = graph.elements.map(({ startTimestamp }) => ({
        ...({ code: 'unknown-column', severity: 'error', message: 'Lost.' } as const),
        range: startTimestamp?.range ?? { start: 0, end: 0 },
      }));
      return () => tellDependents(problems, graph, catalog);
    },
  };
  for (const [title, prepare] of Object.entries(works))
    it(title, () => assertGrowsInProportion(150, async (count) => prepare(count)));
});
