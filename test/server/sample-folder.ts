import { cp, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** A working copy of a sample, so that the project's folder is not written. */
export interface SampleFolder {
  readonly folder: string;
  /** Absolute path of a file in it. */
  path(name: string): string;
  text(name: string): Promise<string>;
}

export async function copySampleFolder(sample: 'incidents' | 'northwind' | 'order-to-cash'): Promise<SampleFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'entity-graph-server-'));
  const filter = (path: string): boolean => basename(path) !== '.entity-graph';
  await cp(new URL(`../../samples/${sample}`, import.meta.url), folder, { recursive: true, filter });
  const path = (name: string): string => join(folder, name);
  return { folder, path, text: (name) => readFile(path(name), 'utf8') };
}
