import { basename, extname, resolve } from 'node:path';
import type { ActivityCondition, MapMeasure, PathMeasure } from '../../../../protocol/event-graph.ts';
import { writeFileAtomic } from '../../files/write-atomic.ts';
import { checkFileTarget } from '../../files/write-target.ts';
import { type DrawnMap, type ProcessMap, drawProcessMap } from '../../operations/stored-graphs/draw-process-map.ts';
import { readGraphFile } from '../../project/open-project.ts';
import { elkProgramPath } from '../program-paths.ts';
import { type Command, type Invocation, UsageError, exitCodes, formatOption, requiredOption } from '../command.ts';

export const mapCommand: Command = {
  name: 'map',
  operands: 'FILE',
  summary: 'Draw the process map of an imported graph as SVG',
  arity: { min: 1, max: 1 },
  options: [
    { name: 'output', value: 'SVG', help: 'The file to write' },
    {
      name: 'entity-type',
      value: 'TYPE',
      help: 'Of entities of this type (default: the one with most events of its own)',
    },
    { name: 'all-types', help: 'Of entities of all types, a colour each' },
    { name: 'measure', value: 'UNIT', help: 'What --all-types counts: events (default), objects or pairs of both' },
    {
      name: 'paths-by',
      value: 'NUMBER',
      help: 'What width, colour and label of paths show: count (default), median, p90 or total time between',
    },
    { name: 'with', value: 'ACTIVITY', repeats: true, help: 'Of entities with this activity; may be repeated' },
    { name: 'without', value: 'ACTIVITY', repeats: true, help: 'Of entities without this activity; may be repeated' },
    { name: 'activities', value: 'SHARE', help: 'The most frequent activities, 0 to 1 (default: all, 60 at most)' },
    { name: 'paths', value: 'SHARE', help: 'The most frequent paths, 0 to 1 (default: as many as are readable)' },
    { name: 'lifecycle', help: 'Tell start and change events apart' },
    formatOption,
  ],
  examples: [
    'entity-graph map incidents.entity.yaml --output map.svg --paths 0.3',
    'entity-graph map incidents.entity.yaml --output all.svg --all-types --measure objects',
    'entity-graph map incidents.entity.yaml --output bottleneck.svg --paths-by total',
    'entity-graph map incidents.entity.yaml --output unsolved.svg --without "Resolve Incident"',
  ],
  async run(invocation) {
    const { operands, options, lists, projectContext, signal, terminal, format } = invocation;
    const output = resolve(requiredOption(invocation, 'output'));
    // Another extension would suggest another image format.
    if (!['', '.svg'].includes(extname(output).toLowerCase())) {
      throw new UsageError(`--output takes an SVG file, not "${basename(output)}".`);
    }
    const [chosen, conditions] = [chosenMap(options), conditionsOf(lists)];
    const pathMeasure = chosenPathMeasure(options['paths-by']);
    const target = await checkFileTarget(output, { example: 'map.svg' });
    const file = await readGraphFile(resolve(operands[0] ?? ''), projectContext);
    const [activities, paths] = [share(options['activities'], 'activities'), share(options['paths'], 'paths')];
    const { svg, shown } = await drawProcessMap(
      file,
      projectContext,
      {
        ...chosen,
        conditions,
        pathMeasure,
        lifecycle: options['lifecycle'] === 'true',
        activities,
        paths,
      },
      { elkProgram: elkProgramPath(), signal },
    );
    await writeFileAtomic(target.real, svg);
    if (format === 'json') terminal.document(JSON.stringify({ files: [output], ...shownNumbers(shown) }));
    else terminal.result(output);
    return exitCodes.fine;
  },
};

/** The content of the picture, for programs. */
function shownNumbers({ subject, nodes, edges, quantileError }: ProcessMap): object {
  return {
    ...(subject.kind === 'type' ? { entityType: subject.entityType } : { measure: subject.measure }),
    activities: nodes.map(({ activity, count }) => ({ activity, count })),
    paths: edges.map(({ source, target, entityType, count, median, p90, total }) => ({
      source,
      target,
      entityType,
      count,
      median,
      p90,
      total,
    })),
    quantileError,
  };
}

const measures: readonly MapMeasure[] = ['events', 'objects', 'pairs'];

/** The entity type to draw, or the measure for all types. Validated before the graph is opened. */
function chosenMap(options: Readonly<Record<string, string | undefined>>): Pick<DrawnMap, 'of' | 'measure'> {
  const { 'entity-type': entityType, 'all-types': allTypes, measure: unit } = options;
  if (allTypes !== 'true') {
    if (unit !== undefined) throw new UsageError('--measure goes with --all-types: a map of one type counts events.');
    return { of: entityType === undefined ? 'first type' : { entityType } };
  }
  if (entityType !== undefined) throw new UsageError('Choose one of --entity-type and --all-types.');
  const measure = measures.find((each) => each === (unit ?? 'events'));
  if (measure === undefined) throw new UsageError(`--measure takes events, objects or pairs, not "${unit}".`);
  return { of: 'all types', measure };
}

const pathMeasures: readonly PathMeasure[] = ['count', 'median', 'p90', 'total'];

function chosenPathMeasure(text: string | undefined): PathMeasure | undefined {
  if (text === undefined) return undefined;
  const measure = pathMeasures.find((each) => each === text);
  if (measure === undefined) throw new UsageError(`--paths-by takes count, median, p90 or total, not "${text}".`);
  return measure;
}

/** Validated before the graph is opened; whether the graph has the activities is known then. */
function conditionsOf(lists: Invocation['lists']): readonly ActivityCondition[] {
  const [present = [], absent = []] = [lists['with'], lists['without']];
  const both = present.find((activity) => absent.includes(activity));
  if (both !== undefined) throw new UsageError(`Choose one of --with and --without for "${both}".`);
  const conditions = (activities: readonly string[], occurs: boolean): readonly ActivityCondition[] =>
    [...new Set(activities)].map((activity) => ({ activity, occurs }));
  return [...conditions(present, true), ...conditions(absent, false)];
}

function share(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!(value >= 0 && value <= 1)) throw new UsageError(`--${name} takes a share from 0 to 1, not "${text}".`);
  return value;
}
