import { stringify } from 'yaml';
import { plainDocument } from '../plain-value.ts';
import { writtenYaml } from '../written-yaml.ts';
import { readEditable } from './editable-yaml.ts';
import { type JsonObject, sameValue } from './json-value.ts';

/**
 * The text of a new file with the given data, verified by parsing. Falls back to JSON, which is valid YAML.
 * @param preferred a candidate text.
 */
export function newText(meaning: JsonObject, preferred = stringify(meaning, writtenYaml)): string {
  const found = [preferred, `${JSON.stringify(meaning, null, 2)}\n`].find((text) => means(text, meaning));
  if (found === undefined) throw new Error('The new text does not have the intended meaning.');
  return found;
}

/** Whether a text has exactly this data. */
export function means(text: string, meaning: unknown): boolean {
  const { document } = readEditable(text);
  return document.errors.length === 0 && sameValue(plainDocument(document, text), meaning);
}
