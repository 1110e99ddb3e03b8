import { plainDocument } from '../plain-value.ts';
import { readEditable } from './editable-yaml.ts';
import { type JsonObject, isJsonObject, sameValue } from './json-value.ts';
import { reconcile } from './reconcile.ts';
import { type TextEdit, applyEdits } from './text-edit.ts';
import { Unwritable } from './unwritable.ts';

/** Edits of a text, or why there are none, in a sentence for the user. */
export type EditOutcome = { readonly edits: readonly TextEdit[] } | { readonly refusal: string };

/**
 * Changes what a YAML or JSON text means with as few changes of the text as possible: comments, order, quotes, blank
 * lines and line ends of everything else stay as they are. The result is read again before it is given out.
 * @param change gets the meaning of the text and gives the new one, or a sentence that says why it cannot be.
 */
export function editText(
  text: string,
  change: (value: JsonObject) => JsonObject | { readonly refusal: string },
): EditOutcome {
  const yaml = readEditable(text);
  const now = yaml.document.errors.length > 0 ? undefined : plainDocument(yaml.document, text);
  if (now === undefined)
    return { refusal: 'The file cannot be read at the moment. Mend its first error, then try again.' };
  if (!isJsonObject(now)) return { refusal: 'The file is empty. Give it a version, a name and a data source first.' };
  const desired = change(now);
  if (isRefusal(desired)) return desired;
  try {
    const edits = inOrder(reconcile(yaml, desired), text);
    if (means(applyEdits(text, edits), desired)) return { edits };
  } catch (error) {
    if (!(error instanceof Unwritable)) throw error;
  }
  return {
    refusal:
      'This change cannot be written without disturbing text around it, such as an anchor that is used elsewhere. Make it in the text.',
  };
}

function isRefusal(value: JsonObject | { readonly refusal: string }): value is { readonly refusal: string } {
  return typeof value['refusal'] === 'string' && Object.keys(value).length === 1;
}

function means(text: string, desired: JsonObject): boolean {
  const { document } = readEditable(text);
  return document.errors.length === 0 && sameValue(plainDocument(document, text), desired);
}

/** By place; additions at one place become one, in the order in which they were made. */
function inOrder(edits: readonly TextEdit[], text: string): readonly TextEdit[] {
  const removals = edits.filter(({ newText, range }) => newText === '' && range.end > range.start);
  const sorted = edits
    .filter(({ range, newText }) => range.end > range.start || newText !== '')
    .map((edit) => outOfRemovals(edit, removals, text))
    .toSorted((one, other) => one.range.start - other.range.start || one.range.end - other.range.end);
  const result: TextEdit[] = [];
  for (const edit of sorted) {
    const last = result.at(-1);
    if (last && edit.range.start < last.range.end) throw new Unwritable('changes that overlap');
    if (last && last.range.end === edit.range.start) {
      result.splice(-1, 1, {
        range: { start: last.range.start, end: edit.range.end },
        newText: last.newText + edit.newText,
      });
    } else result.push(edit);
  }
  return result;
}

/** Lines that are added behind a line that goes stand behind the one before it. */
function outOfRemovals(edit: TextEdit, removals: readonly TextEdit[], text: string): TextEdit {
  const { range, newText } = edit;
  if (range.end > range.start || !/^\r?\n/.test(newText)) return edit;
  const hit = removals.find((removal) => removal.range.start < range.start && range.start < removal.range.end);
  const lineBreak = hit && /\r?\n$/.exec(text.slice(0, hit.range.start))?.[0];
  if (!hit || lineBreak === undefined) return edit;
  const at = hit.range.start - lineBreak.length;
  return outOfRemovals({ range: { start: at, end: at }, newText }, removals, text);
}
