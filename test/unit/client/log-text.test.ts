import assert from 'node:assert/strict';
import { logText, traceText } from '../../../client/src/log-text.ts';

describe('texts of the log view', () => {
  it('a message with texts of data is one line', () => {
    assert.equal(
      logText('No table "a\n2026-01-01 [error] b\u001b[2J\u202e".'),
      String.raw`No table "a\n2026-01-01 [error] b\u{1b}[2J\u{202e}".`,
    );
  });

  it('the calls of an error have lines of their own', () => {
    const error = new Error('a\nb');
    error.stack = 'Error: a\nb\n    at one (x.js:1:1)\n    at two (x.js:2:2)';
    assert.equal(logText(error), 'Error: a\\nb\n    at one (x.js:1:1)\n    at two (x.js:2:2)');
  });

  it('a traced message keeps its lines', () => {
    assert.equal(traceText('Params: {\n  "a": "\u202e"\n}'), 'Params: {\n  "a": "\\u{202e}"\n}');
  });
});
