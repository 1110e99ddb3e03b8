import assert from 'node:assert/strict';
import { decodeBody, decodeMessage, isWebPage } from '../../../../server/src/connectors/http/decode-body.ts';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Bytes of an answer that holds no data, its content type, and the words in it. */
const messages: readonly (readonly [what: string, bytes: Buffer, contentType: string | null, text: string])[] = [
  ['of a header', latin('Zugriff für Jörg'), 'text/plain; charset=ISO-8859-1', 'Zugriff für Jörg'],
  ['of a page', latin('<meta charset="iso-8859-1"><p>für'), 'text/html', '<meta charset="iso-8859-1"><p>für'],
  [
    'of an old page',
    latin('<meta http-equiv=Content-Type content="text/html; charset=iso-8859-2"><p>\xb3'),
    'text/html',
    '<meta http-equiv=Content-Type content="text/html; charset=iso-8859-2"><p>ł',
  ],
  ['of XML', latin('<?xml version="1.0" encoding="ISO-8859-15"?><p>\xa4'), null, '<?xml version="1.0" encoding="ISO-8859-15"?><p>€'], // prettier-ignore
  ['that nobody names', latin('für\x85'), null, 'für…'],
  ['that nobody names, UTF-8', Buffer.from('für …'), null, 'für …'],
  ['of a mark', Buffer.from('\ufefffür', 'utf16le'), 'text/plain', 'für'],
  ['that is not that of the header', latin('für'), 'text/html; charset=utf-8', 'für'],
  ['that nobody knows', latin('für'), 'text/html; charset=klingon', 'für'],
];

describe('data', () => {
  it('in windows-1252 has all of its characters', () => {
    assert.equal(decodeBody(latin('\x80 \x96 für'), 'application/json; charset=windows-1252', 'It'), '€ – für');
    assert.equal(decodeBody(latin('\x80'), 'application/json; charset=ISO-8859-1', 'It'), '€');
  });
});

describe('refusals and web pages', () => {
  for (const [what, bytes, contentType, text] of messages) {
    it(`are read in the encoding ${what}`, () => assert.equal(decodeMessage(bytes, contentType), text));
  }

  it('are told from data', () => {
    const page = latin('\n<!DOCTYPE html><title>für');
    assert.ok(isWebPage(page, null) && isWebPage(page, 'application/json') && isWebPage(latin('<HTML>'), null));
    assert.ok(isWebPage(latin('{}'), 'text/html; charset=utf-8') && isWebPage(latin(''), 'application/xhtml+xml'));
    assert.ok(!isWebPage(latin('{"a": "<html>"}'), 'application/json') && !isWebPage(latin('<order/>'), 'text/xml'));
  });
});
