import { hasAccept } from '../endpoints/header-lines.ts';
import { headerPattern } from '../endpoints/answer-path.ts';
import type { AuthSettings } from '../http/auth-settings.ts';
import type { SettingsReader } from '../settings-reader.ts';
import type { Settings } from '../source-settings.ts';

/**
 * Parses `headers`: those of every request. Throws a `source-config` error for credentials, which would be shown, and
 * for headers of the connection.
 */
export function readRequestHeaders(
  settings: Settings,
  auth: AuthSettings,
  read: SettingsReader,
): Readonly<Record<string, string>> {
  const group = read.group(settings, 'headers') ?? {};
  const taken = new Set(auth.kind === 'apiKey' && 'header' in auth ? [auth.header.toLowerCase()] : []);
  return Object.fromEntries(
    Object.keys(group).map((name) => {
      const value = read.needed(group, name, 'headers.');
      const mistake = headerMistake(name, value, taken);
      if (mistake !== undefined) throw read.wrong(`headers.${name}`, mistake);
      taken.add(name.toLowerCase());
      return [name, value];
    }),
  );
}

function headerMistake(name: string, value: string, taken: ReadonlySet<string>): string | undefined {
  if (!headerPattern.test(name)) return 'named like a header, such as X-Tenant';
  if (isCredential(name)) {
    return `left out: credentials go to auth, such as { kind: apiKey, header: ${name}, token: "\${secret:NAME}" }, or kind: basic, bearer or oauth2`;
  }
  if (ofConnection.test(name)) return 'left out: the connection sets this header';
  if (taken.has(name.toLowerCase())) return 'given once, in any case of letters';
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value) ? undefined : 'a text of one line, of characters up to U+00FF';
}

function isCredential(name: string): boolean {
  return (
    /cookie|authoriz|authenticat|api-?key|token$|bearer|jwt|passw|secret|credential|session-?id/i.test(name) ||
    /(?:^|[-_])(?:key|token|auth|session|signature)(?:$|[-_])/i.test(name)
  );
}

const ofConnection =
  /^(?:host|connection|keep-alive|content-length|content-type|transfer-encoding|te|trailer|upgrade|expect|accept-encoding|accept-charset|proxy-.*)$/i;

/** The headers of a request for JSON; those of the settings override the usual ones. */
export function withOwnHeaders(own: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { ...(!hasAccept(own) && { Accept: 'application/json' }), ...own };
}
