import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { type EntryCache, createEntryCache } from '../../../server/src/language/checks/entry-cache.ts';
import { validateEntityGraph, validateInTime } from '../../../server/src/language/validation/validate-graph.ts';
import type { SqlValidator } from '../../../server/src/language/sql/sql-validator.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { parseYaml } from '../../../server/src/model/yaml-text.ts';
import type { Problem } from '../../../server/src/model/problem.ts';
import { loadPostgresqlValidator } from '../../../server/src/sql/postgresql-validator.ts';
import { catalog, sources } from './shop-catalog.ts';
import { soakProperty } from '../../support/soak.ts';
import { tooManyAliases } from '../../support/too-many-aliases.ts';

const shop = `version: 1
dataSource: shop
dataObjects: [orders, customers]
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
    properties: [note, customer_id]
  - activityName: Ship Order
    dataObject: orders
    startTimestamp: shipped_on
  - activityName: Win Customer
    dataObject: customers
    key: id
    startTimestamp: since
relationships:
  - { source: Place Order, target: Ship Order, mappings: [{ source: id, target: id }] }
  - name: buys
    source: Win Customer
    target: Place Order
    mappings:
      - { source: id, target: customer_id }
`;
/** Entries with anchors and aliases of one another, some of them invalid. */
const linked = `version: 1
dataSource: shop
dataObjects: [&orders orders, customers]
x-time: &time placed_at
x-columns: &columns [note, nte]
x-mappings: &mappings
  - { source: &id id, target: *id }
elements:
  - &first
    activityName: &place Place Order
    dataObject: *orders
    startTimestamp: *time
    properties: *columns
  - activityName: Ship Order
    dataObject: *orders
    startTimestamp: shipped_on
    properties: *columns
  - activityName: Win Customer
    dataObject: customers
    key: *id
    startTimestamp: since
  - *first
relationships:
  - { source: *place, target: Ship Order, mappings: *mappings }
  - { name: buys, source: Win Customer, target: *place, mappings: [{ source: *id, target: customer_id }] }
`;
/** Entries without a name, which are identified by number. */
const unnamed = `version: 1
dataSource: shop
dataObjects: [orders]
elements:
  - dataObject: orders
  - { dataObject: orders, startTimestamp: placed_at }
  - startTimestamp: placed_at
    entityType: order
  - entityType: order
relationships:
  - source: Place Order
  - target: Place Order
`;
const withSql = shop
  .replace('    startTimestamp: placed_at\n', '    startTimestamp: placed_at\n    where: note <> id\n')
  .replace('    startTimestamp: since\n', '    startTimestamp: since\n    where: |\n      since > nobody\n')
  .replace('{ source: id, target: customer_id }', '{ expression: source.id = target.customer_id }');
const json = JSON.stringify(parseYaml(shop).document.toJS(), null, 2);
const texts = [
  shop,
  json,
  linked,
  linked,
  withSql,
  withSql,
  unnamed,
  JSON.stringify(parseYaml(unnamed).document.toJS(), null, 2),
  readFileSync('samples/northwind/northwind.entity.yaml', 'utf8'),
];

/** Significant words and pieces that break a file, so that entries become invalid and valid again. */
const pieces = [
  'x',
  ' ',
  '\n',
  '- ',
  ': ',
  '"',
  'Place Order',
  'Ship Order',
  'orders',
  'id',
  'id, note',
  'note',
  '#',
  '&id ',
  '*id',
  '&place ',
  '*place',
  '"",',
  '{ }, ',
  '&orders ',
].concat([
  '  - { activityName: Place Order, dataObject: customers, key: [id, name], startTimestamp: since }\n',
  '  - { source: Win Customer, target: Nobody, mappings: [{ source: id, target: id }] }\n',
]);

const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  /** At the start of the line of that position, or at the position. */
  byLine: fc.boolean(),
  remove: fc.oneof(fc.nat({ max: 20 }), fc.constantFrom('one line', 'three lines')),
  insert: fc.constantFrom('', ...pieces),
  step: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 3 })),
  isTypedOn: fc.boolean(),
  isAnswered: fc.boolean(),
});

