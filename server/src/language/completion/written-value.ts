import { stringify } from 'yaml';
import { documentWithErrors } from '../../model/bounded-document.ts';
import { writtenYaml } from '../../model/written-yaml.ts';
import { yamlOptions } from '../../model/yaml-text.ts';
import type { CompletionProposal } from './completion-proposal.ts';
import type { CursorPlace } from '../cursor/cursor-place.ts';
import { fittingProposals, type ProposalLimit } from './fitting-proposals.ts';
import { isJson } from '../json-text.ts';

/** A value before quoting. */
export interface ProposedValue extends Omit<CompletionProposal, 'replace' | 'insertText'> {
  readonly value: unknown;
  /** The field is a list of such values, so a single value would have the wrong type. */
  readonly inList?: boolean;
}

/** The position of the values. */
interface ValuePlace {
  readonly place: CursorPlace;
  readonly text: string;
  /** Position of the cursor. */
  readonly offset: number;
}

/** The values as they must be written at a position, in order. */
export function insertValues(
  values: readonly ProposedValue[],
  { place, text, offset }: ValuePlace,
  limit?: ProposalLimit,
): readonly CompletionProposal[] {
  const json = isJson(text);
  const { replace } = place;
  return fittingProposals(values, text.slice(replace.start, offset), limit).map(
    // Explicit conditions, because this runs for every item.
    ({ label, kind, detail, documentation, isSnippet, sortText, value, inList = false }, index) => {
      const insertText = written(value, place, json, inList);
      const proposal: Writable<CompletionProposal> = {
        label,
        kind,
        insertText,
        replace,
        sortText: sortText ?? String(index).padStart(5, '0'),
      };
      if (detail !== undefined) proposal.detail = detail;
      if (documentation !== undefined) proposal.documentation = documentation;
      if (isSnippet !== undefined) proposal.isSnippet = isSnippet;
      return proposal;
    },
  );
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

function written(value: unknown, place: CursorPlace, json: boolean, inList: boolean): string {
  const { style, lead, tail, inFlow, startsLine } = place;
  if (style === 'double') return `${lead}${JSON.stringify(String(value)).slice(1, -1)}${tail}`;
  if (style === 'single') return `${lead}${String(value).replaceAll("'", "''")}${tail}`;
  if (!inList) return `${lead}${json ? JSON.stringify(value) : plainScalar(value, inFlow)}${tail}`;
  // Block lists use dashes, flow lists brackets.
  if (startsLine && !inFlow) return `${lead.startsWith('- ') ? lead : `${lead}- `}${plainScalar(value, false)}${tail}`;
  return `${lead}[${json ? JSON.stringify(value) : plainScalar(value, true)}]${tail}`;
}

/** A scalar as YAML: plain if that has the same meaning, else quoted. */
export function plainScalar(value: unknown, inFlow: boolean): string {
  // Fast path for plain names, because the YAML library is too slow for thousands.
  if (
    typeof value === 'string' &&
    /^[A-Za-z]\w*(?:[ .-]\w+)*$/.test(value) &&
    !/^(?:null|true|false|y|n|yes|no|on|off)$/i.test(value)
  )
    return value;
  const text = stringify(value, writtenYaml).trimEnd();
  const needsQuotes = inFlow && /[,[\]{}]/.test(text) && !/^['"]/.test(text);
  const written = needsQuotes ? `'${text.replaceAll("'", "''")}'` : text;
  return isReadAs(value, written, inFlow) ? written : JSON.stringify(value);
}

/** Whether a single-line scalar is parsed as its intended value. */
function isReadAs(value: unknown, written: string, inFlow: boolean): boolean {
  if (/[\r\n]/.test(written)) return false;
  const document = documentWithErrors(inFlow ? `[${written}]` : `- ${written}`, yamlOptions);
  return document.errors.length === 0 && document.getIn([0]) === value;
}
