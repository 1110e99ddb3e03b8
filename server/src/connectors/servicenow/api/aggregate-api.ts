import type { CallOptions, Platform } from './call-platform.ts';
import { readSysparms, type AggregateParameters } from './parameters.ts';
import { unexpectedResponse } from './platform-failure.ts';
import { instanceClock, isRecord, readResult } from './read-response.ts';

/** Aggregates of one group, or of all rows without grouping. Numbers are texts, as sent by the platform. */
export interface AggregateGroup {
  readonly count?: string;
  readonly avg?: Readonly<Record<string, string>>;
  readonly min?: Readonly<Record<string, string>>;
  readonly max?: Readonly<Record<string, string>>;
  readonly sum?: Readonly<Record<string, string>>;
  /** Group values by field; empty without grouping. */
  readonly groupedBy: Readonly<Record<string, string>>;
  /** Display values by field, if `displayValue` requests both. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** The Aggregate API: `/api/now/stats`. */
export interface AggregateApi {
  aggregate(table: string, parameters: AggregateParameters, options?: CallOptions): Promise<readonly AggregateGroup[]>;
  /** Aggregates of all rows of a query, including rows that the user may not read. */
  figures(
    table: string,
    parameters: Omit<AggregateParameters, 'groupBy'>,
    options?: CallOptions,
  ): Promise<AggregateFigures>;
  /**
   * Count of the rows of a query, including rows that the user may not read. Undefined when the response has no count.
   */
  count(table: string, query: string, options?: CallOptions): Promise<number | undefined>;
}

interface AggregateFigures extends Omit<AggregateGroup, 'count'> {
  /** Undefined when the response has none. */
  readonly count: number | undefined;
  /** Time of the response by the instance's clock, in milliseconds since the epoch. */
  readonly now: number;
}

export function aggregateApi({ call, now, scope }: Platform): AggregateApi {
  const read = (
    table: string,
    parameters: AggregateParameters,
    options: CallOptions,
  ): Promise<{ readonly groups: readonly AggregateGroup[]; readonly now: number }> =>
    call(
      { method: 'GET', path: now('stats', table), parameters: readSysparms(parameters, scope), options },
      (answer, asked) => {
        const result = readResult(answer, asked);
        // One object without grouping, a list with grouping.
        const groups: readonly unknown[] = Array.isArray(result) ? result : [result];
        if (!groups.every(isRecord)) throw unexpectedResponse(asked, 'a result that holds no figures');
        return { groups: groups.map(readGroup), now: instanceClock(answer.headers) };
      },
    );
  const figures: AggregateApi['figures'] = async (table, parameters, options = {}) => {
    const { groups, now: at } = await read(table, parameters, options);
    const [group = { groupedBy: {} }] = groups;
    const count = String(group.count ?? '');
    return { ...group, count: /^\d+$/.test(count) ? Number(count) : undefined, now: at };
  };
  return {
    aggregate: async (table, parameters, options = {}) => (await read(table, parameters, options)).groups,
    figures,
    count: async (table, query, options) =>
      (await figures(table, { count: true, query: query === '' ? undefined : query }, options)).count,
  };
}

function readGroup(group: Readonly<Record<string, unknown>>): AggregateGroup {
  const stats = isRecord(group['stats']) ? group['stats'] : {};
  const fields = Array.isArray(group['groupby_fields']) ? (group['groupby_fields'] as readonly unknown[]) : [];
  const groups = fields.filter(isRecord);
  const valuesOf = (name: 'value' | 'display_value'): Readonly<Record<string, string>> =>
    Object.fromEntries(groups.map((each) => [String(each['field'] as string), String((each[name] ?? '') as string)]));
  return {
    ...(stats as Omit<AggregateGroup, 'groupedBy' | 'labels'>),
    groupedBy: valuesOf('value'),
    labels: groups.some((each) => 'display_value' in each) ? valuesOf('display_value') : undefined,
  };
}
