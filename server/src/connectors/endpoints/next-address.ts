import { SourceError } from '../source-error.ts';

/**
 * The address of the next page where a service returns one as cursor, absolute or relative to the requested one (RFC
 * 3986); undefined for any other cursor.
 */
export function nextAddress(cursor: string, from: URL): URL | undefined {
  if (!isReference(cursor, from) || !URL.canParse(cursor, from.href)) return undefined;
  return new URL(cursor, from);
}

/** The target of a `Link` header. Throws `source-failed` when it is no address. */
export function linkAddress(target: string, from: URL, endpoint: string): URL {
  if (URL.canParse(target, from.href)) return new URL(target, from);
  throw new SourceError('source-failed', `The Link header of ${endpoint} has no address as next page: "${target}".`, {
    remedy: 'Use another style of pagination.',
  });
}

/** A cursor may be any text, so references are recognised by what cursors do not have. */
function isReference(text: string, from: URL): boolean {
  if (/^(?:https?:\/\/|\?|\.{1,2}\/)/i.test(text)) return true;
  // `orders?page=2` and `/orders?page=2`.
  if (/^\/{0,2}[\w.~%@:+,;=/-]*\?[^?]*=/.test(text)) return true;
  if (!text.startsWith('/')) return false;
  const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  return !isBase64 || sharesSegment(text, from);
}

function sharesSegment(path: string, { pathname }: URL): boolean {
  const requested = new Set(pathname.split('/').filter((segment) => segment !== ''));
  return path.split('/').some((segment) => requested.has(segment));
}
