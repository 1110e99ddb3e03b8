import { isMap } from 'yaml';
import type { ProposedType } from '../../catalog/catalog.ts';
import type { JsonObject } from '../../model/edits/json-value.ts';
import type { MeaningPath } from '../../model/edits/meaning-change.ts';
import type { ParsedDataSources } from '../../model/parse-data-sources.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourcesContext } from '../checks/check.ts';
import { type Fix, fixOfMeaning } from './quick-fix.ts';

/** Declares the types of columns of files that the warnings of a data source propose, one fix for each. */
export function declareTypes(
  { message, range }: Problem,
  parsed: ParsedDataSources,
  catalogs: SourcesContext['catalogs'],
): readonly Fix[] {
  const source = parsed.sources.sources.find(({ name }) => name.range.start === range.start)?.name.value;
  if (source === undefined) return [];
  const told = message.split('\n');
  const proposed = catalogs?.get(source)?.proposedTypes?.filter((each) => told.includes(each.message)) ?? [];
  return proposed.flatMap((each) =>
    each.types.flatMap((type) => {
      const look = { title: `Declare "${each.column}" of ${each.file} as ${type}` };
      return fixOfMeaning(look, parsed.yaml, [{ kind: 'set', ...typeSetting(source, each, type, parsed) }]);
    }),
  );
}

/**
 * Where the type is declared. The types of a file replace those of its source, and parts have one type: only a file
 * alone, in a source without types, gets types of its own.
 */
function typeSetting(
  source: string,
  { file, isPart, column }: ProposedType,
  type: string,
  { yaml: { document } }: ParsedDataSources,
): { readonly path: MeaningPath; readonly value: JsonObject | string } {
  const settings = ['dataSources', source];
  const hasMap = (...keys: readonly string[]): boolean => isMap(document.getIn([...settings, ...keys], true));
  const isOfFile = hasMap('files', file, 'types') || (!isPart && !hasMap('types'));
  const keys = isOfFile ? ['files', file, 'types', column] : ['types', column];
  let known = keys.length - 1;
  while (known > 0 && !hasMap(...keys.slice(0, known))) known -= 1;
  const value = keys.slice(known + 1).reduceRight<JsonObject | string>((inner, key) => ({ [key]: inner }), type);
  return { path: [...settings, ...keys.slice(0, known + 1)], value };
}
