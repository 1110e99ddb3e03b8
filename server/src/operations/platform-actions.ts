import { basename } from 'node:path';
import type { ActionPreview, ActionResult, PlatformAction } from '../../../protocol/platform-actions.ts';
import type { ConnectorContext } from '../connectors/create-connector.ts';
import { curlText, httpText } from '../connectors/http/request-text.ts';
import { withoutSecrets } from '../connectors/fetched/query-objects.ts';
import { actionRequest, endpointAddress } from '../connectors/servicenow/action-request.ts';
import { scrubSecrets } from '../connectors/resolve-settings.ts';
import { openServiceNow, serviceNowConnection } from '../connectors/servicenow/connection.ts';
import type { ServiceNowClient } from '../connectors/servicenow/client.ts';
import { SourceError } from '../connectors/source-error.ts';
import type { DataSource } from '../model/data-sources.ts';
import { type ProjectSurroundings, type SourcesFile, connectorContext } from '../project/open-project.ts';
import { downloadAttachment, listAttachments, uploadAttachment } from './attachment-actions.ts';
import { formattedJson, indentedJson } from './json-text.ts';
import { stageRows } from './stage-rows.ts';
import { firstStagingRow } from './staging-rows.ts';
import { isOutcomeUnknown, knownOutcome, placeToLook } from './unknown-outcome.ts';

export interface ActionOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (message: string) => void;
}

/**
 * What an action would send to the instance, without sending it. Needs no secret of it; of rows that are staged, the first is
 * read. Rejects with `source-config`, and with what keeps the rows from being read.
 */
export async function previewAction(
  sourcesFile: SourcesFile,
  source: DataSource,
  action: PlatformAction,
  surroundings: ProjectSurroundings,
  signal?: AbortSignal,
): Promise<ActionPreview> {
  checkAction(source, action);
  const context = await connectorContext(sourcesFile, { ...surroundings, readSecret: async () => 'unknown' });
  const { config } = await serviceNowConnection(source, context);
  const isStaging = action.kind === 'stage rows';
  const firstRow = isStaging ? await firstStagingRow(action.rows, surroundings, signal) : undefined;
  const request = actionRequest(action, config, firstRow);
  const shown = !isStaging ? '' : firstRow ? ' The request is shown with the first row.' : ' There are no rows.';
  return {
    summary: `${summaryOf(action, config.instanceUrl.host)}${shown}`,
    writes: writes(action),
    http: httpText(request),
    curl: curlText(request),
  };
}

/** Does it. Rejects with a `SourceError`; a row that could not be staged is an outcome, not an error. */
export async function runAction(
  sourcesFile: SourcesFile,
  source: DataSource,
  action: PlatformAction,
  surroundings: ProjectSurroundings,
  options: ActionOptions = {},
): Promise<ActionResult> {
  checkAction(source, action);
  const context: ConnectorContext = await connectorContext(sourcesFile, surroundings);
  const { client, secrets } = await openServiceNow(source, context);
  try {
    const result =
      action.kind === 'stage rows'
        ? await stageRows(client, action, surroundings, options)
        : await run(client, action, options);
    return scrubbed(result, [...secrets]);
  } catch (error) {
    if (options.signal?.aborted && !isOutcomeUnknown(error)) throw options.signal.reason;
    throw withoutSecrets(error, { secrets });
  } finally {
    client.close();
  }
}

