import assert from 'node:assert/strict';
import { followGraphView } from '../../../client/src/follow-graph-view.ts';
import type { GraphView } from '../../../protocol/graph-view.ts';

const viewOf = (version: number): GraphView => ({
  ...{ uri: 'file:///o.entity.yaml', version, name: `version ${version}` },
  ...{ dataObjects: [], elements: [], relationships: [] },
  importSettings: {
    engine: 'embedded',
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
  },
});
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('followGraphView', () => {
  let answers: ((view: GraphView | null) => void)[];
  let refuse: (error: Error) => void;
  let shown: number[];
  let errors: unknown[];
  const start = () =>
    followGraphView(
      () =>
        new Promise((resolve, reject) => {
          answers.push(resolve);
          refuse = reject;
        }),
      ({ version }) => shown.push(version),
      (error) => errors.push(error),
    );

  beforeEach(() => {
    [answers, shown, errors] = [[], [], []];
  });

  it('shows a view sent with a change, without a request', () => {
    const followed = start();
    followed.changed({ view: viewOf(2) });
    followed.changed({ view: viewOf(3) });
    assert.deepEqual([shown, answers.length], [[2, 3], 0]);
  });

  it('requests the view after a change without one, with at most one further request while one is pending', async () => {
    const followed = start();
    followed.changed({});
    followed.changed({});
    followed.changed({});
    assert.equal(answers.length, 1);
    answers[0]?.(viewOf(1));
    await turn();
    assert.equal(answers.length, 2);
    answers[1]?.(viewOf(3));
    await turn();
    assert.deepEqual([shown, answers.length], [[1, 3], 2]);
  });

  it('ignores a response older than the displayed view', async () => {
    const followed = start();
    followed.ask();
    followed.changed({ view: viewOf(5) });
    answers[0]?.(viewOf(4));
    await turn();
    assert.deepEqual(shown, [5]);
  });

  it('shows the same version again, as after a file was reopened', () => {
    const followed = start();
    followed.changed({ view: viewOf(1) });
    followed.changed({ view: viewOf(1) });
    assert.deepEqual(shown, [1, 1]);
  });

  it('reports a failed request, and retries at the next change', async () => {
    const followed = start();
    followed.ask();
    followed.ask();
    refuse(new Error('The server is gone.'));
    await turn();
    assert.deepEqual(
      errors.map((error) => (error as Error).message),
      ['The server is gone.'],
    );
    followed.changed({});
    answers[1]?.(viewOf(2));
    await turn();
    assert.deepEqual(shown, [2]);
  });
});
