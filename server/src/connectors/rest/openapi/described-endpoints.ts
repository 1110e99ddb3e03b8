import type { RestEndpoint } from '../../endpoints/endpoint.ts';
import type { Pagination } from '../../endpoints/pagination.ts';
import { detectPagination, usualSizeOf, type ParameterValues } from '../../endpoints/detect-pagination.ts';
import { isDescribed, type Described, type OpenApiDocument } from './document.ts';
import { columnOf, propertiesOf, type DescribedColumn } from './schema-columns.ts';
import { serverPath } from './server-path.ts';

/** An endpoint in a document that lists records. */
export interface DescribedEndpoint extends RestEndpoint {
  readonly described: ReadonlyMap<string, DescribedColumn>;
  readonly comment?: string;
  /** Required parameters without a value in the document, which prevent reading. */
  readonly wanted: readonly string[];
}

/**
 * The endpoints of an OpenAPI document whose responses are lists of objects; names of readable ones are unique,
 * ignoring case. Endpoints with path parameters are excluded.
 * @param basePath path of the base address.
 */
export function describedEndpoints(document: OpenApiDocument, basePath = '/'): readonly DescribedEndpoint[] {
  const { root } = document;
  const prefix = serverPath(root, basePath);
  const paths = Object.entries(document.object(root['paths']) ?? {});
  const taken = new Set<string>();
  return paths.flatMap(([path, item]) => {
    if (path.includes('{')) return [];
    const shared = document.object(item);
    const get = document.object(shared?.['get']);
    if (!shared || !get) return [];
    const parameters = parametersOf(document, [shared, get]);
    const list = listOf(document, responseOf(document, get));
    if (!list) return [];
    const columns = new Map([...list.properties].map(([name, schema]) => [name, columnOf(document, schema)]));
    if (columns.size === 0) return [];
    const values = new Map(parameters.map((each) => [parameterName(each), valuesOf(document, each)]));
    const pagination = detectPagination(values, list.beside);
    const usualSize = usualSizeOf(values);
    // Paging parameters are set by each request.
    const given = pagingParameters(pagination);
    const wanted = parameters
      .filter(isMissing)
      .map(parameterName)
      .filter((each) => !given.includes(each));
    const name = wanted.length > 0 ? nameOf(path, get) : freeName(nameOf(path, get), taken);
    const comment = [get['summary'], get['description']].find((each) => typeof each === 'string');
    return [
      {
        name,
        path: `${prefix}${path}`,
        parameters: {},
        records: list.path,
        key: columns.has('id') ? ['id'] : [],
        columns: Object.fromEntries([...columns].map(([column, { type }]) => [column, type])),
        described: columns,
        wanted,
        ...(typeof comment === 'string' && { comment }),
        ...(pagination && { pagination }),
        ...(usualSize !== undefined && { usualSize }),
      },
    ];
  });
}

function parametersOf(document: OpenApiDocument, places: readonly Described[]): readonly Described[] {
  const lists = places.map(({ parameters }): readonly unknown[] => (Array.isArray(parameters) ? parameters : []));
  return lists
    .flat()
    .map((each) => document.object(each))
    .filter((each) => each !== undefined);
}

function parameterName({ name }: Described): string {
  return typeof name === 'string' ? name : '';
}

/** Version 2.0 puts schema properties on the parameter itself. */
function valuesOf(document: OpenApiDocument, parameter: Described): ParameterValues {
  const schema = document.object(parameter['schema']) ?? parameter;
  return { fallback: whole(schema['default']), least: whole(schema['minimum']), most: whole(schema['maximum']) };
}

/** A non-negative integer, which some documents write as a text. */
function whole(value: unknown): number | undefined {
  const isGiven = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
  return isGiven && Number.isSafeInteger(Number(value)) && Number(value) >= 0 ? Number(value) : undefined;
}

/** Headers are for authentication, which the source configures. */
function isMissing({ required, in: place, default: fallback, schema }: Described): boolean {
  const given = fallback ?? (isDescribed(schema) ? schema['default'] : undefined);
  return required === true && place !== 'header' && given === undefined;
}

function pagingParameters(pagination: Pagination | undefined): readonly (string | undefined)[] {
  if (!pagination) return [];
  // A cursor is sent from the second page on.
  const place = 'parameter' in pagination && pagination.style !== 'cursor' ? pagination.parameter : undefined;
  return [pagination.limitParameter, place];
}

/** The JSON schema of the successful response. */
function responseOf(document: OpenApiDocument, operation: Described): unknown {
  const responses = document.object(operation['responses']) ?? {};
  const status = ['200', '2XX', 'default'].find((each) => responses[each] !== undefined);
  const response = status === undefined ? undefined : document.object(responses[status]);
  // Version 2.0 puts the schema on the response.
  if (!response || response['schema'] !== undefined) return response?.['schema'];
  const content = isDescribed(response['content']) ? Object.entries(response['content']) : [];
  const [, json] = content.find(([type]) => /^application\/(?:[\w.+-]*\+)?json\b/.test(type)) ?? [];
  return document.object(json)?.['schema'];
}

interface DescribedList {
  /** Path of the list. */
  readonly path: readonly string[];
  /** Schema of one record. */
  readonly properties: ReadonlyMap<string, unknown>;
  /** Sibling properties of the list, by path. */
  readonly beside: ReadonlyMap<string, readonly string[]>;
}

const usualNames = ['data', 'items', 'results', 'result', 'records', 'value', 'values', 'entries', 'content'];

/** The record list in a response: the response itself, a property, or a nested property. */
function listOf(document: OpenApiDocument, schema: unknown): DescribedList | undefined {
  const own = itemsOf(document, schema);
  if (own) return { path: [], properties: own, beside: new Map() };
  const lists: { readonly path: readonly string[]; readonly properties: ReadonlyMap<string, unknown> }[] = [];
  const beside = new Map<string, readonly string[]>();
  for (const [name, value] of propertiesOf(document, schema)) {
    const items = itemsOf(document, value);
    if (items) lists.push({ path: [name], properties: items });
    else beside.set(name, [name]);
    if (items) continue;
    for (const [inner, nested] of propertiesOf(document, value)) {
      const nestedItems = itemsOf(document, nested);
      if (nestedItems) lists.push({ path: [name, inner], properties: nestedItems });
      else if (!beside.has(inner)) beside.set(inner, [name, inner]);
    }
  }
  const rank = ({ path }: { readonly path: readonly string[] }): number => {
    const at = usualNames.indexOf(path.at(-1) ?? '');
    return path.length * 100 + (at < 0 ? usualNames.length : at);
  };
  const [first] = lists.sort((one, other) => rank(one) - rank(other));
  return first && { ...first, beside };
}

/** The properties of the objects in a list; undefined for other schemas. */
function itemsOf(document: OpenApiDocument, schema: unknown): ReadonlyMap<string, unknown> | undefined {
  const list = document.object(schema);
  if (list?.['type'] !== 'array') return undefined;
  const properties = propertiesOf(document, list['items']);
  return properties.size > 0 ? properties : undefined;
}

function nameOf(path: string, { operationId }: Described): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const last = segments.at(-1) ?? '';
  return /^[\w-]+$/.test(last) ? last : typeof operationId === 'string' ? operationId : segments.join('_');
}

function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${name}_${number}`;
  taken.add(free.toLowerCase());
  return free;
}
