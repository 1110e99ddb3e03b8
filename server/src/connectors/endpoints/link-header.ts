import { readParameters } from '../http/header-parameters.ts';

/**
 * The address with `rel="next"` in a `Link` header (RFC 8288, appendix B.2), as it stands there. A link of another
 * context (`anchor`) is none of the answer.
 * @param url the requested address, if known
 */
export function nextLink(header: string | null, url?: URL): string | undefined {
  for (const { target, relations, anchor } of linksIn(header ?? '')) {
    if (relations.includes('next') && isContext(anchor, url)) return target;
  }
  return undefined;
}

/** Whether a `Link` header leads to pages of a list, be it the next one or not. */
export function hasPageLinks(header: string | null): boolean {
  const known = ['next', 'prev', 'previous', 'first', 'last'];
  return [...linksIn(header ?? '')].some(({ relations }) => relations.some((each) => known.includes(each)));
}

interface Link {
  readonly target: string;
  readonly relations: readonly string[];
  readonly anchor: string | undefined;
}

function* linksIn(text: string): Generator<Link> {
  for (let at = text.indexOf('<'); at >= 0;) {
    const close = text.indexOf('>', at);
    if (close < 0) return;
    const { parameters, end } = readParameters(text, close + 1);
    const valueOf = (wanted: string): string | undefined => parameters.find(([name]) => name === wanted)?.[1];
    const relations = (valueOf('rel') ?? '').toLowerCase().split(/\s+/);
    yield { target: text.slice(at + 1, close).trim(), relations, anchor: valueOf('anchor') };
    const comma = text.indexOf(',', end);
    at = comma < 0 ? -1 : text.indexOf('<', comma);
  }
}

function isContext(anchor: string | undefined, url: URL | undefined): boolean {
  if (anchor === undefined) return true;
  return url !== undefined && URL.canParse(anchor, url.href) && new URL(anchor, url).href === url.href;
}
