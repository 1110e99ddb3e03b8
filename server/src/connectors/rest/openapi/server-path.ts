import { isDescribed, type Described } from './document.ts';

/**
 * Prefix of a document's paths: none if the source's address contains a path, else the path of the first server (in
 * version 2.0, `basePath`), without a trailing slash.
 * @param basePath path of the source's address.
 */
export function serverPath({ basePath: own, servers }: Described, basePath: string): string {
  if (!/^\/*$/.test(basePath)) return '';
  const server: unknown = Array.isArray(servers) ? servers[0] : undefined;
  const given = isDescribed(server) ? filled(server) : own;
  if (typeof given !== 'string') return '';
  const [, path = ''] = /^(?:[a-z][\w+.-]*:)?(?:\/\/[^/?#]*)?([^?#]*)/i.exec(given) ?? [];
  const bare = path.replace(/\/+$/, '');
  return bare === '' || bare.startsWith('/') ? bare : `/${bare}`;
}

/** The address of a server with default values of its variables. */
function filled({ url, variables }: Described): unknown {
  if (typeof url !== 'string') return undefined;
  return url.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = isDescribed(variables) ? variables[name] : undefined;
    const value = isDescribed(variable) ? variable['default'] : undefined;
    return typeof value === 'string' ? value : '';
  });
}
