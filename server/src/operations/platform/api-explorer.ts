import { STATUS_CODES } from 'node:http';
import type { ApiExchange, ApiList, ApiRequest, ApiText, ApiView } from '../../../../protocol/api-explorer.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { loginLines, shownAddress } from '../../connectors/fetched/login-lines.ts';
import { inferColumns, isRecord } from '../../connectors/fetched/json-records.ts';
import { redactTrace } from '../../connectors/fetched/query-objects.ts';
import { openHttpClient } from '../../connectors/http/open-client.ts';
import { curlText, httpText, type ShownRequest } from '../../connectors/http/request-text.ts';
import { withQueryAsParameters } from '../../connectors/endpoints/explored-entry.ts';
import { placeholderSecrets } from '../../connectors/secret-placeholders.ts';
import { redactSecrets } from '../../connectors/redact-secrets.ts';
import { hasAccept, headerLines } from '../../connectors/endpoints/header-lines.ts';
import { parseAnswer } from '../../connectors/endpoints/parse-answer.ts';
import { SourceError } from '../../connectors/source-error.ts';
import type { ExploredSource, SourceExplorer } from '../../connectors/source-explorer.ts';
import { sourceKind, sourceKinds } from '../../connectors/source-kinds.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { addSourceEntry } from '../../model/edits/add-source-entry.ts';
import type { VerifiedEdits } from '../../model/edits/verified-edits.ts';
import { type ProjectContext, type SourcesFile, connectorContext } from '../../project/open-project.ts';
import { exploredPaging } from './explored-paging.ts';
import { indentedJson } from '../../model/indented-json.ts';
import { type LimitedResponse, readLimitedResponse } from './read-limited-response.ts';
import { isOutcomeUnknown, knownOutcome } from './unknown-outcome.ts';

/**
 * The endpoints of a source for the explorer; of an instance for the configured tables or, without them, those of the
 * catalog. Sends nothing, except to load an OpenAPI document from an address.
 */
export async function exploreSource(
  file: SourcesFile,
  source: DataSource,
  projectContext: ProjectContext,
  catalog: Catalog | undefined = undefined,
): Promise<Omit<ApiView, 'uri' | 'dataSource'>> {
  const { view } = await open(file, source, projectContext, { endpoints: true, catalog });
  return view;
}

/** A request as it will be sent; needs no secret. Rejects with `source-config` for an invalid one. */
export async function exploreText(
  file: SourcesFile,
  source: DataSource,
  request: ApiRequest,
  projectContext: ProjectContext,
): Promise<ApiText> {
  const explored = await open(file, source, { ...projectContext, ...placeholderSecrets });
  const exact = shownRequest(request, explored);
  const shown = { ...exact, url: shownAddress(exact.url, explored.connection.auth) };
  return { http: httpText(shown), curl: curlText(shown) };
}

