import { parse } from 'yaml';
import type { JsonValue } from '../../model/edits/json-value.ts';
import { writeFlow } from '../../model/edits/write-value.ts';
import type { SourceRange } from '../../model/source-range.ts';
import type { CompletionProposal } from './completion-proposal.ts';

/*
 * Snippets have the syntax of the protocol, and two kinds of stops: empty ones, `${1}`, and choices, `${1|usual|}`. A
 * placeholder text would be taken for typed text: nothing completes it, and Enter replaces it with a line break.
 */
const stops = /\\\$|\$\{\d+(?:\|[^|{}]*\|)?\}/g;

/** A snippet as text, for editors without snippets: with its first choices, and without the other stops. */
export function withoutStops(snippet: string): string {
  const chosen = new Map<string, string>();
  for (const [, stop = '', first = ''] of snippet.matchAll(/\$\{(\d+)\|([^|,{}]*)[^|{}]*\|\}/g))
    chosen.set(stop, first);
  return snippet.replaceAll(/\\\$|\$\{?(\d+)(?:\|[^|{}]*\|)?\}?/g, (found, stop: string | undefined) =>
    stop === undefined ? found.slice(1) : (chosen.get(stop) ?? ''),
  );
}

/** The text of a proposal without stops, its further lines indented like the first. */
export function plainInsertion(
  { insertText, isSnippet = false, replace }: Pick<CompletionProposal, 'insertText' | 'isSnippet' | 'replace'>,
  text: string,
): string {
  return indentedLike(isSnippet ? withoutStops(insertText) : insertText, replace, text);
}

/** Indents further lines like the line of `text` on which they are inserted. */
export function indentedLike(inserted: string, replace: SourceRange, text: string): string {
  const line = text.slice(text.lastIndexOf('\n', replace.start - 1) + 1, replace.start);
  const indentation = /^[ \t]*/.exec(line)?.[0] ?? '';
  return inserted.replaceAll('\n', `\n${indentation}`);
}

/** YAML lines with stops on one line, for editors that may not indent further lines like the first. */
export function onOneLine(lines: readonly string[], inList: boolean): string {
  return rewritten(lines, (value) => {
    if (inList) return writeFlow(value, false);
    const [[key, members] = ['', null]] = Object.entries(value as Readonly<Record<string, JsonValue>>);
    return `${key}: ${writeFlow(members, false)}`;
  });
}

/** Converts YAML lines with stops to JSON; for an addition to an object, only its members. */
export function jsonSnippet(lines: readonly string[], isGroup: boolean): string {
  return rewritten(lines, (value) => {
    const written = JSON.stringify(value, null, 2);
    return isGroup ? written.slice(2, -2).replace(/^ {2}/gm, '') : written;
  });
}

/** The stops are hidden, because YAML and JSON would interpret their characters. */
function rewritten(lines: readonly string[], write: (value: JsonValue) => string): string {
  const places: string[] = [];
  const hidden = lines
    .join('\n')
    .replace('$0', '')
    .replace(stops, (place) => `P${places.push(place) - 1}P`);
  const written = write(parse(hidden) as JsonValue);
  return `${written.replace(/P(\d+)P/g, (_, index: string) => places[Number(index)] ?? '')}$0`;
}
