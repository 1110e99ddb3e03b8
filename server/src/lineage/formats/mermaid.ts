import type { Output } from '../output.ts';
import { outputWords } from '../output-words.ts';
import { columnKey } from '../trace.ts';

/** A Mermaid flowchart: data objects with the columns that are used, entries, and what is made of them. */
export function lineageMermaid(outputs: readonly Output[]): string {
  const ids = new Map<string, string>();
  const id = (key: string, prefix: string): string => {
    const known = ids.get(key) ?? `${prefix}${ids.size}`;
    ids.set(key, known);
    return known;
  };
  const objects = new Map<string, Map<string, string>>();
  const edges = new Set<string>();
  const nodes: string[] = [];
  const isDrawn = drawnOutputs();
  for (const output of outputs) {
    if (!isDrawn(output)) continue;
    const own = id(outputKey(output), 'o');
    nodes.push(`  ${own}["${label(outputWords(output))}"]`);
    for (const use of output.columns) {
      const column = id(columnKey(use), 'c');
      const object = `${use.dataSource} · ${use.dataObject}`;
      objects.set(object, (objects.get(object) ?? new Map<string, string>()).set(column, use.column));
      edges.add(`  ${column} ${use.role === 'value' || use.role === 'computed' ? '-->' : '-.->'} ${own}`);
    }
    for (const from of output.from) {
      if (isDrawn(from)) edges.add(`  ${id(outputKey(from), 'o')} --> ${own}`);
    }
  }
  const groups = [...objects].flatMap(([object, columns], index) => [
    `  subgraph s${index}["${label(object)}"]`,
    ...[...columns].map(([column, name]) => `    ${column}("${label(name)}")`),
    '  end',
  ]);
  return ['flowchart LR', ...groups, ...nodes, ...edges].join('\n');
}

/** Rows that nothing chooses say nothing. */
function drawnOutputs(): (output: Output) => boolean {
  const known = new Map<Output, boolean>();
  const isDrawn = (output: Output): boolean => {
    const drawn = known.get(output) ?? (output.columns.length > 0 || output.from.some(isDrawn));
    known.set(output, drawn);
    return drawn;
  };
  return isDrawn;
}

function outputKey({ kind, of, name, range }: Output): string {
  return JSON.stringify([kind, of, name, range.start]);
}

/** Mermaid reads HTML entities and Markdown in quoted labels; every sign but letters, digits and common ones is a code. */
function label(text: string): string {
  return text.replace(/[^\p{L}\p{N} .,:;·→/_()-]/gu, (sign) => `#${sign.codePointAt(0) ?? 0};`);
}
