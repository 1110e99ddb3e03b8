import { basename } from 'node:path';
import type { PlatformAction } from '../../../../protocol/platform-actions.ts';
import { loginLines } from '../fetched/login-lines.ts';
import type { ShownRequest } from '../http/request-text.ts';
import { requestUrl } from './call-platform.ts';
import type { ServiceNowConfig } from './config.ts';
import { scriptedPath } from './scripted-api.ts';

interface Described {
  readonly method: string;
  /** Segments below `/api`. */
  readonly path: readonly string[];
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly file?: string;
}

/** The request of an action; of rows that are staged, that of the first. */
export function actionRequest(
  action: PlatformAction,
  config: Pick<ServiceNowConfig, 'instanceUrl' | 'auth' | 'version'>,
): ShownRequest {
  const { instanceUrl, auth, version } = config;
  const { method, path, parameters, body, contentType, accept, file } = describe(action, [
    'now',
    ...(version === undefined ? [] : [version]),
  ]);
  const url = requestUrl(instanceUrl, { path, ...(parameters && { parameters: new URLSearchParams(parameters) }) });
  const login = loginLines(auth.kind, auth.kind === 'apiKey' ? auth.header : 'Authorization');
  return {
    method,
    url,
    headers: [
      `Accept: ${accept ?? 'application/json'}`,
      ...(contentType === undefined ? [] : [`Content-Type: ${contentType}`]),
      ...login,
    ],
    ...(body !== undefined && { body }),
    ...(file !== undefined && { file }),
  };
}

function describe(action: PlatformAction, now: readonly string[]): Described {
  switch (action.kind) {
    case 'create record':
      return { method: 'POST', path: [...now, 'table', action.table], ...json(action.values) };
    case 'update record':
      return { method: 'PATCH', path: [...now, 'table', action.table, action.id], ...json(action.values) };
    case 'delete record':
      return { method: 'DELETE', path: [...now, 'table', action.table, action.id] };
    case 'list attachments':
      return {
        method: 'GET',
        path: [...now, 'attachment'],
        parameters: { sysparm_query: attachmentsQuery(action.table, action.id) },
      };
    case 'upload attachment':
      return uploadRequest(action, now);
    case 'download attachment':
      return { method: 'GET', path: [...now, 'attachment', action.attachment, 'file'], accept: '*/*' };
    case 'delete attachment':
      return { method: 'DELETE', path: [...now, 'attachment', action.attachment] };
    case 'stage rows':
      return action.bulk
        ? {
            method: 'POST',
            path: [...now, 'import', action.table, 'insertMultiple'],
            ...placeholder('{"records": [ …rows… ]}'),
          }
        : { method: 'POST', path: [...now, 'import', action.table], ...placeholder('{ …one row, again for each… }') };
    case 'call endpoint':
      return {
        method: action.method,
        path: scriptedPath({ path: action.path }),
        ...(Object.keys(action.parameters).length > 0 && { parameters: action.parameters }),
        ...(action.body !== undefined && placeholder(action.body)),
      };
  }
}

function uploadRequest(
  { table, id, file, asForm }: Extract<PlatformAction, { kind: 'upload attachment' }>,
  now: readonly string[],
): Described {
  const contents = `<${basename(file)}>`;
  if (asForm) {
    const body = `table_name=${table}\ntable_sys_id=${id}\nuploadFile=${contents}`;
    return { method: 'POST', path: [...now, 'attachment', 'upload'], contentType: 'multipart/form-data', body };
  }
  return {
    method: 'POST',
    path: [...now, 'attachment', 'file'],
    parameters: { table_name: table, table_sys_id: id, file_name: basename(file) },
    contentType: contentTypeOf(file),
    body: contents,
    file,
  };
}

/** The attachments of one record. */
export function attachmentsQuery(table: string, id: string): string {
  return `table_name=${table}^table_sys_id=${id}`;
}

/** By the ending of the name; the instance wants one, and shows pictures and texts by it. */
export function contentTypeOf(file: string): string {
  const ending = /\.([^.]+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  return contentTypes[ending] ?? 'application/octet-stream';
}

const contentTypes: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  xml: 'application/xml',
  pdf: 'application/pdf',
  zip: 'application/zip',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  svg: 'image/svg+xml',
};

function json(value: unknown): Pick<Described, 'body' | 'contentType'> {
  return placeholder(JSON.stringify(value, null, 2));
}

function placeholder(body: string): Pick<Described, 'body' | 'contentType'> {
  return { body, contentType: 'application/json' };
}
