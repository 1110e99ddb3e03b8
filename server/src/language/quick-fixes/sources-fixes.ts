import { isScalar } from 'yaml';
import type { ParsedDataSources } from '../../model/parse-data-sources.ts';
import type { Problem } from '../../model/problem.ts';
import { scalarAt } from '../cursor/scalar-place.ts';
import { convertedValues } from './convert-value.ts';
import { suggestedFixes } from './did-you-mean.ts';
import { type Fix, fixByEdits, fixOfMeaning } from './quick-fix.ts';
import { requiredKeyFixes } from './required-keys.ts';
import { syntaxFixes } from './yaml-syntax.ts';

/** A change of a sources file; a secret that leaves the file must be kept by whoever makes the change. */
export interface SourcesFix extends Fix {
  readonly secret?: { readonly name: string; readonly value: string; readonly source: string };
}

/** What can be done about a problem of a sources file, the likeliest first. */
export function fixesOfSources(problem: Problem, parsed: ParsedDataSources): readonly SourcesFix[] {
  if (problem.code === 'literal-secret') return moveSecret(problem.range, parsed);
  if (problem.code === 'yaml-syntax') return syntaxFixes(problem, parsed.yaml);
  return [
    ...suggestedFixes(problem, parsed.yaml),
    ...(problem.code === 'schema-missing-property' || problem.code === 'schema-type'
      ? [...requiredKeyFixes(problem, parsed.yaml), ...convertedValues(problem, parsed.yaml)]
      : []),
  ];
}

/** The value goes to secret storage, a reference to it takes its place. */
function moveSecret(range: Problem['range'], { yaml, sources }: ParsedDataSources): readonly SourcesFix[] {
  const place = scalarAt(yaml.document.contents, range.start);
  const [, source, setting] = [place?.path[0], place?.path[1], place?.path.at(-1)];
  if (!place || !isScalar(place.scalar) || typeof source !== 'string') return [];
  const others = JSON.stringify(sources.sources.map(({ settings }) => settings));
  // An address is no secret; its password belongs to the settings of the login.
  if (setting === 'baseUrl') return [];
  // The usual name is that of the source; a second secret of the source is called after its setting as well.
  const name = others.includes(`\${secret:${source}}`) ? `${source}-${String(setting)}` : source;
  const reference = `\${secret:${name}}`;
  const look = { title: `Move to secret storage as "${name}"`, preferred: true };
  const changes = [{ kind: 'set', path: place.path, value: reference }] as const;
  const inPlace = fixByEdits(look, yaml, () => [{ range, newText: JSON.stringify(reference) }], changes);
  const fixes = inPlace.length > 0 ? inPlace : fixOfMeaning(look, yaml, changes);
  return fixes.map((fix) => ({ ...fix, secret: { name, value: String(place.scalar.value), source } }));
}
