import { dirname } from 'node:path';
import type { ValueUse } from '../connectors/permit-use.ts';
import { type ResolveContext, valueUses } from '../connectors/resolve-source.ts';
import { sourceKind } from '../connectors/source-kinds.ts';
import type { DataSource } from '../model/data-sources.ts';
import { referringSettings } from '../model/value-references.ts';

/** The values that a source sends, and their places; undefined for invalid settings, which are reported elsewhere. */
export function valueUsesOf(
  { path }: { readonly path: string },
  source: DataSource,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly ValueUse[] | undefined> {
  return readValueUses(source, { folder: dirname(path), sourcesFile: path, environment }).catch(() => undefined);
}

/**
 * The values that a source sends, with all receiving servers. Rejects with `source-config` or
 * `environment-variable-missing` for invalid settings.
 */
export async function readValueUses(
  source: DataSource,
  context: Pick<ResolveContext, 'folder' | 'sourcesFile' | 'environment'>,
): Promise<readonly ValueUse[]> {
  const kind = sourceKind(source.kind?.value);
  if (!kind || !mayUseValues(source)) return [];
  return valueUses(source, context, await kind.settings());
}

/** Checks the raw text first, because most file sources use no references. */
function mayUseValues(source: DataSource): boolean {
  return usesBrowserLogin(source) || referringSettings(source.settings).length > 0;
}

/** By the raw settings, before any secret is read. */
export function usesBrowserLogin({ settings }: DataSource): boolean {
  const auth = settings['auth'] as { readonly grant?: unknown } | null | undefined;
  return typeof auth === 'object' && auth?.grant === 'authorization_code';
}
