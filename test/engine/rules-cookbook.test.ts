import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { judgeRules } from '../../server/src/process-rules/judge-rules.ts';
import { withGraph } from '../support/import-text.ts';

const page = readFileSync(new URL('../../docs/rules-cookbook.md', import.meta.url), 'utf8');

/** What the pages ask, counted by hand in the log below. */
const answers: Readonly<Record<string, number>> = { Q1: 2, Q2: 1, Q3: 1, Q4: 1, Q5: 2, Q6: 3, Q7: 6 };

interface LoggedEvent {
  readonly type: string;
  /** After the first, in hours. */
  readonly at: number;
  readonly of: readonly string[];
  readonly by?: string;
}

/**
 * Application a1 is as it should be; a2 is submitted twice, its offer o2 created by another, never returned, and accepted
 * after 37 days; a3 has two offers returned at once, one created by another, none accepted; a4 is never submitted.
 */
const events: readonly LoggedEvent[] = [
  { type: 'A_Submitted', at: 0, of: ['a1'] },
  { type: 'A_Accepted', at: 1, of: ['a1'], by: 'Ann' },
  { type: 'O_Created', at: 2, of: ['o1'], by: 'Ann' },
  { type: 'O_Returned', at: 5, of: ['o1'] },
  { type: 'O_Accepted', at: 9, of: ['o1'] },
  { type: 'A_Submitted', at: 3, of: ['a2'] },
  { type: 'A_Submitted', at: 4, of: ['a2'] },
  { type: 'A_Accepted', at: 6, of: ['a2'], by: 'Ann' },
  { type: 'O_Created', at: 7, of: ['o2'], by: 'Bob' },
  { type: 'O_Accepted', at: 900, of: ['o2'] },
  { type: 'A_Submitted', at: 3.5, of: ['a3'] },
  { type: 'A_Accepted', at: 8, of: ['a3'], by: 'Bob' },
  { type: 'O_Created', at: 8.5, of: ['o3'], by: 'Bob' },
  { type: 'O_Created', at: 8.6, of: ['o4'], by: 'Ann' },
  { type: 'O_Returned', at: 10, of: ['o3', 'o4'] },
];
const offers: Readonly<Record<string, readonly string[]>> = { a1: ['o1'], a2: ['o2'], a3: ['o3', 'o4'], a4: [] };

function log(): string {
  const type = (name: string) => ({ name, attributes: [] });
  const object = (id: string, of: string, related: readonly string[] = []) => ({
    ...{ id, type: of, attributes: [] },
    relationships: related.map((objectId) => ({ objectId, qualifier: 'offers' })),
  });
  return JSON.stringify({
    objectTypes: ['Application', 'Offer', 'Case_R'].map(type),
    eventTypes: [...new Set(events.map((event) => event.type))].map(type),
    objects: [
      ...Object.entries(offers).map(([id, related]) => object(id, 'Application', related)),
      ...Object.values(offers).flatMap((all) => all.map((id) => object(id, 'Offer'))),
      ...['Ann', 'Bob'].map((id) => object(id, 'Case_R')),
    ],
    events: events.map(({ type: of, at, of: objects, by }, index) => ({
      ...{
        id: `e${index}`,
        type: of,
        time: new Date(Date.UTC(2017, 0, 1) + at * 3_600_000).toISOString(),
        attributes: [],
      },
      relationships: [
        ...objects.map((objectId) => ({ objectId, qualifier: 'of' })),
        ...(by === undefined ? [] : [{ objectId: by, qualifier: 'by' }]),
      ],
    })),
  });
}

const block = (text: string, language: string): string | undefined =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'u').exec(text)?.[1];

describe('docs/rules-cookbook.md', () => {
  it('gives the same answers by rules and by SQL', async () => {
    const questions = page.split(/^## (?=Q\d)/mu).slice(1);
    const named = questions.map((text) => ({
      name: text.slice(0, 2),
      sql: block(text, 'sql'),
      rule: block(text, 'yaml rule'),
    }));
    assert.deepEqual(
      named.map(({ name }) => name),
      Object.keys(answers),
    );
    const files = {
      'entity-sources.yaml': 'version: 1\ndataSources:\n  bpic2017: { kind: ocel, path: log.jsonocel }\n',
      'log.jsonocel': log(),
      'graph.entity.yaml': `${block(page, 'yaml graph') ?? ''}rules:\n${named.map(({ rule = '' }) => rule).join('')}`,
    };
    await withGraph(files, async ({ import: run, read }) => {
      const { status, error } = await run();
      assert.equal(status, 'imported', error?.message);
      const bySql = await read(async (store) => {
        const found = new Map<string, number>();
        for (const { name, sql } of named) {
          assert.ok(sql, name);
          found.set(name, Number(Object.values((await store.query(sql))[0] ?? {})[0]));
        }
        return found;
      });
      assert.deepEqual(Object.fromEntries(bySql), answers);
      const { rules } = parseEntityGraph(files['graph.entity.yaml']).graph;
      const results = await read((store) => judgeRules(rules, store, {}));
      assert.deepEqual(
        results.map(({ broken, error: reason }) => [broken, reason]),
        named.filter(({ rule }) => rule).map(({ name }) => [answers[name], undefined]),
      );
    });
  });
});
