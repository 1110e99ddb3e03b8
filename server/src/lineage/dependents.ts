import type { Output } from './output.ts';
import { outputWords } from './output-words.ts';
import { outputsBehind } from './trace.ts';

/** The most names of a sentence. */
const namedOutputs = 6;

/** The rules and measures that depend on one of some outputs, in words, such as `rule Paid in time`. */
export function judgedBy(outputs: readonly Output[], lineage: readonly Output[]): readonly string[] {
  const wanted = new Set(outputs);
  return lineage
    .filter(({ kind }) => kind === 'rule' || kind === 'measure')
    .filter((output) => outputsBehind(output).some((each) => wanted.has(each)))
    .map(outputWords);
}

/** Such as `Rule Paid in time and measure Value depend on it.` */
export function dependentsSentence(words: readonly string[]): string {
  const listed = words.slice(0, namedOutputs);
  const more = words.length - listed.length;
  const all = more > 0 ? [...listed, `${more} more`] : listed;
  const last = all.at(-1) ?? '';
  const text = all.length === 1 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} ${words.length === 1 ? 'depends' : 'depend'} on it.`;
}
