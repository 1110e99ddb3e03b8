import type { CanvasIntent } from '../../../../protocol/shapes/canvas-shapes.ts';
import { applyIntent } from './apply-intent.ts';
import { editText } from './edit-text.ts';
import type { EditedText } from './edited-text.ts';
import type { EntryPlace } from './intent-outcome.ts';
import type { VerifiedEdits } from './verified-edits.ts';

/** Edits of an intent, with the new selection and the affected entry. */
type GraphEdit =
  | { readonly edits: VerifiedEdits; readonly select?: string; readonly entry?: EntryPlace }
  | { readonly refusal: string };

/** Converts a canvas intent to minimal text edits. */
export function editGraph(source: EditedText, intent: CanvasIntent): GraphEdit {
  let made: { readonly select?: string; readonly entry?: EntryPlace } = {};
  const outcome = editText(source, (graph) => {
    const applied = applyIntent(graph, intent);
    if ('refusal' in applied) return applied;
    const { graph: next, ...rest } = applied;
    made = rest;
    return next;
  });
  return 'refusal' in outcome ? outcome : { ...outcome, ...made };
}
