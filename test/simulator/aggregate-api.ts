import type { SimulatedRecord } from './demo-data.ts';
import { failure, type SimulatedAnswer, type SimulatedRequest } from './http-answer.ts';
import { select, tableExists, walk, type Instance } from './instance.ts';
import { matchingQuery } from './matching-query.ts';
import { displayValue } from './record-shape.ts';
import { acrossDomains } from './table-api.ts';
import { simulatedViews } from './schema.ts';

const aggregates = ['avg', 'min', 'max', 'sum'] as const;

/** `/api/now[/v1]/stats/{table}`: every number is a string. */
export function aggregateApi(instance: Instance, request: SimulatedRequest, table: string): SimulatedAnswer {
  if (request.method !== 'GET') return failure(405, 'Method not supported');
  if (!tableExists(instance, table) || (simulatedViews.has(table) && !instance.settings.viewFigures))
    return failure(400, `Invalid table ${table}`);
  const { parameters } = request;
  const query = parameters.get('sysparm_query') ?? matchingQuery(instance, table, parameters);
  const { records: selected, forbidden } = select(instance, table, query);
  const { mayRead, otherDomain, statsCounts, statsForbidden } = instance.settings;
  const isAcross = acrossDomains(instance, request);
  const all = isAcross ? selected : selected.filter((record) => !otherDomain(table, record));
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
  const figureOf = (members: readonly SimulatedRecord[], aggregate: string, field: string): string =>
    aggregate === 'count'
      ? String(members.length)
      : aggregated(aggregate as (typeof aggregates)[number], valuesOf(instance, table, members, field));
  const kept = [...groups].filter(([, members]) =>
    namesOf(parameters, 'sysparm_having').every((condition) => {
      const [aggregate = '', field = '', operator = '', value = ''] = condition.split('^');
      return holds(Number(figureOf(members, aggregate.toLowerCase(), field)), operator, Number(value));
    }),
  );
  const ordered = namesOf(parameters, 'sysparm_order_by').reduceRight((list, order) => {
    const parts = order.split('^');
    const descending = parts.at(-1) === 'DESC';
    const [first = '', field = ''] = parts;
    const isFigure = /^(?:COUNT|AVG|SUM|MIN|MAX)$/i.test(first);
    const valueOf = ([key, members]: readonly [string, readonly SimulatedRecord[]]): string =>
      isFigure
        ? figureOf(members, first.toLowerCase(), field)
        : ((JSON.parse(key) as readonly string[])[groupBy.indexOf(first)] ?? '');
    return [...list].sort((one, other) => compared(valueOf(one), valueOf(other)) * (descending ? -1 : 1));
  }, kept);
  const result = ordered.map(([key, members]) => {
    const values = JSON.parse(key) as readonly string[];
    return {
      stats: stats(instance, table, members, parameters),
      groupby_fields: groupBy.map((field, index) => groupedBy(instance, table, field, values[index] ?? '', parameters)),
    };
  });
  return { status: 200, body: { result } };
}

function groupedBy(
  instance: Instance,
  table: string,
  field: string,
  value: string,
  parameters: URLSearchParams,
): Record<string, string> {
  const display = parameters.get('sysparm_display_value') ?? 'false';
  const { type, reference } = walk(instance, table, {}, field);
  const shown = displayValue(instance, value, type, reference);
  if (display === 'all') return { field, display_value: shown, value };
  return { field, value: display === 'true' ? shown : value };
}

function holds(figure: number, operator: string, value: number): boolean {
  switch (operator) {
    case '=':
      return figure === value;
    case '!=':
      return figure !== value;
    case '>':
      return figure > value;
    case '>=':
      return figure >= value;
    case '<':
      return figure < value;
    case '<=':
      return figure <= value;
    default:
      return true;
  }
}

function compared(one: string, other: string): number {
  const [left, right] = [Number(one), Number(other)];
  if (Number.isNaN(left) || Number.isNaN(right)) return one < other ? -1 : one > other ? 1 : 0;
  return left - right;
}

function valuesOf(
  instance: Instance,
  table: string,
  records: readonly SimulatedRecord[],
  field: string,
): readonly string[] {
  return records.map((record) => walk(instance, table, record, field).value).filter((value) => value !== '');
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
      fields.map((field) => [field, aggregated(aggregate, valuesOf(instance, table, records, field))]),
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
