import { dialectNamed } from '../../../server/src/dialects/index.ts';
import assert from 'node:assert/strict';
import type { Column, ColumnSense, DataObject } from '../../../server/src/catalog/catalog.ts';
import { profileColumns } from '../../../server/src/draft/column-profile.ts';
import { compositeKeys } from '../../../server/src/draft/composite-key.ts';
import { draftGraph, type DraftRequest } from '../../../server/src/draft/draft.ts';
import type { DraftModel } from '../../../server/src/draft/draft-model.ts';
import { rankedSample } from '../../../server/src/draft/ranked-sample.ts';
import type { SampleCell, TableInput } from '../../../server/src/draft/table-sample.ts';

/** A table without declared keys; a column is a text, or has a sense behind a colon. */
function table(name: string, columns: string, cells: readonly (readonly SampleCell[])[], isWhole = true): TableInput {
  const described = columns.split(' ').map((text): Column => {
    const [column = '', sense = 'text'] = text.split(':');
    return { name: column, type: sense, sense: sense as ColumnSense, nullable: true, primaryKey: false };
  });
  const object: DataObject = {
    ...{ name, kind: 'file', path: [name], columns: described, primaryKey: [], foreignKeys: [] },
    statistics: { columnCount: described.length },
  };
  return { object, sample: { columns: described.map((column) => column.name), rows: cells, isWhole } };
}