/** PostgreSQL's parser with delayed responses: when `answer` is called, all requested ones arrive. */
function laterValidator(validator: SqlValidator): { readonly validator: SqlValidator; answer(): void } {
  const asked = new Map<string, { isAnswered: boolean; isKnown(): boolean }>();
  return {
    validator(question) {
      const key = JSON.stringify([question.statement, question.tables]);
      const before = asked.get(key);
      if (before?.isAnswered) return validator(question);
      const pending = before ?? { isAnswered: false, isKnown: (): boolean => pending.isAnswered };
      asked.set(key, pending);
      return pending;
    },
    answer() {
      for (const each of asked.values()) each.isAnswered = true;
    },
  };
}

describe('incremental diagnostics', () => {
  let postgresql: SqlValidator;
  before(async () => {
    postgresql = await loadPostgresqlValidator();
  });

  it('equal the result of a full parse after any edits', () => soakProperty(20, randomEdits)).timeout(0);

  function randomEdits(settings: fc.Parameters<unknown>): number {
    let tried = 0;
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 15 }), (start, edits) => {
        const parser = createGraphParser();
        const memo = createEntryCache();
        const { validator, answer } = laterValidator(postgresql);
        let text = start;
        validateEntityGraph({ text, parsed: parser.parse(text), memo, sources, catalog, sqlValidator: validator });
        for (const { at, byLine, remove, insert, step, isTypedOn, isAnswered } of edits) {
          const place = Math.round(at * text.length);
          const offset = byLine ? text.lastIndexOf('\n', place - 1) + 1 : place;
          text = text.slice(0, offset) + insert + text.slice(removalEnd(text, offset, remove));
          const diagnosis = { text, parsed: parser.parse(text), memo, sources, catalog, sqlValidator: validator };
          // In steps of so many entries, whose end is not awaited while typing continues.
          let looked = 0;
          const inSteps = (): readonly Problem[] | undefined =>
            validateInTime(diagnosis, { isTimeUp: () => (looked += 1) % step === 0 });
          let kept = inSteps();
          while (!kept && !isTypedOn) kept = inSteps();
          if (!kept || !isAnswered) continue;
          answer();
          kept = validateEntityGraph(diagnosis);
          const known = { text, sources, catalog, sqlValidator: postgresql };
          const anew = validateEntityGraph({ ...known, parsed: createGraphParser().parse(text) });
          tried += 1;
          assert.deepEqual(sorted(kept), sorted(anew), JSON.stringify(text));
          // If a text can be read, its parts mean the same as the whole.
          if (parseYaml(text).problems.length > 0) continue;
          const whole = validateEntityGraph(known);
          // The whole of a text is not checked if an alias has no target.
          if (whole.some(({ code }) => code === 'yaml-syntax')) continue;
          assert.deepEqual(sorted(kept), sorted(whole), JSON.stringify(text));
        }
      }),
      settings,
    );
    return tried;
  }

  it('name entries by their current number when lines above change', () => {
    const parser = createGraphParser();
    const memo = createEntryCache();
    const messagesOf = (text: string): readonly string[] =>
      validateEntityGraph({ text, parsed: parser.parse(text), memo, sources, catalog })
        .filter(({ code }) => code === 'element-unconfigured')
        .map(({ message }) => message.replace(/ is not.*/, ''));
    const elements = ['  - dataObject: orders\n', '  - entityType: a\n', '  - entityType: b\n', '  - entityType: c\n'];
    const textOf = (entries: readonly string[]): string => `dataSource: shop\nelements:\n${entries.join('')}`;
    assert.deepEqual(messagesOf(textOf(elements)), ['Element 1', 'Element 2', 'Element 3', 'Element 4']);
    assert.deepEqual(messagesOf(textOf([elements[0]!, elements[3]!])), ['Element 1', 'Element 2']);
    assert.deepEqual(messagesOf(textOf(elements.slice(1))), ['Element 1', 'Element 2', 'Element 3']);
    assert.deepEqual(messagesOf(textOf(elements.toReversed())), ['Element 1', 'Element 2', 'Element 3', 'Element 4']);
  });

  it('validate an entry again when its SQL results arrive, and not for every version before', () => {
    const { validator, answer } = laterValidator(postgresql);
    const counting = countingMemo();
    const parser = createGraphParser();
    const problemsOf = (text: string): readonly Problem[] =>
      validateEntityGraph({
        text,
        parsed: parser.parse(text),
        memo: counting.memo,
        sources,
        catalog,
        sqlValidator: validator,
      });
    assert.deepEqual(problemsOf(withSql), []);
    assert.equal(counting.lookedAt(), 5);
    const typed = withSql.replace('shipped_on', 'shipped_o');
    assert.deepEqual(
      problemsOf(typed).map(({ code }) => code),
      ['unknown-column'],
    );
    // The element, and the relationship that ends at it.
    assert.equal(counting.lookedAt(), 2);
    assert.deepEqual(problemsOf(withSql), []);
    assert.equal(counting.lookedAt(), 2);
    answer();
    assert.match(
      problemsOf(withSql)
        .map(({ message }) => message)
        .join('\n'),
      /^"nobody" is not a column/,
    );
    assert.equal(counting.lookedAt(), 3);
    problemsOf(withSql);
    assert.equal(counting.lookedAt(), 0);
  });
});

