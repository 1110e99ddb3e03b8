import { elementFields } from '../../../protocol/fields/element.ts';
import type { FieldTable } from '../../../protocol/fields/field.ts';
import { masterDataFields } from '../../../protocol/fields/master-data.ts';

/** Keys of the file and the names that forms and cards have for them. */
const labels: Readonly<Record<string, string>> = {
  ...labelsOf(elementFields),
  ...labelsOf(masterDataFields),
  dataObjects: 'the selected data objects',
  atEndOfDay: 'End of the Day',
  crossTable: 'Cross Table',
  sourceMappings: 'the mappings of the source side',
  targetMappings: 'the mappings of the target side',
};

function labelsOf(fields: FieldTable): Readonly<Record<string, string>> {
  return Object.fromEntries(
    // An ordinary word, such as "key", may be meant as one.
    Object.entries(fields).flatMap(([key, { type, label, expression }]) => [
      ...(label === undefined || !/[A-Z]/.test(key) || type === 'flag' || type === 'rowCorrelations'
        ? []
        : [[key, label] as const]),
      ...(label === undefined || expression === undefined
        ? []
        : [[expression, label.replace('Timestamp', 'Expression')] as const]),
    ]),
  );
}

/** A quoted name, which stays unchanged, or a key. */
const quotedOrKey = new RegExp(`"[^"]*"|(?<![\\w.])(?:${Object.keys(labels).join('|')})(?!\\w|\\.\\w)`, 'g');

/** A message with the names that the canvas has for keys of the file. Quoted names are the user's, and stay. */
export function inCanvasWords(message: string): string {
  return message.replaceAll(quotedOrKey, (found) => labels[found] ?? found);
}
