import { isDescribed, type Described } from './document.ts';

/**
 * What the paths of a document stand below: nothing when the address of the source names a path already, else the path of the
 * server that the document names first, without a slash at its end; in version 2.0, `basePath`.
 * @param basePath The path of the address of the source.
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

/** The address of a server, each of its variables with its default. */
function filled({ url, variables }: Described): unknown {
  if (typeof url !== 'string') return undefined;
  return url.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = isDescribed(variables) ? variables[name] : undefined;
    const value = isDescribed(variable) ? variable['default'] : undefined;
    return typeof value === 'string' ? value : '';
  });
}
