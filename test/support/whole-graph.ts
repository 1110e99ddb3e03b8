import type { ReadGraph } from './import-text.ts';
import { tablesBesideRun } from './tables-of-store.ts';

/** Options of an import that reads everything, whatever rows are kept. */
export const fullImport = { request: { kind: 'build', isFull: true } } as const;

/** All tables of an import except the run, with their columns and sorted rows. */
export function wholeGraph({ read }: Pick<ReadGraph, 'read'>): Promise<unknown> {
  return read(async (store) => {
    const graph: Record<string, unknown> = {};
    for (const name of await tablesBesideRun(store)) {
      const { columns, rows } = await store.table(`SELECT * FROM ${name} ORDER BY ALL`);
      graph[name] = { columns, rows };
    }
    return graph;
  });
}
