import { elementKeys, relationshipKeys } from './format-keys.ts';

/** The keys that a piece of text seems to have, on lines of their own or between braces, in whatever depth. */
export function keysIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(writtenKey)].map(([, key = '']) => key));
}

const writtenKey = /(?:^[ \t]*(?:- +)*|[{,][\t\r\n ]*)["']?([A-Za-z_][\w-]*)["']?[ \t]*:(?=[\t\r\n ]|$)/gm;

/** The list that an entry with these keys is of, by those that entries of the other list do not have. */
export function listOfKeys(keys: ReadonlySet<string>): 'elements' | 'relationships' | undefined {
  if (ofElements.some((key) => keys.has(key))) return 'elements';
  return ofRelationships.some((key) => keys.has(key)) ? 'relationships' : undefined;
}

/** Cross tables have data objects too. */
const ofElements = elementKeys.filter((key) => key !== 'dataObject');

/** People write a name in either. */
const ofRelationships = relationshipKeys.filter((key) => key !== 'name');
