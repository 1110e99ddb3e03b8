import { hasAliases, yamlSections } from './yaml-chunks.ts';

/**
 * A text with comments in the place of its lists, which takes a fraction of the time to read; everything else is where it was. The
 * text itself where these cannot be told apart from the rest without reading it.
 */
export function withoutLists(text: string): string {
  // What an alias above stands for may be in an entry.
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

/** Blanks might be part of a text above. */
function hidden(line: string): string {
  return '#'.repeat(line.length);
}