async function run(
  client: ServiceNowClient,
  action: Exclude<PlatformAction, { kind: 'stage rows' }>,
  { signal, onProgress }: ActionOptions,
): Promise<ActionResult> {
  const options = { signal, onWait: (_: number, reason: string) => onProgress?.(reason) };
  const write = <T>(look: string, work: () => Promise<T>): Promise<T> => knownOutcome({ signal, look }, work);
  switch (action.kind) {
    case 'create record': {
      const { table, values } = action;
      const record = await write(placeToLook(action), () => client.tables.create(table, values, {}, options));
      const id = textOf(record['sys_id']);
      return { summary: `The record ${id} of ${action.table} is created.`, id, body: formattedJson(record) };
    }
    case 'update record': {
      const { table, id, values } = action;
      const record = await write(placeToLook(action), () => client.tables.update(table, id, values, {}, options));
      return { summary: `The record ${id} of ${table} is updated.`, id, body: formattedJson(record) };
    }
    case 'delete record': {
      const { table, id } = action;
      await write(placeToLook(action), () => client.tables.remove(table, id, {}, options));
      return { summary: `The record ${id} of ${table} is deleted.`, id };
    }
    case 'list attachments':
      return listAttachments(client, action, options);
    case 'upload attachment':
      return uploadAttachment(client, action, options);
    case 'download attachment':
      return downloadAttachment(client, action, options);
    case 'delete attachment':
      await write(placeToLook(action), () => client.attachments.remove(action.attachment, options));
      return { summary: `The attachment ${action.attachment} is deleted.`, id: action.attachment };
    case 'call endpoint': {
      const { method, body } = action;
      const { path, parameters } = endpointAddress(action);
      const request = { method, path: path.join('/'), ...(parameters && { parameters }) };
      const call = () => client.scripted.call({ ...request, ...(body !== undefined && { body }) }, options);
      const { status, text } = await (writes(action) ? write(placeToLook(action), call) : call());
      const said = indentedJson(text) ?? text;
      return {
        summary: `${method} /api/${path.join('/')}: status ${status}.`,
        ...(said !== '' && { body: said }),
      };
    }
  }
}

/** The other side may repeat what it was sent. */
function scrubbed(result: ActionResult, secrets: readonly string[]): ActionResult {
  const { body, rows } = result;
  return {
    ...result,
    ...(body !== undefined && { body: scrubSecrets(body, secrets) }),
    ...(rows && {
      rows: rows.map((row) =>
        row.message === undefined ? row : { ...row, message: scrubSecrets(row.message, secrets) },
      ),
    }),
  };
}

function checkAction(source: DataSource, action: PlatformAction): void {
  const kind = source.kind?.value;
  if (kind !== 'servicenow') {
    throw new SourceError(
      'source-config',
      `Data source ${source.name.value} is no instance of the platform: its kind is ${kind}.`,
      {
        remedy: 'Name a data source of kind servicenow.',
      },
    );
  }
  if ('table' in action && !/^\w+$/.test(action.table)) throw wrong(`"${action.table}" is no name of a table.`);
  if ('id' in action && !/^[\w.-]+$/.test(action.id)) throw wrong(`"${action.id}" is no sys_id.`);
  if ('attachment' in action && !/^\w+$/.test(action.attachment)) throw wrong(`"${action.attachment}" is no sys_id.`);
  if ('values' in action && Object.keys(action.values).length === 0) throw wrong('No field is set.');
  if (action.kind === 'call endpoint' && action.body !== undefined) {
    try {
      JSON.parse(action.body);
    } catch (error) {
      throw wrong(`The body is no JSON: ${(error as Error).message}.`);
    }
  }
}

function wrong(message: string): SourceError {
  return new SourceError('source-config', message);
}

/** Whether an action may change something. */
export function writes(action: PlatformAction): boolean {
  if (action.kind === 'call endpoint') return action.method !== 'GET';
  return action.kind !== 'list attachments' && action.kind !== 'download attachment';
}

function summaryOf(action: PlatformAction, host: string): string {
  switch (action.kind) {
    case 'create record':
      return `Creates a record of ${action.table} at ${host}.`;
    case 'update record':
      return `Changes ${Object.keys(action.values).join(', ')} of the record ${action.id} of ${action.table} at ${host}.`;
    case 'delete record':
      return `Deletes the record ${action.id} of ${action.table} at ${host}.`;
    case 'list attachments':
      return `Lists the attachments of ${action.id} of ${action.table} at ${host}.`;
    case 'upload attachment':
      return `Attaches ${basename(action.file)} to ${action.id} of ${action.table} at ${host}.`;
    case 'download attachment':
      return `Saves the attachment ${action.attachment} of ${host} as ${action.target}.`;
    case 'delete attachment':
      return `Deletes the attachment ${action.attachment} at ${host}.`;
    case 'stage rows':
      return `Inserts rows into ${action.table} at ${host}, ${action.bulk ? 'all at once' : 'one by one'}.`;
    case 'call endpoint':
      return `Calls ${action.method} /api/${action.path.replace(/^\/+/, '')} at ${host}.`;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
