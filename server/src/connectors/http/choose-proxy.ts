import { isThisMachine } from '../../model/this-machine.ts';
import { SourceError } from '../source-error.ts';
import type { NetworkSettings } from './network-settings.ts';

/** The proxy of an address. */
export interface Proxy {
  /** May contain user and password. */
  readonly url: URL;
  /** The value of `Proxy-Authorization`, if configured separately. */
  readonly authorization?: string;
  /** False: its certificate is not checked. */
  readonly strict: boolean;
}

export interface ProxySettings {
  /** Setting of the data source: an address, or `none`. */
  readonly source?: string | undefined;
  readonly network?: NetworkSettings | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Precedence: the data source's setting, the editor's setting, environment variables; undefined for a direct
 * connection. This machine is reached directly unless the data source sets a proxy. Throws `source-config` for an
 * invalid address.
 */
export function chooseProxy(target: URL, { source, network, environment }: ProxySettings): Proxy | undefined {
  if (source !== undefined) {
    return source === 'none' ? undefined : { url: proxyUrl(source, 'proxy of the data source'), strict: true };
  }
  if (network?.proxyOff || isThisMachine(target.hostname)) return undefined;
  const { proxy = '', noProxy, proxyAuthorization } = network ?? {};
  if (proxy !== '') {
    if (isExcepted(target, noProxy ?? [])) return undefined;
    return {
      url: proxyUrl(proxy, 'http.proxy of the editor'),
      strict: network?.proxyStrictSSL !== false,
      ...(proxyAuthorization && { authorization: proxyAuthorization }),
    };
  }
  const variable = (name: string): string | undefined =>
    environment[name.toLowerCase()] || environment[name.toUpperCase()] || undefined;
  const found = variable(target.protocol === 'https:' ? 'https_proxy' : 'http_proxy') ?? variable('all_proxy');
  if (found === undefined || isExcepted(target, (variable('no_proxy') ?? '').split(/[\s,]+/))) return undefined;
  return { url: proxyUrl(found, 'proxy of the environment'), strict: network?.proxyStrictSSL !== false };
}

/** Whether an exception list contains the host or its domain; entries with a port apply to that port. */
function isExcepted({ hostname, port, protocol }: URL, exceptions: readonly string[]): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  return exceptions.some((each) => {
    const written = each.trim().toLowerCase();
    if (written === '' || written === '*') return written === '*';
    const [, name = '', onlyPort] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(written.replace(/^\*?\./, '')) ?? [];
    if (onlyPort !== undefined && onlyPort !== ownPort) return false;
    return host === name || host.endsWith(`.${name}`);
  });
}

/** Proxy credentials to redact in messages: the password, and the header value. */
export function proxySecrets({ url, authorization }: Pick<Proxy, 'url' | 'authorization'>): readonly string[] {
  const { username, password } = url;
  const login = Buffer.from(`${decoded(username)}:${decoded(password)}`, 'utf8').toString('base64');
  return [
    ...(password === '' ? [] : [password, decoded(password), login]),
    ...(authorization === undefined ? [] : [authorization]),
  ];
}

/** An invalid percent escape is literal text. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Parses a proxy address; the default scheme is HTTP, as usual in variables. Throws `source-config`. */
function proxyUrl(text: string, where: string): URL {
  let url: URL | undefined;
  try {
    url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  } catch {
    // The text may contain a password, so it is not repeated.
  }
  if (url && ['http:', 'https:'].includes(url.protocol) && url.hostname !== '') return url;
  throw new SourceError('source-config', `The ${where} is not the address of an HTTP proxy.`, {
    remedy: 'Write it as http://host:port or https://host:port, or none to connect directly.',
  });
}

/** The proxy that a data source names; undefined for none. */
export function configuredProxyUrl(proxy: string | undefined): URL | undefined {
  return proxy === undefined || proxy === 'none' ? undefined : proxyUrl(proxy, 'proxy of the data source');
}
