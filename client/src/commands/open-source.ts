import { Uri } from 'vscode';
import type { DataSourceNode } from '../data-source-items.ts';
import { revealRange } from '../reveal-range.ts';
import type { Command } from './command.ts';

/** Shows where a data source is configured. */
export const openSource: Command = async (_parts, [given]) => {
  const node = given as DataSourceNode | undefined;
  if (node && 'source' in node) await revealRange(Uri.parse(node.source.uri), node.source.range);
};
