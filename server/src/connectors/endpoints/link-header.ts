import { readParameters } from '../http/header-parameters.ts';

/**
 * The address with `rel="next"` in a `Link` header (RFC 8288, appendix B.2), as it stands there. A link of another
 * context (`anchor`) is none of the answer.
 * @param url the requested address, if known
 */
export function nextLink(header: string | null, url?: URL): string | undefined {
  const text = header ?? '';
  for (let at = text.indexOf('<'); at >= 0;) {
    const close = text.indexOf('>', at);
    if (close < 0) return undefined;
    const { parameters, end } = readParameters(text, close + 1);
    const valueOf = (wanted: string): string | undefined => parameters.find(([name]) => name === wanted)?.[1];
    const relations = (valueOf('rel') ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('next') && isContext(valueOf('anchor'), url)) return text.slice(at + 1, close).trim();
    const comma = text.indexOf(',', end);
    at = comma < 0 ? -1 : text.indexOf('<', comma);
  }
  return undefined;
}

function isContext(anchor: string | undefined, url: URL | undefined): boolean {
  if (anchor === undefined) return true;
  return url !== undefined && URL.canParse(anchor, url.href) && new URL(anchor, url).href === url.href;
}
