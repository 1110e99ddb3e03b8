import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { paint, styled } from '../../../server/src/cli/styled-text.ts';
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
    terminal.result(styled`done: ${paint.red('no')}`);
    assert.equal(written.stderr, '\r\u001b[K[██████████░░░░░░░░░░]  50% data pull: Open Incident\r\u001b[K');
    assert.equal(written.stdout, 'done: \u001b[31mno\u001b[0m\n');
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
    terminal.result(paint.red('no'));
    assert.deepEqual(written, { stdout: 'no\n', stderr: 'data pull: A\ndata pull: B\n' });
  });

  it('respects NO_COLOR and FORCE_COLOR', () => {
    const person = streams(true);
    createTerminal(person.stdout, person.stderr, { NO_COLOR: '1' }).result(paint.bold('x'));
    assert.equal(person.written.stdout, 'x\n');
    const pipe = streams(false);
    createTerminal(pipe.stdout, pipe.stderr, { FORCE_COLOR: '1' }).result(paint.bold('x'));
    assert.equal(pipe.written.stdout, '\u001b[1mx\u001b[0m\n');
  });

  it('prints a text of data on one line, without effect', () => {
    const hostile = 'a\r\u001b[2Jb\n::error::c';
    const shown = String.raw`a\u{d}\u{1b}[2Jb\n::error::c`;
    const { written, stdout, stderr } = streams(true);
    const terminal = createTerminal(stdout, stderr, {});
    terminal.result(styled`${paint.red(hostile)}, ${hostile}`);
    terminal.result(`${String(paint.red('::error'))}::x`);
    terminal.result(styled`  ${paint.bold(':')}:error::#${paint.dim('#[error]')}`);
    terminal.document('{\n  "a": 1\n}');
    terminal.note(hostile);
    const [red, bold, dim] = [31, 1, 2].map((code) => `\u001b[${code}m`);
    assert.deepEqual(written, {
      stdout: [
        `${red}${shown}\u001b[0m, ${shown}`,
        '\u200b::error::x',
        `  ${bold}\u200b:\u001b[0m:error::#${dim}\u200b#[error]\u001b[0m`,
        '{\n  "a": 1\n}\n',
      ].join('\n'),
      stderr: `${shown}\n`,
    });
    const pipe = streams(false);
    createTerminal(pipe.stdout, pipe.stderr, {}).progress(hostile, 0.5);
    assert.equal(pipe.written.stderr, `${shown}\n`);
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
