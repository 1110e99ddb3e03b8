import assert from 'node:assert/strict';
import { createOpenQuestions } from '../../../client/src/open-questions.ts';

describe('openQuestions', () => {
  it('waits for all pending questions, also after failures', async () => {
    const questions = createOpenQuestions();
    await questions.answered();
    const steps: string[] = [];
    let answer = (_: string): void => undefined;
    let fail = (_: Error): void => undefined;
    const asked = questions.during(() => new Promise<string>((resolve) => (answer = resolve)));
    const answered = questions.answered().then(() => steps.push('answered'));
    const failing = questions.during(() => new Promise<string>((_, reject) => (fail = reject)));
    answer('yes');
    assert.equal(await asked, 'yes');
    steps.push('the first');
    fail(new Error('No.'));
    await assert.rejects(failing, /No\./);
    steps.push('the second');
    await answered;
    assert.deepEqual(steps, ['the first', 'the second', 'answered']);
    await questions.answered();
  });
});
