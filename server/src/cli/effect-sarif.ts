import type { EffectEdit, GraphEffect } from '../../../protocol/graph-effect.ts';
import { isScalar } from 'yaml';
import { parseYaml } from '../model/yaml-text.ts';
import type { SourceRange } from '../model/source-range.ts';
import { conditionText, isFailed, partText, partTitle } from './print-effect.ts';
import type { SarifFile, SarifResult } from './sarif.ts';

/** A note for each edit with effect, at its place in the text, and an error for each condition that fails. */
export function effectSarif(effect: GraphEffect, text: string): SarifFile {
  const { document } = parseYaml(text);
  const rangeOf = (edit: EffectEdit | undefined): SourceRange => rangeIn(document, edit);
  const { attribution, conditions = [] } = effect;
  const notes = (attribution?.parts ?? []).map((part): SarifResult => ({
    code: 'effect',
    severity: 'information',
    message: `${partTitle(part)}: ${partText(part)}`,
    range: rangeOf(part.edits[0]),
  }));
  const failed = conditions.filter(isFailed).map((condition): SarifResult => ({
    code: 'effect-condition',
    severity: 'error',
    message: conditionText(condition),
    range: rangeOf(undefined),
  }));
  return { path: effect.file, text, problems: [...failed, ...notes] };
}

/** The value that an edit changes; of what is gone the nearest that is there, else the start of the file. */
function rangeIn(
  document: ReturnType<typeof parseYaml>['document'],
  { section, entry, index, field }: Partial<EffectEdit> = {},
): SourceRange {
  if (section === undefined) return { start: 0, end: 0 };
  // Calendars have their names as keys.
  const entryKey = section === 'calendars' ? entry : index;
  const path = [section, ...(entryKey === undefined ? [] : [entryKey]), ...(field === undefined ? [] : [field])];
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    const range = rangeOfNode(node);
    if (range) return range;
  }
  return { start: 0, end: 0 };
}

function rangeOfNode(node: unknown): SourceRange | undefined {
  const range = (node as { readonly range?: readonly number[] | null } | null | undefined)?.range;
  if (!range) return undefined;
  const [start = 0, end = start] = range;
  // A long entry is marked at its start only.
  return { start, end: isScalar(node) ? end : start };
}
