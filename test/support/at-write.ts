import { readFile } from 'node:fs/promises';

export interface WriteMoment {
  /** Of what a program does to files, counted from 0. */
  readonly at: number;
  readonly action: 'die' | 'fill' | 'limit';
  /** The file that fills the disk. */
  readonly filler?: string;
}

/** The environment of a program to which something happens at a certain moment of its writing. */
export function atWrite(moment: WriteMoment | { readonly trace: string }): Readonly<Record<string, string>> {
  const preload = new URL('at-write.mjs', import.meta.url).href;
  return { NODE_OPTIONS: `--import=${preload}`, ENTITY_GRAPH_AT_WRITE: JSON.stringify(moment) };
}

/** The moments that a program has written into its trace; none without one. */
export async function readTrace(trace: string): Promise<readonly string[]> {
  const text = await readFile(trace, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as string);
}
