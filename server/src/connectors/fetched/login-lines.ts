import type { AuthSettings } from '../http/auth-settings.ts';

/** What Show Query prints of a login: that there is one, and nothing of it. A certificate is part of no request. */
export function loginLines(auth: AuthSettings): readonly string[] {
  switch (auth.kind) {
    case 'basic':
      return ['Authorization: Basic ***'];
    case 'oauth2':
      return ['Authorization: Bearer ***'];
    case 'mtls':
      return auth.login ? ['Authorization: Basic ***'] : [];
    case 'apiKey':
      return 'header' in auth ? [`${auth.header}: ***`] : [];
    default:
      return [];
  }
}

/** The address of a request as it is printed: a key that is sent in it is masked. */
export function shownAddress(url: URL, auth: AuthSettings): URL {
  if (auth.kind !== 'apiKey' || !('parameter' in auth)) return url;
  const shown = new URL(url.href);
  shown.searchParams.set(auth.parameter, '***');
  return shown;
}
