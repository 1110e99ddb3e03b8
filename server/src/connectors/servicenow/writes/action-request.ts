import { basename } from 'node:path';
import type { FieldValues, PlatformAction, WrittenFields } from '../../../../../protocol/platform-actions.ts';
import { loginLines, shownAddress } from '../../fetched/login-lines.ts';
import type { FormPart, ShownRequest } from '../../http/request-text.ts';
import type { EndpointCall, RequestedAction } from '../../source-writer.ts';
import { type FormUpload, formParameters, formParts, formType, uploadParameters } from '../api/attachment-api.ts';
import { jsonBody, requestUrl } from '../api/call-platform.ts';
import type { ServiceNowConfig } from '../read-settings.ts';
import { sysparms, type TableParameters } from '../api/parameters.ts';
import { scriptedAccept, scriptedPath } from '../api/scripted-api.ts';

interface Described {
  readonly method: string;
  /** Path segments below `/api`. */
  readonly path: readonly string[];
  readonly parameters?: URLSearchParams | undefined;
  readonly body?: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly file?: string;
  readonly form?: readonly FormPart[];
}

/** The exact request of an action; for staging, that of the first row. */
export function actionRequest(
  action: RequestedAction,
  config: Pick<ServiceNowConfig, 'instanceUrl' | 'auth' | 'version'> & Partial<Pick<ServiceNowConfig, 'formUpload'>>,
  firstRow: FieldValues | undefined = undefined,
): ShownRequest {
  const { instanceUrl, auth, version, formUpload = 'file' } = config;
  const now = ['now', ...(version === undefined ? [] : [version])];
  const { method, contentType, accept, body, file, form, ...address } = describe(action, { now, formUpload }, firstRow);
  return {
    method,
    url: shownAddress(requestUrl(instanceUrl, address), auth),
    headers: [
      `Accept: ${accept ?? 'application/json'}`,
      ...(contentType === undefined ? [] : [`Content-Type: ${contentType}`]),
      ...loginLines(auth),
    ],
    certificate: auth.kind === 'mtls' ? auth.certificate : undefined,
    body,
    file,
    form,
  };
}

interface RequestAddress {
  /** Path segments of `/api/now` with the configured version. */
  readonly now: readonly string[];
  readonly formUpload: FormUpload;
}

function describe(
  action: RequestedAction,
  { now, formUpload }: RequestAddress,
  firstRow: FieldValues | undefined,
): Described {
  switch (action.kind) {
    case 'create record':
      return { method: 'POST', path: [...now, 'table', action.table], ...fieldsBody(action) };
    case 'update record':
      return { method: 'PATCH', path: [...now, 'table', action.table, action.id], ...fieldsBody(action) };
    case 'delete record':
      return { method: 'DELETE', path: [...now, 'table', action.table, action.id] };
    case 'list attachments':
      return {
        method: 'GET',
        path: [...now, 'attachment'],
        parameters: new URLSearchParams({
          sysparm_query: attachmentsQuery(action.table, action.id),
          sysparm_limit: String(attachmentsPage),
          sysparm_offset: '0',
        }),
      };
    case 'upload attachment':
      return uploadRequest(action, { now, formUpload });
    case 'download attachment':
      return { method: 'GET', path: [...now, 'attachment', action.attachment, 'file'], accept: '*/*' };
    case 'delete attachment':
      return { method: 'DELETE', path: [...now, 'attachment', action.attachment] };
    case 'stage rows': {
      const path = [...now, 'import', action.table];
      return action.bulk
        ? { method: 'POST', path: [...path, 'insertMultiple'], ...jsonBody({ records: firstRow ? [firstRow] : [] }) }
        : { method: 'POST', path, ...jsonBody(firstRow ?? {}) };
    }
    case 'call endpoint': {
      const { body } = action;
      const content = body === undefined ? {} : { body, contentType: 'application/json' };
      return { method: action.method, ...endpointAddress(action), ...content, accept: scriptedAccept };
    }
  }
}

function fieldsBody(fields: WrittenFields): Pick<Described, 'parameters' | 'body' | 'contentType'> {
  const parameters = sysparms(writeParameters(fields));
  return { parameters: parameters.size > 0 ? parameters : undefined, ...jsonBody(fields.values) };
}

/** Query parameters of a write; with display values, the response contains them too. */
export function writeParameters({
  inputDisplayValue = false,
}: Pick<WrittenFields, 'inputDisplayValue'>): TableParameters {
  return inputDisplayValue ? { inputDisplayValue, displayValue: 'all' } : {};
}

function uploadRequest(
  { table, id, file, asForm }: Extract<PlatformAction, { kind: 'upload attachment' }>,
  { now, formUpload }: RequestAddress,
): Described {
  const attachment = { table, recordId: id, fileName: basename(file), contentType: contentTypeOf(file) };
  const contents = `<${basename(file)}>`;
  if (!asForm) {
    return {
      method: 'POST',
      path: [...now, 'attachment', 'file'],
      parameters: new URLSearchParams(uploadParameters(attachment)),
      contentType: attachment.contentType,
      body: contents,
      file,
    };
  }
  // The boundary differs for each request.
  const boundary = 'form-…';
  const { head, tail } = formParts(attachment, boundary, formUpload);
  return {
    method: 'POST',
    path: [...now, 'attachment', formUpload],
    ...formParameters(attachment, formUpload),
    contentType: formType(boundary),
    body: `${head}${contents}${tail}`.replaceAll('\r\n', '\n').trimEnd(),
    form: [
      ...(formUpload === 'upload'
        ? [
            { name: 'table_name', value: table },
            { name: 'table_sys_id', value: id },
          ]
        : []),
      { name: 'uploadFile', file, contentType: attachment.contentType },
    ],
  };
}

/** Path and parameters of an endpoint: those in the path's query, then the named ones. */
export function endpointAddress({ path, parameters }: Pick<EndpointCall, 'path' | 'parameters'>): {
  readonly path: readonly string[];
  readonly parameters?: URLSearchParams | undefined;
} {
  const [, bare = '', query = ''] = /^([^?#]*)\??([^#]*)/.exec(path) ?? [];
  const all = new URLSearchParams(query);
  for (const [name, value] of Object.entries(parameters)) all.append(name, value);
  return { path: scriptedPath({ path: bare }), parameters: all.size > 0 ? all : undefined };
}

/** The platform's default page size. */
export const attachmentsPage = 1000;

/** The attachments of one record after the key `last`, in a stable order. */
export function attachmentsQuery(table: string, id: string, last = ''): string {
  const behind = last === '' ? '' : `^sys_id>${last}`;
  return `table_name=${table}^table_sys_id=${id}${behind}^ORDERBYsys_id`;
}

/** Content type from the file extension. ServiceNow requires one and uses it to render previews. */
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
