import type { ApiEndpoint } from '../../../protocol/api-explorer.ts';
import type { RestEndpoint } from '../connectors/rest/config.ts';
import type { ServiceNowConfig } from '../connectors/servicenow/config.ts';
import { hasAnyPlaceholder } from '../connectors/rest/parameter-template.ts';
import { scrubSecrets } from '../connectors/resolve-settings.ts';
import { scriptedPath } from '../connectors/servicenow/scripted-api.ts';

type Parameters = ApiEndpoint['parameters'];

const display = {
  name: 'sysparm_display_value',
  hint: 'stored values, shown ones, or both',
  values: ['false', 'true', 'all'],
};
const query = { name: 'sysparm_query', hint: 'encoded query, such as active=true^ORDERBYsys_id' };
const flags = ['true', 'false'];

const listParameters: Parameters = [
  query,
  { name: 'sysparm_limit', hint: 'records of a page', values: ['10', '100', '1000'] },
  { name: 'sysparm_offset', hint: 'records to skip' },
  { name: 'sysparm_fields', hint: 'columns, separated by commas' },
  display,
  { name: 'sysparm_exclude_reference_link', hint: 'references as their keys alone', values: flags },
  { name: 'sysparm_view', hint: 'columns of a view' },
  { name: 'sysparm_no_count', hint: 'do not count', values: flags },
  { name: 'sysparm_suppress_pagination_header', hint: 'no Link header', values: flags },
  { name: 'sysparm_query_category', hint: 'category of indexes' },
  { name: 'sysparm_query_no_domain', hint: 'records of all domains', values: flags },
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
  })),
  { name: 'sysparm_group_by', hint: 'columns, separated by commas' },
  { name: 'sysparm_having', hint: 'such as count^state^>^5' },
  { name: 'sysparm_order_by', hint: 'such as COUNT' },
  display,
];

/** Every interface of an instance for each of its tables, then those that its owners wrote. */
export function platformEndpoints({
  tables = ['incident'],
  scripted,
  version,
}: ServiceNowConfig): readonly ApiEndpoint[] {
  const now = `/api/now${version === undefined ? '' : `/${version}`}`;
  const body = '{\n  "short_description": ""\n}';
  const ofTables = tables.flatMap((table): readonly ApiEndpoint[] => [
    { label: `Records of ${table}`, method: 'GET', path: `${now}/table/${table}`, parameters: listParameters },
    {
      label: `One record of ${table}`,
      method: 'GET',
      path: `${now}/table/${table}/SYS_ID`,
      parameters: recordParameters,
    },
    { label: `Figures of ${table}`, method: 'GET', path: `${now}/stats/${table}`, parameters: aggregateParameters },
    {
      label: `Create a record of ${table}`,
      method: 'POST',
      path: `${now}/table/${table}`,
      parameters: writeParameters,
      body,
    },
    {
      label: `Change a record of ${table}`,
      method: 'PATCH',
      path: `${now}/table/${table}/SYS_ID`,
      parameters: writeParameters,
      body,
    },
    { label: `Delete a record of ${table}`, method: 'DELETE', path: `${now}/table/${table}/SYS_ID`, parameters: [] },
  ]);
  return [
    ...ofTables,
    ...scripted.map((endpoint): ApiEndpoint => {
      const path = `/api/${scriptedPath(endpoint).join('/')}`;
      return { label: endpoint.name, method: 'GET', path, parameters: [] };
    }),
    {
      label: 'Attachments',
      method: 'GET',
      path: `${now}/attachment`,
      parameters: listParameters.filter(({ name }) => /query$|limit|offset/.test(name)),
    },
    {
      label: 'Insert a row into a staging table',
      method: 'POST',
      path: `${now}/import/STAGING_TABLE`,
      parameters: [],
      body: '{}',
    },
  ];
}

/** A configured endpoint, or one that a document describes; values that hold secrets, or placeholders, are not proposed. */
export function serviceEndpoint(
  { name, path, parameters, pagination }: RestEndpoint,
  secrets: readonly string[],
): ApiEndpoint {
  const isProposed = (value: string): boolean => !hasAnyPlaceholder(value) && scrubSecrets(value, secrets) === value;
  const paging = pagination
    ? [pagination.limitParameter, 'parameter' in pagination ? pagination.parameter : undefined].filter(
        (each) => each !== undefined,
      )
    : [];
  return {
    label: name,
    method: 'GET',
    path: path.startsWith('/') ? path : `/${path}`,
    parameters: [
      ...Object.entries(parameters).map(([each, value]) => ({
        name: each,
        hint: '',
        ...(isProposed(value) && { values: [value] }),
      })),
      ...paging.map((each) => ({ name: each, hint: 'paging' })),
    ],
  };
}
