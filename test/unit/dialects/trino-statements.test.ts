import assert from 'node:assert/strict';
import { trino } from '../../../server/src/dialects/trino.ts';
import { importCounts } from '../../../server/src/graph-schema/import-counts.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { isComplete, ruleSql } from '../../../server/src/process-rules/rule-sql.ts';
import { sourceBuildDialect } from '../../../server/src/import/build/build-dialect.ts';
import { expectationsStep, type ExpectedRows } from '../../../server/src/import/build/expectation-counts.ts';

describe('statements for Trino', () => {
  it('read times from text in a zone without a lambda, which Trino rejects in a correlated subquery', () => {
    const time = trino.times.inZone(trino.times.naiveText('c1'), 'Europe/Berlin');
    assert.match(time, /try_cast\(replace\(c1, 'T', ' '\) AS timestamp\(6\)\)/);
    assert.doesNotMatch(time, /\btry\(|->/);
  });

  it('count rows that break an expectation without a window over all rows, which would run on one worker', () => {
    const column = { name: 'state', stagedAs: 'c1', stagedType: 'varchar', type: 'varchar', sense: 'text' } as const;
    const rows: Pick<ExpectedRows, 'step' | 'name' | 'table' | 'key' | 'expect'> = {
      ...{ step: 'expectations_1', name: 'Order', table: 'element_1', key: [column] },
      expect: { unique: [[column]], notNull: [column], values: [column] },
    };
    const written = { values: [{ texts: ['New'] }] };
    const place = { dialect: sourceBuildDialect('trino', ['lake', 'ekg']), timeZone: 'UTC' };
    const { statements } = expectationsStep({ ...rows, written } as unknown as ExpectedRows, place);
    assert.equal(statements.length, 4);
    for (const { sql } of statements) assert.doesNotMatch(sql, /OVER \(\)/);
  });

  it('do not treat a missing time as infinite: the test returns NULL, as in the other dialects', () => {
    assert.equal(trino.times.isFinite('t'), 'nullif(t IS NOT NULL, false)');
  });

  it('judge a rule in one pass, because Trino plans each use of a common table expression anew', () => {
    const { graph } = parseEntityGraph(
      'rules:\n  - { name: Paid, each: { activity: Order }, expect: [{ activity: Pay, of: order, within: 3d }, { never: Cancel, of: order }] }\n',
    );
    const [rule] = graph.rules;
    assert.ok(rule && isComplete(rule));
    const tables = {
      dialect: trino,
      table: (name: string) => name,
      properties: [],
      entityTypes: [],
      hasCorrelations: true,
    };
    const sql = ruleSql(rule, { ...tables, now: "TIMESTAMP '2024-01-01'" }, 100);
    assert.equal([...sql.matchAll(/\b(?:FROM|JOIN) outcome\b/gu)].length, 1);
    assert.equal([...sql.matchAll(/>= TIMESTAMP '2024-01-01'/gu)].length, 1);
    assert.doesNotMatch(sql, /moment|IN \(SELECT/u);
  });

  it('add up ids as decimals: bigints would overflow near three billion rows', () => {
    const gaps = importCounts({ keepsRows: false, sortsTexts: true }, false).filter(({ counts }) =>
      counts.startsWith('gaps in the ids'),
    );
    assert.equal(gaps.length, 2);
    for (const { sql } of gaps) {
      const text = sql('graph', trino.build.wide);
      assert.ok(text.includes('2 * sum(CAST(id AS decimal(38, 0))) = CAST(count(*) AS decimal(38, 0)) *'), text);
    }
  });

  it('print durations of rules in days and times of day, exact to the millisecond', () => {
    const { interval } = trino.build.judging;
    assert.equal(interval(90_061_001_000), "INTERVAL '1 01:01:01.001' DAY TO SECOND");
    assert.equal(interval(3_650 * 86_400_000_000), "INTERVAL '3650 00:00:00.000' DAY TO SECOND");
  });
});
