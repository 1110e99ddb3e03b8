import { elementKeys, relationshipKeys } from './format-keys.ts';

/** The apparent keys in a piece of text, on separate lines or in flow style, at any depth. */
export function keysIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(writtenKey)].map(([, key = '']) => key));
}

const writtenKey = /(?:^[ \t]*(?:- +)*|[{,][\t\r\n ]*)["']?([A-Za-z_][\w-]*)["']?[ \t]*:(?=[\t\r\n ]|$)/gm;

/** The list that an entry with these keys belongs to, by keys specific to one list. */
export function listOfKeys(keys: ReadonlySet<string>): 'elements' | 'relationships' | undefined {
  if (ofElements.some((key) => keys.has(key))) return 'elements';
  return ofRelationships.some((key) => keys.has(key)) ? 'relationships' : undefined;
}

/** Cross tables have data objects and data sources too, and the file has a data source. */
const ofElements = elementKeys.filter((key) => key !== 'dataObject' && key !== 'dataSource');

/** A name may be in either list. */
const ofRelationships = relationshipKeys.filter((key) => key !== 'name');
