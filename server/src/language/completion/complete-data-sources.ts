import type { ParsedDataSources } from '../../model/parse-data-sources.ts';
import { type ReferenceNames, referenceNames } from '../../model/value-references.ts';
import { timeZones } from '../../model/time-zones.ts';
import { isSecretSetting } from '../../model/secret-settings.ts';
import type { CompletionProposal } from './completion-proposal.ts';
import { completeReference, likelyReferences, referenceAt } from './complete-references.ts';
import { completeStructure } from './complete-structure.ts';
import { cursorPlace } from '../cursor/cursor-place.ts';
import { prose } from '../markdown.ts';
import { plainData } from '../schema/plain-data.ts';
import { fieldAt } from '../schema/field-docs.ts';
import { type ProposedValue, insertValues } from './written-value.ts';

/** Context of completion in a sources file. */
interface SourcesKnowledge {
  readonly parsed: ParsedDataSources;
  /** Names from other sources files and the environment; those of this file are added. */
  readonly names?: ReferenceNames;
}

/** Completion items at an offset of a sources file. */
export function completeDataSources(
  { parsed, names }: SourcesKnowledge,
  offset: number,
): readonly CompletionProposal[] {
  const { text } = parsed.yaml;
  const typed = referenceAt(text, offset);
  // A half-typed name is excluded. Uses the text, because the settings may be unreadable.
  const own = referenceNames(typed ? [text.slice(0, typed.start), text.slice(typed.end)] : text);
  const all: ReferenceNames = {
    secrets: [...own.secrets, ...(names?.secrets ?? [])],
    variables: [...own.variables, ...(names?.variables ?? [])],
  };
  const references = completeReference(text, offset, all);
  if (references) return references;
  const cursor = cursorPlace(text, offset);
  if (!cursor || cursor.style === 'block') return [];
  const place = { ...cursor, data: plainData(cursor.repaired) };
  const structure = completeStructure('entitySources', place, text);
  if (structure) return structure;
  const docs = fieldAt('entitySources', place);
  const values = sourceValues(place.path, all) ?? docs?.values.map(plainValue) ?? [];
  const documented = values.map((value) => ({ ...value, ...(docs ? { documentation: prose(docs.description) } : {}) }));
  return insertValues(documented, { place, text, offset });
}

/** Values outside of the schema: time zones and secret references. */
function sourceValues(path: readonly string[], { secrets }: ReferenceNames): readonly ProposedValue[] | undefined {
  const [, source = 'NAME'] = path;
  const setting = path.at(-1) ?? '';
  if (setting === 'timeZone') return [...timeZones].map(plainValue);
  if (!isSecretSetting(setting)) return undefined;
  const known = secrets.map((name) => ({ reference: `\${secret:${name}}`, detail: 'secret' }));
  const byReference = new Map([...likelyReferences(source), ...known].map((each) => [each.reference, each]));
  return [...byReference.values()].map(({ reference, detail }) => ({ ...plainValue(reference), detail }));
}

function plainValue(value: string | number | boolean): ProposedValue {
  return { label: String(value), kind: 'value', value };
}
