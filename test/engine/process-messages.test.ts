import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const programAt = (name: string): string => fileURLToPath(new URL(`../../server/dist/${name}.js`, import.meta.url));

interface ToldAnswer {
  readonly id: number;
  readonly kind: string;
  /** Code of a failure. */
  readonly message?: string;
}

/** A process whose responses can be awaited. */
function start(name: string): { child: ChildProcess; answer(id: number): Promise<ToldAnswer> } {
  const child = fork(programAt(name), [], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const answers: ToldAnswer[] = [];
  child.on('message', (message: ToldAnswer) => {
    answers.push(message);
    child.emit('answer');
  });
  const ended = once(child, 'exit').then(([code]) => assert.fail(`The process has ended with ${code}.`));
  ended.catch(() => undefined);
  return {
    child,
    async answer(id) {
      for (;;) {
        const found = answers.find((each) => each.id === id);
        if (found) return found;
        await Promise.race([once(child, 'answer'), ended]);
      }
    },
  };
}

const garbage: readonly unknown[] = [
  5,
  'text',
  [],
  {},
  { kind: 'other' },
  { id: 'a' },
  { kind: 'cancel' },
  { kind: 'request' },
];

describe('messages between processes', () => {
  for (const [name, bad, good] of [
    [
      'graph',
      { kind: 'request', id: 1, method: 'ask', params: { store: '/none.duckdb', question: 'nothing', params: {} } },
      { kind: 'request', id: 2, method: 'ask', params: { store: '/none.duckdb', question: 'overview', params: {} } },
    ],
    [
      'duckdb',
      { kind: 'request', id: 1, method: 'other', params: {} },
      { kind: 'request', id: 2, method: 'sql', params: [{ statement: 'SELECT 1', tables: [] }] },
    ],
  ] as const) {
    it(`${name} › a malformed message is answered with an error, and the next one normally`, async () => {
      const { child, answer } = start(name);
      try {
        for (const each of garbage) child.send(each as object);
        child.send(bad);
        child.send(good);
        assert.match(
          (await answer(1)).message ?? '',
          /^The process received an invalid message\. ".*" must be one of /,
        );
        assert.equal((await answer(2)).kind, 'result');
      } finally {
        child.kill();
      }
    });
  }

  it('engine › exits on a malformed message, so that no caller waits', async () => {
    const { child } = start('engine');
    const ended = once(child, 'exit');
    child.send({ kind: 'request', id: 1, method: 'import', params: { file: 5 } });
    assert.deepEqual(await ended, [1, null]);
  });
});
