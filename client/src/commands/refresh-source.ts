import type { DataSourceNode } from '../data-source-items.ts';
import type { Command } from './command.ts';

/** Reads a data source anew; without one, the list of them. */
export const refreshSource: Command = async ({ dataSources }, [given]) => {
  const node = given as DataSourceNode | undefined;
  if (node && 'source' in node) dataSources.refresh(node.source);
  else dataSources.reload();
};