function draft(inputs: readonly TableInput[], more: Partial<DraftRequest> = {}) {
  const catalog = { dataSource: 'shop', dialect: 'duckdb' };
  return draftGraph({ name: 'Shop', catalog, inputs, areNamed: false, special: new Map(), answers: [], ...more });
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const pad = (number: number, length: number): string => String(number).padStart(length, '0');
const date = (number: number): string => `202401${pad(1 + (number % 28), 2)}`;
const iso = (number: number): string => `2024-01-${pad(1 + (number % 28), 2)}`;
const clock = (number: number): string => `${pad(number % 24, 2)}${pad(number % 60, 2)}15`;

const keysOf = ({ elements, entities }: DraftModel): Readonly<Record<string, string>> =>
  Object.fromEntries([...elements, ...entities].map(({ dataObject, key = [] }) => [dataObject, key.join(' + ')]));
const pairsOf = ({ relationships }: DraftModel): readonly string[] =>
  relationships.map(({ name, mappings, crossTable }) => {
    const pairs = mappings.map((each) => ('source' in each ? `${each.source} = ${each.target}` : each.expression));
    return `${name}: ${crossTable ? 'cross table' : pairs.join(', ')}`;
  });

/** Documents as an ERP system numbers them: a client in front, padded numbers, dates and times in two columns. */
const heads = table(
  'HEADS',
  'MANDT VBELN ERDAT ERZET VDATU',
  numbers(60).map((id) => ['800', pad(4000 + id, 10), date(id), clock(id), '20240301']),
);
const items = table(
  'ITEMS',
  'MANDT VBELN POSNR MATNR ERDAT ERZET',
  numbers(120).map((id) => [
    ...['800', pad(4000 + Math.ceil(id / 2), 10), pad(10 * (1 + (id % 2)), 6)],
    ...[`M-${id % 17}`, date(id), clock(id)],
  ]),
);

describe('first graphs of tables without declared keys › keys', () => {
  it('a column with one value in front of the key is no part of it', () => {
    assert.deepEqual(keysOf(draft([heads, items]).model), { HEADS: 'VBELN', ITEMS: 'VBELN + POSNR' });
  });

  it('of three columns are found, and no part of them that is a key by accident of a measure', () => {
    const { object, sample } = table(
      'postings',
      'company document year:integer amount:integer posted:date',
      numbers(90).map((id) => [
        ...[`C${id % 3}`, `D${Math.floor(id / 6)}`, 2020 + (Math.floor(id / 3) % 2)],
        ...[(7919 * id) % 100_000, iso(Math.floor(id / 6))],
      ]),
    );
    assert.ok(sample);
    const profiles = profileColumns({ object, sample }, { times: dialectNamed('postgresql').times });
    const [best] = compositeKeys(profiles, rankedSample(sample));
    assert.deepEqual(
      best?.columns.map(({ name }) => name),
      ['company', 'document', 'year'],
    );
  });

  it('a unique identifier that replication added is not preferred to the columns in front', () => {
    const uuid = (id: number): string => `00000000-0000-4000-8000-${pad(id, 12)}`;
    const rows = numbers(60).map((id) => [`a${Math.floor(id / 4)}`, `b${id % 4}`, uuid(id), iso(id)]);
    const found = keysOf(draft([table('visits', 'guest room rowguid placed:date', rows)]).model);
    assert.deepEqual(found, { visits: 'guest + room' });
  });

  it('year, month and day of a timestamp beside it are no part of a key', () => {
    const rows = numbers(240).map((id) => {
      const [day, hour] = [1 + (Math.floor(id / 2) % 28), Math.floor(id / 2) % 24];
      return [
        `S${id % 2}`,
        2024,
        1 + Math.floor(id / 60),
        day,
        `2024-0${1 + Math.floor(id / 60)}-${pad(day, 2)}T${pad(hour, 2)}:00:00`,
        id % 7,
      ];
    });
    const readings = table(
      'readings',
      'station year:integer month:integer day:integer at:timestamp wind:integer',
      rows,
    );
    assert.deepEqual(keysOf(draft([readings]).model), { readings: 'station + at' });
  });
});

describe('first graphs of tables without declared keys › references', () => {
  const flow = (own: (id: number) => string): TableInput =>
    table(
      'FLOW',
      'VBELN POSNR VGBEL VGPOS ERDAT ERZET',
      numbers(100).map((id) => [
        ...[pad(80_000_000 + Math.ceil(id / 2), 10), own(id)],
        ...[pad(4000 + Math.ceil(id / 2), 10), pad(10 * (1 + (id % 2)), 6), date(id), clock(id)],
      ]),
    );

  it('of several columns have the columns that belong together, and say nothing that follows from others', () => {
    // The own item numbers are item numbers of the other table, too.
    const { model } = draft([heads, items, flow((id) => pad(10 * (1 + (id % 2)), 6))]);
    assert.deepEqual(pairsOf(model), ['ITEMS VBELN: VBELN = VBELN', 'FLOW VGBEL, VGPOS: VGBEL = VBELN, VGPOS = POSNR']);
  });

  it('need not be named, if their values hardly occur elsewhere', () => {
    const people = table(
      'people',
      'email name',
      numbers(12).map((id) => [`p${id}@example.org`, `Person ${id}`]),
    );
    const tickets = table(
      'tickets',
      'ticket_no raised_by opened:date',
      numbers(40).map((id) => [`T${id}`, `p${1 + (id % 12)}@example.org`, iso(id)]),
    );
    assert.deepEqual(pairsOf(draft([people, tickets]).model), ['tickets raised_by: raised_by = email']);
  });

  it('must be named, if their values count from one', () => {
    const rooms = table(
      'rooms',
      'room_id:integer label',
      numbers(40).map((id) => [id, `Room ${id}`]),
    );
    const visits = (column: string): TableInput =>
      table(
        'visits',
        `visit_no ${column}:integer opened:date`,
        numbers(60).map((id) => [`V${id}`, 1 + (id % 30), iso(id)]),
      );
    assert.deepEqual(pairsOf(draft([rooms, visits('room_id')]).model), ['visits room_id: room_id = room_id']);
    assert.deepEqual(pairsOf(draft([rooms, visits('minutes')]).model), []);
  });

  it('must be named in a source that declares foreign keys', () => {
    const people = table(
      'people',
      'email name',
      numbers(12).map((id) => [`p${id}@example.org`, `Person ${id}`]),
    );
    const tickets = table(
      'tickets',
      'ticket_no raised_by opened:date team',
      numbers(40).map((id) => [`T${id}`, `p${1 + (id % 12)}@example.org`, iso(id), `team ${id % 3}`]),
    );
    const teams = table(
      'teams',
      'team size:integer',
      numbers(6).map((id) => [`team ${id - 1}`, id]),
    );
    const foreignKeys = [{ name: 'fk', columns: ['team'], references: { dataObject: 'teams', columns: ['team'] } }];
    const declared = { ...tickets, object: { ...tickets.object, foreignKeys } };
    assert.deepEqual(pairsOf(draft([people, declared, teams]).model), ['tickets team: team = team']);
  });

  it('to a special kind of a thing lead to the general one, not back', () => {
    const persons = table(
      'persons',
      'entity_no name',
      numbers(50).map((id) => [`E-${700 + id}`, `Person ${id}`]),
    );
    const sellers = table(
      'sellers',
      'entity_no hired:date',
      numbers(10).map((id) => [`E-${703 + id}`, iso(id)]),
    );
    assert.deepEqual(pairsOf(draft([persons, sellers]).model), ['sellers entity_no: entity_no = entity_no']);
  });
});

describe('first graphs of tables without declared keys › tables', () => {
  const orders = table(
    'orders',
    'order_no placed:date',
    numbers(40).map((id) => [`SO-${500 + id}`, iso(id)]),
  );
  const products = table(
    'products',
    'product_no label',
    numbers(30).map((id) => [`P-${900 + id}`, `Product ${id}`]),
  );
  const between = (columns: string, more: (id: number) => readonly SampleCell[]): TableInput =>
    table(
      'between',
      columns,
      numbers(80).map((id) => [`SO-${501 + (id % 40)}`, `P-${901 + (id % 30)}`, ...more(id)]),
    );

  it('a table of two references with counts of its own is a cross table', () => {
    const changes = between('order product added:integer removed:integer', (id) => [id % 9, id % 4]);
    const { model } = draft([orders, products, changes]);
    assert.deepEqual(pairsOf(model), ['between: cross table']);
    assert.deepEqual(Object.keys(keysOf(model)), ['orders', 'products']);
  });

  it('an order line is a thing: it has a quantity', () => {
    const { model } = draft([orders, products, between('order product quantity:integer', (id) => [id % 9])]);
    assert.equal(keysOf(model)['between'], 'order + product');
  });

  it('texts in several languages are left out', () => {
    const texts = table(
      'product_texts',
      'product_no language text',
      numbers(60).map((id) => [`P-${900 + Math.ceil(id / 2)}`, ['D', 'E'][id % 2] ?? '', `Name of product ${id}`]),
    );
    const sold = table(
      'sales',
      'sale_no product_no sold:date',
      numbers(50).map((id) => [`V${id}`, `P-${901 + (id % 30)}`, iso(id)]),
    );
    assert.deepEqual(Object.keys(keysOf(draft([products, texts, sold]).model)), ['sales', 'products']);
  });

  it('a history of a thing is no log of it', () => {
    const people = table(
      'people',
      'person_no hired:date',
      numbers(40).map((id) => [`N-${800 + id}`, iso(id)]),
    );
    const titles = table(
      'titles',
      'person_no title from_date:date',
      numbers(80).map((id) => [
        `N-${800 + Math.ceil(id / 2)}`,
        ['Clerk', 'Senior', 'Chief', 'Head'][(id % 2) * 2 + (id % 4 < 2 ? 0 : 1)] ?? '',
        iso(id),
      ]),
    );
    const { model } = draft([people, titles]);
    assert.deepEqual(keysOf(model), { people: 'person_no', titles: 'person_no + title' });
    assert.deepEqual(pairsOf(model), ['titles person_no: person_no = person_no']);
  });
});

describe('first graphs of tables without declared keys › times', () => {
  it('a date with its time of day beside it is when a row was recorded; dates after all that was recorded are plans', () => {
    const plans = table(
      'PLANS',
      'VBELN ETENR EDATU',
      numbers(60).map((id) => [pad(4000 + id, 10), '0001', `202402${pad(1 + (id % 28), 2)}`]),
    );
    const { model, text } = draft([heads, items, plans]);
    assert.deepEqual(
      model.elements.map(({ dataObject, start }) => [dataObject, start.column, start.timeOfDay?.column]),
      [
        ['HEADS', 'ERDAT', 'ERZET'],
        ['ITEMS', 'ERDAT', 'ERZET'],
      ],
    );
    assert.match(
      text,
      /try_strptime\("HEADS"\."ERDAT"::VARCHAR, ''%Y%m%d''\)::DATE \+ coalesce\(try_strptime\(lpad\("HEADS"\."ERZET"/,
    );
  });

  it('a time of day belongs to the date that is called like it, in front or behind', () => {
    const rows = numbers(40).map((id) => [`D${id}`, clock(id), date(id), date(id + 3), clock(id + 5)]);
    const { model } = draft([table('deliveries', 'no ERZET ERDAT CPUDT CPUTM', rows)]);
    const [element] = model.elements;
    assert.deepEqual([element?.start.column, element?.start.timeOfDay?.column], ['ERDAT', 'ERZET']);
  });
});

describe('first graphs of tables without declared keys › samples of a part', () => {
  const orders = table(
    'orders',
    'order_no placed:date',
    numbers(40).map((id) => [`SO-${500 + id}`, iso(id)]),
    false,
  );
  const bills = table(
    'bills',
    'bill_no ordered billed:date',
    numbers(40).map((id) => [`B${id}`, `SO-${2500 + id}`, iso(id)]),
  );
  const id = JSON.stringify(['bills', ['ordered'], 'orders', ['order_no']]);

  it('the share that the source counted decides', () => {
    const counted = (share: number): readonly string[] =>
      pairsOf(draft([orders, bills], { counts: { shares: new Map([[id, share]]), repeated: new Set() } }).model);
    assert.deepEqual(counted(1), ['bills ordered: ordered = order_no']);
    assert.deepEqual(counted(0.6), []);
    assert.deepEqual(pairsOf(draft([orders, bills]).model), []);
  });

  it('a key of the sample that repeats in the table is no key', () => {
    const rows = numbers(40).map((each) => [`L${each}`, each % 5, iso(each)]);
    const lines = table('lines', 'line_no part:integer placed:date', rows, false);
    const repeated = new Set([JSON.stringify(['lines', 'line_no'])]);
    const { model } = draft([lines], { counts: { shares: new Map(), repeated } });
    assert.notEqual(keysOf(model)['lines'], 'line_no');
  });
});
