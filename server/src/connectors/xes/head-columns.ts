import type { XesHead } from '../../event-logs/xes/xes-head.ts';

interface HeadColumn {
  readonly name: keyof XesHead;
  readonly comment: string;
  /** JSON; undefined if the log lacks it. */
  readonly value: string | undefined;
}

/** The columns of the data object `log`, beside its id. */
export function headColumns(head: XesHead): readonly HeadColumn[] {
  return (
    [
      ['attributes', 'Attributes of the log, in JSON'],
      ['extensions', 'Extensions of the log, in JSON'],
      ['globals', 'Attributes that every trace or event has, in JSON'],
      ['classifiers', 'Classifiers of events or traces, in JSON'],
    ] as const
  ).map(([name, comment]) => ({
    name,
    comment,
    value: head[name].length > 0 ? JSON.stringify(head[name]) : undefined,
  }));
}
