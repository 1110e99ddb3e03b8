import type { Node } from 'yaml';
import { isScalar } from 'yaml';
import type { MeaningChange } from '../../model/edits/meaning-change.ts';
import { type ProvenEdits, noEdits, proveChoice, proveEdits, proveRepair } from '../../model/edits/proven-edits.ts';
import type { EditOutcome } from '../../model/edits/proven-edits.ts';
import type { TextEdit } from '../../model/edits/text-edit.ts';
import { Unwritable } from '../../model/edits/unwritable.ts';
import { writeChanges } from '../../model/edits/write-changes.ts';
import { nodeAtPath, pathOf } from '../../model/node-path.ts';
import type { Problem } from '../../model/problem.ts';
import type { ProblemCode } from '../../model/rules.ts';
import type { YamlText } from '../../model/yaml-text.ts';
import type { GraphContext } from '../graph-context.ts';

/** A change that mends a problem. */
export interface Fix {
  readonly title: string;
  readonly edits: ProvenEdits;
  /** How the text means something else with it; absent where it could not be read before. */
  readonly changes?: readonly MeaningChange[];
  /** There is no doubt that this is what was meant. */
  readonly preferred?: boolean;
  /** What an editor with our commands does instead of editing. */
  readonly command?: 'openCanvas';
}

/** How problems with certain codes are mended; all codes when none are named. */
export interface QuickFix {
  readonly codes?: readonly ProblemCode[];
  fixes(problem: Problem, context: GraphContext): readonly Fix[];
}

type FixLook = Pick<Fix, 'title' | 'preferred'>;

/** The fix that changes what the text means, in the style of what is there; none where that cannot be written. */
export function fixOfMeaning(look: FixLook, yaml: YamlText, changes: readonly MeaningChange[]): readonly Fix[] {
  return fixOf(look, () => writeChanges(yaml, changes, { following: behindAliases(yaml, changes) }), changes);
}

/** The fix with edits of its own, when they mean just these changes. */
export function fixByEdits(
  look: FixLook,
  yaml: YamlText,
  edits: () => readonly TextEdit[],
  changes: readonly MeaningChange[],
): readonly Fix[] {
  return fixOf(look, () => proveEdits(yaml, edits(), [...changes, ...behindAliases(yaml, changes)]), changes);
}

/** The fix of a mistake that keeps the text from being read, when it does not only hide it. */
export function fixOfSyntax(look: FixLook, yaml: YamlText, edits: readonly TextEdit[]): readonly Fix[] {
  return fixOf(look, () => proveRepair(yaml, edits));
}

/** One side of a merge. */
export function fixByChoice(look: FixLook, yaml: YamlText, edits: readonly TextEdit[]): readonly Fix[] {
  return fixOf(look, () => proveChoice(yaml, edits));
}

/** What is done on the canvas. */
export function fixOnCanvas(title: string): Fix {
  return { title, edits: noEdits, command: 'openCanvas' };
}

function fixOf(look: FixLook, write: () => EditOutcome, changes?: readonly MeaningChange[]): readonly Fix[] {
  try {
    const outcome = write();
    return 'edits' in outcome ? [{ ...look, edits: outcome.edits, ...(changes ? { changes } : {}) }] : [];
  } catch (error) {
    if (error instanceof Unwritable) return [];
    throw error;
  }
}

/** The same changes where aliases stand for a text that is changed: it is mended for them as well. */
function behindAliases(yaml: YamlText, changes: readonly MeaningChange[]): readonly MeaningChange[] {
  const { aliases, target } = yaml.links;
  if (aliases.length === 0) return [];
  const { contents } = yaml.document;
  return changes.flatMap((change) => {
    const node = change.kind === 'set' ? nodeAtPath(contents, change.path) : undefined;
    if (!isScalar(node) || node.anchor === undefined) return [];
    const users = aliases.filter((alias) => target(alias) === (node as Node));
    return users.flatMap((alias) => {
      const path = pathOf(contents, alias);
      return path ? [{ ...change, path }] : [];
    });
  });
}
