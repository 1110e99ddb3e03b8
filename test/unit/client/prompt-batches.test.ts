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
});
