import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { createTypingPauses } from '../../../server/src/lsp/diagnostics/typing-pauses.ts';

const uri = 'file:///o.entity.yaml';

describe('createTypingPauses', () => {
  let version: number;
  let searches: number;
  let published: Promise<number>[];
  const find = (): Promise<number> => {
    searches += 1;
    return Promise.resolve(version);
  };
  const publish = (found: Promise<number>): void => void published.push(found);
  const pauses = () => createTypingPauses(find);
  const now = (): number => performance.now();

  beforeEach(() => {
    [version, searches, published] = [1, 0, []];
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => mock.timers.reset());

  it('publishes once, after the last change', async () => {
    const typing = pauses();
    typing.changed(uri, now(), publish);
    mock.timers.tick(20);
    version = 2;
    typing.changed(uri, now(), publish);
    mock.timers.tick(1_000);
    assert.deepEqual(await Promise.all(published), [2]);
    assert.equal(searches, 1);
  });

  it('gives who asks the same at the same time, with one search for all', async () => {
    const typing = pauses();
    typing.changed(uri, now(), undefined);
    const asked = [typing.found(uri), typing.found(uri)];
    assert.equal(searches, 0);
    mock.timers.tick(1_000);
    assert.deepEqual(await Promise.all(asked), [1, 1]);
    assert.equal(searches, 1);
  });

  it('answers at once when nobody types', async () => {
    const typing = pauses();
    assert.equal(await typing.found(uri), 1);
    typing.changed(uri, now(), undefined);
    mock.timers.tick(1_000);
    assert.equal(await typing.found(uri), 1);
  });

  it('searches nothing for a document that nobody asks about', () => {
    pauses().changed(uri, now(), undefined);
    mock.timers.tick(1_000);
    assert.equal(searches, 0);
  });

  it('answers a question that a change overtakes with what holds after it', async () => {
    const typing = pauses();
    typing.changed(uri, now(), undefined);
    const asked = typing.found(uri);
    mock.timers.tick(30);
    version = 2;
    typing.changed(uri, now(), undefined);
    // The question goes over to the new pause in a turn of its own.
    await Promise.resolve();
    await Promise.resolve();
    mock.timers.tick(1_000);
    assert.equal(await asked, 2);
  });

  it('searches anew when what was found is out of date, without a longer pause', async () => {
    const typing = pauses();
    assert.equal(typing.outdate(uri), false);
    typing.changed(uri, now(), publish);
    mock.timers.tick(40);
    version = 2;
    assert.equal(typing.outdate(uri), true);
    mock.timers.tick(10);
    assert.deepEqual(await Promise.all(published), [2]);
  });

  it('publishes nothing of a document that was closed, and answers who waits', async () => {
    const typing = pauses();
    typing.changed(uri, now(), publish);
    const asked = typing.found(uri);
    typing.end(uri);
    mock.timers.tick(1_000);
    assert.equal(published.length, 0);
    assert.equal(await asked, 1);
  });
});
