import { fileURLToPath } from 'node:url';
import { isDescribed, splitReference } from './document.ts';

/**
 * Makes references to other documents absolute, and local references of a further document refer to its location, so
 * that they can be resolved from anywhere.
 * @returns the locations that may be read: relative paths beside a file, otherwise addresses of the same origin. Other
 * references stay unchanged.
 */
export function qualifyReferences(
  document: unknown,
  location: URL,
  { isRoot }: { readonly isRoot: boolean },
): Set<string> {
  const locations = new Set<string>();
  // YAML anchors and aliases can form cycles.
  const seen = new Set<unknown>();
  const rest: unknown[] = [document];
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const part of Object.values(value)) rest.push(part);
    if (!isDescribed(value) || typeof value['$ref'] !== 'string') continue;
    const [path, pointer] = splitReference(value['$ref']);
    const place = path === '' ? (isRoot ? undefined : location.href) : reachable(path, location)?.href;
    if (place === undefined) continue;
    if (path !== '') locations.add(place);
    (value as Record<string, unknown>)['$ref'] = `${place}#${pointer}`;
  }
  return locations;
}

function reachable(path: string, from: URL): URL | undefined {
  const isFile = from.protocol === 'file:';
  // An absolute path leads away from the document.
  if (isFile && /^(?:[/\\]|[a-z][\w+.-]*:)/i.test(path)) return undefined;
  if (!URL.canParse(path, from.href)) return undefined;
  const url = new URL(path, from.href);
  if (isFile) return url.protocol === 'file:' && url.host === from.host && isPath(url) ? url : undefined;
  return url.origin === from.origin && url.username === '' && url.password === '' ? url : undefined;
}

function isPath(url: URL): boolean {
  try {
    return fileURLToPath(url) !== '';
  } catch {
    return false;
  }
}
