import assert from 'node:assert/strict';
import { createPromptBatches } from '../../../client/src/prompt-batches.ts';

describe('secret prompts of several imports', () => {
  const questions = (answers: Readonly<Record<string, string>>) => {
    const batches = createPromptBatches();
    const asked: string[] = [];
    const ask = (question: string): Promise<string | undefined> =>
      batches.ask(question, async () => {
        asked.push(question);
        return answers[question];
      });
    return { batches, asked, ask };
  };

  it('a dismissed prompt is not repeated in the same batch', async () => {
    const { batches, asked, ask } = questions({ itsm: 'secret' });
    const answers = await batches.during(async () => [
      await ask('shop'),
      await ask('itsm'),
      await ask('shop'),
      await ask('itsm'),
    ]);
    assert.deepEqual(answers, [undefined, 'secret', undefined, 'secret']);
    assert.deepEqual(asked, ['shop', 'itsm', 'itsm']);
  });

  it('a dismissed prompt is repeated after the batch, and always outside one', async () => {
    const { batches, asked, ask } = questions({});
    await assert.rejects(
      batches.during(async () => {
        await ask('shop');
        throw new Error('It failed.');
      }),
    );
    await ask('shop');
    await ask('shop');
    assert.deepEqual(asked, ['shop', 'shop', 'shop']);
  });

  it('a dismissed prompt stays dismissed until the last of several batches has ended', async () => {
    const { batches, asked, ask } = questions({});
    await batches.during(async () => {
      await batches.during(() => ask('shop'));
      await ask('shop');
    });
    await batches.during(() => ask('shop'));
    assert.deepEqual(asked, ['shop', 'shop']);
  });

  it('inputs and dialogs are open one after the other, and equal questions share an answer', async () => {
    const batches = createPromptBatches();
    const open: string[] = [];
    const answers = new Map<string, (answer: string) => void>();
    const ask = (question: string) =>
      batches.askInTurn(question, () => {
        open.push(question);
        return new Promise<string>((resolve) => answers.set(question, resolve));
      });
    const [secret, again, permission] = [ask('secret'), ask('secret'), ask('permission')];
    await new Promise(setImmediate);
    assert.deepEqual(open, ['secret']);
    answers.get('secret')?.('abc');
    assert.deepEqual(await Promise.all([secret, again]), ['abc', 'abc']);
    await new Promise(setImmediate);
    assert.deepEqual(open, ['secret', 'permission']);
    answers.get('permission')?.('yes');
    assert.equal(await permission, 'yes');
  });

  describe('a cancelled asker', () => {
    const prompts = () => {
      const batches = createPromptBatches();
      const shown: string[] = [];
      const closed: string[] = [];
      const ask = (question: string, signal: AbortSignal) =>
        batches.askInTurn(
          question,
          (isClosed) => {
            shown.push(question);
            return new Promise<string | undefined>((resolve) =>
              isClosed.addEventListener('abort', () => (closed.push(question), resolve(undefined))),
            );
          },
          signal,
        );
      return { batches, shown, closed, ask };
    };

    it('closes its open prompt, and its waiting ones are never shown', async () => {
      const { shown, closed, ask } = prompts();
      const [one, other] = [new AbortController(), new AbortController()];
      const answers = [ask('first', one.signal), ask('second', one.signal)];
      void ask('third', other.signal);
      await new Promise(setImmediate);
      assert.deepEqual(shown, ['first']);
      one.abort();
      assert.deepEqual(await Promise.all(answers), [undefined, undefined]);
      await new Promise(setImmediate);
      assert.deepEqual([shown, closed], [['first', 'third'], ['first']]);
      assert.equal(await ask('fourth', one.signal), undefined);
      assert.deepEqual(shown, ['first', 'third']);
    });

    it('leaves a shared prompt open for the others', async () => {
      const { closed, ask } = prompts();
      const [one, other] = [new AbortController(), new AbortController()];
      const answers = [ask('shared', one.signal), ask('shared', other.signal)];
      await new Promise(setImmediate);
      one.abort();
      assert.equal(await answers[0], undefined);
      assert.deepEqual(closed, []);
      other.abort();
      assert.equal(await answers[1], undefined);
      assert.deepEqual(closed, ['shared']);
    });

    it('has not dismissed its prompt for the rest of the batch', async () => {
      const { batches, shown, ask } = prompts();
      await batches.during(async () => {
        for (const abort of [new AbortController(), new AbortController()]) {
          const answer = ask('shop', abort.signal);
          await new Promise(setImmediate);
          abort.abort();
          await answer;
        }
      });
      assert.deepEqual(shown, ['shop', 'shop']);
    });
  });

  it('a prompt that fails does not stop the next one', async () => {
    const batches = createPromptBatches();
    const failing = batches.askInTurn('one', () => Promise.reject(new Error('no window')));
    const next = batches.askInTurn('two', () => Promise.resolve('yes'));
    await assert.rejects(failing, /no window/);
    assert.equal(await next, 'yes');
  });
});
