import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type {
  ActionResult,
  AttachmentView,
  EndpointMethod,
  FieldValues,
  ManyRecords,
  PlatformAction,
  StagingRows,
  WrittenFields,
} from '../../../../protocol/platform-actions.ts';
import { indentedJson, jsonMembers } from '../../model/indented-json.ts';
import { previewAction, runAction, writes } from '../../operations/platform/platform-actions.ts';
import { needsReview } from '../../operations/platform/stage-rows.ts';
import { findSource } from '../../project/open-project.ts';
import {
  type Command,
  type ExitCode,
  type Invocation,
  UsageError,
  countOption,
  exitCodes,
  formatOption,
  requiredOption,
} from '../command.ts';
import { paint, styled } from '../styled-text.ts';
import type { Terminal } from '../terminal.ts';
import { chosenSources, sourcesOption } from '../sources-option.ts';
import { textTable } from '../text-table.ts';
import { readTarget, targetOptions } from './query-target.ts';

/** Operands after the source name, and the action they select. */
interface Action {
  readonly usage: string;
  readonly least: number;
  read(operands: readonly string[], invocation: Invocation): Promise<PlatformAction> | PlatformAction;
}

const actions: Readonly<Record<string, Action>> = {
  create: {
    usage: 'TABLE FIELD=VALUE…',
    least: 1,
    read: async ([table = '', ...fields], invocation) => ({
      kind: 'create record',
      table,
      ...(await fieldsOf(fields, invocation)),
    }),
  },
  update: {
    usage: 'TABLE SYS_ID FIELD=VALUE…',
    least: 2,
    read: async ([table = '', id = '', ...fields], invocation) => ({
      kind: 'update record',
      table,
      id,
      ...(await fieldsOf(fields, invocation)),
    }),
  },
  delete: { usage: 'TABLE SYS_ID', least: 2, read: ([table = '', id = '']) => ({ kind: 'delete record', table, id }) },
  'update-many': {
    usage: 'TABLE IDS_FILE FIELD=VALUE… [--repeat-unknown]',
    least: 2,
    read: async ([table = '', ids = '', ...fields], invocation) => ({
      kind: 'update records',
      table,
      ...manyRecords(ids, invocation),
      ...(await fieldsOf(fields, invocation)),
    }),
  },
  'delete-many': {
    usage: 'TABLE IDS_FILE [--repeat-unknown]',
    least: 2,
    read: ([table = '', ids = ''], invocation) => ({
      kind: 'delete records',
      table,
      ...manyRecords(ids, invocation),
    }),
  },
  attachments: {
    usage: 'TABLE SYS_ID',
    least: 2,
    read: ([table = '', id = '']) => ({ kind: 'list attachments', table, id }),
  },
  attach: {
    usage: 'TABLE SYS_ID FILE',
    least: 3,
    read: ([table = '', id = '', file = ''], { options }) => ({
      kind: 'upload attachment',
      table,
      id,
      file: resolve(file),
      asForm: options['form'] ? true : undefined,
    }),
  },
  download: {
    usage: 'ATTACHMENT_ID --output FILE',
    least: 1,
    read: ([attachment = ''], invocation) => ({
      kind: 'download attachment',
      attachment,
      target: resolve(requiredOption(invocation, 'output')),
    }),
  },
  detach: {
    usage: 'ATTACHMENT_ID',
    least: 1,
    read: ([attachment = '']) => ({ kind: 'delete attachment', attachment }),
  },
  stage: {
    usage: 'STAGING_TABLE FILE [--element NAME | --relationship NAME] [--bulk] [--from ROW]',
    least: 2,
    read([table = '', file = ''], invocation) {
      const rows = rowsOf(file, invocation);
      const from = countOption(invocation, 'from');
      if (from !== undefined && rows.kind === 'query') {
        throw new UsageError('--from is for rows of a file: those of a query may come in another order each time.');
      }
      const bulk = invocation.options['bulk'] !== undefined;
      return { kind: 'stage rows', table, rows, bulk, from };
    },
  },
  call: {
    usage: 'METHOD PATH PARAMETER=VALUE… [--data FILE]',
    least: 2,
    async read([method = '', path = '', ...parameters], { options }) {
      const known = methods.find((each) => each === method.toUpperCase());
      if (!known) throw new UsageError(`"${method}" is not one of ${methods.join(', ')}.`);
      const body = options['data'] === undefined ? undefined : await readText(options['data']);
      // A repeated name is sent repeatedly, in the URL.
      const query = new URLSearchParams(pairs(parameters).map(([name, value]): [string, string] => [name, value]));
      const address = query.size === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${query.toString()}`;
      const called = { kind: 'call endpoint', method: known, path: address, parameters: {} } as const;
      return { ...called, body };
    },
  },
};

const methods: readonly EndpointMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const usages = Object.entries(actions).map(([name, { usage }]) => `${name} SOURCE ${usage}`);

export const serviceNowCommand: Command = {
  name: 'servicenow',
  operands: 'ACTION SOURCE …',
  summary: 'Change records, attachments and staging tables of an instance, call its endpoints',
  details: ['What writes is shown only, unless --yes is given. Actions:', ...usages.map((usage) => `  ${usage}`)],
  arity: { min: 2, max: 200 },
  options: [
    { name: 'yes', help: 'Send writing requests instead of only showing them' },
    { name: 'curl', help: 'Show the request as a cURL command' },
    { name: 'data', value: 'FILE', help: 'JSON: fields of a record, or the body of a call' },
    {
      name: 'input-display-value',
      help: 'Fields are given as the instance shows them: names, labels, times in the zone of the user',
    },
    { name: 'output', value: 'FILE', help: 'Where to save an attachment' },
    { name: 'form', help: 'Upload as a form, for instances that take only those' },
    { name: 'repeat-unknown', help: 'Send records again whose outcome in an earlier run is unknown' },
    { name: 'bulk', help: 'Stage all rows at once, to be transformed later' },
    { name: 'from', value: 'ROW', help: 'Start with this row of the file: earlier ones were already sent' },
    ...targetOptions,
    sourcesOption,
    formatOption,
  ],
  examples: [
    'entity-graph servicenow create itsm incident short_description="VPN is slow" urgency=2',
    'entity-graph servicenow update-many itsm incident ids.csv state=7 --yes',
    'entity-graph servicenow stage itsm imp_user users.csv --bulk --yes',
    'entity-graph servicenow attachments itsm incident 9c573169c611228700193229fff72400',
    'entity-graph servicenow call itsm POST x_acme/ops/outages/42 --data close.json --yes',
  ],
  async run(invocation) {
    const { terminal, projectContext, signal, options, format } = invocation;
    const [name = '', sourceName = '', ...operands] = invocation.operands;
    const action = await readAction(name, operands, invocation);
    const sourcesFile = await chosenSources(invocation);
    const source = findSource(sourcesFile, sourceName);
    if (writes(action) && options['yes'] === undefined) {
      const preview = await previewAction(sourcesFile, source, action, projectContext, { signal });
      if (format === 'json') terminal.document(JSON.stringify({ sent: false, ...preview }, null, 2));
      else {
        terminal.note(preview.summary);
        printWarnings(preview.warnings, terminal);
        terminal.document(options['curl'] === undefined ? preview.http : preview.curl);
        terminal.note('Nothing was sent: add --yes to send it.');
      }
      return exitCodes.fine;
    }
    const onProgress = (message: string): void => terminal.progress(message, undefined);
    const result = await runAction(sourcesFile, source, action, projectContext, { signal, onProgress });
    terminal.endProgress();
    return printResult(result, invocation);
  },
};

function readAction(
  name: string,
  operands: readonly string[],
  invocation: Invocation,
): Promise<PlatformAction> | PlatformAction {
  const action = actions[name];
  if (!action) throw new UsageError(`"${name}" is not one of ${Object.keys(actions).join(', ')}.`);
  if (operands.length < action.least) throw new UsageError(`${name} SOURCE is followed by ${action.usage}.`);
  return action.read(operands, invocation);
}

function printResult(result: ActionResult, { terminal, format }: Invocation): ExitCode {
  const failed = needsReview(result);
  if (format === 'json') {
    const { body, attachments: _, ...rest } = result;
    terminal.document(withAnswer({ sent: true, ...rest }, body));
  } else {
    if (result.rows) {
      const cells = result.rows.map(({ row, status, table = '', record = '', message = '' }) => [
        ...[String(row), status, table, record, message],
      ]);
      for (const line of textTable(['Row', 'Status', 'Table', 'Record', 'Message'], cells, new Set([0]))) {
        terminal.result(line);
      }
    }
    const { attachments, body = '' } = result;
    if (!attachments && indentedJson(body) !== undefined) terminal.document(body);
    const lines = attachments
      ? attachmentLines(attachments)
      : indentedJson(body) === undefined
        ? body.split(/\r?\n/)
        : [];
    for (const line of lines) if (line !== '') terminal.result(line);
    printWarnings(result.warnings, terminal);
    terminal.note(result.summary);
    if (result.next !== undefined) terminal.note(goOn(result.next, result));
  }
  return failed ? exitCodes.problems : exitCodes.fine;
}

function attachmentLines(found: readonly AttachmentView[]): readonly string[] {
  if (found.length === 0) return [];
  const cells = found.map(({ id, file, type, bytes, created }) => [file, type, bytes, created, id]);
  return textTable(['File', 'Type', 'Bytes', 'Created', 'Attachment'], cells, new Set([2]));
}

function goOn(next: number, { rows = [] }: ActionResult): string {
  const isUncertain = rows.some(({ status, row }) => status === 'unknown' && row < next);
  const first = isUncertain ? 'Look first at the rows that are unknown; then stage' : 'Stage';
  return `${first} the others with --from ${next}.`;
}

function printWarnings(warnings: readonly string[] = [], { note }: Terminal): void {
  for (const warning of warnings) note(styled`${paint.yellow('warning')}: ${warning}`);
}

/** A JSON response is printed as received: parsing would change its numbers. */
function withAnswer(result: object, body: string | undefined): string {
  if (body === undefined) return JSON.stringify(result, null, 2);
  const answer = indentedJson(body) ?? JSON.stringify(body);
  return `${JSON.stringify(result, null, 2).slice(0, -2)},\n  "answer": ${answer.replaceAll('\n', '\n  ')}\n}`;
}

function manyRecords(ids: string, { options }: Invocation): Omit<ManyRecords, 'table'> {
  return { ids: resolve(ids), repeatUnknown: options['repeat-unknown'] === undefined ? undefined : true };
}

async function fieldsOf(fields: readonly string[], invocation: Invocation): Promise<WrittenFields> {
  const inputDisplayValue = invocation.options['input-display-value'] !== undefined;
  return { values: await valuesOf(fields, invocation), inputDisplayValue };
}

/** Fields of the operands, which override the `--data` file. */
async function valuesOf(fields: readonly string[], { options }: Invocation): Promise<FieldValues> {
  const given = fieldValues(fields);
  if (options['data'] === undefined) return given;
  const members = jsonMembers(await readText(options['data']));
  if (!members) throw new UsageError(`${options['data']} holds no JSON object of fields.`);
  const texts = [...members].map(([name, value]) => [
    name,
    value.startsWith('"') ? (JSON.parse(value) as string) : value === 'null' ? '' : value,
  ]);
  return { ...(Object.fromEntries(texts) as FieldValues), ...given };
}

function fieldValues(texts: readonly string[]): FieldValues {
  const found = pairs(texts);
  const names = found.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new UsageError(`${twice} is set twice.`);
  return Object.fromEntries(found);
}

function pairs(texts: readonly string[]): readonly (readonly [name: string, value: string])[] {
  return texts.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError(`"${text}" is not written as NAME=VALUE.`);
    return [text.slice(0, at), text.slice(at + 1)];
  });
}

function rowsOf(file: string, invocation: Invocation): StagingRows {
  const { options } = invocation;
  const isGraph = options['element'] !== undefined || options['relationship'] !== undefined;
  if (!isGraph && /\.entity\.(?:ya?ml|json)$/i.test(file)) {
    throw new UsageError(`${file} is an entity graph: say with --element or --relationship which rows are meant.`);
  }
  if (!isGraph) return { kind: 'file', file: resolve(file) };
  return { kind: 'query', graph: resolve(file), target: readTarget(invocation) };
}

async function readText(path: string): Promise<string> {
  const text = await readFile(resolve(path), 'utf8').catch((error: Error) => {
    throw new UsageError(`${path} cannot be read: ${error.message}.`);
  });
  // Removes a byte order mark, which is not valid JSON.
  return text.replace(/^\uFEFF/, '');
}
