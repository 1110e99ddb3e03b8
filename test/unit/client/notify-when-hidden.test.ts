import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { type Screen, notifyWhenHidden } from '../../../client/src/notify-when-hidden.ts';

/** A screen shown and hidden by the test. */
class TestScreen implements Screen {
  readonly events = new EventEmitter();
  visible: boolean;

  constructor(visible: boolean) {
    this.visible = visible;
  }

  onDidChangeVisibility(listener: () => void): { dispose(): unknown } {
    this.events.on('change', listener);
    return { dispose: () => this.events.off('change', listener) };
  }

  show(visible: boolean): void {
    this.visible = visible;
    this.events.emit('change');
  }
}

type Change = readonly ['table' | 'tree', boolean];

const cases: readonly {
  readonly name: string;
  readonly table: boolean;
  readonly tree: boolean;
  readonly changes: readonly Change[];
  readonly notified: readonly number[];
}[] = [
  { name: 'without table and tree: at once', table: false, tree: false, changes: [], notified: [1] },
  { name: 'while the table stays visible: never', table: true, tree: false, changes: [], notified: [0] },
  { name: 'when the table is hidden', table: true, tree: false, changes: [['table', false]], notified: [0, 1] },
  {
    name: 'when the table is hidden while the tree is visible: never',
    table: true,
    tree: true,
    changes: [['table', false]],
    notified: [0, 0],
  },
  {
    name: 'when the tree is hidden after the table',
    table: true,
    tree: true,
    changes: [
      ['table', false],
      ['tree', false],
    ],
    notified: [0, 0, 1],
  },
  {
    name: 'when the tree is shown before the table is hidden',
    table: true,
    tree: false,
    changes: [
      ['tree', true],
      ['table', false],
    ],
    notified: [0, 0, 0],
  },
  {
    name: 'only once, even if the table is shown and hidden again',
    table: true,
    tree: false,
    changes: [
      ['table', false],
      ['table', true],
      ['table', false],
    ],
    notified: [0, 1, 1, 1],
  },
];

describe('notification for hidden views', () => {
  for (const { name, table, tree, changes, notified } of cases) {
    it(name, async () => {
      const screens = { table: new TestScreen(table), tree: new TestScreen(tree) };
      let count = 0;
      let end = (_: string): void => {};
      const work = new Promise<string>((resolve) => (end = resolve));
      const result = notifyWhenHidden(Object.values(screens), work, () => (count += 1));
      const counts = [count];
      for (const [screen, visible] of changes) {
        screens[screen].show(visible);
        counts.push(count);
      }
      assert.deepEqual(counts, notified);
      end('done');
      assert.equal(await result, 'done');
      for (const screen of Object.values(screens)) assert.equal(screen.events.listenerCount('change'), 0);
    });
  }

  it('is not shown after the work has ended or failed', async () => {
    for (const work of [Promise.resolve(), Promise.reject(new Error('broken'))]) {
      const screen = new TestScreen(true);
      const result = notifyWhenHidden([screen], work, () => assert.fail('notified'));
      await result.catch((error: unknown) => assert.match(String(error), /broken/));
      screen.show(false);
    }
  });
});
