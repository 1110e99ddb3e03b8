import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isSourceError } from '../../source-error.ts';
import type { OpenApiPlace } from '../read-settings.ts';
import {
  type LostReference,
  type OpenApiDocument,
  longestChain,
  openApiDocument,
  splitReference,
  isDescribed,
} from './document.ts';
import { type DocumentService, loadDocument, loadPart } from './load-document.ts';

interface ReadDocument<T> {
  readonly found: T;
  /** Unresolved references, as messages. */
  readonly warnings: readonly string[];
  /** Absolute paths of the files requested in addition to the document. */
  readonly furtherFiles: readonly string[];
}

/** Maximum number of documents. */
const maxDocuments = 200;

/**
 * Searches a document and the referenced ones, each loaded once on demand. Rejects like `loadDocument`; an unreadable
 * referenced document gives a warning.
 * @param look called again after each round of loading.
 */
export async function readDescribed<T>(
  place: OpenApiPlace,
  service: DocumentService,
  look: (document: OpenApiDocument) => T,
): Promise<ReadDocument<T>> {
  const root = await loadDocument(place, service);
  const location = place.kind === 'file' ? pathToFileURL(place.file) : new URL(place.url);
  location.hash = '';
  const documents = new Map<string, unknown>([[location.href, root]]);
  const mayBeRead = qualifyReferences(root, location, { isRoot: true });
  const faults = new Map<string, string>();

  /** Undefined when unreadable. */
  async function read(href: string): Promise<unknown> {
    try {
      const url = new URL(href);
      const part = await loadPart(placeOf(url), service);
      for (const each of qualifyReferences(part, url, { isRoot: false })) mayBeRead.add(each);
      return part;
    } catch (error) {
      service.signal?.throwIfAborted();
      if (!isSourceError(error) || !['source-config', 'file-missing'].includes(error.code)) throw error;
      faults.set(href, error.message);
      return undefined;
    }
  }

  // Terminates, because each round loads another document or finds it unreadable.
  for (;;) {
    const document = openApiDocument(root, documents);
    const found = look(document);
    const wanted = unreadOf(document).filter((each) => mayBeRead.has(each) && !faults.has(each));
    if (wanted.length === 0) {
      const warnings = warningsOf(document, { location, mayBeRead, faults });
      return { found, warnings, furtherFiles: filesOf([...documents.keys(), ...faults.keys()], location) };
    }
    for (const href of wanted) {
      if (documents.size === maxDocuments) faults.set(href, `More than ${maxDocuments} documents are not read.`);
      else {
        const part = await read(href);
        if (part !== undefined) documents.set(href, part);
      }
    }
  }
}

function unreadOf({ lost }: OpenApiDocument): readonly string[] {
  return [...new Set([...lost.values()].filter(({ why }) => why === 'unread').map(({ location }) => location))];
}

function filesOf(hrefs: readonly string[], location: URL): readonly string[] {
  if (location.protocol !== 'file:') return [];
  return hrefs.filter((href) => href !== location.href).map((href) => fileURLToPath(href));
}

function placeOf(url: URL): OpenApiPlace {
  return url.protocol === 'file:' ? { kind: 'file', file: fileURLToPath(url) } : { kind: 'url', url };
}

interface Reading {
  /** Location of the document itself. */
  readonly location: URL;
  readonly mayBeRead: ReadonlySet<string>;
  readonly faults: ReadonlyMap<string, string>;
}

function warningsOf({ lost }: OpenApiDocument, reading: Reading): readonly string[] {
  return [...lost].map(([reference, found]) => {
    const shown = reading.mayBeRead.has(found.location) ? shownReference(reference, reading.location) : reference;
    return `The OpenAPI document refers to ${shown}, which is left out. ${reasonOf(found, reading)}`;
  });
}

function reasonOf({ why, location: where }: LostReference, { location, mayBeRead, faults }: Reading): string {
  if (why === 'missing') return 'It contains nothing usable.';
  if (why === 'circle') return `It leads in a circle, or over more than ${longestChain} references.`;
  if (mayBeRead.has(where)) return faults.get(where) ?? 'It cannot be read.';
  return location.protocol === 'file:'
    ? 'Only files are read, by paths relative to that of the document.'
    : `Only documents at ${location.origin} are read.`;
}

/** Files by relative path from the document. */
function shownReference(reference: string, from: URL): string {
  const [where, pointer] = splitReference(reference);
  if (from.protocol !== 'file:') return reference;
  const folder = fileURLToPath(new URL('.', from));
  return `${relative(folder, fileURLToPath(where)).replaceAll('\\', '/')}${pointer === '' ? '' : `#${pointer}`}`;
}

/**
 * Makes references to other documents absolute, and local references of a further document refer to its location, so
 * that they can be resolved from anywhere.
 * @returns the locations that may be read: relative paths beside a file, otherwise addresses of the same origin. Other
 * references stay unchanged.
 */
function qualifyReferences(document: unknown, location: URL, { isRoot }: { readonly isRoot: boolean }): Set<string> {
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
