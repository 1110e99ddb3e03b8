import { dirname } from 'node:path';
import type { ValueUse } from '../connectors/permit-use.ts';
import { sourceUses } from '../connectors/source-uses.ts';
import type { DataSource } from '../model/data-sources.ts';

/** The values that a source sends, and their places; undefined for invalid settings, which are reported elsewhere. */
export function valueUsesOf(
  { path }: { readonly path: string },
  source: DataSource,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly ValueUse[] | undefined> {
  return sourceUses(source, { folder: dirname(path), sourcesFile: path, environment }).catch(() => undefined);
}
