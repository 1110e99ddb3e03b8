import { fileURLToPath } from 'node:url';
import { isDescribed, splitReference } from './document.ts';

/**
 * Rewrites references of a document to others, which it makes absolute, and those of a further document to itself, so that they can be followed
 * from anywhere.
 * @returns The locations that may be read: files by relative paths beside a file, addresses of the same origin otherwise. References to anything else
 * stay as they are.
 */
export function qualifyReferences(
  document: unknown,
  location: URL,
  { isRoot }: { readonly isRoot: boolean },
): Set<string> {
  const locations = new Set<string>();
  // Anchors and aliases of YAML make circles.
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
  // A path from the root of the disk, or of a drive, leads away from the document.
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
