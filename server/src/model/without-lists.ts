import { hasAliases, yamlSections } from './yaml-chunks.ts';

/**
 * Replaces lists by comments, which makes parsing much faster; offsets outside are unchanged. The same text if lists
 * cannot be separated without parsing.
 */
export function withoutLists(text: string): string {
  // An anchor for an alias above may be in an entry.
  const sections = hasAliases(text) ? undefined : yamlSections(text);
  let kept = '';
  let end = 0;
  for (const section of sections ?? []) {
    if (!section.items) continue;
    kept += text.slice(end, section.start) + text.slice(section.start, section.end).replace(/[^\r\n]+/g, hidden);
    end = section.end;
  }
  return kept + text.slice(end);
}

/** Blanks could be part of a scalar above. */
function hidden(line: string): string {
  return '#'.repeat(line.length);
}
