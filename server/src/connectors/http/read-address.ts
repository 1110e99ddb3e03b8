import { isThisMachine } from '../../model/this-machine.ts';
import { SourceError } from '../source-error.ts';
import type { SettingsReader } from '../settings-reader.ts';

/** Parses an HTTPS address; plain HTTP only for this machine or where allowed, because it would expose credentials. */
export function readAddress(
  text: string,
  setting: string,
  read: SettingsReader,
  { plainHttp }: { readonly plainHttp: boolean } = { plainHttp: false },
): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw read.wrong(setting, 'an address such as https://acme.example');
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (isThisMachine(url.hostname) || plainHttp))) {
    throw read.wrong(setting, 'an address that starts with https://');
  }
  if (url.username !== '' || url.password !== '') throw read.wrong(setting, 'without user and password: use auth');
  return url;
}

/**
 * The address of a login, from a setting or a path below the base address. Encryption is required, except for this
 * machine.
 */
export function loginAddress(baseUrl: URL, setting: string, given: string | undefined, path = ''): URL {
  const remedy = `Correct ${setting} in the data sources file.`;
  let url: URL;
  try {
    url = new URL(given ?? path, baseUrl);
  } catch {
    throw new SourceError('source-config', `${setting} is not an address.`, { remedy });
  }
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname))) return url;
  throw new SourceError('source-config', `${setting} must be an address that starts with https://.`, { remedy });
}
