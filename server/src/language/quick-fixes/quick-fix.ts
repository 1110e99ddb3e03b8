import type { Problem } from '../../model/problem.ts';
import type { GraphContext } from '../checks/check.ts';
import type { TextEdit } from '../../model/edits/text-edit.ts';
import { Unwritable } from '../../model/edits/unwritable.ts';

/** A change that mends a problem. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** There is no doubt that this is what was meant. */
  readonly preferred?: boolean;
  /** What an editor with our commands does instead of editing. */
  readonly command?: 'openCanvas';
}

/** How problems with certain codes are mended; all codes when none are named. */
export interface QuickFix {
  readonly codes?: readonly string[];
  fixes(problem: Problem, context: GraphContext): readonly Fix[];
}

/** The fix with edits that may be refused because the text is written in an unusual way: then there is none. */
export function fixWith(fix: Omit<Fix, 'edits'>, edits: () => readonly TextEdit[]): readonly Fix[] {
  try {
    return [{ ...fix, edits: edits() }];
  } catch (error) {
    if (error instanceof Unwritable) return [];
    throw error;
  }
}