/** Sends a request once; resolves to a response of any status. Rejects with a `SourceError` without one. */
export async function exploreSend(
  file: SourcesFile,
  source: DataSource,
  request: ApiRequest,
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<ApiExchange> {
  const explored = await open(file, source, projectContext);
  const { connection, secrets } = explored;
  checkPath(request.path);
  const { method, url, body, headers: lines } = shownRequest(request, explored);
  const client = await openHttpClient({ ...connection, connections: 1 });
  const started = performance.now();
  try {
    // The headers as displayed, without the credentials that the client adds.
    const names = ['accept', 'content-type', ...Object.keys(explored.headers ?? {}).map((name) => name.toLowerCase())];
    const headers = Object.fromEntries(
      lines
        .map((line) => /^([^:]*): (.*)$/.exec(line)?.slice(1) ?? [])
        .filter(([name = '']) => names.includes(name.toLowerCase())),
    ) as Record<string, string>;
    const send = async () => readLimitedResponse(await client.open({ method, url, headers, signal, body }));
    const look = `Find out what ${method} ${url.pathname} has done before you send it again.`;
    const answer = await (method === 'GET' ? send() : knownOutcome({ signal, look }, send));
    const known = [...secrets];
    return {
      status: answer.status,
      reason: STATUS_CODES[answer.status] ?? '',
      headers: shownHeaders(answer.headers, known),
      body: redactSecrets(bodyText(answer), known),
      isCut: answer.isPart && answer.text !== undefined,
      bytes: answer.size,
      isPart: answer.isPart ? true : undefined,
      durationMs: Math.round(performance.now() - started),
      ...(answer.status < 300 ? foundRecords(request, answer) : { columns: [] }),
    };
  } catch (error) {
    if (signal.aborted && !isOutcomeUnknown(error)) throw signal.reason;
    throw redactTrace(error, { secrets });
  } finally {
    client.close();
  }
}

/**
 * Edits of the sources file that add a data object for a list request. Rejects with `source-config` when that is
 * impossible.
 */
export async function entryEdit(
  file: SourcesFile,
  source: DataSource,
  request: ApiRequest,
  found: ApiList,
  catalog: Catalog | undefined = undefined,
): Promise<{ readonly edits: VerifiedEdits; readonly notes: readonly string[] }> {
  const explorer = await explorerOf(source);
  const { list, entry, others, notes } = explorer.entryOf(source, request, found, catalog);
  const edits = addSourceEntry(file.text, source.name.value, list, entry, others);
  if (!edits) {
    throw new SourceError('source-config', `${list} of ${source.name.value} has it already, or cannot be extended.`, {
      remedy: 'Look at the data source in the file.',
      file: file.path,
    });
  }
  return { edits, notes };
}

async function open(
  file: SourcesFile,
  source: DataSource,
  projectContext: ProjectContext,
  { endpoints = false, catalog }: { readonly endpoints?: boolean; readonly catalog?: Catalog | undefined } = {},
): Promise<ExploredSource> {
  const explorer = await explorerOf(source);
  const context = await connectorContext(file, projectContext);
  return explorer.open(source, context, { endpoints, catalog });
}

async function explorerOf(source: DataSource): Promise<SourceExplorer> {
  const explorer = await sourceKind(source.kind?.value)?.explorer?.();
  if (explorer) return explorer;
  const kinds = sourceKinds().filter((kind) => kind.explorer);
  throw new SourceError('source-config', `Data source ${source.name.value} is not a REST interface.`, {
    remedy: `Name a data source of kind ${kinds.map(({ name }) => name).join(' or ')}.`,
  });
}

/** Parameter names may be empty while being typed. */
function shownRequest(
  given: ApiRequest,
  {
    connection: { baseUrl, auth },
    acceptOf,
    headers = {},
  }: Pick<ExploredSource, 'connection' | 'acceptOf' | 'headers'>,
): ShownRequest {
  const { method, path, parameters, body } = withQueryAsParameters(given);
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith('//')) {
    throw new SourceError('source-config', 'The path stands below the address of the data source: leave the host out.');
  }
  const url = new URL(baseUrl.href);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
  for (const { name, value } of parameters) if (name !== '') url.searchParams.append(name, value);
  const hasBody = method !== 'GET' && body.trim() !== '';
  if (hasBody) checkJson(body);
  return {
    method,
    url,
    headers: [
      ...(hasAccept(headers) ? [] : [`Accept: ${acceptOf?.(path) ?? 'application/json, */*;q=0.5'}`]),
      ...headerLines(headers),
      ...(hasBody ? ['Content-Type: application/json'] : []),
      ...loginLines(auth),
    ],
    certificate: auth.kind === 'mtls' ? auth.certificate : undefined,
    body: hasBody ? body : undefined,
  };
}

/** A path parameter without a value would be sent literally. */
function checkPath(path: string): void {
  const [placeholder] = /\{[^{}/]+\}/.exec(path.split('?')[0] ?? '') ?? [];
  if (placeholder === undefined) return;
  throw new SourceError('source-config', `The path leaves ${placeholder} open.`, {
    remedy: `Replace ${placeholder} by a value.`,
  });
}

function checkJson(body: string): void {
  try {
    JSON.parse(body);
  } catch (error) {
    throw new SourceError('source-config', `The body is not JSON: ${(error as Error).message}.`);
  }
}

/** Session cookies are credentials. */
function shownHeaders(headers: unknown, secrets: readonly string[]): ApiExchange['headers'] {
  const found = [...(headers as Iterable<readonly [string, string]>)];
  return found.map(([name, value]) => ({
    name,
    value: /^set-cookie$/i.test(name) ? '***' : redactSecrets(value, secrets),
  }));
}

/** Number of records from which columns are inferred. */
const sampleSize = 100;

/** The first list of objects in a response, at most two levels deep. */
function foundRecords(
  request: ApiRequest,
  { text, headers, isPart }: LimitedResponse,
): Pick<ApiExchange, 'list' | 'recordCount' | 'columns'> {
  if (text === undefined || isPart) return { columns: [] };
  let answer: unknown;
  try {
    answer = parseAnswer(text, headers.get('content-type'));
  } catch {
    return { columns: [] };
  }
  for (const [records, value] of candidates(answer)) {
    if (!Array.isArray(value) || value.length === 0 || !value.every(isRecord)) continue;
    try {
      const columns = inferColumns(value.slice(0, sampleSize), []).map(({ name, type }) => ({ name, type }));
      const recordCount = value.length;
      const path = records === '' ? [] : records.split('.');
      const paging = exploredPaging(request, { answer, headers, records: path, recordCount });
      return { list: { records, ...paging }, recordCount, columns };
    } catch {
      // Names that differ by case only cannot be columns.
    }
  }
  return { columns: [] };
}

/** Formats JSON; binary content is not shown as text. */
function bodyText({ text, headers, size, isPart }: LimitedResponse): string {
  if (text === undefined) return `<${isPart ? 'more than ' : ''}${size} bytes of ${headers.get('content-type') ?? ''}>`;
  return (isPart ? undefined : indentedJson(text)) ?? text;
}

function* candidates(answer: unknown): Generator<readonly [path: string, value: unknown]> {
  yield ['', answer];
  if (!isRecord(answer)) return;
  for (const [name, value] of Object.entries(answer)) yield [name, value];
  for (const [name, value] of Object.entries(answer)) {
    if (isRecord(value)) for (const [inner, nested] of Object.entries(value)) yield [`${name}.${inner}`, nested];
  }
}
