import type { SourceRange } from '../../model/source-range.ts';
import type { CursorPlace } from '../cursor/cursor-place.ts';
import type { Markdown } from '../markdown.ts';
import type { SchemaPlace } from '../schema/schema-at.ts';

/** Something that may be written at the cursor. */
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
    | 'function';
  readonly detail?: string;
  readonly documentation?: Markdown;
  readonly insertText: string;
  /** `insertText` has places to fill in, in the notation of LSP. */
  readonly isSnippet?: boolean;
  readonly replace: SourceRange;
  readonly sortText?: string;
  readonly filterText?: string;
}

/** A place of the cursor together with the whole file, whose values decide on what is possible. */
export interface KnownPlace extends CursorPlace, SchemaPlace {}
