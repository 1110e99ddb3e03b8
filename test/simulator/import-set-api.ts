import type { SimulatedRecord } from './demo-data.ts';
import { failure, type SimulatedAnswer, type SimulatedRequest } from './http-answer.ts';
import { insertRecord, tableExists, type Instance } from './instance.ts';
import { badBody, notFound, parseRecord } from './table-api.ts';

/** Outcomes by the id of the staging row, and bulk sets by theirs. */
export interface ImportSets {
  readonly outcomes: Map<string, object>;
  readonly bulk: Map<string, { polls: number; readonly rows: readonly object[] }>;
}

/** `/api/now[/v1|/v2]/import/{staging}[/{sys_id}|/insertMultiple]`: responses are not wrapped in `result`. */
export function importSetApi(
  instance: Instance,
  sets: ImportSets,
  request: SimulatedRequest,
  staging: string,
  rest: string | undefined,
): SimulatedAnswer {
  if (!tableExists(instance, staging) || !staging.startsWith('imp_'))
    return failure(400, `Invalid staging table ${staging}`);
  if (request.method === 'GET' && rest !== undefined) {
    const outcome = sets.outcomes.get(rest);
    return outcome ? { status: 200, body: outcome } : notFound();
  }
  if (request.method !== 'POST') return failure(405, 'Method not supported');
  if (rest === 'insertMultiple') return insertMultiple(instance, sets, request, staging);
  const values = parseRecord(request);
  if (!values) return badBody();
  const { id, outcome } = stage(instance, request, staging, values);
  sets.outcomes.set(id, outcome);
  return { status: 201, headers: { Location: `${request.baseUrl}/api/now/import/${staging}/${id}` }, body: outcome };
}

/** A failed transform still answers 201, with `status: error` in its row. */
function stage(
  instance: Instance,
  request: SimulatedRequest,
  staging: string,
  values: SimulatedRecord,
): { readonly id: string; readonly outcome: { readonly result: readonly object[] } } {
  const id = insertRecord(instance, staging, values)['sys_id'] ?? '';
  const wrapper = { import_set: 'ISET0010001', staging_table: staging };
  const transform = { transform_map: 'Incident', table: 'incident' };
  if (!values['u_short_description']) {
    const failed = { status: 'error', error_message: 'Row transform ignored by onBefore script: no description' };
    return { id, outcome: { ...wrapper, result: [{ ...transform, ...failed }] } };
  }
  const record = insertRecord(instance, 'incident', {
    number: values['u_number'] ?? '',
    short_description: values['u_short_description'],
    sys_class_name: 'incident',
  });
  const made = {
    ...transform,
    display_name: 'number',
    display_value: record['number'],
    record_link: `${request.baseUrl}/api/now/table/incident/${record['sys_id']}`,
    status: 'inserted',
    sys_id: record['sys_id'],
  };
  return { id, outcome: { ...wrapper, result: [made] } };
}

function insertMultiple(
  instance: Instance,
  sets: ImportSets,
  request: SimulatedRequest,
  staging: string,
): SimulatedAnswer {
  let records: unknown;
  try {
    records = (JSON.parse(request.body.toString('utf8')) as { readonly records?: unknown }).records;
  } catch {
    return badBody();
  }
  if (!Array.isArray(records)) return failure(400, 'The request needs an array "records"');
  const runAfter = request.parameters.get('run_after');
  if (runAfter !== null && !sets.bulk.has(runAfter)) return failure(400, 'run_after is no import set');
  const { transformed } = instance.settings.bulk;
  const rows = (records as readonly SimulatedRecord[]).flatMap((values, index) =>
    index < transformed ? stage(instance, request, staging, values).outcome.result : [{ status: 'pending' }],
  );
  const id = instance.newId();
  sets.bulk.set(id, { polls: 0, rows });
  const multiple = request.parameters.get('multi_import_set_id') ?? instance.newId();
  return { status: 201, body: { import_set_id: id, multi_import_set_id: multiple } };
}

/** `sys_import_set` and `sys_import_set_row` of a bulk set: loaded only at the third request. */
export function bulkOutcome(
  { settings }: Instance,
  sets: ImportSets,
  table: string,
  query: string,
): SimulatedAnswer | undefined {
  const id = /[0-9a-f]{32}/.exec(query)?.[0] ?? '';
  const set = sets.bulk.get(id);
  if (!set) return undefined;
  const { state, firstRow } = settings.bulk;
  if (table === 'sys_import_set') {
    set.polls += 1;
    const record = { sys_id: id, state: set.polls > 2 ? state : 'loading' };
    return { status: 200, body: { result: [record].filter((each) => settings.mayRead(table, each)) } };
  }
  const rows = set.rows.map((row, index): SimulatedRecord => {
    const values = row as Readonly<Record<string, string>>;
    return {
      sys_import_row: String(index + firstRow),
      sys_import_state: values['status'] ?? '',
      sys_import_state_comment: values['error_message'] ?? '',
      sys_target_table: values['table'] ?? '',
      sys_target_sys_id: values['sys_id'] ?? '',
    };
  });
  return { status: 200, body: { result: rows.filter((each) => settings.mayRead(table, each)) } };
}
