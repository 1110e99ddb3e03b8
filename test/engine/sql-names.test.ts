import assert from 'node:assert/strict';
import { judgeRules } from '../../server/src/process-rules/judge-rules.ts';
import { measureGraphBy } from '../../server/src/process-rules/measure-graph.ts';
import { judgedStore } from '../../server/src/process-rules/judged-store.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { answerMeasures } from '../../server/src/analysis/answer-measures.ts';
import { readConditions } from '../../server/src/analysis/read-conditions.ts';
import type { StoreReader } from '../../server/src/store/duckdb-store.ts';
import { readSteps } from '../../server/src/analysis/read-steps.ts';
import { aggregates } from '../../server/src/rule-kinds/sql-names.ts';
import { type GraphInMemory, csvSources, graphText, withGraph } from '../support/import-text.ts';
import { namesGraph } from '../support/names-graph.ts';

describe('names in the SQL of rules and measures', () => {
  const read = async (project: GraphInMemory, use: (store: StoreReader) => Promise<void>): Promise<void> => {
    await project.import();
    await project.read(use);
  };
  const withNames = (use: (project: GraphInMemory) => Promise<void>): Promise<void> => withGraph(namesGraph.files, use);

  it('measures: events, their entity, and related entities', () =>
    withNames((project) =>
      read(project, async (store) => {
        const text = `${namesGraph.files['graph.entity.yaml']}measures:\n${namesGraph.measures.map(({ yaml }) => `  - ${yaml}\n`).join('')}`;
        const { measures } = parseEntityGraph(text).graph;
        const results = await measureGraphBy(measures, judgedStore(store), {});
        assert.deepEqual(
          results.map(({ name, count, missing, sum, error }) => [name, error ?? [count, missing, sum]]),
          namesGraph.measures.map(({ name, numbers }) => [name, numbers]),
        );
      }),
    ));

  it('rules: where and sql; a name that means nothing is told with the right one', () =>
    withNames((project) =>
      read(project, async (store) => {
        const judged = async (rule: string): Promise<unknown> => {
          const { graph } = parseEntityGraph(
            `${namesGraph.files['graph.entity.yaml']}rules:\n  - { name: R, ${rule} }\n`,
          );
          const [result] = await judgeRules(graph.rules, store, {});
          return result?.error ?? [result?.judged, result?.kept, result?.broken, result?.undecided];
        };
        const order = (sql: string): string => `each: { entityType: order }, expect: [{ sql: '${sql}' }]`;
        assert.deepEqual(await judged(order("customer.country = ''DE''")), [3, 1, 1, 1]);
        assert.deepEqual(
          await judged(
            'each: { entityType: order, where: count(delivery.key) > 1 }, expect: [{ sql: entity.events >= 3 }]',
          ),
          [1, 1, 0, 0],
        );
        assert.equal(
          await judged(order('custmer.contry = 1')),
          'The graph has no entities of the type "custmer". Did you mean "customer"?',
        );
        assert.equal(await judged(order('entity.evnts > 1')), 'There is no entity.evnts. Did you mean "events"?');
        assert.equal(
          await judged(order('event.time > entity.first')),
          'Only events have names such as event.time. An entity has entity.first and entity.last.',
        );
        assert.match(String(await judged(order('sum(delivery.weight * customer.rank) > 1'))), /names several types/);
      }),
    ));

  it('conditions and dimensions of questions', () =>
    withNames((project) =>
      read(project, async (store) => {
        const named = { store, entityType: 'order', namedFilter: () => Promise.reject(new Error('none')) };
        const filter = await readConditions(['count(delivery.weight) > 1'], named, {});
        const [late] = await answerMeasures(store, { filter, measures: ['events'], by: ['customer.country'] }, {});
        assert.deepEqual(
          late?.groups.map(({ by, count }) => [by, count]),
          [[{ 'customer.country': 'DE' }, 1]],
        );
        await assert.rejects(readConditions(['delivry.weight > 1'], named, {}), {
          message: 'delivry.weight > 1: The graph has no entities of the type "delivry". Did you mean "delivery"?',
        });
      }),
    ));

  const partsFiles = {
    'entity-sources.yaml': csvSources(),
    'graph.entity.yaml': `${graphText(
      `  - { activityName: Place, dataObject: orders, key: id, entityType: order, startTimestamp: placed, properties: [amount, currency, width, tags, lines, { column: note, name: 'the "note"' }, payer] }
  - { activityName: Add, dataObject: items, key: id, entityType: order item, startTimestamp: added, properties: [qty, price] }
`,
      `  - { name: has, source: Place, target: Add, mappings: [{ source: id, target: order_id }] }
`,
    )}entities:
  - { entityType: customer, dataObject: customers, key: id, properties: [region] }
  - { entityType: payer, dataObject: customers, key: id, properties: [region] }
`,
    'orders.csv': `id,placed,customer,amount,currency,width,tags,lines,note,payer
1,2024-01-01 00:00:00,a,10,EUR,1,"a,c","[{""sku"":""x"",""amount"":4},{""sku"":""y"",""amount"":6}]",n,a
2,2024-01-02 00:00:00,b,20,EUR,2,b,"[{""sku"":""x"",""amount"":2}]",m,b
`,
    'items.csv': `id,order_id,added,qty,price
I1,1,2024-01-03 00:00:00,1,4
I2,1,2024-01-05 00:00:00,2,6
I3,2,2024-01-04 00:00:00,3,50
`,
    'customers.csv': 'id,region\na,north\nb,south\n',
  };

  it('aggregates see the judged thing beside related entities; other names are those of the engine', () =>
    withGraph(partsFiles, (project) =>
      read(project, async (store) => {
        const measured = async (sql: string): Promise<unknown> => {
          const text = `${partsFiles['graph.entity.yaml']}measures:\n  - { name: M, each: { entityType: order }, sql: ${JSON.stringify(sql)} }\n`;
          const { measures } = parseEntityGraph(text).graph;
          const [result] = await measureGraphBy(measures, judgedStore(store), {});
          return result?.error ?? [result?.count, result?.missing, result?.sum];
        };
        const values: readonly (readonly [sql: string, numbers: readonly number[]])[] = [
          ['count(CASE WHEN "order item".price < amount THEN 1 END)', [2, 0, 2]],
          ['sum("order item".price - amount)', [2, 0, 20]],
          ['EXTRACT(day FROM max("order item".last - entity.first))', [2, 0, 6]],
          ['sum("order item".price) FILTER (WHERE "order item".qty > 1)', [2, 0, 56]],
          ['sum(DISTINCT "order item".qty) - amount', [2, 0, -24]],
          ['len(list("order item".price ORDER BY "order item".qty))', [2, 0, 3]],
          ['mode("order item".qty) * 0 + 1', [2, 0, 2]],
          ['quantile_cont("order item".price, 0.5)', [2, 0, 55]],
          ['arg_max("order item".price, "order item".qty)', [2, 0, 56]],
          ['percentile_cont(0.5) WITHIN GROUP (ORDER BY "order item".price)', [2, 0, 55]],
          ["len(list_filter(string_split(tags, ','), tag -> tag <> 'b'))", [2, 0, 2]],
          ["len([tag for tag in string_split(tags, ',') if tag <> 'b'])", [2, 0, 2]],
          [
            'list_sum(list_transform(from_json(lines, \'[{"sku":"VARCHAR","amount":"DOUBLE"}]\'), l -> l.amount)) - amount',
            [2, 0, -18],
          ],
          [
            'CASE WHEN exists(select 1 from unnest(from_json(lines, \'[{"amount":"DOUBLE"}]\')) as t(l) where l.amount > 3) THEN 1 ELSE 0 END',
            [2, 0, 1],
          ],
          ['CASE WHEN "the ""note""" = \'n\' THEN 1 END', [1, 1, 1]],
        ];
        for (const [sql, numbers] of values) assert.deepEqual(await measured(sql), numbers, sql);
        const mistakes: readonly (readonly [sql: string, message: RegExp])[] = [
          ['count("Order Item".key)', /no entities of the type "Order Item"\. Did you mean "order item"/u],
          ['"order itm".price', /Did you mean "order item"/u],
          ['max("order item".*)', /Write "order item"\.key/u],
          ['sum("order item".price) - max(amount)', /"max\(amount\)" names no related entities/u],
          ['payer.region', /"payer" is a property here/u],
          ['foo.bar', /^The graph has no entity type and no property "foo"\. Write event/u],
        ];
        for (const [sql, message] of mistakes) {
          const found = String(await measured(sql));
          assert.match(found, message);
          assert.doesNotMatch(found, /entity-graph:/u);
        }
      }),
    ));

  it('conditions and dimensions refuse names of types that are misspelt or not related', () =>
    withGraph(partsFiles, (project) =>
      read(project, async (store) => {
        const named = { store, entityType: 'order', namedFilter: () => Promise.reject(new Error('none')) };
        const where = (sql: string) => readConditions([sql], named, {});
        const by = (name: string) => answerMeasures(store, { filter: { entityType: 'order' }, by: [name] }, {});
        const unrelated = /An entity of the type "order" is related to none of the type "customer"\./u;
        await assert.rejects(where("customer.region = 'DE'"), { message: unrelated });
        await assert.rejects(by('customer.region'), { message: unrelated });
        await assert.rejects(where('count("order itm".key) = 0'), { message: /Did you mean "order item"/u });
        await assert.rejects(by('"Order Item".price'), { message: /Did you mean "order item"/u });
        const several = /An entity of the type "order" can have several of the type "order item"\. Aggregate them/u;
        await assert.rejects(where('"order item".price > 1'), { message: several });
        await assert.rejects(by('"order item".price'), { message: several });
        const [byMost] = await by('max("order item".price)');
        assert.ok((byMost?.groups.length ?? 0) > 1);
        await assert.rejects(by('foo.first'), { message: 'The graph has no property "foo.first".' });
        await where("len(list_filter(string_split(tags, ','), tag -> tag <> 'b')) > 0");
        await where(
          'exists(select 1 from unnest(from_json(lines, \'[{"amount":"DOUBLE"}]\')) as t(l) where l.amount > 3)',
        );
      }),
    ));

  it('handovers: a property whose name has quotes', () =>
    withGraph(partsFiles, (project) =>
      read(project, async (store) => {
        const { all } = await readSteps(store, { filter: { entityType: 'order' }, by: 'the "note"', limit: 5 }, {});
        assert.equal(all, 0);
      }),
    ));

  it('the aggregates of DuckDB are known', () =>
    withNames((project) =>
      read(project, async (store) => {
        const rows = await store.query(
          "SELECT DISTINCT function_name AS name FROM duckdb_functions() WHERE function_type = 'aggregate'",
          {},
        );
        const windows =
          'cume_dist dense_rank fill first_value lag last_value lead nth_value ntile percent_rank rank rank_dense row_number';
        const unknown = rows.map(({ name }) => String(name)).filter((name) => !aggregates.has(name));
        assert.deepEqual(unknown.toSorted(), windows.split(' '));
      }),
    ));
});
