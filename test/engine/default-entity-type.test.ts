import assert from 'node:assert/strict';
import { defaultEntityType } from '../../server/src/event-graph/default-entity-type.ts';
import { openStore } from '../../server/src/store/duckdb-store.ts';
import { csvSources, graphText, withProject } from '../support/import-text.ts';

/** `name` has rows `A1` … with `perKey` events each. */
function log(keys: number, perKey: number): string {
  const rows = Array.from(
    { length: keys * perKey },
    (_, i) => `A${i % keys},2024-01-01 00:${String(i).padStart(2, '0')}:00`,
  );
  return `id,at\n${rows.join('\n')}\n`;
}
const element = (name: string): string =>
  `  - { activityName: Do ${name}, dataObject: ${name}, key: id, startTimestamp: at }\n`;
const same = (source: string, target: string, correlate = 'both'): string =>
  `  - { source: Do ${source}, target: Do ${target}, mappings: [{ source: id, target: id }], correlate: ${correlate} }\n`;

describe('default entity type of a process map', () => {
  const cases: readonly (readonly [
    what: string,
    files: Record<string, string>,
    graph: string,
    type: string | undefined,
  ])[] = [
    [
      'has most events of its own, although another has more of others',
      { 'a.csv': log(2, 4), 'b.csv': log(2, 3) },
      graphText(element('b') + element('a'), same('a', 'b', 'source')),
      'a',
    ],
    [
      'has events that follow each other',
      { 'a.csv': log(9, 1), 'b.csv': log(1, 3) },
      graphText(element('a') + element('b')),
      'b',
    ],
    [
      'with as many events of its own, has most pairs of event and entity',
      { 'a.csv': log(2, 2), 'b.csv': log(2, 2) },
      graphText(element('a') + element('b'), same('a', 'b', 'source')),
      'b',
    ],
    [
      'with as many of both, is the first in the file',
      { 'a.csv': log(2, 2), 'b.csv': log(2, 2), 'c.csv': log(2, 2) },
      graphText(element('c') + element('a') + element('b')),
      'c',
    ],
    [
      'without events of its own, is the first that rows name',
      { 'a.csv': 'id,at,x,y\n1,2024-01-01,p,q\n2,2024-01-02,p,q\n' },
      graphText(
        '  - { activityName: Do a, dataObject: a, key: id, startTimestamp: at, ownEntity: false, correlatesWith: [{ entityType: z, key: x }, { entityType: b, key: y }] }\n',
      ),
      'z',
    ],
    [
      'is any where nothing follows',
      { 'a.csv': log(2, 1), 'b.csv': log(3, 1) },
      graphText(element('a') + element('b')),
      'b',
    ],
    ['is undefined for a graph without entities', { 'a.csv': 'id,at\n' }, graphText(element('a')), undefined],
  ];
  for (const [what, files, graph, type] of cases) {
    it(what, () =>
      withProject({ 'entity-sources.yaml': csvSources(), ...files, 'graph.entity.yaml': graph }, async (project) => {
        const { store: path, error } = await project.import();
        assert.ok(path, error?.message);
        const store = await openStore(path);
        try {
          assert.equal(await defaultEntityType(store, {}), type);
        } finally {
          await store.close();
        }
      }),
    );
  }
});
