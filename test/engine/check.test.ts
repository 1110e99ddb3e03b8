import assert from 'node:assert/strict';
import { chmod, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkFile } from '../../server/src/check/check-file.ts';
import { openUnpublishedStore } from '../../server/src/store/duckdb-store.ts';
import { runCli } from '../support/run-cli.ts';
import { runCommand } from '../support/run-command.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { makeAllTables } from '../support/tables-of-store.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

interface Report {
  readonly form: string;
  readonly failed: number;
  readonly results: readonly { readonly name: string; readonly ok: boolean }[];
}

const files = {
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': graphText(
    `  - { activityName: Place, dataObject: orders, key: id, entityType: order, startTimestamp: at, properties: [amount] }
  - { activityName: Win, dataObject: customers, key: id, entityType: customer, startTimestamp: since }
`,
    `  - { name: places, source: Win, target: Place, mappings: [{ source: id, target: customer }] }\n`,
  ),
  'orders.csv':
    'id,customer,at,amount\n1,7,2024-01-02 08:00:00,5\n2,7,2024-01-03 08:00:00,6\n1,7,2024-01-04 08:00:00,7\n',
  'customers.csv': 'id,since\n7,2024-01-01\n',
};

describe('check command', () => {
  let folder = '';
  const run = (...args: readonly string[]) => runCommand([...args, '--workspace', folder], folder);
  /** Names of the failing checks, with their examples. */
  const failures = async (file: string): Promise<Readonly<Record<string, readonly string[]>>> => {
    const { results } = await checkFile(join(folder, file), new AbortController().signal);
    return Object.fromEntries(
      results.filter(({ violations }) => violations > 0).map(({ name, examples }) => [name, examples]),
    );
  };

  before(async () => {
    folder = await folderWith(files);
    assert.equal((await run('import', 'graph.entity.yaml')).code, 0);
    for (const form of ['json', 'xml', 'sqlite']) {
      const exported = await run('export', 'graph.entity.yaml', '--as', `ocel-${form}`, '--output', `log.${form}`);
      assert.equal(exported.code, 0, exported.stderr);
    }
  });
  after(() => removeFolder(folder));

  it('finds no violation in an import and its exports', async () => {
    for (const file of ['graph.entity.yaml', 'log.json', 'log.xml', 'log.sqlite']) {
      const checked = await run('check', file, '--format', 'json');
      const { form, failed, results } = JSON.parse(checked.stdout) as Report;
      assert.deepEqual([checked.code, failed, results.filter(({ ok }) => !ok)], [0, 0, []], file);
      assert.equal(form, file === 'graph.entity.yaml' ? 'store' : `ocel-${file.slice(4)}`);
      assert.ok(results.length >= 15, file);
    }
    assert.match((await run('check', 'log.json')).stdout, /All \d+ points hold\.\n$/);
  });

  it('lists violations and exits with 1', async () => {
    const text = await readFile(join(folder, 'log.json'), 'utf8');
    await writeFile(join(folder, 'damaged.json'), text.replaceAll('"objectId":"order:1"', '"objectId":"order:9"'));
    const checked = await run('check', 'damaged.json');
    assert.equal(checked.code, 1);
    assert.match(
      checked.stdout,
      /FAILS {2}Events and objects refer to objects that exist: 4, such as event e1 to order:9; .* …\n/,
    );
    assert.match(checked.stdout, /\n1 of \d+ points fail\.\n$/);
  });

  const storeDamage: readonly (readonly [sql: string, point: RegExp])[] = [
    ['UPDATE run SET format_version = 99', /^The store has one run record/],
    ['DELETE FROM relation', /^The tables have as many rows/],
    ['DROP VIEW edge_df', /^The usual views/],
    ["INSERT INTO entity VALUES (99, 'order', '1')", /^Each entity type and key/],
    ['UPDATE entity SET id = 1', /^Entities have ids/],
    ['UPDATE event SET id = 77 WHERE id = 1', /^Events are numbered from 1/],
    ["UPDATE event SET time = TIMESTAMP '2030-01-01' WHERE id = 1", /^Events are numbered in the order/],
    ['UPDATE event SET activity = NULL WHERE id = 1', /^Every event has an activity/],
    ['UPDATE event SET entity_id = 99 WHERE id = 1', /^The events of an element belong to entities/],
    ["DELETE FROM event_entity WHERE qualifier = 'self' AND event_id = 1", /^Every event is correlated with its own/],
    ["UPDATE event_entity SET qualifier = 'self'", /^No event is correlated with another/],
    ['INSERT INTO event_entity SELECT * FROM event_entity LIMIT 1', /^No correlation is there twice/],
    ["INSERT INTO event_entity VALUES (1, 99, 'places')", /^Correlations lead to/],
    ["UPDATE event_entity SET qualifier = 'eats' WHERE qualifier = 'places'", /^Correlations with other entities/],
    ['INSERT INTO relation SELECT * FROM relation', /^Relations lead to/],
    ['DELETE FROM directly_follows WHERE source_event_id = 1', /^Directly-follows edges/],
    ['UPDATE directly_follows SET target_event_id = 4 WHERE source_event_id = 1', /^Directly-follows edges/],
    ['DELETE FROM properties_1 WHERE event_id = 2', /^properties_1 has one row/],
  ];
  for (const [sql, point] of storeDamage) {
    it(`reports a store after ${sql}`, async () => {
      const store = (await readStorePath(folder)) ?? '';
      const damaged = join(folder, 'damaged.duckdb');
      await writeFile(damaged, await readFile(store));
      await runInStore(damaged, sql);
      const names = Object.keys(await failures('damaged.duckdb'));
      assert.ok(
        names.some((name) => point.test(name)),
        names.join('\n'),
      );
    });
  }

  const jsonDamage: readonly (readonly [from: string, to: string, point: RegExp, example: RegExp])[] = [
    ['"eventTypes":', '"eventtypes":', /^objectTypes, eventTypes/, /eventTypes/],
    [
      '{"name":"amount","type":"integer"}',
      '{"name":"amount","type":"number"}',
      /^Each attribute is declared/,
      /amount number/,
    ],
    ['"id":"e1"', '"id":"e2"', /an id of its own/, /event e2/],
    ['"id":"e1"', '"id":1', /texts for id and type/, /event 1/],
    ['"type":"Win"', '"type":"Lose"', /types of events and objects are declared/, /event type Lose/],
    ['2024-01-01T00:00:00.000000Z', '2024-01-01T00:00:00', /^Every event has a time with a zone/, /e1: 2024/],
    ['2024-01-01T00:00:00.000000Z', '2024-13-01T00:00:00Z', /^Every event has a time with a zone/, /e1: 2024-13/],
    ['"time":"1970-01-01T00:00:00Z"', '"time":"yesterday"', /^Every value of an object has a time/, /yesterday/],
    ['"objectId":"order:1"', '"objectId":"order:9"', /refer to objects that exist/, /order:9/],
    [
      '"relationships":[{"objectId":"customer:7","qualifier":"self"},{"objectId":"order:1","qualifier":"places"},{"objectId":"order:2","qualifier":"places"}]',
      '"relationships":[]',
      /^Every event has at least one object/,
      /e1/,
    ],
    ['"qualifier":"places"', '"role":"places"', /^Relationships have an objectId and a qualifier/, /places/],
    ['"name":"amount","value":"5"', '"name":"weight","value":"5"', /^Attributes are declared for the type/, /weight/],
    ['"value":"5"', '"value":"much"', /^Values are of the type/, /much is no integer/],
    ['"value":"5"', '"value":5', /string value/, /5/],
    [
      '{"name":"amount","value":"5"}',
      '{"name":"amount","value":"5"},{"name":"amount","value":"6"}',
      /one value an attribute/,
      /e2, amount/,
    ],
    ['{', '\ufeff{', /without byte order mark/, /EF BB BF/],
    ['"objects":', '"objects":null,"things":', /are lists$/, /objects is null \(line 3, byte \d+\)/],
    ['"events":', '"events":5,"things":', /are lists$/, /events is a number \(line \d+, byte \d+\)/],
    ['"events":', '"events":{"e1":{}},"things":', /are lists$/, /events is an object/],
    ['"eventTypes":[', '"eventTypes":["Win",', /^Their items are objects/, /a text in eventTypes \(line 2, byte \d+\)/],
    [
      '"events":[',
      '"events":[17,"no event",null,[{}],',
      /^Their items are objects/,
      /a number in events .*a text in events/,
    ],
    ['"events":', '"objects":[],"events":', /^No key of an object is there twice/, /objects|events/],
    ['"objects":', '"events":[],"objects":', /^No key of an object is there twice/, /events \(line/],
    ['"id":"e1",', '"id":"e1","id":"e1",', /^No key of an object is there twice/, /^id \(line \d+, byte \d+\)$/],
    ['"id":"e1",', '"id":"e1","\\u0069d":"e2",', /^No key of an object is there twice/, /^id \(line \d+, byte \d+\)$/],
    [
      '"name":"amount","value":"5"',
      '"name":"amount","value":"5","value":"6"',
      /^No key of an object is there twice/,
      /^value \(line \d+, byte \d+\)$/,
    ],
    ['"name":"Win",', '"name":"Win","name":"Win",', /^No key of an object is there twice/, /^name \(line 2, byte/],
    ['"attributes":[{"name":"amount","value":"5"}]', '"attributes":null', /lists for attributes/, /event e2/],
    ['"attributes":[{"name":"amount","value":"5"}]', '"attributes":{"amount":"5"}', /lists for attributes/, /event e2/],
    ['"attributes":[{"name":"amount","value":"5"}]', '"attributes":["amount"]', /string value/, /event e2: "amount"/],
    ['{"name":"amount","value":"5"}', '{"name":"amount","value":null}', /string value/, /event e2: /],
    ['{"objectId":"customer:7","qualifier":"self"}', '"customer:7"', /^Relationships have an objectId/, /event e1: /],
    ['"objectId":"customer:7"', '"objectId":7', /^Relationships have an objectId/, /event e1: /],
    ['"qualifier":"self"', '"qualifier":null', /^Relationships have an objectId/, /event e1: /],
    ['"id":"e1"', '"id":null', /texts for id and type/, /event one without id/],
    ['"type":"Win"', '"type":["Win"]', /texts for id and type/, /event e1/],
    ['"time":"2024-01-01T00:00:00.000000Z"', '"time":1704067200', /^Every event has a time with a zone/, /1704067200/],
    [
      '"time":"2024-01-01T00:00:00.000000Z"',
      '"at":"2024-01-01T00:00:00.000000Z"',
      /^Every event has a time/,
      /e1: none/,
    ],
    [
      '{"name":"amount","type":"integer"}',
      '{"name":"amount","type":1}',
      /^Types have a name and a list of attributes/,
      /amount/,
    ],
    ['"name":"Win","attributes":[]', '"name":"Win"', /^Types have a name and a list of attributes/, /event type Win/],
    [
      '"name":"Win","attributes":[]',
      '"name":"Win","attributes":null',
      /^Types have a name and a list/,
      /event type Win/,
    ],
  ];
  for (const [from, to, point, example] of jsonDamage) {
    it(`reports ${to.slice(0, 40)} in JSON`, async () => {
      const text = await readFile(join(folder, 'log.json'), 'utf8');
      assert.ok(text.includes(from), text);
      await writeFile(join(folder, 'damaged.json'), text.replace(from, to));
      const failed = Object.entries(await failures('damaged.json')).find(([name]) => point.test(name));
      assert.match(String(failed?.[1]), example);
    });
  }

  it('writes no file next to the input', async () => {
    const own = await folderWith({ 'log.sqlite': await readFile(join(folder, 'log.sqlite')) });
    await chmod(own, 0o555);
    try {
      // Root may write everywhere; without these two capabilities permissions apply to it too.
      const wrapper =
        process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--'] : [];
      const checked = await runCli(['check', join(own, 'log.sqlite')], { wrapper });
      assert.equal(checked.code, 0, checked.stdout + checked.stderr);
      assert.deepEqual(await readdir(own), ['log.sqlite']);
    } finally {
      await chmod(own, 0o755);
      await removeFolder(own);
    }
  });

  it('rejects invalid JSON anywhere in the file', async () => {
    const good = await readFile(join(folder, 'log.json'));
    const text = good.toString('utf8');
    const cases: readonly (readonly [damaged: string | Buffer, message: RegExp])[] = [
      [text.replace('],"relationships"', ']"relationships"'), /^A comma is missing before "["]"/],
      [text.replace('"}]}\n,', '"}]}\n'), /^A comma is missing before "\{"/],
      [text.replace('"events":[', '"events":[{},17,"no event",],"more":['), /^A value is missing before "\]"/],
      [text.replace(/\]\}\n$/, '],}'), /^A key is missing before "\}"/],
      [`${text}{}`, /stands after the end/],
      [text.replace('"value":"5"', '"value":NaN'), /^A value is expected, not "N"/],
      [text.replace('"value":"5"', '"value":"5\\'), /is not a JSON escape/],
      [text.replace('"value":"5"', '"value":"\\ud83e"'), /one half of a character/],
      [text.replace('"value":"5"', '"value":"\u0001"'), /must be written as an escape/],
      [Buffer.from(text.replace('"value":"5"', '"value":"caf\xe9"'), 'latin1'), /not written in UTF-8/],
      [good.subarray(0, good.length - 2), /^The file ends too early: an object is not closed/],
      [good.subarray(0, good.length - 40), /^The file ends too early/],
    ];
    for (const [damaged, message] of cases) {
      assert.notDeepEqual(Buffer.from(damaged), good, `The text to damage is not in the export: ${String(message)}`);
      await writeFile(join(folder, 'damaged.json'), damaged);
      const checked = await run('check', 'damaged.json', '--format', 'json');
      const { error } = JSON.parse(checked.stdout) as {
        error: { code: string; message: string; range: { start: { line: number } } };
      };
      assert.deepEqual([checked.code, error.code], [1, 'file-malformed'], String(message));
      assert.match(error.message, message);
      assert.equal(error.range.start.line + 1, Number(/line (\d+)/.exec(error.message)?.[1]));
    }
  });

  it('names a file that cannot be read, and the position', async () => {
    await writeFile(join(folder, 'cut.json'), (await readFile(join(folder, 'log.json'), 'utf8')).slice(0, 900));
    await writeFile(join(folder, 'cut.xml'), (await readFile(join(folder, 'log.xml'), 'utf8')).slice(0, 900));
    const xml = await readFile(join(folder, 'log.xml'), 'latin1');
    await writeFile(join(folder, 'latin.xml'), xml.replace('>5<', '>caf\xe9<'), 'latin1');
    await writeFile(join(folder, 'half.xml'), `${xml}<!--\xc3`, 'latin1');
    await writeFile(join(folder, 'cut.sqlite'), (await readFile(join(folder, 'log.sqlite'))).subarray(0, 9000));
    await writeFile(join(folder, 'other.txt'), 'hello');
    await writeFile(join(folder, 'empty.json'), '');
    await writeFile(join(folder, 'first.jsonocel'), '{"ocel:global-event":{},"ocel:events":{}}');
    const cases = [
      ['cut.json', 'file-malformed', /ends too early/],
      ['cut.xml', 'file-malformed', /not well-formed XML/],
      ['latin.xml', 'file-malformed', /^The file is not written in UTF-8 \(line \d+, byte \d+\)\.$/],
      ['half.xml', 'file-malformed', /^The file ends too early: a character is cut off \(line \d+, byte \d+\)\.$/],
      ['cut.sqlite', 'file-malformed', /SQLite cannot read/],
      ['other.txt', 'unknown-form', /neither an entity graph/],
      ['empty.json', 'unknown-form', /empty\.json is empty\./],
      ['first.jsonocel', 'unknown-form', /is a log of OCEL 1\.0/],
      ['none.json', 'file-missing', /there is no such file/],
    ] as const;
    for (const [file, code, message] of cases) {
      const checked = await run('check', file, '--format', 'json');
      const { error } = JSON.parse(checked.stdout) as { error: { code: string; message: string } };
      assert.deepEqual([checked.code, error.code], [1, code], file);
      assert.match(error.message, message);
    }
  });
});

async function readStorePath(folder: string): Promise<string | undefined> {
  const status = JSON.parse(await readFile(join(folder, '.entity-graph/state/graph.json'), 'utf8')) as {
    store: string;
  };
  return join(folder, '.entity-graph/graphs/graph', status.store);
}

async function runInStore(path: string, sql: string): Promise<void> {
  const store = await openUnpublishedStore(path);
  try {
    await makeAllTables(store);
    await store.run(sql);
  } finally {
    await store.close();
  }
}
