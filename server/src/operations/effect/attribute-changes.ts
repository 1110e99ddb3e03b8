import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Lexer } from 'yaml';
import type { Catalog } from '../../catalog/catalog.ts';
import type { GraphChanges } from '../../../../protocol/graph-changes.ts';
import {
  type EffectAttribution,
  type EffectDelta,
  type EffectEdit,
  type EffectPart,
  deltasOf,
} from '../../../../protocol/graph-effect.ts';
import { type JsonObject, sameValue } from '../../model/edits/json-value.ts';
import { meaningOf } from '../../model/meaning.ts';
import { type MeaningEdits, meaningEdits } from '../../model/meaning-edits.ts';
import { type ParsedEntityGraph, parseEntityGraph } from '../../model/parse-model.ts';
import { combineCatalogs } from '../../project/combine-catalogs.ts';
import { type GraphFile, type ProjectContext, openProject } from '../../project/open-project.ts';
import { validPlan } from '../imports/import-plan.ts';
import { compareStores } from '../stored-graphs/compared-stores.ts';
import { toFailure } from '../operation-error.ts';
import type { BuiltBase, BuiltText } from './build-text.ts';
import { editGroups } from './edit-groups.ts';

/** Beyond that, only the total is told. */
const mostEdits = 12;

/** Both texts as built, and how to build another one over the same rows. */
interface Attributed {
  readonly file: GraphFile;
  readonly before: BuiltBase;
  readonly after: BuiltText;
  readonly total: Pick<EffectPart, 'schema'> & { readonly changes: GraphChanges };
  /** Where texts with some of the edits are built; deleted by the caller. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** The graphs of the parts stay in the folder. */
  readonly keepsStores: boolean;
  /** Builds a text in a folder. */
  readonly build: (file: GraphFile, folder: string, edits: EditInWork) => Promise<BuiltText>;
}

/** Which of the edits are being built. */
export interface EditInWork {
  readonly title: string;
  /** 1-based. */
  readonly number: number;
  readonly count: number;
}

/** An attribution, and the graph of each of its parts, which is deleted unless it is to be kept. */
interface AttributedStores {
  readonly attribution: EffectAttribution;
  readonly stores: readonly string[];
}

const none: EffectAttribution = { parts: [], together: [], withoutEffect: [] };

/** The edits between two texts, before the texts are built. */
export interface TextEdits {
  /** The text of the base with each group of edits that is built, once that is known of the catalogs of both texts. */
  textsOf(catalogs: readonly ReadonlyMap<string, Catalog>[]): Promise<readonly GraphFile[]>;
  /**
   * Attributes changes to the edits that cause them (docs/semantics.md#205-which-edit-did-it): each is applied alone to the
   * base, and the graph is built and compared. Rejects when it is cancelled.
   */
  attribute(attributed: Attributed): Promise<AttributedStores>;
}

/** Takes the difference of two texts apart. @param base the text of the base */
export function textEdits(
  base: string,
  file: GraphFile,
  projectContext: ProjectContext,
  signal: AbortSignal,
): TextEdits {
  const [old, now] = [parseEntityGraph(base), parseEntityGraph(file.text)];
  const [before, after] = [meaningOf(old.yaml), meaningOf(now.yaml)];
  if (!before || !after || !isSameAsData(old, before) || !isSameAsData(now, after))
    return withoutParts({
      ...none,
      refusal: 'The texts cannot be taken apart: they have values that depend on how they are written.',
    });
  const edits = meaningEdits(before, after);
  const { length } = edits.edits;
  const layout = layoutEdits(base, file.text, length === 0);
  if (length === 0) return withoutParts({ ...none, withoutEffect: layout });
  if (length > mostEdits)
    return withoutParts({ ...none, refusal: `There are ${length} edits; at most ${mostEdits} are built one by one.` });
  let known: Promise<readonly (readonly number[])[]> | undefined;
  const groupsBy = (catalogs: readonly ReadonlyMap<string, Catalog>[]): Promise<readonly (readonly number[])[]> =>
    (known ??= groupsOf(edits, { file, catalogs, projectContext, signal }));
  return {
    async textsOf(catalogs) {
      const groups = await groupsBy(catalogs);
      return groups.length === 1 ? [] : groups.map((group) => ({ path: file.path, text: textWith(edits, group) }));
    },
    async attribute(attributed) {
      const { total, after: ofFile, before: ofBase } = attributed;
      const groups = await groupsBy([ofFile.catalogs, ofBase.catalogs]);
      const all = deltasOf(total.changes);
      if (groups.length > 1) return attributeGroups(edits, groups, { all, layout }, attributed);
      // A part that is everything has the numbers that are known.
      if (!total.changes.changed && total.schema.length === 0)
        return { attribution: { ...none, withoutEffect: [...edits.edits, ...layout] }, stores: [] };
      const part = { edits: edits.edits, deltas: all, schema: total.schema };
      return { attribution: { ...none, withoutEffect: layout, parts: [part] }, stores: [ofFile.store] };
    },
  };
}

