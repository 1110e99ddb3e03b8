import { isScalar } from 'yaml';
import type { ParsedDataSources } from '../../model/parse-data-sources.ts';
import type { Problem } from '../../model/problem.ts';
import { scalarAt } from '../cursor/scalar-place.ts';
import type { SourcesContext } from '../checks/check.ts';
import { declareTypes } from './declare-types.ts';
import { type Fix, fixByEdits, fixOfMeaning } from './quick-fix.ts';
import { fixesOfYaml } from './yaml-fixes.ts';

/** A fix of a sources file; the caller stores a secret removed from the file. */
interface SourcesFix extends Fix {
  readonly secret?: { readonly name: string; readonly value: string; readonly source: string };
}

/**
 * The fixes of a problem of a sources file, the most likely first.
 * @param catalogs the known ones, by the name of the data source
 */
export function fixesOfSources(
  problem: Problem,
  parsed: ParsedDataSources,
  catalogs?: SourcesContext['catalogs'],
): readonly SourcesFix[] {
  if (problem.code === 'literal-secret') return moveSecret(problem.range, parsed);
  if (problem.code === 'source-incomplete') return declareTypes(problem, parsed, catalogs);
  return fixesOfYaml(problem, parsed.yaml);
}

/** Moves the value to secret storage and inserts a reference. */
function moveSecret(range: Problem['range'], { yaml, sources }: ParsedDataSources): readonly SourcesFix[] {
  const place = scalarAt(yaml.document.contents, range.start);
  const [, source, setting] = [place?.path[0], place?.path[1], place?.path.at(-1)];
  if (!place || !isScalar(place.scalar) || typeof source !== 'string') return [];
  const others = JSON.stringify(sources.sources.map(({ settings }) => settings));
  // Only the password in an address is secret, and it belongs in the login settings.
  if (setting === 'baseUrl') return [];
  // The default name is that of the source; further secrets are named after their setting too.
  const name = others.includes(`\${secret:${source}}`) ? `${source}-${String(setting)}` : source;
  const reference = `\${secret:${name}}`;
  const look = { title: `Move to secret storage as "${name}"`, preferred: true };
  const changes = [{ kind: 'set', path: place.path, value: reference }] as const;
  const inPlace = fixByEdits(look, yaml, () => [{ range, newText: JSON.stringify(reference) }], changes);
  const fixes = inPlace.length > 0 ? inPlace : fixOfMeaning(look, yaml, changes);
  return fixes.map((fix) => ({ ...fix, secret: { name, value: String(place.scalar.value), source } }));
}
