import { basename } from 'node:path';
import type {
  ActionPreview,
  ActionResult,
  PlatformAction,
  WrittenFields,
} from '../../../../protocol/platform-actions.ts';
import type { ConnectorContext } from '../../connectors/connector-context.ts';
import { redactTrace } from '../../connectors/fetched/query-objects.ts';
import { curlText, httpText } from '../../connectors/http/request-text.ts';
import { redactSecrets } from '../../connectors/redact-secrets.ts';
import { placeholderSecrets } from '../../connectors/secret-placeholders.ts';
import { SourceError } from '../../connectors/source-error.ts';
import type { KindWriter } from '../../connectors/source-kind.ts';
import { sourceKind, sourceKinds } from '../../connectors/source-kinds.ts';
import type { RecordWriter, RequestedAction, WrittenRecord } from '../../connectors/source-writer.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { formattedJson, indentedJson } from '../../model/indented-json.ts';
import { type ProjectContext, type SourcesFile, connectorContext } from '../../project/open-project.ts';
import { writeNotAllowed, writesInSources } from '../../project/without-writes.ts';
import type { ActionOptions } from './action-options.ts';
import { downloadAttachment, listAttachments, sizeOfUpload, uploadAttachment } from './attachment-actions.ts';
import { stageRows } from './stage-rows.ts';
import { type StagingSample, sampleStagingRows } from './read-staging-rows.ts';
import { unknownColumnWarnings } from './unknown-columns.ts';
import { isOutcomeUnknown, knownOutcome, whereToCheck } from './unknown-outcome.ts';
import { type WriteRecords, planWrites, writeRecords, writeSummary } from './write-records.ts';

/**
 * The request of an action, without sending it. Needs no secret of the instance; reads the rows of a file, or the first
 * row of a query, and the columns of the table if possible. Rejects with `source-config`, and when the rows cannot be
 * read.
 */
export async function previewAction(
  sourcesFile: SourcesFile,
  source: DataSource,
  given: PlatformAction,
  projectContext: ProjectContext,
  { signal, onProgress }: ActionOptions = {},
): Promise<ActionPreview> {
  const { recordKey: key, load } = writerOf(source);
  const writer = await load();
  const context = await connectorContext(sourcesFile, { ...projectContext, ...placeholderSecrets });
  const description = await writer.describe(source, context);
  const action = description.checked(given);
  const { href, host } = description.address;
  if (isOfMany(action)) {
    const plan = await planWrites(action, { instance: href, key }, projectContext, signal);
    const request = description.request(plan.first, undefined);
    const [http, curl] = [httpText(request), curlText(request)];
    const shown = action.kind === 'update records' ? asShown(action) : '';
    return {
      summary: writeSummary(action, `${host}${shown}`, plan),
      writes: plan.open > 0,
      http,
      curl,
      warnings: plan.warnings.length > 0 ? plan.warnings : undefined,
    };
  }
  const size = action.kind === 'upload attachment' ? await sizeOfUpload(action.file) : undefined;
  const sample =
    action.kind === 'stage rows'
      ? await sampleStagingRows(action.rows, projectContext, { signal, onProgress }, action.from)
      : undefined;
  const request = description.request(action, sample?.first);
  const isStaging = action.kind === 'stage rows' && sample?.first !== undefined;
  if (isStaging) onProgress?.(`Reading the columns of ${action.table} at ${host}`);
  const strange = isStaging
    ? await unknownColumnWarnings(
        writer,
        source,
        await connectorContext(sourcesFile, projectContext),
        { table: action.table, bulk: action.bulk, names: sample.columns },
        signal,
      )
    : [];
  const warnings = [...(sample?.warnings ?? []), ...strange];
  return {
    summary: summaryOf(action, { host, sample, size }),
    writes: writes(action),
    http: httpText(request),
    curl: curlText(request),
    warnings: warnings.length > 0 ? warnings : undefined,
  };
}

/** Runs an action. Rejects with a `SourceError`; rows that could not be staged are part of the result. */
export async function runAction(
  sourcesFile: SourcesFile,
  source: DataSource,
  given: PlatformAction,
  projectContext: ProjectContext,
  options: ActionOptions = {},
): Promise<ActionResult> {
  if (writes(given) && !writesInSources(projectContext)) throw writeNotAllowed(source.name.value);
  const { recordKey: key, load } = writerOf(source);
  const { open } = await load();
  const context: ConnectorContext = await connectorContext(sourcesFile, projectContext);
  const { writer, description, secrets, close } = await open(source, context);
  try {
    const action = description.checked(given);
    const result = isOfMany(action)
      ? await writeRecords(writer, action, { instance: description.address.href, key }, projectContext, options)
      : action.kind === 'stage rows'
        ? await stageRows(writer, action, projectContext, options)
        : await run(writer, action, options);
    return scrubbed(result, [...secrets]);
  } catch (error) {
    if (options.signal?.aborted && !isOutcomeUnknown(error)) throw options.signal.reason;
    throw redactTrace(error, { secrets });
  } finally {
    close();
  }
}

