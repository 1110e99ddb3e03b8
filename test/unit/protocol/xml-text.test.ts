import assert from 'node:assert/strict';
import { SaxesParser } from 'saxes';
import { xmlText } from '../../../protocol/xml-text.ts';

describe('text of XML', () => {
  it('is well-formed for every character, in texts and in attributes, and read back but for what XML cannot hold', () => {
    const all = Array.from({ length: 0x10000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);
    const plain = `${String.fromCharCode(...all.slice(0, 0x8000))}${String.fromCharCode(...all.slice(0x8000))}\u{1f986}`;
    let text = '';
    let attribute: string | undefined;
    const parser = new SaxesParser();
    parser.on('text', (more) => void (text += more));
    parser.on('opentag', ({ attributes }) => void (attribute = attributes['b']));
    parser.write(`<a b="${xmlText(plain)}">${xmlText(plain)}</a>`).close();
    const readable = plain.replaceAll(/[^\t\n\r\x20-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
    assert.ok(text === readable && attribute === readable);
  });
});
