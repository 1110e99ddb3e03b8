import type { SourceRange } from '../../model/source-range.ts';
import type { ReferenceNames } from '../../model/value-references.ts';
import { isSecretSetting } from '../../model/secret-settings.ts';
import type { CompletionProposal } from './completion-proposal.ts';
import { type CursorPlace, cursorPlace } from '../cursor/cursor-place.ts';
import type { ScalarStyle } from '../cursor/scalar-place.ts';
import { isJson } from '../json-text.ts';

/** A value that keeps something out of the file. */
export interface ProposedReference {
  /** As it is written, such as `${secret:shop}`. */
  readonly reference: string;
  readonly detail: string;
}

/**
 * Secrets and environment variables where the cursor is in the beginning of a reference to one, `$` or `${env:`;
 * undefined elsewhere.
 */
export function completeReference(
  text: string,
  offset: number,
  names: ReferenceNames,
): readonly CompletionProposal[] | undefined {
  const typed = referenceAt(text, offset);
  if (!typed) return undefined;
  // YAML may read what is half-typed as a brace of its own, so the place is looked for without it.
  const around = text.slice(0, typed.start) + text.slice(typed.end);
  const place = cursorPlace(around, typed.start);
  if (place?.in !== 'value') return undefined;
  const isEmpty = place.replace.start === place.replace.end;
  const spell = spelling(place, isEmpty, isJson(text));
  if (!spell) return [];
  const [, source] = place.path;
  const setting = place.path.at(-1) ?? '';
  const references = [
    ...(isSecretSetting(setting) && source !== undefined ? likelyReferences(source) : []),
    ...names.secrets.map((name) => ({ reference: `\${secret:${name}}`, detail: 'secret' })),
    ...names.variables.map((name) => ({ reference: `\${env:${name}}`, detail: 'environment variable' })),
  ];
  const isNew = (index: number): boolean =>
    references.findIndex(({ reference }) => reference === references[index]?.reference) === index;
  return references
    .filter((_, index) => isNew(index))
    .map(({ reference, detail }, index) => ({
      ...{ label: reference, kind: 'value', detail, insertText: spell(reference), filterText: reference },
      replace: typed,
      sortText: String(index).padStart(5, '0'),
    }));
}

/** What a secret setting of a source is called when nobody says otherwise. */
export function likelyReferences(source: string): readonly ProposedReference[] {
  const variable = `${source.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}_PASSWORD`;
  return [
    { reference: `\${secret:${source}}`, detail: 'secret' },
    { reference: `\${env:${variable}}`, detail: 'environment variable' },
  ];
}

/** What stands of a reference at an offset, up to its brace; undefined when none begins before it. */
export function referenceAt(text: string, offset: number): SourceRange | undefined {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const typed = /\$(?:\{[^\s{}"':]*(?::[^\s{}"']*)?)?$/.exec(line)?.[0];
  if (typed === undefined) return undefined;
  const rest = typed.length > 1 ? (/^(?:[\w.:-]*\})?/.exec(text.slice(offset))?.[0] ?? '') : '';
  return { start: offset - typed.length, end: offset + rest.length };
}

function spelling(
  { style, inFlow, lead, tail }: CursorPlace,
  isEmpty: boolean,
  json: boolean,
): ((reference: string) => string) | undefined {
  const quoted: readonly ScalarStyle[] = ['single', 'double', 'block'];
  if (quoted.includes(style) || (!inFlow && !json)) return (reference) => `${lead}${reference}${tail}`;
  // Between braces a brace ends a plain text.
  return isEmpty ? (reference) => `${lead}"${reference}"${tail}` : undefined;
}