async function run(
  writer: RecordWriter,
  action: Exclude<RequestedAction, { kind: 'stage rows' }>,
  { signal, onProgress }: ActionOptions,
): Promise<ActionResult> {
  const options = { signal, onWait: (_: number, reason: string) => onProgress?.(reason) };
  const write = <T>(look: string, work: () => Promise<T>): Promise<T> => knownOutcome({ signal, look }, work);
  switch (action.kind) {
    case 'create record': {
      const { table } = action;
      const written = await write(whereToCheck(action), () => writer.create(table, action, options));
      const { id } = written;
      const made = id === '' ? `A record of ${table} is created` : `The record ${id} of ${table} is created`;
      return { summary: `${made}.`, id: id === '' ? undefined : id, ...shown(written) };
    }
    case 'update record': {
      const { table, id } = action;
      const written = await write(whereToCheck(action), () => writer.update(table, id, action, options));
      return { summary: `The record ${id} of ${table} is updated.`, id, ...shown(written) };
    }
    case 'delete record': {
      const { table, id } = action;
      await write(whereToCheck(action), () => writer.remove(table, id, options));
      return { summary: `The record ${id} of ${table} is deleted.`, id };
    }
    case 'list attachments':
      return listAttachments(writer, action, options);
    case 'upload attachment':
      return uploadAttachment(writer, action, options);
    case 'download attachment':
      return downloadAttachment(writer, action, options);
    case 'delete attachment':
      await write(whereToCheck(action), () => writer.attachments.remove(action.attachment, options));
      return { summary: `The attachment ${action.attachment} is deleted.`, id: action.attachment };
    case 'call endpoint': {
      const call = () => writer.call(action, options);
      const { asked, status, text } = await (writes(action) ? write(whereToCheck(action), call) : call());
      const said = indentedJson(text) ?? text;
      return {
        summary: `${asked}: status ${status}.`,
        body: said === '' ? undefined : said,
      };
    }
  }
}

/** A record after a write, and deviations from the requested values. */
function shown({ record, warnings }: WrittenRecord): Pick<ActionResult, 'body' | 'warnings'> {
  return { body: formattedJson(record), warnings: warnings.length > 0 ? warnings : undefined };
}

/** The response may echo credentials. */
function scrubbed(result: ActionResult, secrets: readonly string[]): ActionResult {
  const { body, attachments, rows, warnings } = result;
  return {
    ...result,
    warnings: warnings?.map((warning) => redactSecrets(warning, secrets)),
    body: body === undefined ? undefined : redactSecrets(body, secrets),
    attachments: attachments?.map((each) => ({ ...each, file: redactSecrets(each.file, secrets) })),
    rows: rows?.map((row) =>
      row.message === undefined ? row : { ...row, message: redactSecrets(row.message, secrets) },
    ),
  };
}

/** Whether an action may change data. */
export function writes(action: PlatformAction): boolean {
  if (action.kind === 'call endpoint') return action.method !== 'GET';
  return action.kind !== 'list attachments' && action.kind !== 'download attachment';
}

/** Warnings about an action before it is sent. */
interface Known {
  readonly host: string;
  readonly sample: StagingSample | undefined;
  /** Content of an attached file. */
  readonly size: number | undefined;
}

function isOfMany(action: PlatformAction): action is WriteRecords {
  return action.kind === 'update records' || action.kind === 'delete records';
}

function summaryOf(action: RequestedAction, { host, sample, size = 0 }: Known): string {
  switch (action.kind) {
    case 'create record':
      return `Creates a record of ${action.table} at ${host}${asShown(action)}.`;
    case 'update record':
      return `Changes ${Object.keys(action.values).join(', ')} of the record ${action.id} of ${action.table} at ${host}${asShown(action)}.`;
    case 'delete record':
      return `Deletes the record ${action.id} of ${action.table} at ${host}.`;
    case 'list attachments':
      return `Lists the attachments of ${action.id} of ${action.table} at ${host}.`;
    case 'upload attachment':
      return `Attaches ${basename(action.file)} (${sizeText(size)}) to ${action.id} of ${action.table} at ${host}.`;
    case 'download attachment':
      return `Saves the attachment ${action.attachment} of ${host} as ${action.target}.`;
    case 'delete attachment':
      return `Deletes the attachment ${action.attachment} at ${host}.`;
    case 'stage rows':
      return stagingSummary(action, host, sample);
    case 'call endpoint':
      return `Calls ${action.method} /api/${action.path} at ${host}.`;
  }
}

function asShown({ inputDisplayValue }: Pick<WrittenFields, 'inputDisplayValue'>): string {
  return inputDisplayValue ? ', with values as they are shown' : '';
}

function stagingSummary(
  { table, rows, bulk, from = 1 }: Extract<PlatformAction, { kind: 'stage rows' }>,
  host: string,
  sample: StagingSample | undefined,
): string {
  const what = rows.kind === 'file' ? basename(rows.file) : rows.target.name;
  const onwards = from === 1 ? '' : `, from row ${from} on`;
  if (!sample?.first) return `${what} has no rows${onwards}: nothing would be inserted into ${table} at ${host}.`;
  const { count } = sample;
  const many = count === undefined ? 'the rows' : count === 1 ? '1 row' : `${count} rows`;
  const how = bulk ? 'all at once' : 'one by one';
  const shown = count === 1 ? '' : ' The request is shown with the first of them.';
  return `Inserts ${many} of ${what} into ${table} at ${host}${onwards}, ${how}.${shown}`;
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const [unit, divisor] = bytes < 1_000_000 ? ['kB', 1000] : ['MB', 1_000_000];
  return `${(bytes / divisor).toFixed(1)} ${unit}`;
}

/** The write actions of a source. Throws `source-config` for a kind without them. */
function writerOf(source: DataSource): KindWriter {
  const kind = source.kind?.value;
  const writer = sourceKind(kind)?.writer;
  if (writer) return writer;
  const kinds = sourceKinds().filter((each) => each.writer);
  throw new SourceError(
    'source-config',
    `Data source ${source.name.value} is not an instance of the platform: its kind is ${kind}.`,
    { remedy: `Name a data source of kind ${kinds.map(({ name }) => name).join(' or ')}.` },
  );
}
