import { type TimeRole, elementFields } from '../../../protocol/fields/element.ts';
import type { Field } from '../../../protocol/fields/field.ts';
import {
  type CrossTable,
  type EntityElement,
  type MasterData,
  type Relationship,
  masterDataName,
  relationshipName,
} from './entity-graph.ts';

const neededFields = (Object.keys(elementFields) as (keyof typeof elementFields)[])
  .filter((key) => 'needed' in elementFields[key])
  .map((key) => ({ key, ...elementFields[key] }) as Needed);

interface Needed extends Field {
  readonly key: keyof typeof elementFields;
  readonly label: string;
  readonly expression?: (typeof elementFields)[TimeRole]['expression'];
}

/** Missing fields of an element; empty when configured. */
export function missingOfElement(element: EntityElement): readonly Needed[] {
  return neededFields.filter(({ key, expression }) => !element[key] && !(expression && element[expression]));
}

/** What an entry lacks before it can be imported: two sentences without the name of the entry. */
export interface Shortcoming {
  readonly problem: string;
  readonly remedy: string;
}

/** Why an element is unconfigured, with a remedy; undefined when configured. */
export function unconfiguredMessage(element: EntityElement): string | undefined {
  const found = unconfiguredReason(element);
  return found && `${elementTitle(element)} is not configured: ${found.problem} ${found.remedy}`;
}

/** The shortcoming of an element, without its name. */
export function unconfiguredReason(element: EntityElement): Shortcoming | undefined {
  const missing = missingOfElement(element);
  if (missing.length === 0) return undefined;
  const keys = missing.map(({ key }) => key).join(' and ');
  const verb = missing.length === 1 ? 'is' : 'are';
  return { problem: `${joinWords(missing.map(({ label }) => label))} ${verb} missing.`, remedy: `Set ${keys}.` };
}

/** What an entry of `entities` lacks; undefined when it is complete. */
export function masterDataShortcoming({ dataObject }: MasterData): Shortcoming | undefined {
  return dataObject ? undefined : { problem: 'Data Object is missing.', remedy: 'Set dataObject.' };
}

/** The shortcoming of an entry of `entities`, with its name. */
export function masterDataMessage(entry: MasterData): string | undefined {
  const found = masterDataShortcoming(entry);
  const title = masterDataName(entry) ?? `${entry.index + 1}`;
  return found && `Entry "${title}" of entities is not configured: ${found.problem} ${found.remedy}`;
}

/** Name of an element in messages: its activity name, else its 1-based number. */
function elementTitle(element: EntityElement): string {
  return element.activityName ? `Element "${element.activityName.value}"` : `Element ${element.index + 1}`;
}

/** Whether a cross table joins both sides. */
export function isCrossTableComplete(crossTable: CrossTable): boolean {
  const { dataObject, sourceMappings, targetMappings } = crossTable;
  return dataObject !== undefined && sourceMappings.length > 0 && targetMappings.length > 0;
}

/** Why a relationship is a draft, with a remedy; undefined when configured. */
export function draftMessage(relationship: Relationship): string | undefined {
  const found = draftReason(relationship);
  return found && `Relationship "${relationshipName(relationship)}" is a draft: ${found.problem} ${found.remedy}`;
}

/** The reason why a relationship is a draft, without its name, to follow a colon. */
export function draftReason({ source, target, mappings, crossTable, path }: Relationship): Shortcoming | undefined {
  if (!source || !target) {
    const ends = [...(source ? [] : ['source']), ...(target ? [] : ['target'])];
    return { problem: `it has no ${ends.join(' and no ')}.`, remedy: 'Name the activity at each end.' };
  }
  if (path && path.steps.length > 0) return undefined;
  if (crossTable && !isCrossTableComplete(crossTable)) {
    return {
      problem: 'its cross table needs a data object and at least one mapping on each side.',
      remedy: 'Complete crossTable.',
    };
  }
  if (mappings.length > 0 || crossTable) return undefined;
  return { problem: 'nothing joins its ends.', remedy: 'Add a mapping, an expression or a cross table.' };
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
