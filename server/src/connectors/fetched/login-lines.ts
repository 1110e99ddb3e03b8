import type { AuthSettings } from '../http/auth-settings.ts';

/** What Show Query prints of a login: that there is one, and nothing of it. A certificate is part of no request. */
export function loginLines(kind: AuthSettings['kind'], header = 'Authorization'): readonly string[] {
  switch (kind) {
    case 'basic':
      return ['Authorization: Basic ***'];
    case 'oauth2':
      return ['Authorization: Bearer ***'];
    case 'apiKey':
      return [`${header}: ***`];
    default:
      return [];
  }
}
