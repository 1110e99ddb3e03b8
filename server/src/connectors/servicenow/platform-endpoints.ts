import type { ApiEndpoint, PathParameter } from '../../../../protocol/api-explorer.ts';
import { ownParameters } from '../endpoints/own-parameters.ts';
import type { ServiceNowConfig } from './read-settings.ts';
import { scriptedPath } from './api/scripted-api.ts';

type Parameters = ApiEndpoint['parameters'];

const pathParameters: readonly PathParameter[] = [
  { name: 'sys_id', placeholder: 'SYS_ID', hint: 'the sys_id of a record' },
  { name: 'table', placeholder: 'TABLE', hint: 'the name of a table' },
  { name: 'staging table', placeholder: 'STAGING_TABLE', hint: 'the name of a staging table' },
];

/** The endpoint with the parameters of its path, if any. */
function withPathParameters(endpoint: ApiEndpoint): ApiEndpoint {
  const segments = new Set(endpoint.path.split('/'));
  const own = pathParameters.filter(({ placeholder = '' }) => segments.has(placeholder));
  return own.length === 0 ? endpoint : { ...endpoint, pathParameters: own };
}

/** A first look shows a small page. */
function withFirstPage(parameter: Parameters[number]): Parameters[number] {
  return parameter.name === 'sysparm_limit' ? { ...parameter, value: '10' } : parameter;
}

const display = {
  name: 'sysparm_display_value',
  hint: 'stored values, shown ones, or both',
  values: ['false', 'true', 'all'],
};
const query = {
  name: 'sysparm_query',
  hint: 'encoded query, such as active=true^ORDERBYsys_id',
  names: 'query',
} as const;
const flags = ['true', 'false'];

const noDomain = { name: 'sysparm_query_no_domain', hint: 'records of all domains', values: flags };

const listParameters: Parameters = [
  query,
  withFirstPage({ name: 'sysparm_limit', hint: 'records of a page', values: ['10', '100', '1000'] }),
  { name: 'sysparm_offset', hint: 'records to skip' },
  { name: 'sysparm_fields', hint: 'columns, separated by commas', names: 'columns' },
  display,
  { name: 'sysparm_exclude_reference_link', hint: 'references as their keys alone', values: flags },
  { name: 'sysparm_view', hint: 'columns of a view' },
  { name: 'sysparm_no_count', hint: 'do not count', values: flags },
  { name: 'sysparm_suppress_pagination_header', hint: 'no Link header', values: flags },
  { name: 'sysparm_query_category', hint: 'category of indexes' },
  noDomain,
];

const recordParameters: Parameters = listParameters.filter(({ name }) => /fields|display|link|view|domain/.test(name));

const writeParameters: Parameters = [
  ...recordParameters,
  { name: 'sysparm_input_display_value', hint: 'values are given as shown', values: flags },
];

const aggregateParameters: Parameters = [
  { name: 'sysparm_count', hint: 'how many', values: flags },
  query,
  ...['sum', 'avg', 'min', 'max'].map((what) => ({
    name: `sysparm_${what}_fields`,
    hint: 'columns, separated by commas',
    names: 'columns' as const,
  })),
  { name: 'sysparm_group_by', hint: 'columns, separated by commas', names: 'columns' },
  { name: 'sysparm_having', hint: 'such as count^state^>^5' },
  { name: 'sysparm_order_by', hint: 'such as COUNT' },
  display,
];

/** The endpoint whose response is a file, with the content type of that file. */
const attachmentFile = '/attachment/SYS_ID/file';
const attachmentFilePath = new RegExp(`${attachmentFile.replace('SYS_ID', '[^/]+')}/?$`);

/** The `Accept` header of requests to a path; undefined for JSON. */
export function acceptOf(path: string): string | undefined {
  return attachmentFilePath.test(path) ? '*/*' : undefined;
}

const recordBody = '{\n  "short_description": ""\n}';

