import type { Output } from './output.ts';
import { outputWords } from './output-words.ts';
import { outputsBehind } from './trace.ts';

/** The most names of a sentence. */
const namedOutputs = 6;

/** The rules and measures that depend on outputs, in words, such as `rule Paid in time`, each once in the order of the lineage. */
export type JudgedBy = (outputs: readonly Output[]) => readonly string[];

/** Finds the rules and measures that depend on outputs of a lineage, for many questions. */
export function judgedBy(lineage: readonly Output[]): JudgedBy {
  const judgedBehind = new Map<Output, Output[]>();
  const places = new Map(lineage.map((output, place) => [output, place]));
  for (const judged of lineage.filter(({ kind }) => kind === 'rule' || kind === 'measure')) {
    for (const output of outputsBehind(judged)) {
      const others = judgedBehind.get(output);
      if (others) others.push(judged);
      else judgedBehind.set(output, [judged]);
    }
  }
  return (outputs) =>
    [...new Set(outputs.flatMap((output) => judgedBehind.get(output) ?? []))]
      .toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0))
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
