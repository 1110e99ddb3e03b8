import { type CanvasIntent, canvasIntent } from '../../../../protocol/shapes/canvas-shapes.ts';
import { applyIntent } from '../../model/edits/apply-intent.ts';
import { editText } from '../../model/edits/edit-text.ts';
import { type JsonObject, type JsonValue, isJsonList, isJsonObject } from '../../model/edits/json-value.ts';
import { applyEdits } from '../../model/edits/text-edit.ts';
import { parseEntityGraph } from '../../model/parse-model.ts';
import { isEntityFile } from '../../project/list-entity-files.ts';
import { OperationError } from '../operation-error.ts';

/** Sets the value at a path of keys and places, or removes it. A place at the end of a list appends. */
interface SetValue {
  readonly kind: 'set';
  readonly path: readonly (string | number)[];
  /** Absent or null to remove it. */
  readonly value?: JsonValue;
}

/** An edit of the canvas, or of any value. */
type EditOfMeaning = CanvasIntent | SetValue;

/**
 * The text with edits of what it means, in their order: comments, order, quotes and line ends stay elsewhere, and the
 * result is read again as a proof. Throws an `OperationError` for edits that do not fit.
 */
export function withEdits(path: string, text: string, given: unknown): string {
  const edits = readEdits(given);
  const outcome = editText(parseEntityGraph(text).yaml, (graph) => {
    let next = graph;
    for (const edit of edits) {
      const applied = edit.kind === 'set' ? setValue(next, edit) : ofCanvas(path, next, edit);
      if ('refusal' in applied) return { refusal: applied.refusal };
      next = applied.graph;
    }
    return next;
  });
  if ('refusal' in outcome) throw refused(outcome.refusal);
  return applyEdits(text, outcome.edits);
}

function readEdits(given: unknown): readonly EditOfMeaning[] {
  if (!Array.isArray(given)) throw refused('Edits are a list.');
  return given.map((edit: unknown, index) => {
    const name = `edits.${index}`;
    if (isJsonObject(edit as JsonValue) && (edit as { readonly kind?: unknown }).kind === 'set')
      return setEdit(edit, name);
    const mistake = canvasIntent(edit, name);
    if (mistake !== undefined) throw refused(mistake);
    return edit as CanvasIntent;
  });
}

function setEdit(edit: unknown, name: string): SetValue {
  const { path, value } = edit as SetValue;
  const isPath =
    Array.isArray(path) &&
    path.length > 0 &&
    path.every((step) => typeof step === 'string' || Number.isSafeInteger(step));
  if (!isPath) throw refused(`"${name}.path" must be a list of keys and places, such as ["elements", 0, "key"].`);
  return { kind: 'set', path, value: value ?? null };
}

type Applied = { readonly graph: JsonObject } | { readonly refusal: string };

function ofCanvas(path: string, graph: JsonObject, intent: CanvasIntent): Applied {
  if (isEntityFile(path)) return applyIntent(graph, intent);
  return { refusal: `${intent.kind} is an edit of entity graphs: use set for other files.` };
}

function setValue(graph: JsonObject, { path, value = null }: SetValue): Applied {
  const changed = withValue(graph, path, value);
  if (changed === undefined || !isJsonObject(changed)) return { refusal: `There is no place ${JSON.stringify(path)}.` };
  return { graph: changed };
}

/** Undefined if there is no such place. */
function withValue(
  holder: JsonValue,
  [step, ...rest]: readonly (string | number)[],
  value: JsonValue,
): JsonValue | undefined {
  if (step === undefined) return value;
  if (isJsonList(holder)) {
    if (typeof step !== 'number' || step < 0 || step > holder.length) return undefined;
    const isNew = step === holder.length;
    if (rest.length === 0 && value === null) return isNew ? undefined : holder.toSpliced(step, 1);
    const inner = rest.length === 0 ? value : withValue(isNew ? {} : (holder[step] ?? null), rest, value);
    return inner === undefined ? undefined : holder.toSpliced(step, 1, inner);
  }
  if (!isJsonObject(holder) || typeof step !== 'string') return undefined;
  // Not an object yet: a key may be called __proto__.
  const members = new Map(Object.entries(holder));
  const missing = typeof rest[0] === 'number' ? [] : {};
  const inner = rest.length === 0 ? value : withValue(members.get(step) ?? missing, rest, value);
  if (inner === undefined) return undefined;
  if (rest.length === 0 && inner === null) members.delete(step);
  else members.set(step, inner);
  return Object.fromEntries(members);
}

function refused(message: string): OperationError {
  return new OperationError({ code: 'edit-refused', message });
}
