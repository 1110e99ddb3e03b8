import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../support/temporary-folder.ts';
import { copySample, expectClean, importGraph, queryDuckDb } from './samples-import.ts';

type Row = Readonly<Record<string, string>>;

describe('samples/order-to-cash', () => {
  let folder = '';
  before(async () => {
    folder = await copySample('order-to-cash');
  });
  after(() => removeFolder(folder));

  /** The rows of a sample file without quoted cells. */
  async function rowsOf(table: string): Promise<readonly Row[]> {
    const [head = '', ...lines] = (await readFile(join(folder, 'data', `${table}.csv`), 'utf8')).trimEnd().split('\n');
    const names = head.split(',');
    return lines.map((line) => {
      assert.ok(!line.includes('"'), line);
      return Object.fromEntries(line.split(',').map((cell, index) => [names[index] ?? '', cell]));
    });
  }

  it('data equal the output of their generator', async () => {
    const url = new URL('../../scripts/order-to-cash-data.mjs', import.meta.url).href;
    const { orderToCashFiles } = (await import(url)) as { orderToCashFiles(): Readonly<Record<string, string>> };
    const files = orderToCashFiles();
    assert.deepEqual((await readdir(join(folder, 'data'))).toSorted(), Object.keys(files).toSorted());
    for (const [name, text] of Object.entries(files))
      assert.equal(await readFile(join(folder, 'data', name), 'utf8'), text, name);
  });

  it('has no problems', () => expectClean(join(folder, 'order-to-cash.entity.yaml')));

  it('import counts equal a plain count of the files', async () => {
    const { totals, elements, entities, relationships, warnings, store } = await importGraph(
      join(folder, 'order-to-cash.entity.yaml'),
    );
    const [orders, items, deliveries, parts] = [
      await rowsOf('VBAK'),
      await rowsOf('VBAP'),
      await rowsOf('LIKP'),
      await rowsOf('LIPS'),
    ];
    const [invoices, billed, payments] = [await rowsOf('VBRK'), await rowsOf('VBRP'), await rowsOf('FEBEP')];
    const [headers, lines] = [await rowsOf('CDHDR'), await rowsOf('CDPOS')];
    const issued = deliveries.filter(({ WADAT_IST }) => WADAT_IST !== '00000000');
    const [sent, cancelled] = ['F2', 'S1'].map((kind) => invoices.filter(({ FKART }) => FKART === kind));
    assert.ok(sent && cancelled);
    const changed = (is: (line: Row) => boolean): number => lines.filter(is).length;
    const events = {
      'Place Order': orders.length,
      'Change Order': changed(({ FNAME }) => FNAME !== 'LIFSK' && FNAME !== 'ABGRU'),
      'Block Delivery': changed(({ FNAME, VALUE_NEW }) => FNAME === 'LIFSK' && VALUE_NEW !== ''),
      'Release Delivery': changed(({ FNAME, VALUE_NEW }) => FNAME === 'LIFSK' && VALUE_NEW === ''),
      'Reject Item': changed(({ FNAME }) => FNAME === 'ABGRU'),
      'Create Delivery': deliveries.length,
      'Issue Goods': issued.length,
      'Send Invoice': sent.length,
      'Cancel Invoice': cancelled.length,
      'Receive Payment': payments.length,
    };
    assert.deepEqual(Object.fromEntries(elements.map((each) => [each.activityName, each.events])), events);
    const masterData = [(await rowsOf('KNA1')).length, (await rowsOf('MARA')).length];
    assert.deepEqual(
      entities.map((entry) => entry.entities),
      masterData,
    );

    const pairs = (rows: readonly Row[], left: string, right: string): ReadonlySet<string> =>
      new Set(rows.map((row) => `${row[left]} ${row[right]}`));
    const sentIds = new Set(sent.map(({ VBELN }) => VBELN));
    const bills = billed.filter(({ VBELN }) => sentIds.has(VBELN));
    const ordersOf = new Map<string, Set<string>>();
    for (const { VBELN = '', VGBEL = '' } of parts) ordersOf.set(VBELN, (ordersOf.get(VBELN) ?? new Set()).add(VGBEL));
    const invoicesOfOrder = new Set(
      bills.flatMap(({ VBELN, VGBEL = '' }) => [...(ordersOf.get(VGBEL) ?? [])].map((order) => `${order} ${VBELN}`)),
    );
    assert.deepEqual(Object.fromEntries(relationships.map(({ name, pairs: count }) => [name, count])), {
      delivers: pairs(parts, 'VBELN', 'VGBEL').size,
      bills: pairs(bills, 'VBELN', 'VGBEL').size,
      contains: pairs(items, 'VBELN', 'MATNR').size,
      'invoices of order': invoicesOfOrder.size,
    });
    assert.deepEqual(warnings, []);
    assert.equal(
      totals.events,
      Object.values(events).reduce((sum, count) => sum + count, 0),
    );
    const made = [orders, deliveries, sent, payments].map(({ length }) => length);
    assert.equal(
      totals.entities,
      [...made, ...masterData].reduce((sum, count) => sum + count, 0),
    );

    const byQualifier = await queryDuckDb(
      'SELECT qualifier, count(*) AS n FROM event_entity GROUP BY 1 ORDER BY 1',
      store,
    );
    const headerOf = new Map(headers.map((header) => [header['CHANGENR'], header]));
    assert.ok(lines.every(({ CHANGENR }) => headerOf.has(CHANGENR)));
    const counted = Object.fromEntries(byQualifier.map(({ qualifier, n }) => [String(qualifier), n]));
    assert.equal(counted['changes'], lines.length);
    assert.equal(counted['ordered by'], orders.length);
    assert.equal(counted['pays'], payments.flatMap(({ XBLNR = '' }) => XBLNR.split(';')).length);
    // Invoices reach the order's map by a path, together with their cancellations.
    assert.equal(counted['invoices of order'], invoicesOfOrder.size + cancelled.length);

    const measured = await queryDuckDb(
      'SELECT name, count, missing, sum, met FROM measure WHERE NOT is_default',
      store,
    );
    const millis = (date = '', time = ''): number =>
      Date.parse(`${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`);
    const paid = sent.flatMap(({ VBELN = '', ERDAT, ERZET }) => {
      const at = millis(ERDAT, ERZET);
      const later = payments
        .filter(({ XBLNR = '' }) => XBLNR.split(';').includes(VBELN))
        .map(({ BUDAT, BUTIM }) => millis(BUDAT, BUTIM) - at)
        .filter((duration) => duration >= 0);
      return later.length === 0 ? [] : [Math.min(...later)];
    });
    const [, payment, changes] = measured;
    assert.deepEqual(
      [payment?.['count'], payment?.['missing'], payment?.['sum'], payment?.['met']].map(String),
      [paid.length, sent.length - paid.length, paid.reduce((sum, each) => sum + each, 0), false].map(String),
    );
    assert.deepEqual([changes?.['count'], changes?.['sum']].map(Number), [orders.length, events['Change Order']]);
  });
});
