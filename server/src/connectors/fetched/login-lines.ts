import type { AuthSettings } from '../http/auth-settings.ts';

/** The credentials in Show Query, redacted. A client certificate is not part of a request. */
export function loginLines(auth: AuthSettings): readonly string[] {
  switch (auth.kind) {
    case 'basic':
      return ['Authorization: Basic ***'];
    case 'oauth2':
    case 'bearer':
      return ['Authorization: Bearer ***'];
    case 'mtls':
      return auth.login ? ['Authorization: Basic ***'] : [];
    case 'apiKey':
      return 'header' in auth ? [`${auth.header}: ***`] : [];
    default:
      return [];
  }
}

/** The displayed address of a request, with a key parameter redacted. */
export function shownAddress(url: URL, auth: AuthSettings): URL {
  if (auth.kind !== 'apiKey' || !('parameter' in auth)) return url;
  const shown = new URL(url.href);
  shown.searchParams.set(auth.parameter, '***');
  return shown;
}
