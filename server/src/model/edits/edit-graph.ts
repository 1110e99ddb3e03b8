import type { CanvasIntent } from '../../../../protocol/canvas-intents.ts';
import { applyIntent } from './apply-intent.ts';
import { editText } from './edit-text.ts';
import type { EditedText } from './edited-text.ts';
import type { EntryPlace } from './intent-outcome.ts';
import type { ProvenEdits } from './proven-edits.ts';

/** Edits that make an intent true, with what it selects and the entry that it is about. */
export type GraphEdit =
  { readonly edits: ProvenEdits; readonly select?: string; readonly entry?: EntryPlace } | { readonly refusal: string };

/** Turns what a person did on the canvas into minimal edits of the file's text. */
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
