import assert from 'node:assert/strict';
import fc from 'fast-check';
import { nextLink } from '../../../../server/src/connectors/endpoints/link-header.ts';
import { charsetOf } from '../../../../server/src/connectors/http/header-parameters.ts';

const url = new URL('https://api.example/orders?page=1');

describe('the next link of a Link header', () => {
  for (const [header, next] of [
    ['<https://api.example/orders?page=2>; rel="next"', 'https://api.example/orders?page=2'],
    ['</o?p=2>; rel=next; crossorigin', '/o?p=2'],
    ['</o?p=2>; crossorigin; rel=next', '/o?p=2'],
    ['</o?p=2>; title="a \\"b\\", <x>; rel=prev"; rel=next', '/o?p=2'],
    [', ,</o?p=2>;rel=next', '/o?p=2'],
    ['</o?p=2>; rel="prev next"', '/o?p=2'],
    ['</o?p=2> ; REL="Next"', '/o?p=2'],
    ['</o?p=2>; rel = next', '/o?p=2'],
    ['</o?p=2>;;rel=next;', '/o?p=2'],
    ['</o?a=1,2;3>; rel="first", </o?a=4,5>; rel="next"', '/o?a=4,5'],
    ["</o?p=2>; title*=UTF-8''x%20y; rel=next", '/o?p=2'],
    ['</o?p=2>; rel=""; x=1, </o?p=3>; rel=next', '/o?p=3'],
    ['</o>; rel=last; x="a, b", </o?p=2>; rel=next', '/o?p=2'],
    ['<?page=2>; rel=next; anchor="/orders?page=1"', '?page=2'],
    // The first relation counts (RFC 8288, 3.3), and a link of another context is none of the answer (3.2).
    ['</o?p=2>; rel=prev; rel=next', undefined],
    ['</o?p=2>; rel=next; anchor="#part"', undefined],
    ['</o?p=2>; rel=nextpage', undefined],
    ['</o?p=2; rel=next', undefined],
    ['', undefined],
    [null, undefined],
  ] as const)
    it(`${header} → ${next}`, () => assert.equal(nextLink(header, url), next));

  it('is found among other links with any parameters', () => {
    const token = fc.stringMatching(/^[a-z][a-z0-9*]{0,5}$/).filter((name) => name !== 'rel' && name !== 'anchor');
    const value = fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9'%-]{1,6}$/),
      fc.string({ maxLength: 8 }).map((text) => `"${text.replaceAll(/[\\"]/g, '\\$&').replaceAll(/[\r\n]/g, '')}"`),
    );
    const parameter = fc.oneof(
      token,
      fc.tuple(token, value).map(([name, text]) => `${name}=${text}`),
      fc.constant(''),
    );
    const parameters = fc.array(parameter, { maxLength: 3 }).map((all) => all.map((each) => `; ${each}`).join(''));
    const link = (relation: string) =>
      fc.tuple(parameters, parameters).map(([one, two]) => `</${relation}?a=1,2>${one}; rel="${relation}"${two}`);
    fc.assert(
      fc.property(link('first'), link('next'), link('last'), (first, next, last) => {
        assert.equal(nextLink([first, next, last].join(', '), url), '/next?a=1,2');
      }),
    );
  });
});

describe('the charset of a Content-Type header', () => {
  for (const [header, charset] of [
    ['application/json; charset=utf-8', 'utf-8'],
    ['application/json;charset="ISO-8859-1"', 'ISO-8859-1'],
    ['text/plain; format=flowed; Charset=windows-1252', 'windows-1252'],
    ['multipart/mixed; boundary="a; charset=x"', undefined],
    ['application/json; charset=', undefined],
    ['application/json', undefined],
    [null, undefined],
  ] as const)
    it(`${header} → ${charset}`, () => assert.equal(charsetOf(header), charset));
});
