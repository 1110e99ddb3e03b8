import type { CompletionProposal } from './complete.ts';
import type { CursorPlace } from './cursor-place.ts';
import { type PropertyDocs, propertiesAt } from './schema/property-docs.ts';
import type { SchemaName } from './schema/validate-schema.ts';
import { snippetsAt } from './snippets.ts';
import { endOfLine } from './yaml-line.ts';

/** The properties that the object at a place may still have, required ones first, and whole entries as snippets. */
export function completeProperties(
  schema: SchemaName,
  place: CursorPlace,
  text: string,
  kind?: string,
): readonly CompletionProposal[] {
  const present = new Set(place.siblings);
  const { replace } = place;
  const hasColon = /^\s*:/.test(text.slice(replace.end, endOfLine(text, replace.end)));
  const properties = propertiesAt(schema, place.path, kind)
    .filter(({ name }) => !present.has(name))
    .map((property, index): CompletionProposal => {
      const important = property.required || firstProperties.has(property.name);
      return {
        label: property.name,
        kind: 'property',
        ...(important ? { detail: 'needed' } : {}),
        documentation: propertyMarkdown(property),
        insertText: hasColon ? property.name : `${property.name}:${spaceAfter(property)}`,
        replace,
        sortText: `${important ? 0 : 1}${String(index).padStart(3, '0')}`,
      };
    });
  const snippets = hasColon ? [] : snippetsAt(schema, place, text);
  return [...properties, ...snippets];
}

/** Legal to save without, but not to import. */
const firstProperties = new Set(['activityName', 'dataObject', 'startTimestamp', 'source', 'target']);

/** Groups and lists begin on the next line, which the editor indents. */
function spaceAfter({ shape }: PropertyDocs): string {
  return shape === 'object' || shape === 'list' ? '' : ' ';
}

/** What the schema says about a property, as Markdown. */
export function propertyMarkdown({ description, examples, values }: PropertyDocs): string {
  const lines = [description];
  if (values.length > 1) lines.push(`One of ${values.map((value) => `\`${value}\``).join(', ')}.`);
  const [example] = examples;
  if (example !== undefined)
    lines.push(`Example: \`${typeof example === 'string' ? example : JSON.stringify(example)}\``);
  return lines.filter((line) => line !== '').join('\n\n');
}
