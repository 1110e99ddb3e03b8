import type { CompletionProposal, KnownPlace } from './completion-proposal.ts';
import { completeFields } from './complete-fields.ts';
import { fieldsAt, fieldAt } from '../schema/field-docs.ts';
import { schemaAt } from '../schema/schema-at.ts';
import { type StartKnowledge, startOfFile } from './start-of-file.ts';
import type { SchemaName } from '../schema/validate-schema.ts';
import { snippetsAt } from './snippets.ts';

/** Keys and whole entries; undefined at a scalar value. */
export function completeStructure(
  schema: SchemaName,
  place: KnownPlace,
  text: string,
  known: StartKnowledge = {},
): readonly CompletionProposal[] | undefined {
  const fields = fieldsAt(schema, place);
  const snippets = [...startOfFile(schema, place, text, known), ...snippetsAt(schema, place, text)];
  const only = (name: string): string | undefined =>
    name === 'dataSource' && known.dataSources?.length === 1 ? known.dataSources[0] : undefined;
  if (place.in === 'key') return [...snippets, ...completeFields(fields, place, text, only)];
  // Where a scalar is allowed too, it is the usual form: an object starts with its bracket or first key.
  const mayBeText = [schemaAt(schema, place)?.type].flat().includes('string');
  if (mayBeText && !(place.startsLine && place.path.at(-1) !== '[]')) return snippets.length > 0 ? snippets : undefined;
  if (fields.length > 0) {
    // A scalar where an object is expected is its half-typed first key; on the line of another key it cannot become
    // one.
    const mayBegin = place.startsLine || (place.inFlow && place.path.at(-1) === '[]');
    if (mayBegin) return [...snippets, ...completeFields(fields, place, text, only)];
    return fieldAt(schema, place)?.values.length ? undefined : [];
  }
  return snippets.length > 0 ? snippets : undefined;
}