/** Every API of an instance for each of its tables, then attachments, staging tables and scripted APIs. */
export function platformEndpoints(
  {
    tables,
    scripted,
    version,
  }: Pick<ServiceNowConfig, 'scripted' | 'version'> & { readonly tables: readonly string[] },
  secrets: readonly string[],
): readonly ApiEndpoint[] {
  const now = `/api/now${version === undefined ? '' : `/${version}`}`;
  return [
    ...tables.flatMap((table) => tableEndpoints(now, table, table)),
    ...scripted.map((endpoint): ApiEndpoint => {
      const [bare = ''] = endpoint.path.split('?');
      const path = `/api/${scriptedPath({ ...endpoint, path: bare }).join('/')}`;
      return {
        label: endpoint.name,
        method: 'GET',
        path,
        parameters: ownParameters(endpoint, secrets).map(withFirstPage),
      };
    }),
    ...attachmentEndpoints(now),
    ...stagingEndpoints(now),
    // Last, so that paths of known tables have priority.
    ...tableEndpoints(now, 'TABLE', 'another table'),
  ].map(withPathParameters);
}

function tableEndpoints(now: string, table: string, called: string): readonly ApiEndpoint[] {
  const [list, one] = [`${now}/table/${table}`, `${now}/table/${table}/SYS_ID`];
  return [
    { label: `Records of ${called}`, method: 'GET', path: list, parameters: listParameters },
    { label: `One record of ${called}`, method: 'GET', path: one, parameters: recordParameters },
    { label: `Figures of ${called}`, method: 'GET', path: `${now}/stats/${table}`, parameters: aggregateParameters },
    {
      label: `Create a record of ${called}`,
      method: 'POST',
      path: list,
      parameters: writeParameters,
      body: recordBody,
    },
    {
      label: `Change a record of ${called}`,
      method: 'PATCH',
      path: one,
      parameters: writeParameters,
      body: recordBody,
    },
    { label: `Replace a record of ${called}`, method: 'PUT', path: one, parameters: writeParameters, body: recordBody },
    { label: `Delete a record of ${called}`, method: 'DELETE', path: one, parameters: [noDomain] },
  ];
}

function attachmentEndpoints(now: string): readonly ApiEndpoint[] {
  const all = `${now}/attachment`;
  const query = { name: 'sysparm_query', hint: 'such as table_name=incident^table_sys_id=…' };
  const place = listParameters.filter(({ name }) => /limit|offset/.test(name));
  const file = [
    { name: 'table_name', hint: 'table of the record' },
    { name: 'table_sys_id', hint: 'key of the record' },
    { name: 'file_name', hint: 'such as notes.json' },
    { name: 'encryption_context', hint: 'key of the context to encrypt with' },
    { name: 'creation_time', hint: 'UTC, yyyy-MM-dd HH:mm:ss' },
  ];
  return [
    { label: 'Attachments', method: 'GET', path: all, parameters: [query, ...place] },
    { label: 'One attachment', method: 'GET', path: `${all}/SYS_ID`, parameters: [] },
    { label: 'File of an attachment', method: 'GET', path: `${now}${attachmentFile}`, parameters: [] },
    { label: 'Attach a JSON file to a record', method: 'POST', path: `${all}/file`, parameters: file, body: '{}' },
    { label: 'Delete an attachment', method: 'DELETE', path: `${all}/SYS_ID`, parameters: [] },
  ];
}

function stagingEndpoints(now: string): readonly ApiEndpoint[] {
  const one = `${now}/import/STAGING_TABLE`;
  const sets = [
    { name: 'multi_import_set_id', hint: 'multiple import set to add to' },
    { name: 'run_after', hint: 'import set that has to be done before' },
  ];
  const label = 'Insert rows into a staging table, transformed later';
  const body = '{\n  "records": [\n    {}\n  ]\n}';
  return [
    { label: 'Insert a row into a staging table', method: 'POST', path: one, parameters: [], body: '{}' },
    { label, method: 'POST', path: `${one}/insertMultiple`, parameters: sets, body },
    { label: 'Outcome of a staged row', method: 'GET', path: `${one}/SYS_ID`, parameters: [] },
  ];
}
