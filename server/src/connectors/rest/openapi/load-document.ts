import { readFile, stat } from 'node:fs/promises';
import { parseDocument } from 'yaml';
import { plainDocument } from '../../../model/plain-value.ts';
import type { HttpClient } from '../../http/http-client.ts';
import { isTransientFailure } from '../../http/transient-failure.ts';
import { withRetries, type RetryPolicy } from '../../http/with-retries.ts';
import { SourceError } from '../../source-error.ts';
import type { OpenApiPlace } from '../read-settings.ts';
import { statusFailure } from '../read-response.ts';
import { isDescribed, type Described } from './document.ts';

/** Reads an OpenAPI document, JSON or YAML. Rejects with a `SourceError` for an invalid or unreadable one. */
export async function loadDocument(place: OpenApiPlace, service: DocumentService): Promise<Described> {
  const root = await loadPart(place, service);
  if (!isDescribed(root) || !isDescribed(root['paths'])) throw noDocument(nameOf(place), 'it has no paths');
  return root;
}

/** Reads a referenced document: any JSON or YAML. Rejects like `loadDocument`. */
export async function loadPart(place: OpenApiPlace, service: DocumentService): Promise<unknown> {
  const text = place.kind === 'file' ? await readDocument(place.file) : await fetchDocument(place.url, service);
  try {
    return readText(text);
  } catch (error) {
    throw noDocument(
      nameOf(place),
      `it is neither JSON nor YAML (${(error as Error).message.split('\n')[0]?.replace(/:$/, '')})`,
    );
  }
}

function readText(text: string): unknown {
  const document = parseDocument(text, { logLevel: 'error' });
  const [mistake] = document.errors;
  if (mistake) throw mistake;
  const value = plainDocument(document, text);
  if (value === undefined) throw new Error('its aliases lead nowhere, into themselves or multiply');
  return value;
}

function nameOf(place: OpenApiPlace): string {
  return place.kind === 'file' ? place.file : shownAddress(place.url);
}

/** Without query parameters, which may contain a key. */
function shownAddress({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** Size limit in bytes; the largest published ones have some tens of millions. */
const largest = 256 * 1024 * 1024;

async function readDocument(file: string): Promise<string> {
  try {
    const state = await stat(file);
    // Devices may be endless.
    if (!state.isFile()) throw new Error('it is not a file');
    if (state.size > largest) throw new Error(`it has more than ${largest / 1024 / 1024} MiB`);
    return decodeFile(await readFile(file));
  } catch (error) {
    throw new SourceError('file-missing', `The OpenAPI document ${file} cannot be read: ${(error as Error).message}.`, {
      file,
      remedy: 'Correct openapi of the data source.',
    });
  }
}

/** Replaced bytes would change names. */
function decodeFile(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('it is not UTF-8');
  }
}

/** Name of the server in messages. */
export interface DocumentService {
  readonly client: HttpClient;
  readonly retryPolicy: RetryPolicy;
  /** Further headers of requests. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

function fetchDocument(
  url: URL,
  { client, retryPolicy: policy, signal, headers: own }: DocumentService,
): Promise<string> {
  const others = Object.entries(own).filter(([name]) => name.toLowerCase() !== 'accept');
  const headers = {
    ...Object.fromEntries(others),
    Accept: 'application/json, application/yaml;q=0.9, */*;q=0.5',
  };
  const attempt = async (): Promise<string> => {
    const answer = await client.send({ method: 'GET', url, headers, signal });
    if (answer.status === 200) return answer.text;
    const failure = statusFailure(answer, `GET ${url.pathname}`);
    if (isTransientFailure(failure)) throw failure;
    throw noDocument(shownAddress(url), `the service answers with status ${answer.status}`);
  };
  return withRetries(attempt, { policy, idempotent: true, signal });
}

function noDocument(where: string, reason: string): SourceError {
  return new SourceError('source-config', `${where} is not an OpenAPI document: ${reason}.`, {
    remedy: 'Correct openapi of the data source, or describe its endpoints there.',
  });
}
