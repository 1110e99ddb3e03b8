import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { HttpClient } from '../../http/http-client.ts';
import { TransientFailure } from '../../http/transient-failure.ts';
import { withRetries, type RetryPolicy } from '../../http/with-retries.ts';
import { SourceError } from '../../source-error.ts';
import type { OpenApiPlace } from '../config.ts';
import { statusFailure } from '../read-answer.ts';
import { isDescribed, type Described } from './document.ts';

/** Reads an OpenAPI document, JSON or YAML. Rejects with a `SourceError` when it is none, or cannot be read. */
export async function loadDocument(place: OpenApiPlace, service: DocumentService): Promise<Described> {
  const where = place.kind === 'file' ? place.file : place.url.href;
  const text = place.kind === 'file' ? await readDocument(place.file) : await fetchDocument(place.url, service);
  let root: unknown;
  try {
    root = parse(text, { maxAliasCount: 100, logLevel: 'error' });
  } catch (error) {
    throw noDocument(where, `it is neither JSON nor YAML (${(error as Error).message.split('\n')[0]})`);
  }
  if (!isDescribed(root) || !isDescribed(root['paths'])) throw noDocument(where, 'it has no paths');
  return root;
}

async function readDocument(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new SourceError('file-missing', `The OpenAPI document ${file} cannot be read: ${error.message}.`, {
      file,
      remedy: 'Correct openapi of the data source.',
    });
  });
}

/** Who answers with a document at an address. */
export interface DocumentService {
  readonly client: HttpClient;
  readonly retryPolicy: RetryPolicy;
  readonly signal: AbortSignal | undefined;
}

function fetchDocument(url: URL, { client, retryPolicy: policy, signal }: DocumentService): Promise<string> {
  const headers = { Accept: 'application/json, application/yaml;q=0.9, */*;q=0.5' };
  const attempt = async (): Promise<string> => {
    const answer = await client.send({ method: 'GET', url, headers, signal });
    if (answer.status === 200) return answer.text;
    const failure = statusFailure(answer, `GET ${url.pathname}`);
    if (failure instanceof TransientFailure) throw failure;
    throw noDocument(`${url.origin}${url.pathname}`, `the service answers with status ${answer.status}`);
  };
  return withRetries(attempt, { policy, idempotent: true, signal });
}

function noDocument(where: string, reason: string): SourceError {
  return new SourceError('source-config', `${where} is no OpenAPI document: ${reason}.`, {
    remedy: 'Correct openapi of the data source, or describe its endpoints there.',
  });
}
