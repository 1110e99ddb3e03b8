import type { Node } from 'yaml';
import { isScalar } from 'yaml';
import type { QueryTarget } from '../../../../protocol/query-results.ts';
import type { MeaningChange } from '../../model/edits/meaning-change.ts';
import {
  type VerifiedEdits,
  noEdits,
  proveChoice,
  verifyEdits,
  proveRepair,
} from '../../model/edits/verified-edits.ts';
import type { EditOutcome } from '../../model/edits/verified-edits.ts';
import type { TextEdit } from '../../model/edits/text-edit.ts';
import { Unwritable } from '../../model/edits/unwritable.ts';
import { writeChanges } from '../../model/edits/write-changes.ts';
import { nodeAtPath, pathOf } from '../../model/node-path.ts';
import type { Problem } from '../../model/problem.ts';
import type { ProblemCode } from '../../model/rules.ts';
import type { YamlText } from '../../model/yaml-text.ts';
import type { GraphContext } from '../graph-context.ts';

/** A quick fix. */
export interface Fix {
  readonly title: string;
  readonly edits: VerifiedEdits;
  /** The change of meaning; absent for a text that was unreadable. */
  readonly changes?: readonly MeaningChange[] | undefined;
  /** The fix is certainly intended. */
  readonly preferred?: boolean;
  /** Command for editors with our commands, instead of edits. */
  readonly command?: 'openCanvas' | 'testQuery';
  /** The rows that the command shows. */
  readonly target?: QueryTarget;
}

/** Creates fixes for problems with certain codes; for all codes if none are listed. */
export interface QuickFix {
  readonly codes?: readonly ProblemCode[];
  fixes(problem: Problem, context: GraphContext): readonly Fix[];
}

type FixLook = Pick<Fix, 'title' | 'preferred'>;

/** A fix by meaning, written in the style of the file; none if it cannot be written. */
export function fixOfMeaning(look: FixLook, yaml: YamlText, changes: readonly MeaningChange[]): readonly Fix[] {
  return fixOf(look, () => writeChanges(yaml, changes, { following: behindAliases(yaml, changes) }), changes);
}

/** A fix with explicit edits, valid only if they mean these changes. */
export function fixByEdits(
  look: FixLook,
  yaml: YamlText,
  edits: () => readonly TextEdit[],
  changes: readonly MeaningChange[],
): readonly Fix[] {
  return fixOf(look, () => verifyEdits(yaml, edits(), [...changes, ...behindAliases(yaml, changes)]), changes);
}

/** A fix of a syntax error, valid only if it does not merely hide the error. */
export function fixOfSyntax(look: FixLook, yaml: YamlText, edits: readonly TextEdit[]): readonly Fix[] {
  return fixOf(look, () => proveRepair(yaml, edits));
}

/** A fix that accepts one side of a merge conflict. */
export function fixByChoice(look: FixLook, yaml: YamlText, edits: readonly TextEdit[]): readonly Fix[] {
  return fixOf(look, () => proveChoice(yaml, edits));
}

/** A fix that opens the canvas. */
export function fixOnCanvas(title: string): Fix {
  return { title, edits: noEdits, command: 'openCanvas' };
}

function fixOf(look: FixLook, write: () => EditOutcome, changes?: readonly MeaningChange[]): readonly Fix[] {
  try {
    const outcome = write();
    return 'edits' in outcome ? [{ ...look, edits: outcome.edits, changes }] : [];
  } catch (error) {
    if (error instanceof Unwritable) return [];
    throw error;
  }
}

/** The changes including aliases of a changed value. */
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