/** The end of the removed text: a number of characters, or line ends. */
function removalEnd(text: string, offset: number, remove: number | 'one line' | 'three lines'): number {
  if (typeof remove === 'number') return offset + remove;
  const lines = remove === 'one line' ? /.*\n?/y : /(?:.*\n?){3}/y;
  lines.lastIndex = offset;
  lines.test(text);
  return lines.lastIndex;
}

/** A memo that counts the checked entries. */
function countingMemo(): { readonly memo: EntryCache; /** Since the call before. */ lookedAt(): number } {
  const known = createEntryCache();
  let count = 0;
  return {
    memo: {
      get index() {
        return known.index;
      },
      soFar: () => known.soFar(),
      update: (context, find, time) =>
        known.update(context, (entry, index) => ((count += 1), find(entry, index)), time),
    },
    lookedAt() {
      const looked = count;
      count = 0;
      return looked;
    },
  };
}

describe('diagnostics of a file with anchors and aliases', () => {
  /** The number of entries checked after inserting a text before a position. */
  function lookedAt(text: string, place: string, typed: string): number {
    const parser = createGraphParser();
    const counting = countingMemo();
    const { memo } = counting;
    validateEntityGraph({ text, parsed: parser.parse(text), memo, sources, catalog });
    counting.lookedAt();
    const at = text.indexOf(place);
    const changed = text.slice(0, at) + typed + text.slice(at);
    const parsed = parser.parse(changed, { from: at, until: at, distance: typed.length });
    validateEntityGraph({ text: changed, parsed, memo, sources, catalog });
    return counting.lookedAt();
  }
  const elements = Array.from(
    { length: 150 },
    (_, index) =>
      `  - { activityName: Order ${index}, dataObject: orders, key: id, startTimestamp: *time, entityType: x${index} }\n`,
  ).join('');
  const shared = `version: 1\ndataSource: shop\nx-time: &time placed_at\nx-other: &other a\nelements:\n${elements}`;

  it('validate only entries whose text or alias targets changed', () => {
    assert.equal(lookedAt(shared, 'x70 }', 'y'), 1);
    assert.equal(lookedAt(shared, 'Order 70,', 'y'), 1);
    assert.equal(lookedAt(shared, '*time, entityType: x70 }', '&mine id, changeTimestamp: '), 1);
    assert.equal(lookedAt(shared, 'version', '# note\n'), 0);
    assert.equal(lookedAt(shared, 'a\nelements', 'b'), 0);
    assert.equal(lookedAt(shared, 'placed_at', 'x'), 150);
    const second = shared.replace('x100 }', 'x100, x-more: &time note }');
    assert.equal(lookedAt(second, 'note }', 'x'), 50);
  });

  it('allow one alias per entry of a long list', () => {
    assert.deepEqual(validateEntityGraph({ text: shared, sources, catalog }), []);
  });

  it('report aliases that expand to more nodes than the limit', () => {
    for (const text of [tooManyAliases, `---\n${tooManyAliases}`]) {
      const [problem, ...others] = validateEntityGraph({ text }).filter(({ code }) => code === 'yaml-syntax');
      assert.match(problem?.message ?? '', /^The aliases of this file expand beyond the limit/, text.slice(0, 20));
      assert.deepEqual(others, []);
    }
  });

  it('report an alias inside its own target', () => {
    for (const text of [
      'x-b: &b a\nx-a: &a [*b, *a]\n',
      `${shop}x-a: &a\n  x-b: [{ x-c: *a }]\n`,
      '---\nx-a: &a { x-b: *a }',
    ]) {
      const [problem, ...others] = validateEntityGraph({ text }).filter(({ code }) => code === 'yaml-syntax');
      assert.match(problem?.message ?? '', /^"\*a" stands within "&a", so it would have no end/, text.slice(0, 20));
      assert.equal(text.slice(problem?.range.start, problem?.range.end), '*a');
      assert.deepEqual(others, []);
    }
  });

  it('report problems while an entry is unreadable, except its possible consequences', () => {
    const wrong = linked.replace('since', 'sinc').replace('shipped_on', '"shipped_on');
    const codes = validateEntityGraph({ text: wrong, parsed: createGraphParser().parse(wrong), sources, catalog }).map(
      ({ code, range }) => `${code} ${wrong.slice(range.start, range.end)}`,
    );
    assert.ok(
      codes.some((code) => code.startsWith('yaml-syntax')),
      codes.join('\n'),
    );
    assert.ok(codes.includes('unknown-column sinc'), codes.join('\n'));
    const open = linked.replace('&time placed_at', '&time "placed_at');
    const told = validateEntityGraph({ text: open, parsed: createGraphParser().parse(open), sources, catalog });
    assert.deepEqual(
      told.filter(({ message }) => /time/i.test(message)),
      [],
    );
  });
});

