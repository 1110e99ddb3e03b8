import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkFile } from '../../server/src/check/check-file.ts';
import { exportGraph } from '../../server/src/operations/stored-graphs/export-graph.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { type SqliteFile, openSqliteFile } from '../../server/src/store/sqlite-file.ts';
import { csvSources, graphText, withProject } from '../support/import-text.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { noSecrets } from '../support/no-secrets.ts';

const project = {
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

/** Checks of logs in every form, by the defect. */
const typeOnce = 'Each type is declared once and has a name';
const attributeOnce = 'Each attribute is declared once for its type, as string, time, integer, float or boolean';
const ownIds = 'Every event and every object has an id of its own';
const knownTypes = 'The types of events and objects are declared';
const knownObjects = 'Events and objects refer to objects that exist';
const knownBegins = 'Relations begin at events and objects that exist';
const someObject = 'Every event has at least one object';
const relationOnce = 'Every relation has a qualifier, and none is duplicated';
const knownAttributes = 'Attributes are declared for the type of their event or object';
const typedValues = 'Values are of the type that their attribute declares';
const valueOnce = 'An event has one value an attribute, an object one at a time';
const eventTime = 'Every event has a time';
const valueTime = 'Every value of an object has a time';

/** A defect of a valid file, and the checks that then fail: several only where they cannot be broken separately. */
type Damage<How> = readonly (readonly [how: How, points: readonly string[]])[];
type Replacement = readonly [from: string, to: string];

/** All relations of one event. */
const jsonRelations =
  '[{"objectId":"customer:7","qualifier":"self"},{"objectId":"order:1","qualifier":"places"},{"objectId":"order:2","qualifier":"places"}]';

const jsonTypes = 'Types have a name and a list of attributes with name and type';
const jsonRecords =
  'Events and objects are objects with texts for id and type, and lists for attributes and relationships';
const jsonRelation = 'Relationships have an objectId and a qualifier';
const jsonAttribute = 'Attributes have a name and a string value, attributes of objects also a time';
const jsonMembers = 'objectTypes, eventTypes, objects and events';
const jsonOthers = `There are no keys but ${jsonMembers}`;

const jsonDamage: Damage<Replacement> = [
  [['{', '\ufeff{'], ['The file begins without byte order mark, which JSON must not have']],
  // Without event types no event has a declared type or declared attributes.
  [
    ['"eventTypes":', '"eventtypes":'],
    [`${jsonMembers} are there`, jsonOthers, knownTypes, knownAttributes],
  ],
  [['"id":"e1",', '"id":"e1","id":"e1",'], ['No key of an object is there twice']],
  // A section that is no list has no items, so there is no event to check.
  [
    ['"events":[', '"events":{"e1":{}},"others":['],
    [`${jsonMembers} are lists`, jsonOthers],
  ],
  [['"events":[', '"events":[17,'], ['Their items are objects']],
  [['{"name":"Win","attributes":[]}', '{"name":"Win"}'], [jsonTypes]],
  [
    [
      '"value":"6","time":"1970-01-01T00:00:00Z"}],"relationships":[]',
      '"value":"6","time":"1970-01-01T00:00:00Z"}],"relationships":{}',
    ],
    [jsonRecords],
  ],
  // A section that is no list is not read.
  [
    [`"relationships":${jsonRelations}`, '"relationships":{}'],
    [jsonRecords, someObject],
  ],
  // An id that is not a string is read as a string.
  [['"id":"e1"', '"id":1'], [jsonRecords]],
  // Dangling relations have an event as source; those of an event without id do not.
  [
    ['"id":"e1"', '"id":null'],
    [jsonRecords, ownIds, knownBegins, someObject],
  ],
  // Either key of the qualifier is accepted.
  [
    ['"qualifier":"self"', '"role":"self"'],
    [jsonRelation, relationOnce],
  ],
  [['"qualifier":"self"', '"qualifier":5'], [jsonRelation]],
  [['"value":"5"}', '"value":5}'], [jsonAttribute]],
  [['{"name":"Win","attributes":[]}', '{"name":"Win","attributes":[]},{"name":"Win","attributes":[]}'], [typeOnce]],
  [['{"name":"amount","type":"integer"}', '{"name":"amount","type":"number"}'], [attributeOnce]],
  [
    ['{"name":"amount","type":"integer"}', '{"name":"amount","type":"integer"},{"name":"amount","type":"integer"}'],
    // Both declarations list the values once.
    [attributeOnce],
  ],
  [
    ['"id":"order:2"', '"id":"order:1"'],
    [ownIds, knownObjects, valueOnce],
  ],
  [['"type":"Win","time"', '"type":"Lose","time"'], [knownTypes]],
  [['"time":"2024-01-01T00:00:00.000000Z"', '"time":"2024-01-01T00:00:00"'], [`${eventTime} with a zone`]],
  [['"time":"2024-01-01T00:00:00.000000Z",', ''], [`${eventTime} with a zone`]],
  [['"value":"6","time":"1970-01-01T00:00:00Z"', '"value":"6","time":"1970-01-01"'], [`${valueTime} with a zone`]],
  [['"objectId":"order:1"', '"objectId":"order:9"'], [knownObjects]],
  [[`"relationships":${jsonRelations}`, '"relationships":[]'], [someObject]],
  [['{"objectId":"customer:7","qualifier":"self"}', '{"objectId":"order:1","qualifier":"places"}'], [relationOnce]],
  [['"name":"amount","value":"7"}', '"name":"weight","value":"7"}'], [knownAttributes]],
  [['"value":"7"}', '"value":"7.5"}'], [typedValues]],
  [['{"name":"amount","value":"7"}', '{"name":"amount","value":"7"},{"name":"amount","value":"8"}'], [valueOnce]],
];

const xmlSections = 'object-types, event-types, objects and events are there, in this order';

const xmlPlaces = 'Elements stand where the published schema and examples have them';
const xmlOthers = 'There are no elements but those of OCEL 2.0';

const xmlDamage: Damage<Replacement> = [
  [['</events>\n</log>', '</events>\n<events></events>\n</log>'], [xmlSections]],
  [['<object-types>', '<object-types><event id="e9"/>'], [xmlPlaces]],
  [['<object-types>', '<object-types><note/>'], [xmlOthers]],
  [['<event-types>', '<quantities><event id="e9"/></quantities><event-types>'], [xmlOthers]],
  [['<event-type name="Win">', '<event-type name="Win"></event-type><event-type name="Win">'], [typeOnce]],
  [['<attribute name="amount" type="integer"/>', '<attribute name="amount" type="number"/>'], [attributeOnce]],
  [
    ['<object id="order:2"', '<object id="order:1"'],
    [ownIds, knownObjects, valueOnce],
  ],
  // Events without id have no known relations either.
  [
    ['<event id="e1"', '<event'],
    [ownIds, knownBegins, someObject],
  ],
  [['<event id="e1" type="Win"', '<event id="e1" type="Lose"'], [knownTypes]],
  [['time="2024-01-01T00:00:00.000000Z"', 'time="2024-01-32T00:00:00Z"'], [eventTime]],
  [['<attribute name="amount" time="1970-01-01T00:00:00Z">6', '<attribute name="amount">6'], [valueTime]],
  [['object-id="order:1"', 'object-id="order:9"'], [knownObjects]],
  [
    [
      '<object object-id="customer:7" type="customer" qualifier="self"/><object object-id="order:1" type="order" qualifier="places"/><object object-id="order:2" type="order" qualifier="places"/></objects></event>',
      '</objects></event>',
    ],
    [someObject],
  ],
  [['type="customer" qualifier="self"', 'type="customer"'], [relationOnce]],
  [['<attribute name="amount">7', '<attribute name="weight">7'], [knownAttributes]],
  [['<attribute name="amount">7', '<attribute name="amount">7.5'], [typedValues]],
  [['<attribute name="amount">7', '<attribute name="amount">8</attribute><attribute name="amount">7'], [valueOnce]],
];

/** Statements, or another declaration of a table with the same rows. */
type SqliteDamage = string | { readonly table: string; readonly from: string; readonly to: string };
const redeclared = (table: string, from: string, to = ''): SqliteDamage => ({ table, from, to });

const fixedTables = 'The six fixed tables are there';
const references = 'References lead to rows that exist';
const eventPlace = 'Rows of event_Place are of events of the type Place';

const sqliteDamage: Damage<SqliteDamage> = [
  ['DROP TABLE object_object', [fixedTables]],
  ...(['event_map_type', 'object_map_type'] as const).flatMap((table): Damage<SqliteDamage> => [
    [
      `ALTER TABLE ${table} RENAME COLUMN ocel_type_map TO suffix`,
      [`${table} has the columns ocel_type, ocel_type_map`],
    ],
    [redeclared(table, ' PRIMARY KEY'), [`${table} has the primary key ocel_type`]],
    [
      redeclared(
        table,
        'ocel_type TEXT PRIMARY KEY, ocel_type_map TEXT',
        'ocel_type TEXT, ocel_type_map TEXT, PRIMARY KEY (ocel_type, ocel_type_map)',
      ),
      [`${table} has the primary key ocel_type`],
    ],
  ]),
  ...(['event', 'object'] as const).flatMap((table): Damage<SqliteDamage> => [
    [`ALTER TABLE ${table} RENAME COLUMN ocel_type TO kind`, [`${table} has the columns ocel_id, ocel_type`]],
    [redeclared(table, ' PRIMARY KEY'), [`${table} has the primary key ocel_id`]],
    [
      redeclared(table, ` REFERENCES ${table}_map_type (ocel_type)`),
      [`${table}.ocel_type refers to ${table}_map_type`],
    ],
    [
      redeclared(table, `${table}_map_type (ocel_type)`, `${table}_map_type (ocel_type_map)`),
      [`${table}.ocel_type refers to ${table}_map_type`],
    ],
  ]),
  ...(
    [
      ['event_object', 'ocel_event_id', 'event', 'ocel_object_id'],
      ['object_object', 'ocel_source_id', 'object', 'ocel_target_id'],
    ] as const
  ).flatMap(([table, from, begin, to]): Damage<SqliteDamage> => {
    const key = `${from}, ${to}, ocel_qualifier`;
    return [
      [`ALTER TABLE ${table} RENAME COLUMN ocel_qualifier TO role`, [`${table} has the columns ${key}`]],
      [redeclared(table, `, PRIMARY KEY (${key})`), [`${table} has the primary key ${key}`]],
      [
        redeclared(table, `PRIMARY KEY (${key})`, `PRIMARY KEY (${from}, ${to})`),
        [`${table} has the primary key ${key}`],
      ],
      [
        redeclared(table, `${from} TEXT REFERENCES ${begin} (ocel_id)`, `${from} TEXT`),
        [`${table}.${from} refers to ${begin}`],
      ],
      [redeclared(table, `${to} TEXT REFERENCES object (ocel_id)`, `${to} TEXT`), [`${table}.${to} refers to object`]],
    ];
  }),
  // Times of events are in the table of their type.
  ['DROP TABLE event_Place', ['Every event type has its table', eventTime]],
  ['DROP TABLE object_Customer', ['Every object type has its table']],
  ["INSERT INTO event_map_type VALUES ('Extra', NULL)", ['Every event type has its table']],
  ["INSERT INTO object_map_type VALUES ('extra', NULL)", ['Every object type has its table']],
  ["INSERT INTO event_map_type VALUES (NULL, 'Win')", [typeOnce]],
  ['CREATE TABLE event_more (ocel_id TEXT)', ['Every table called event_… belongs to an event type']],
  ['CREATE TABLE object_more (ocel_id TEXT)', ['Every table called object_… belongs to an object type']],
  [
    'ALTER TABLE event_Win RENAME COLUMN ocel_time TO at',
    ['Tables of event types have ocel_time, a TIMESTAMP', eventTime],
  ],
  // The renamed column is an attribute, of later rows too, and changes have no time.
  [
    'ALTER TABLE object_Order RENAME COLUMN ocel_time TO at',
    [
      'Tables of object types have ocel_time, a TIMESTAMP',
      'Later rows of object_Order name the changed field and fill nothing else',
      valueTime,
    ],
  ],
  ['ALTER TABLE event_Win RENAME COLUMN ocel_id TO id', ['Tables of event types have ocel_id', eventTime]],
  ['ALTER TABLE object_Customer RENAME COLUMN ocel_id TO id', ['Tables of object types have ocel_id']],
  [redeclared('event_Win', 'TIMESTAMP', 'TEXT'), ['Tables of event types have ocel_time, a TIMESTAMP']],
  [redeclared('object_Order', 'TIMESTAMP', 'TEXT'), ['Tables of object types have ocel_time, a TIMESTAMP']],
  [redeclared('event_Win', ' PRIMARY KEY'), ['Tables of event types have the primary key ocel_id']],
  [
    redeclared(
      'event_Win',
      'TEXT PRIMARY KEY REFERENCES event (ocel_id), ocel_time TIMESTAMP',
      'TEXT REFERENCES event (ocel_id), ocel_time TIMESTAMP, PRIMARY KEY (ocel_id, ocel_time)',
    ),
    ['Tables of event types have the primary key ocel_id'],
  ],
  [redeclared('event_Win', ' REFERENCES event (ocel_id)'), ['Tables of event types refer to event']],
  [redeclared('object_Order', ' REFERENCES object (ocel_id)'), ['Tables of object types refer to object']],
  // An unknown type of values.
  [
    redeclared('event_Place', '"amount" INTEGER', '"amount" INT'),
    ['Columns of event types are TEXT, TIMESTAMP, INTEGER, REAL or BOOLEAN'],
  ],
  [
    'ALTER TABLE object_Order ADD COLUMN weight MONEY',
    ['Columns of object types are TEXT, TIMESTAMP, INTEGER, REAL or BOOLEAN', attributeOnce],
  ],
  // A dangling reference violates the foreign key of SQLite and the log's own rule.
  ["INSERT INTO event_object VALUES ('e1', 'order:9', 'places')", [references, knownObjects]],
  ["INSERT INTO event_object VALUES ('e9', 'order:1', 'places')", [references, knownBegins]],
  // An event of another type has its row in the wrong table, with attributes of that type.
  [
    "UPDATE event SET ocel_type = 'Lose' WHERE ocel_id = 'e2'",
    [references, eventPlace, knownTypes, knownAttributes, eventTime],
  ],
  // An event without a row in the table of its type has no time.
  ['DELETE FROM event_Win', [eventTime]],
  ["UPDATE event_Win SET ocel_time = 'noon'", [eventTime]],
  ["DELETE FROM event_object WHERE ocel_event_id = 'e1'", [someObject]],
  ["INSERT INTO event_Place VALUES ('e1', '2024-01-01 00:00:00', NULL)", [eventPlace]],
  [
    "DELETE FROM object_Order WHERE ocel_id = 'order:2'",
    ['Every object of the type order has one row of first values'],
  ],
  [
    "INSERT INTO object_Customer VALUES ('order:2', '1970-01-01 00:00:00', NULL)",
    ['Rows of object_Customer are of objects of the type customer'],
  ],
  [
    "UPDATE object_Order SET ocel_time = '2024-01-01 00:00:00' WHERE ocel_id = 'order:2'",
    ['First values in object_Order are of 1970-01-01 00:00:00'],
  ],
  [
    "UPDATE object_Order SET ocel_changed_field = 'weight' WHERE ocel_changed_field IS NOT NULL",
    ['Later rows of object_Order name the changed field and fill nothing else'],
  ],
  ["UPDATE object_Order SET ocel_time = 'noon' WHERE ocel_changed_field IS NOT NULL", [valueTime]],
  ['INSERT INTO object_Order SELECT * FROM object_Order WHERE ocel_changed_field IS NOT NULL', [valueOnce]],
  ["INSERT INTO event_object VALUES ('e1', 'order:1', NULL)", [relationOnce]],
  ["UPDATE event_Place SET amount = 'much'  WHERE ocel_id = 'e2'", [typedValues]],
  // SQLite allows NULL in a text key.
  ["INSERT INTO event VALUES (NULL, 'Win')", [ownIds, someObject, eventTime]],
];

describe('check of an event log with one injected defect', () => {
  let folder = '';
  const failed = async (file: string): Promise<readonly string[]> => {
    const { results } = await checkFile(join(folder, file), new AbortController().signal);
    return results.filter(({ violations }) => violations > 0).map(({ name }) => name);
  };

  before(async () => {
    folder = await folderWith({});
    await withProject(project, async (imported) => {
      const summary = await imported.import();
      assert.ok(summary.store, summary.error?.message);
      const projectContext = {
        ...noSecrets,
        workspaceFolderOf: () => imported.folder,
      };
      const file = await readGraphFile(join(imported.folder, 'graph.entity.yaml'), projectContext);
      const { signal } = new AbortController();
      for (const form of ['json', 'xml', 'sqlite']) {
        await exportGraph(file, projectContext, {
          format: `ocel-${form}`,
          output: join(folder, `log.${form}`),
          signal,
        });
      }
    });
  });
  after(() => removeFolder(folder));

  for (const [form, table] of [
    ['json', jsonDamage],
    ['xml', xmlDamage],
  ] as const) {
    for (const [[from, to], points] of table) {
      it(`${form.toUpperCase()}: reports ${from.slice(0, 60)} → ${to.slice(0, 60)}`, async () => {
        const text = await readFile(join(folder, `log.${form}`), 'utf8');
        assert.ok(text.includes(from), text);
        await writeFile(join(folder, `damaged.${form}`), text.replace(from, to));
        assert.deepEqual(sorted(await failed(`damaged.${form}`)), sorted(points));
      });
    }
  }

  for (const [how, points] of sqliteDamage) {
    it(`SQLite: reports ${typeof how === 'string' ? how : `${how.table} with ${how.from} → ${how.to}`}`, async () => {
      await writeFile(join(folder, 'damaged.sqlite'), await readFile(join(folder, 'log.sqlite')));
      const file = await openSqliteFile(join(folder, 'damaged.sqlite'), 'create');
      file.run('PRAGMA foreign_keys = OFF');
      if (typeof how === 'string') file.run(how);
      else redeclare(file, how);
      file.close();
      assert.deepEqual(sorted(await failed('damaged.sqlite')), sorted(points));
    });
  }

  it('XML: accepts relations as in the published schema and as in its examples', async () => {
    const text = await readFile(join(folder, 'log.xml'), 'utf8');
    const ofObject = '<relationship object-id="order:1" qualifier="places"/>';
    const ofEvent = '<object object-id="order:1" type="order" qualifier="self"/>';
    for (const [from, to] of [
      [ofObject, '<object object-id="order:1" type="order" qualifier="places"/>'],
      [ofEvent, '<relationship object-id="order:1" qualifier="self"/>'],
    ] as const) {
      assert.ok(text.includes(from), text);
      await writeFile(join(folder, 'written.xml'), text.replaceAll(from, to));
      assert.deepEqual(await failed('written.xml'), [], to);
    }
  });

  it('SQLite: accepts an attribute named like a column of the fixed tables', async () => {
    await writeFile(join(folder, 'named.sqlite'), await readFile(join(folder, 'log.sqlite')));
    const file = await openSqliteFile(join(folder, 'named.sqlite'), 'create');
    for (const table of ['event_Place', 'object_Order']) {
      for (const name of ['ocel_type', 'type', 'name', 'rowid', 'line'])
        file.run(`ALTER TABLE ${table} ADD COLUMN ${name} TEXT`);
    }
    file.run("UPDATE event_Place SET ocel_type = 'Win', rowid = 'r', line = 'l'");
    file.close();
    assert.deepEqual(await failed('named.sqlite'), []);
  });

  for (const [form, table] of [
    ['json', jsonDamage],
    ['xml', xmlDamage],
    ['sqlite', sqliteDamage],
  ] as const) {
    it(`every check of ${form.toUpperCase()} has an injected defect`, async () => {
      const { results } = await checkFile(join(folder, `log.${form}`), new AbortController().signal);
      const broken = new Set(table.flatMap(([, points]) => points.map(ofAnyType)));
      assert.deepEqual(
        results.map(({ name }) => ofAnyType(name)).filter((name) => !broken.has(name)),
        [],
      );
    });
  }
});

/** The rows of each type have checks of their own. */
function ofAnyType(name: string): string {
  return name
    .replace(/(event|object)_(Place|Win|Order|Customer)/, '$1 type')
    .replace(/type (Place|Win|order|customer)/, 'type');
}

function sorted(names: readonly string[]): readonly string[] {
  return names.toSorted();
}

/** SQLite cannot change keys and references of a table, so it is replaced. */
function redeclare(file: SqliteFile, { table, from, to }: Exclude<SqliteDamage, string>): void {
  const [row] = file.rows('SELECT sql FROM sqlite_master WHERE name = ?', [table]);
  const declared = String(row?.['sql']);
  assert.ok(declared.includes(from), declared);
  file.run(declared.replace(from, to).replace(/^CREATE TABLE "?\w+"?/, 'CREATE TABLE redeclared'));
  file.run(`INSERT INTO redeclared SELECT * FROM ${table}`);
  file.run(`DROP TABLE ${table}`);
  file.run('PRAGMA legacy_alter_table = ON');
  file.run(`ALTER TABLE redeclared RENAME TO ${table}`);
}
