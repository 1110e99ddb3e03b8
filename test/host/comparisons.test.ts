import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { CancellationTokenSource, type Progress, Range, WorkspaceEdit, window, workspace } from 'vscode';
import type { TextComparison } from '../../protocol/compared-canvas.ts';
import type { Outcome } from '../../protocol/query-results.ts';
import { createComparisons } from '../../client/src/comparisons.ts';
import type { GraphLanguage } from '../../client/src/language-client.ts';
import { type Lab, openLab, shopGraph } from './lab.ts';
import { waitFor } from './wait-for.ts';

interface Asked {
  readonly base: string;
  readonly reads: boolean;
  answer(outcome: Outcome<TextComparison>): void;
}

describe('comparisons', () => {
  let lab: Lab;
  const asked: Asked[] = [];
  /** A server whose processes end when the test says so, however often they are cancelled. */
  const language = {
    answered: async () => undefined,
    onNotification: () => ({ dispose: () => undefined }),
    request: (_method: string, { base, reads }: Asked) => new Promise((answer) => asked.push({ base, reads, answer })),
  } as unknown as GraphLanguage;
  const found = { effect: { base: { kind: 'last', name: 'last' }, state: 'same text' } } as unknown as TextComparison;
  const real = window.withProgress;
  let shown = 0;

  before(async () => {
    lab = await openLab();
  });
  after(() => lab.close());
  beforeEach(() => {
    asked.length = 0;
    shown = 0;
    const patient: typeof window.withProgress = async (_options, task) => {
      shown += 1;
      const progress: Progress<unknown> = { report: () => undefined };
      const done = task(progress, new CancellationTokenSource().token);
      return Promise.resolve(done).finally(() => (shown -= 1));
    };
    Object.assign(window, { withProgress: patient });
  });
  afterEach(() => void Object.assign(window, { withProgress: real }));

  it('one that is replaced or stopped shows no progress any more, though its process has not ended', async () => {
    const comparisons = createComparisons(language, assert.ifError);
    const uri = lab.uri('replaced.entity.yaml');
    const first = comparisons.compare(uri, { base: 'last', reads: false });
    await waitFor('the progress of the first is shown', () => shown === 1);
    const second = comparisons.compare(uri, { base: 'HEAD', reads: false });
    const outcome = await first;
    assert.equal(!outcome.ok && outcome.error.code, 'cancelled');
    await waitFor('only that of the second is shown', () => shown === 1);
    asked[1]?.answer({ ok: true, value: found });
    assert.equal((await second).ok, true);
    // What the first finds at last is not shown.
    asked[0]?.answer({ ok: true, value: found });
    assert.equal(comparisons.of(uri)?.base, 'HEAD');
    comparisons.dispose();
  });

  it('a save while another base is compared repeats that one, not the earlier base', async () => {
    const uri = lab.uri('saved.entity.yaml');
    await writeFile(uri.fsPath, shopGraph);
    const document = await workspace.openTextDocument(uri);
    const comparisons = createComparisons(language, assert.ifError);
    const first = comparisons.compare(uri, { base: 'last', reads: false });
    await waitFor('it is asked', () => asked.length === 1);
    asked[0]?.answer({ ok: true, value: found });
    await first;
    const second = comparisons.compare(uri, { base: 'HEAD', reads: true });
    await waitFor('it is asked', () => asked.length === 2);
    const edit = new WorkspaceEdit();
    edit.replace(uri, new Range(0, 0, 0, 0), '# edited\n');
    await workspace.applyEdit(edit);
    // A first edit is told before the file is modified, as one on the disk is.
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(asked.length, 2);
    assert.equal(await document.save(), true);
    await waitFor('the save is compared', () => asked.length > 2);
    assert.deepEqual(
      asked.map(({ base, reads }) => [base, reads]),
      [
        ['last', false],
        ['HEAD', true],
        ['HEAD', true],
      ],
    );
    assert.equal((await second).ok, false);
    await writeFile(uri.fsPath, `# written elsewhere\n${shopGraph}`);
    await waitFor('the file on the disk is compared', () => asked.length > 3);
    comparisons.dispose();
  });
});
