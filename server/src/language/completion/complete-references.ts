import type { SourceRange } from '../../model/source-range.ts';
import type { ReferenceNames } from '../../model/value-references.ts';
import { isSecretSetting } from '../../model/secret-settings.ts';
import type { CompletionProposal } from './completion-proposal.ts';
import { type CursorPlace, cursorPlace } from '../cursor/cursor-place.ts';
import type { ScalarStyle } from '../cursor/scalar-place.ts';
import { isJson } from '../json-text.ts';

/** A reference to a secret or an environment variable. */
interface ProposedReference {
  /** As written, such as `${secret:shop}`. */
  readonly reference: string;
  readonly detail: string;
}

/** Completes secrets and environment variables after `$` or `${env:`; undefined elsewhere. */
export function completeReference(
  text: string,
  offset: number,
  names: ReferenceNames,
): readonly CompletionProposal[] | undefined {
  const typed = referenceAt(text, offset);
  if (!typed) return undefined;
  // YAML may parse an incomplete reference as a brace, so the position is determined without it.
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
      label: reference,
      kind: 'value',
      detail,
      insertText: spell(reference),
      filterText: reference,
      replace: typed,
      sortText: String(index).padStart(5, '0'),
    }));
}

/** Default secret name of a setting. */
export function likelyReferences(source: string): readonly ProposedReference[] {
  const variable = `${source.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}_PASSWORD`;
  return [
    { reference: `\${secret:${source}}`, detail: 'secret' },
    { reference: `\${env:${variable}}`, detail: 'environment variable' },
  ];
}

/** The typed part of a reference at an offset; undefined outside of one. */
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
  // In flow style a brace ends a plain scalar.
  return isEmpty ? (reference) => `${lead}"${reference}"${tail}` : undefined;
}
