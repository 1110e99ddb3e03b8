import { lineageOf } from '../lineage/lineage.ts';
import type { Output } from '../lineage/output.ts';
import { outputWords } from '../lineage/output-words.ts';
import { columnAt, columnsBehind, outputsOf } from '../lineage/trace.ts';
import type { SourceRange } from '../model/source-range.ts';
import type { GraphContext } from './graph-context.ts';
import { type Markdown, code, joined, line } from './markdown.ts';

const shownAtMost = 8;

/** What the column named at an offset feeds, apart from the entry that names it there; undefined for nothing else. */
export function feedsMarkdown({ parsed, catalog }: GraphContext, offset: number): Markdown | undefined {
  const lineage = lineageOf(parsed.graph, catalog);
  const column = columnAt(offset, lineage);
  if (!column) return undefined;
  const others = outputsOf(column, lineage).filter(({ columns }) => !columns.includes(column));
  return listed(
    'Feeds',
    others.map(outputWords).map((words) => line`${words}`),
  );
}

/** The columns behind the rule or measure whose name is at a range. */
export function behindMarkdown({ parsed, catalog }: GraphContext, { start }: SourceRange): Markdown | undefined {
  const judged = lineageOf(parsed.graph, catalog).find((output) => isJudged(output) && output.range.start === start);
  const names = judged ? columnsBehind(judged).map(({ dataObject, column }) => `${dataObject}.${column}`) : [];
  return listed('Comes from', [...new Set(names)].map(code));
}

function isJudged({ kind }: Output): boolean {
  return kind === 'rule' || kind === 'measure';
}

function listed(verb: string, parts: readonly Markdown[]): Markdown | undefined {
  if (parts.length === 0) return undefined;
  const more = parts.length - shownAtMost;
  const rest = more > 0 ? [line`${more} more`] : [];
  return line`${verb} ${joined([...parts.slice(0, shownAtMost), ...rest], ', ')}`;
}