describe('diagnostics of an unindented line', () => {
  it('take time proportional to the length of the unread text', () => {
    const times = [100, 400].map((count) => {
      const good = graphOf(count);
      const at = good.indexOf('    entityType', good.length / 3);
      const text = `${good.slice(0, at)}x: y\n${good.slice(at)}`;
      const runs = Array.from({ length: 10 }, () => {
        const parser = createGraphParser();
        const memo = createEntryCache();
        validateEntityGraph({ text: good, parsed: parser.parse(good), memo, sources, catalog });
        const parsed = parser.parse(text);
        // Processor time of this process, without waiting on a busy machine.
        const start = process.cpuUsage();
        const problems = validateEntityGraph({ text, parsed, memo, sources, catalog });
        const { user: time } = process.cpuUsage(start);
        assert.ok(problems.length <= 2, problems.map(({ message }) => message).join('\n'));
        return time;
      });
      // Processor time is counted in clock ticks: a single run may take none.
      return runs.reduce((sum, time) => sum + time, 0);
    });
    const [short = 0, long = 0] = times;
    // Four times the lines take four times as long; quadratic work would take sixteen times as long.
    assert.ok(long < short * 10, `four times the elements take ${(long / short).toFixed(1)} times as long`);
  }).timeout(600_000);

  it('leave no state behind after the line is fixed', () => {
    const wrong = shop.replace('source: Win Customer', 'source: Win Custmer');
    const at = wrong.indexOf('    dataObject: customers');
    const parser = createGraphParser();
    const memo = createEntryCache();
    const codes = [`${wrong.slice(0, at)}x: y\n${wrong.slice(at)}`, wrong].map((text) =>
      validateEntityGraph({ text, parsed: parser.parse(text), memo, sources, catalog }).map(({ code }) => code),
    );
    assert.deepEqual(codes[0]?.includes('unknown-activity'), false);
    assert.deepEqual(codes[1], ['unknown-activity']);
  });

  it('limit the number of name suggestions', () => {
    const ends = Array.from({ length: 30 }, () => '  - { source: Place Ordr, target: Ship Order }\n');
    const text = shop.replace('relationships:\n', `relationships:\n${ends.join('')}`);
    const unknown = validateEntityGraph({ text, sources }).filter(({ code }) => code === 'unknown-activity');
    assert.equal(unknown.length, 30);
    assert.equal(unknown.filter(({ suggestions }) => suggestions?.includes('Place Order')).length, 20);
  });
});

/** A graph of this many elements, and as many relationships between them. */
function graphOf(count: number): string {
  const entries = (entry: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => entry(index)).join('');
  const elements = entries(
    (index) =>
      `  - activityName: Place Order ${index}\n    dataObject: orders\n    entityType: order\n    startTimestamp: placed_at\n    properties: [note, customer_id]\n`,
  );
  const relationships = entries(
    (index) =>
      `  - name: r${index}\n    source: Place Order ${index}\n    target: Place Order 1\n    mappings: [{ source: id, target: id }]\n`,
  );
  return `version: 1\ndataSource: shop\nelements:\n${elements}relationships:\n${relationships}`;
}

/** Two problems at one place have no order. */
function sorted(problems: readonly Problem[]): readonly string[] {
  return problems
    .map(({ code, severity, message, range, related, suggestions }) =>
      JSON.stringify({ code, severity, message, range, related, suggestions }),
    )
    .sort();
}
