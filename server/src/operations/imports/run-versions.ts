import { version } from '../../../../package.json';
import type { ImportPlan } from '../../import/plan-import.ts';
import { hasTextKeys, textKeys } from '../../import/text-keys.ts';

/** What a run is built with; cached rows of other versions are not used. */
export function runVersions(plan: ImportPlan): Readonly<Record<string, string>> {
  return { entityGraph: version, node: process.versions.node, ...(hasTextKeys(plan) && { keys: textKeys }) };
}
