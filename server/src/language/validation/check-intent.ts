import type { IntentCheck, IntentProblem } from '../../../../protocol/canvas-intents.ts';
import type { CanvasIntent } from '../../../../protocol/shapes/canvas-shapes.ts';
import type { FailureCode } from '../../../../protocol/failure-codes.ts';
import type { EntitySource, Relationship } from '../../model/entity-graph.ts';
import { editGraph } from '../../model/edits/edit-graph.ts';
import { prepareEdits } from '../../model/edits/edit-text.ts';
import type { EditedText } from '../../model/edits/edited-text.ts';
import { applyEdits } from '../../model/edits/text-edit.ts';
import { createGraphParser } from '../../model/graph-parser.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceRange } from '../../model/source-range.ts';
import type { Steps } from '../../model/steps.ts';
import { createEntryCache } from '../checks/entry-cache.ts';
import { describeJoin } from '../describe-join.ts';
import { type GraphValidation, validateInTime } from './validate-graph.ts';
import type { GraphContextInput } from '../graph-context.ts';
import { fieldPath } from './field-path.ts';

/** The file after applying an intent. */
export function draftText(
  source: EditedText,
  intent: CanvasIntent,
): { readonly text: string } | { readonly refusal: string } {
  const edit = editGraph(source, intent);
  return 'refusal' in edit ? edit : { text: applyEdits(source.text, edit.edits) };
}

/**
 * Problems of the affected entry of an intent, by the rules of the Problems view. In time slices, as the whole changed
 * file is parsed and validated.
 */
export function* checkingIntent(
  source: EditedText,
  intent: CanvasIntent,
  known: GraphContextInput,
): Steps<IntentCheck | { readonly refusal: string }> {
  yield* prepareEdits(source);
  const edit = editGraph(source, intent);
  if ('refusal' in edit) return edit;
  const after = applyEdits(source.text, edit.edits);
  yield;
  const parsed = yield* createGraphParser().reading(after);
  const list = edit.entry && parsed.graph[edit.entry.list];
  const entry = list?.[edit.entry?.index ?? -1];
  const node = entry && parsed.originOf(entry);
  if (!entry || !node) return { problems: [] };
  const { start, end } = entry.range;
  const problems = (yield* validating({ text: after, parsed, ...known }))
    .filter(({ range }) => start <= range.start && range.end <= end)
    .map(({ code, severity, message, range }): IntentProblem => ({
      code,
      severity,
      message,
      property: fieldPath(node, range).join('.'),
      excerpt: after.slice(range.start, range.end),
    }));
  const summary =
    edit.entry?.list === 'relationships' ? describeJoin(parsed.graph.relationships[edit.entry.index]!) : undefined;
  return { problems, ...(summary === undefined ? {} : { summary }) };
}

function* validating(validation: GraphValidation): Steps<readonly Problem[]> {
  const memo = createEntryCache();
  for (;;) {
    const problems = validateInTime({ ...validation, memo }, { isTimeUp: () => true });
    if (problems) return problems;
    yield;
  }
}

/** The field of an element, an entry of `entities` or a relationship that contains a range; undefined outside. */
export function fieldAt(
  { graph, yaml, originOf }: ParsedEntityGraph,
  range: SourceRange,
  code?: FailureCode,
): { readonly property: string; readonly excerpt: string } | undefined {
  const entry = [...graph.elements, ...graph.entities, ...graph.relationships].find(
    (each) => each.range.start <= range.start && range.end <= each.range.end,
  );
  const node = entry && originOf(entry);
  const absent = entry && code && absentField(entry, code);
  if (absent) return { property: absent, excerpt: '' };
  return node && { property: fieldPath(node, range).join('.'), excerpt: yaml.text.slice(range.start, range.end) };
}

/** The field that an entry lacks, of problems that stand at its name. */
function absentField(entry: EntitySource | Relationship, code: FailureCode): string | undefined {
  if (code === 'missing-key') return 'key';
  if (code !== 'element-unconfigured') return undefined;
  return 'isMasterData' in entry || !('dataObject' in entry && entry.dataObject) ? 'dataObject' : 'startTimestamp';
}
