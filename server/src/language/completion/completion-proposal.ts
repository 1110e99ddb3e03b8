import type { SourceRange } from '../../model/source-range.ts';
import type { CursorPlace } from '../cursor/cursor-place.ts';
import type { Markdown } from '../markdown.ts';
import type { SchemaPlace } from '../schema/schema-at.ts';

/** A completion item. */
export interface CompletionProposal {
  readonly label: string;
  readonly kind:
    | 'property'
    | 'value'
    | 'dataObject'
    | 'column'
    | 'activity'
    | 'dataSource'
    | 'operator'
    | 'snippet'
    | 'keyword'
    | 'function'
    /** Shows a text and inserts nothing. */
    | 'notice';
  readonly detail?: string | undefined;
  readonly documentation?: Markdown | undefined;
  readonly insertText: string;
  /** `insertText` is an LSP snippet. */
  readonly isSnippet?: boolean;
  /** A snippet of several lines on one line, for editors that may not indent the others like the first. */
  readonly oneLine?: string;
  /** Runs after the insertion, in editors with our commands; others do not get the item. */
  readonly command?: 'newEntity';
  readonly replace: SourceRange;
  readonly sortText?: string;
  readonly filterText?: string;
}

/** A cursor position with the whole file, whose values affect the items. */
export interface KnownPlace extends CursorPlace, SchemaPlace {}
