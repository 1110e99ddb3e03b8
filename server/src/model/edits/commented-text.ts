import { Document, isScalar, isCollection } from 'yaml';
import type { JsonObject } from './json-value.ts';
import { newText } from './new-text.ts';

/** A comment at the end of the line of a value. */
export interface FieldComment {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** The text of a new file with comments; what it says does not depend on them. */
export function commentedText(meaning: JsonObject, comments: readonly FieldComment[]): string {
  const document = new Document(meaning);
  for (const { path, text } of comments) {
    const node = document.getIn(path, true);
    const line = ` ${text.replaceAll(/\s+/g, ' ').trim()}`;
    if (isScalar(node)) node.comment = line;
    if (isCollection(node)) {
      node.flow = true;
      node.comment = line;
    }
  }
  return newText(meaning, document.toString({ lineWidth: 0, singleQuote: true }));
}