function withoutParts(attribution: EffectAttribution): TextEdits {
  return { textsOf: () => Promise.resolve([]), attribute: () => Promise.resolve({ attribution, stores: [] }) };
}

async function attributeGroups(
  edits: MeaningEdits,
  groups: readonly (readonly number[])[],
  { all, layout }: { readonly all: readonly EffectDelta[]; readonly layout: readonly EffectEdit[] },
  attributed: Attributed,
): Promise<AttributedStores> {
  const { file, before, folder, signal, keepsStores, build } = attributed;
  const parts: EffectPart[] = [];
  const kept: string[] = [];
  const withoutEffect: EffectEdit[] = [];
  for (const [index, group] of groups.entries()) {
    const ofGroup = group.flatMap((place) => edits.edits[place] ?? []);
    const title = ofGroup.map((edit) => edit.title).join(', ');
    const place = join(folder, `edit-${index + 1}`);
    const inWork = { title, number: index + 1, count: groups.length };
    let isKept = false;
    try {
      const built = await build({ path: file.path, text: textWith(edits, group) }, place, inWork);
      const stores = { before: before.store, after: built.store };
      const part = await compareStores(stores, signal, async ({ changes }, schema) => {
        const deltas = deltasOf(changes);
        return { edits: ofGroup, deltas, schema, isChanged: changes.changed || schema.length > 0 };
      });
      const { isChanged, ...found } = part;
      if (isChanged) {
        parts.push(found);
        kept.push(built.store);
        isKept = keepsStores;
      } else withoutEffect.push(...ofGroup);
    } catch (error) {
      signal.throwIfAborted();
      const refusal = `${title} cannot be built alone: ${toFailure(error, signal).message}`;
      return { attribution: { ...none, refusal }, stores: [] };
    } finally {
      if (!isKept) await rm(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
  }
  const attribution = { parts, together: remainder(all, parts), withoutEffect: [...withoutEffect, ...layout] };
  return { attribution, stores: kept };
}

/** Texts are built from their data, which must mean the same as the text. */
function isSameAsData(parsed: ParsedEntityGraph, meaning: JsonObject): boolean {
  return sameValue(withoutRanges(parsed), withoutRanges(parseEntityGraph(JSON.stringify(meaning))));
}

function withoutRanges({ graph }: ParsedEntityGraph): unknown {
  // The source of SQL is how it is written.
  const isPlace = (key: string, value: unknown): boolean =>
    key === 'range' || key === 'keyRange' || key === 'offsets' || (key === 'source' && typeof value === 'string');
  return JSON.parse(JSON.stringify(graph, (key, value: unknown) => (isPlace(key, value) ? undefined : value)));
}

/** Comments and layout count as one edit, which never changes a graph. */
function layoutEdits(before: string, after: string, isAll: boolean): readonly EffectEdit[] {
  if (isAll) return [{ kind: 'layout', title: 'comments and layout' }];
  const comments = (text: string): readonly string[] =>
    [...new Lexer().lex(text)].filter((token) => token.startsWith('#'));
  return sameValue(comments(before), comments(after)) ? [] : [{ kind: 'layout', title: 'comments' }];
}

function textWith(edits: MeaningEdits, group: readonly number[]): string {
  return JSON.stringify(edits.apply(new Set(group)));
}

/** Edits that make a valid text together, by what is known of the data sources of both texts. */
async function groupsOf(
  edits: MeaningEdits,
  {
    file,
    catalogs: known,
    projectContext,
    signal,
  }: {
    readonly file: GraphFile;
    readonly catalogs: readonly ReadonlyMap<string, Catalog>[];
    readonly projectContext: ProjectContext;
    readonly signal: AbortSignal;
  },
): Promise<readonly (readonly number[])[]> {
  return editGroups(edits.edits.length, async (group) => {
    signal.throwIfAborted();
    const text = textWith(edits, group);
    const project = await openProject({ path: file.path, text }, projectContext).catch(() => undefined);
    if (!project) return false;
    return known.some((catalogs) => {
      const of = ({ name }: { readonly name: { readonly value: string } }): Catalog | undefined =>
        catalogs.get(name.value);
      const catalog = combineCatalogs(project.parsed.graph, project.sourcesFile.sources, of);
      if (!catalog) return false;
      try {
        validPlan(project, catalog);
        return true;
      } catch {
        return false;
      }
    });
  });
}

function remainder(all: readonly EffectDelta[], parts: readonly EffectPart[]): readonly EffectDelta[] {
  const left = new Map<string, EffectDelta>();
  const add = (delta: EffectDelta, sign: 1 | -1): void => {
    const key = JSON.stringify([delta.part, delta.name, delta.kind]);
    left.set(key, { ...delta, count: (left.get(key)?.count ?? 0) + sign * delta.count });
  };
  for (const delta of all) add(delta, 1);
  for (const delta of parts.flatMap(({ deltas }) => deltas)) add(delta, -1);
  return [...left.values()].filter(({ count }) => count !== 0);
}
