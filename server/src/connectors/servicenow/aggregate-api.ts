import type { CallOptions, Platform } from './call-platform.ts';
import { sysparms, type AggregateParameters } from './parameters.ts';
import { unexpectedAnswer } from './platform-failure.ts';
import { isRecord, readResult } from './read-answer.ts';

/** Figures of one group, or of all rows when nothing is grouped by. Numbers are texts, as the platform writes them. */
export interface AggregateGroup {
  readonly count?: string;
  readonly avg?: Readonly<Record<string, string>>;
  readonly min?: Readonly<Record<string, string>>;
  readonly max?: Readonly<Record<string, string>>;
  readonly sum?: Readonly<Record<string, string>>;
  /** Value by field; empty when nothing is grouped by. */
  readonly groupedBy: Readonly<Record<string, string>>;
  /** What these values are called, by field, where `displayValue` asks for both. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Figures over records: `/api/now/stats`. */
export interface AggregateApi {
  aggregate(table: string, parameters: AggregateParameters, options?: CallOptions): Promise<readonly AggregateGroup[]>;
  /** Rows that a query selects; rows that the user may not read are counted as well. Undefined when the answer has no count. */
  count(table: string, query: string, options?: CallOptions): Promise<number | undefined>;
}

export function aggregateApi({ call, now }: Platform): AggregateApi {
  const aggregate: AggregateApi['aggregate'] = (table, parameters, options = {}) =>
    call({ method: 'GET', path: now('stats', table), parameters: sysparms(parameters), options }, (answer, what) => {
      const result = readResult(answer, what);
      // One object for all rows, a list when they are grouped.
      const groups: readonly unknown[] = Array.isArray(result) ? result : [result];
      if (!groups.every(isRecord)) throw unexpectedAnswer(what, 'a result that holds no figures');
      return groups.map(readGroup);
    });
  return {
    aggregate,
    async count(table, query, options) {
      const [figures] = await aggregate(table, { count: true, ...(query !== '' && { query }) }, options);
      const count = String(figures?.count ?? '');
      return /^\d+$/.test(count) ? Number(count) : undefined;
    },
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
    ...(groups.some((each) => 'display_value' in each) && { labels: valuesOf('display_value') }),
  };
}
