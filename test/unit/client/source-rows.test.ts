import assert from 'node:assert/strict';
import { createSourceRows } from '../../../client/src/source-rows.ts';

const reading = { kind: 'reading', dataSource: 'shop', step: 'Connecting to shop', elapsedMs: 0 } as const;
const failed = { kind: 'failed', error: { code: 'source-unreachable', message: 'The server is gone.' } } as const;
const listOf = (row: string) => new Map([['shop', row]]);

describe('rows of the Data Sources view', () => {
  it('the row of the latest request is redrawn, even if an earlier request is answered later', () => {
    const rows = createSourceRows<string>();
    const takeFirst = rows.beginList();
    const takeSecond = rows.beginList();
    takeSecond(listOf('second'));
    takeFirst(listOf('first'));
    assert.equal(rows.change('shop', reading), 'second');
  });

  it('the current row is redrawn while the next list is pending', () => {
    const rows = createSourceRows<string>();
    rows.beginList()(listOf('first'));
    const takeSecond = rows.beginList();
    assert.equal(rows.change('shop', reading), 'first');
    takeSecond(listOf('second'));
    assert.equal(rows.change('shop', { kind: 'known' }), 'second');
  });

  it('a state reported before the list arrives is part of its rows', () => {
    const rows = createSourceRows<string>();
    const take = rows.beginList();
    assert.equal(rows.change('shop', reading), undefined);
    take(listOf('first'));
    assert.deepEqual(rows.draw('shop'), { step: 'Connecting to shop' });
  });

  it('a failure while the list is pending stays visible', () => {
    const rows = createSourceRows<string>();
    const take = rows.beginList();
    rows.change('shop', reading);
    rows.change('shop', failed);
    take(listOf('first'));
    assert.deepEqual(rows.draw('shop'), { error: failed.error });
    rows.beginList({ isDrawnAgain: true });
    assert.deepEqual(rows.draw('shop'), { error: failed.error }, 'drawing it again keeps it');
    rows.beginList();
    assert.deepEqual(rows.draw('shop'), {}, 'a reload forgets it');
  });

  it('further steps of a read do not redraw the row', () => {
    const rows = createSourceRows<string>();
    rows.beginList()(listOf('first'));
    rows.change('shop', reading);
    assert.equal(rows.change('shop', { ...reading, step: 'Reading columns' }), undefined);
    assert.deepEqual(rows.draw('shop'), { step: 'Reading columns' });
  });

  it('a row is outdated until it is redrawn', () => {
    let now = 0;
    const rows = createSourceRows<string>(() => now);
    rows.beginList()(listOf('first'));
    now = 60_000;
    rows.draw('shop');
    rows.change('shop', reading);
    assert.equal(rows.isOutdated(), true, 'it does not say that the source is being read');
    rows.draw('shop');
    assert.equal(rows.isOutdated(), false);
    rows.change('shop', { ...reading, step: 'Reading columns' });
    assert.equal(rows.isOutdated(), false, 'further steps do not matter');
    rows.change('shop', { kind: 'known' });
    assert.equal(rows.isOutdated(), true, 'it says that the source is still being read');
    rows.beginList()(new Map());
    assert.equal(rows.isOutdated(), false, 'the source is no longer listed');
  });

  it('a source that is read while VS Code draws the list is redrawn with it, unless the read has ended', () => {
    let now = 0;
    const rows = createSourceRows<string>(() => now);
    rows.beginList()(listOf('first'));
    rows.draw('shop');
    now = 2_000;
    rows.change('shop', reading);
    rows.draw('shop');
    assert.equal(rows.isOutdated(), true);
    rows.beginList({ isDrawnAgain: true })(listOf('second'));
    rows.draw('shop');
    assert.equal(rows.isOutdated(), false);
    rows.change('shop', failed);
    rows.change('shop', reading);
    assert.equal(rows.isOutdated(), true);
    // Another read would begin.
    rows.change('shop', failed);
    rows.draw('shop');
    assert.equal(rows.isOutdated(), false);
  });
});
