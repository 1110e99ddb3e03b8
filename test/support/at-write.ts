import { readFile } from 'node:fs/promises';

export interface WriteMoment {
  /** Index of a file operation of a program. */
  readonly at: number;
  readonly action: 'die' | 'fill' | 'limit';
  /** The file that fills the disk. */
  readonly filler?: string;
}

/** The environment of a program that is interrupted at a given file operation. */
export function atWrite(moment: WriteMoment | { readonly trace: string }): Readonly<Record<string, string>> {
  const preload = new URL('at-write.mjs', import.meta.url).href;
  return {
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${preload}`,
    ENTITY_GRAPH_AT_WRITE: JSON.stringify(moment),
  };
}

/** The operations in a program's trace; empty without one. */
export async function readTrace(trace: string): Promise<readonly string[]> {
  const text = await readFile(trace, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as string);
}
