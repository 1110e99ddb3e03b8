import type { SimulatedRecord } from './demo-data.ts';
import { failure, type SimulatedAnswer, type SimulatedRequest } from './http-answer.ts';
import { deleteRecord, findRecord, insertRecord, select, tableExists, type Instance } from './instance.ts';
import { utcText } from './demo-data.ts';
import { matchingQuery } from './matching-query.ts';
import { shapeRecord, storedValues } from './record-shape.ts';
import { columnsOf, simulatedViews } from './schema.ts';

/** `/api/now[/v1|/v2]/table/{table}[/{sys_id}]`. */
export function tableApi(
  instance: Instance,
  request: SimulatedRequest,
  version: string | undefined,
  table: string,
  id: string | undefined,
): SimulatedAnswer {
  if (!tableExists(instance, table)) return failure(400, `Invalid table ${table}`);
  if (simulatedViews.has(table) && (id !== undefined || request.method !== 'GET'))
    return failure(403, 'Operation Failed', 'Database views can only be listed');
  if (id === undefined) {
    if (request.method === 'GET' || request.method === 'HEAD') return list(instance, request, version, table);
    if (request.method === 'POST') return create(instance, request, table);
    return failure(405, 'Method not supported');
  }
  const record = findRecord(instance, table, id);
  const isForeign = record && instance.settings.otherDomain(table, record) && !acrossDomains(instance, request);
  if (!record || isForeign || !instance.settings.mayRead(table, record)) return notFound();
  const shown = (): object => ({ result: shapeRecord(instance, table, record, request.parameters, request.baseUrl) });
  switch (request.method) {
    case 'GET':
      return { status: 200, body: shown() };
    case 'PUT':
    case 'PATCH': {
      const given = parseRecord(request);
      if (!given) return badBody();
      const values = storedValues(instance, table, given, request.parameters);
      for (const { element } of columnsOf(table)) {
        if (element in values && element !== 'sys_id') record[element] = values[element] ?? '';
      }
      record['sys_mod_count'] = String(Number(record['sys_mod_count'] ?? '0') + 1);
      record['sys_updated_on'] = utcText(instance.now());
      return withoutBody(request) ? { status: 200 } : { status: 200, body: shown() };
    }
    case 'DELETE':
      deleteRecord(instance, table, id);
      return { status: 204 };
    default:
      return failure(405, 'Method not supported');
  }
}

const defaultLimit = 10_000;

function list(
  instance: Instance,
  request: SimulatedRequest,
  version: string | undefined,
  table: string,
): SimulatedAnswer {
  const { parameters, baseUrl } = request;
  const query = parameters.get('sysparm_query') ?? matchingQuery(instance, table, parameters);
  const offset = Number(parameters.get('sysparm_offset') ?? '0');
  const limit = Math.min(Number(parameters.get('sysparm_limit') ?? defaultLimit), instance.settings.maxPage);
  if (!(offset >= 0) || !(limit >= 0)) return failure(400, 'Invalid sysparm_offset or sysparm_limit');
  const { records: selected, forbidden } = select(instance, table, query);
  if (forbidden)
    return failure(
      403,
      'Insufficient rights to query records',
      'Field(s) present in the query do not have permission to be read',
    );
  const { mayRead, emptyRows, otherDomain, pageCounts, limitAfterAcl } = instance.settings;
  const records = acrossDomains(instance, request)
    ? selected
    : selected.filter((record) => !otherDomain(table, record));
  const readable = records.filter((record) => mayRead(table, record));
  const total = pageCounts === 'all' ? records.length : readable.length;
  const page = (limitAfterAcl ? readable : records).slice(offset, offset + limit).flatMap((record) => {
    if (mayRead(table, record)) return [shapeRecord(instance, table, record, parameters, baseUrl)];
    return emptyRows ? [{}] : [];
  });
  if (records.length === 0 && version === 'v1')
    return failure(404, 'No Record found', "Record doesn't exist or ACL restricts the record retrieval");
  const counted = parameters.get('sysparm_no_count') !== 'true';
  const linked = parameters.get('sysparm_suppress_pagination_header') !== 'true' && total > limit;
  return {
    status: 200,
    headers: {
      ...(counted && { 'X-Total-Count': String(total) }),
      ...(linked && { Link: linkHeader(request, total, offset, limit, counted) }),
    },
    body: { result: page },
  };
}

function linkHeader(request: SimulatedRequest, total: number, offset: number, limit: number, counted: boolean): string {
  const url = (at: number): string => {
    const parameters = new URLSearchParams(request.parameters);
    parameters.set('sysparm_limit', String(limit));
    parameters.set('sysparm_offset', String(at));
    return `${request.baseUrl}${request.path}?${parameters.toString().replaceAll('%2C', ',')}`;
  };
  const last = Math.floor((total - 1) / limit) * limit;
  return [
    `<${url(0)}>;rel="first"`,
    ...(offset > 0 ? [`<${url(Math.max(0, offset - limit))}>;rel="prev"`] : []),
    ...(offset + limit < total ? [`<${url(offset + limit)}>;rel="next"`] : []),
    ...(counted ? [`<${url(last)}>;rel="last"`] : []),
  ].join(',');
}

function create(instance: Instance, request: SimulatedRequest, table: string): SimulatedAnswer {
  const given = parseRecord(request);
  if (!given) return badBody();
  const record = insertRecord(instance, table, storedValues(instance, table, given, request.parameters), request.user);
  const headers = { Location: `${request.baseUrl}/api/now/table/${table}/${record['sys_id']}` };
  if (withoutBody(request)) return { status: 201, headers };
  return {
    status: 201,
    headers,
    body: { result: shapeRecord(instance, table, record, request.parameters, request.baseUrl) },
  };
}

/** The body as a record of strings; of several records only the first counts. */
export function parseRecord(request: SimulatedRequest): SimulatedRecord | undefined {
  try {
    const parsed = JSON.parse(request.body.toString('utf8')) as unknown;
    const first = Array.isArray(parsed) ? (parsed[0] as unknown) : parsed;
    if (typeof first !== 'object' || first === null) return undefined;
    return Object.fromEntries(
      Object.entries(first).map(([name, value]) => [name, value === null ? '' : String(value as string)]),
    );
  } catch {
    return undefined;
  }
}

/** Whether a request reaches every domain; a refusal is not reported. */
export function acrossDomains({ settings }: Instance, { parameters }: SimulatedRequest): boolean {
  return settings.mayCrossDomains && parameters.get('sysparm_query_no_domain') === 'true';
}

function withoutBody(request: SimulatedRequest): boolean {
  return request.headers['x-no-response-body'] === 'true';
}

export function notFound(): SimulatedAnswer {
  return failure(404, 'No Record found', "Record doesn't exist or ACL restricts the record retrieval");
}

export function badBody(): SimulatedAnswer {
  return failure(400, 'Exception while reading request', 'The payload is not valid JSON');
}
