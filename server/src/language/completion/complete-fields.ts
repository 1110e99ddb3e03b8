import type { CompletionProposal } from './completion-proposal.ts';
import type { CursorPlace } from '../cursor/cursor-place.ts';
import type { FieldDocs } from '../schema/field-docs.ts';
import { type Markdown, code, joined, line, paragraphs, prose } from '../markdown.ts';
import { trailingComma, isJson, jsonValue } from '../json-text.ts';
import { plainScalar } from './written-value.ts';

/** The fields that the object at a position may still have, required ones first. */
export function completeFields(
  fields: readonly FieldDocs[],
  place: CursorPlace,
  text: string,
  only: (name: string) => string | undefined = () => undefined,
): readonly CompletionProposal[] {
  const present = new Set(place.in === 'key' ? place.siblings : []);
  return fields
    .filter(({ name }) => !present.has(name))
    .map((field, index) => ({
      label: field.name,
      kind: 'property',
      ...(field.needed ? { detail: 'needed' } : {}),
      documentation: fieldMarkdown(field),
      ...keyText(field, place, text, onlyValue(field, only)),
      filterText: field.name,
      sortText: `${field.needed ? 0 : 1}${String(index).padStart(3, '0')}`,
    }));
}

/** The value of a field that can have no other. */
function onlyValue(
  { name, values, shape }: FieldDocs,
  only: (name: string) => string | undefined,
): string | number | boolean | undefined {
  const [first, ...others] = values;
  const fixed = shape !== 'list' && shape !== 'object' && others.length === 0 ? first : undefined;
  return only(name) ?? (fixed as string | number | boolean | undefined);
}

type KeyText = Pick<CompletionProposal, 'insertText' | 'isSnippet' | 'replace'>;

/** The key with its colon, quotes and brackets as in the file; the key alone if a colon follows. */
function keyText(
  field: FieldDocs,
  place: CursorPlace,
  text: string,
  only: string | number | boolean | undefined,
): KeyText {
  const { name, shape } = field;
  const { replace, style, lead, tail, inFlow } = place;
  const quote = style === 'double' ? '"' : style === 'single' ? "'" : '';
  const after = text.slice(replace.end, replace.end + 200);
  const closed = quote !== '' && after.startsWith(quote);
  if (/^["']?\s*:(\s|$)/.test(after)) return { insertText: `${lead}${name}`, replace };
  const at = { start: replace.start, end: replace.end + (closed ? 1 : 0) };
  if (isJson(text)) {
    const value = only === undefined ? jsonValue(field) : JSON.stringify(only).replaceAll('$', String.raw`\$`);
    const key = `${quote === '' ? `"${name}` : name}": ${value}`;
    // In a JSON list, or after a JSON key, the braces must be inserted too.
    const entry = place.in === 'value' && quote === '' ? `{ ${key} }` : key;
    return { insertText: `${lead}${entry}${trailingComma(text, at.end)}`, isSnippet: true, replace: at };
  }
  const key = `${name}${closed ? quote : tail}`;
  const brackets = inFlow && (shape === 'list' || shape === 'object');
  if (brackets)
    return { insertText: `${lead}${key}: ${shape === 'list' ? '[$0]' : '{ $0 }'}`, isSnippet: true, replace: at };
  if (only !== undefined) return { insertText: `${lead}${key}: ${plainScalar(only, inFlow)}`, replace: at };
  // Objects and lists start on the next line, which the editor indents.
  return { insertText: `${lead}${key}:${shape === 'object' || shape === 'list' ? '' : ' '}`, replace: at };
}

/** Documentation of a field from the schema. */
export function fieldMarkdown({ description, examples, values }: FieldDocs): Markdown {
  const [example] = examples;
  const words = values.map((value) => code(String(value)));
  return paragraphs(
    prose(description),
    words.length > 1 ? line`One of ${joined(words, ', ')}.` : undefined,
    example === undefined
      ? undefined
      : line`Example: ${code(typeof example === 'string' ? example : JSON.stringify(example))}`,
  );
}
