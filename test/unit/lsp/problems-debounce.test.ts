import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createProblemsDebounce } from '../../../server/src/lsp/diagnostics/problems-debounce.ts';

const uri = 'file:///o.entity.yaml';

describe('createProblemsDebounce', () => {
  let version: number;
  let searches: number;
  let published: Promise<number>[];
  const find = (): Promise<number> => {
    searches += 1;
    return Promise.resolve(version);
  };
  const publish = (found: Promise<number>): void => void published.push(found);
  const create = () => createProblemsDebounce(find);
  const now = (): number => performance.now();

  beforeEach(() => {
    [version, searches, published] = [1, 0, []];
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => mock.timers.reset());

  it('publishes once, after the last change', async () => {
    const debounce = create();
    debounce.changed(uri, now(), publish);
    mock.timers.tick(20);
    version = 2;
    debounce.changed(uri, now(), publish);
    mock.timers.tick(1_000);
    assert.deepEqual(await Promise.all(published), [2]);
    assert.equal(searches, 1);
  });

  it('shares one validation among concurrent requests', async () => {
    const debounce = create();
    debounce.changed(uri, now(), undefined);
    const asked = [debounce.result(uri), debounce.result(uri)];
    assert.equal(searches, 0);
    mock.timers.tick(1_000);
    assert.deepEqual(await Promise.all(asked), [1, 1]);
    assert.equal(searches, 1);
  });

  it('answers at once without typing', async () => {
    const debounce = create();
    assert.equal(await debounce.result(uri), 1);
    debounce.changed(uri, now(), undefined);
    mock.timers.tick(1_000);
    assert.equal(await debounce.result(uri), 1);
  });

  it('answers a completion before problems that are requested at the same time', async () => {
    const debounce = create();
    debounce.changed(uri, now(), undefined);
    const asked = debounce.result(uri);
    mock.timers.tick(1_000);
    // The turns in which the completion begins and its answer is encoded.
    await nextTurn();
    await nextTurn();
    assert.equal(searches, 0);
    assert.equal(await asked, 1);
  });

  it('does not validate a document without a request', () => {
    create().changed(uri, now(), undefined);
    mock.timers.tick(1_000);
    assert.equal(searches, 0);
  });

  it('answers a request overtaken by a change with the result after it', async () => {
    const debounce = create();
    debounce.changed(uri, now(), undefined);
    const asked = debounce.result(uri);
    mock.timers.tick(30);
    version = 2;
    debounce.changed(uri, now(), undefined);
    // The request moves to the new pause in a separate turn.
    await Promise.resolve();
    await Promise.resolve();
    mock.timers.tick(1_000);
    assert.equal(await asked, 2);
  });

  it('validates again when the result is outdated, without extending the pause', async () => {
    const debounce = create();
    assert.equal(debounce.outdate(uri), false);
    debounce.changed(uri, now(), publish);
    mock.timers.tick(40);
    version = 2;
    assert.equal(debounce.outdate(uri), true);
    mock.timers.tick(10);
    assert.deepEqual(await Promise.all(published), [2]);
  });

  it('publishes nothing for a closed document, and answers pending requests', async () => {
    const debounce = create();
    debounce.changed(uri, now(), publish);
    const asked = debounce.result(uri);
    debounce.end(uri);
    mock.timers.tick(1_000);
    assert.equal(published.length, 0);
    assert.equal(await asked, 1);
  });

  it('a failed validation rejects later requests without an unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const debounce = createProblemsDebounce(() => Promise.reject<number>(new Error('lost')));
      const later: Promise<number>[] = [];
      debounce.changed(uri, now(), (found) => void later.push(found));
      mock.timers.tick(40);
      debounce.outdate(uri);
      mock.timers.tick(1_000);
      await nextTurn();
      await nextTurn();
      assert.deepEqual(unhandled, []);
      assert.equal(later.length, 1);
      await assert.rejects(Promise.all(later), /lost/);
    } finally {
      process.off('unhandledRejection', note);
    }
  });
});
