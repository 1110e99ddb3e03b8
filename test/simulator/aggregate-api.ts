import type { SimulatedRecord } from './demo-data.ts';
import { failure, type SimulatedAnswer, type SimulatedRequest } from './http-answer.ts';
import { select, tableExists, walk, type Instance } from './instance.ts';

const aggregates = ['avg', 'min', 'max', 'sum'] as const;

/** `/api/now[/v1]/stats/{table}`: every number is a string. */
export function aggregateApi(instance: Instance, request: SimulatedRequest, table: string): SimulatedAnswer {
  if (request.method !== 'GET') return failure(405, 'Method not supported');
  if (!tableExists(table)) return failure(400, `Invalid table ${table}`);
  const { parameters } = request;
  const { records: all, forbidden } = select(instance, table, parameters.get('sysparm_query') ?? '');
  const { mayRead, statsCounts, statsForbidden } = instance.settings;
  const readable = all.filter((record) => mayRead(table, record));
  const records = statsCounts === 'all' ? all : readable;
  if (forbidden || (statsForbidden && readable.length < all.length)) return failure(403, 'User Not Authorized');
  const groupBy = namesOf(parameters, 'sysparm_group_by');
  if (groupBy.length === 0)
    return { status: 200, body: { result: { stats: stats(instance, table, records, parameters) } } };
  const groups = new Map<string, SimulatedRecord[]>();
  for (const record of records) {
    const key = JSON.stringify(groupBy.map((field) => walk(instance, table, record, field).value));
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  const result = [...groups].map(([key, members]) => {
    const values = JSON.parse(key) as readonly string[];
    return {
      stats: stats(instance, table, members, parameters),
      groupby_fields: groupBy.map((field, index) => ({ field, value: values[index] ?? '' })),
    };
  });
  return { status: 200, body: { result } };
}

function stats(
  instance: Instance,
  table: string,
  records: readonly SimulatedRecord[],
  parameters: URLSearchParams,
): Record<string, unknown> {
  const figures: Record<string, unknown> = {};
  if (parameters.get('sysparm_count') === 'true') figures['count'] = String(records.length);
  for (const aggregate of aggregates) {
    const fields = namesOf(parameters, `sysparm_${aggregate}_fields`);
    if (fields.length === 0) continue;
    figures[aggregate] = Object.fromEntries(
      fields.map((field) => {
        const values = records
          .map((record) => walk(instance, table, record, field).value)
          .filter((value) => value !== '');
        return [field, aggregated(aggregate, values)];
      }),
    );
  }
  return figures;
}

function aggregated(aggregate: (typeof aggregates)[number], values: readonly string[]): string {
  if (values.length === 0) return '';
  const numbers = values.map(Number);
  const sum = numbers.reduce((total, value) => total + value, 0);
  if (aggregate === 'sum') return String(sum);
  if (aggregate === 'avg') return (sum / numbers.length).toFixed(4);
  const isText = numbers.some(Number.isNaN);
  const sorted = [...values].sort((one, other) => (isText ? (one < other ? -1 : 1) : Number(one) - Number(other)));
  return (aggregate === 'min' ? sorted[0] : sorted.at(-1)) ?? '';
}

function namesOf(parameters: URLSearchParams, name: string): readonly string[] {
  return (parameters.get(name) ?? '').split(',').filter((each) => each !== '');
}
