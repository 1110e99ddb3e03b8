import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { createTerminal } from '../../../server/src/cli/terminal.ts';

function streams(isTTY: boolean) {
  const written = { stdout: '', stderr: '' };
  const stdout = { isTTY, columns: 60, write: (text: string) => (written.stdout += text) };
  const stderr = { isTTY, columns: 60, write: (text: string) => (written.stderr += text) };
  return { written, stdout, stderr };
}

describe('terminal output', () => {
  it('redraws a progress bar in place, and clears it before other output', () => {
    const { written, stdout, stderr } = streams(true);
    const terminal = createTerminal(stdout, stderr, { TERM: 'xterm' });
    terminal.progress('data pull: Open Incident', 0.5);
    terminal.progress('data pull: Open Incident', 0.5);
    terminal.result('done');
    assert.equal(written.stderr, '\r\u001b[K[██████████░░░░░░░░░░]  50% data pull: Open Incident\r\u001b[K');
    assert.equal(written.stdout, 'done\n');
    assert.equal(terminal.paint.red('no'), '\u001b[31mno\u001b[0m');
  });

  it('fits the progress bar to the window width', () => {
    const { written, stdout, stderr } = streams(true);
    createTerminal(stdout, stderr, {}).progress('x'.repeat(200), undefined);
    assert.equal(written.stderr.replaceAll('\r', '').replaceAll('\u001b[K', '').length, 59);
  });

  it('prints one line per label to stderr without a terminal', () => {
    const { written, stdout, stderr } = streams(false);
    const terminal = createTerminal(stdout, stderr, {});
    for (const fraction of [0.1, 0.2]) terminal.progress('data pull: A', fraction);
    terminal.progress('data pull: B', 0.3);
    terminal.endProgress();
    assert.deepEqual(written, { stdout: '', stderr: 'data pull: A\ndata pull: B\n' });
    assert.equal(terminal.paint.red('no'), 'no');
  });

  it('respects NO_COLOR and FORCE_COLOR', () => {
    const person = streams(true);
    assert.equal(createTerminal(person.stdout, person.stderr, { NO_COLOR: '1' }).paint.bold('x'), 'x');
    const pipe = streams(false);
    assert.equal(createTerminal(pipe.stdout, pipe.stderr, { FORCE_COLOR: '1' }).paint.bold('x'), '\u001b[1mx\u001b[0m');
  });

  it('prompts only in an interactive terminal', async () => {
    const { signal } = new AbortController();
    const { written, stdout, stderr } = streams(true);
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const terminal = createTerminal(stdout, stderr, {}, stdin);
    const answer = terminal.ask?.('Number [1]: ', signal);
    stdin.write('2\n');
    assert.equal(await answer, '2');
    assert.equal(written.stderr, 'Number [1]: ');
    const abort = new AbortController();
    const waiting = terminal.ask?.('Number [1]: ', abort.signal);
    abort.abort(new Error('Cancelled.'));
    await assert.rejects(waiting ?? Promise.resolve(), /Cancelled/);
    stdin.end();
    assert.equal(await terminal.ask?.('Number [1]: ', signal), '', 'the end of the input takes what is proposed');
    assert.equal(createTerminal(stdout, stderr, {}, new PassThrough()).ask, undefined);
    const pipe = streams(false);
    assert.equal(createTerminal(pipe.stdout, pipe.stderr, {}, stdin).ask, undefined);
  });
});
