import type { SettingsReader } from './read-settings.ts';

/** An HTTPS address; plain HTTP only on this machine or where allowed, as credentials would be readable on the way. */
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
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (isLocalHost(url) || plainHttp))) {
    throw read.wrong(setting, 'an address that starts with https://');
  }
  if (url.username !== '' || url.password !== '') throw read.wrong(setting, 'without user and password: use auth');
  return url;
}

/** Whether an address is this machine, which no network lies before. */
export function isLocalHost({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
