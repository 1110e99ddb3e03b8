import type { ColumnRole, ColumnUse, Output } from '../output.ts';
import { outputsBehind } from '../trace.ts';

const producer = 'https://github.com/entity-graph/entity-graph-vscode';
const core = 'https://openlineage.io/spec/2-0-2/OpenLineage.json';
const columnFacet = 'https://openlineage.io/spec/facets/1-2-0/ColumnLineageDatasetFacet.json';

/**
 * A job event of OpenLineage (https://openlineage.io/spec/2-0-2/OpenLineage.json) with its facet of columns: data sources are
 * namespaces, data objects the inputs; entries, relationships, rules and measures the outputs.
 * @param graph the name of the job and the namespace of its outputs
 */
export function openLineageEvent(outputs: readonly Output[], graph: string, eventTime: Date): object {
  const inputs = new Map<string, object>();
  const datasets = new Map<string, Output[]>();
  for (const output of outputs) {
    for (const { dataSource, dataObject } of output.columns) {
      inputs.set(JSON.stringify([dataSource, dataObject]), { namespace: dataSource, name: dataObject });
    }
    const name = output.of ?? `${output.kind} ${output.name}`;
    const parts = datasets.get(name);
    if (parts) parts.push(output);
    else datasets.set(name, [output]);
  }
  return {
    eventTime: eventTime.toISOString(),
    producer,
    schemaURL: `${core}#/$defs/JobEvent`,
    job: { namespace: 'entity-graph', name: graph },
    inputs: [...inputs.values()],
    outputs: [...datasets].map(([name, parts]) => ({
      namespace: `entity-graph:${graph}`,
      name,
      facets: { columnLineage: columnLineage(parts) },
    })),
  };
}

/** Columns that give values are inputs of their field; those that choose, find or pair rows concern the whole dataset. */
function columnLineage(parts: readonly Output[]): object {
  const behind = parts.flatMap((part) => [part, ...outputsBehind(part)]);
  const indirect = behind.flatMap(({ columns }) => columns.filter(({ role }) => !isDirect(role)));
  const fields = parts.flatMap((part): [string, object][] => {
    const sources = part.of === undefined ? [part, ...outputsBehind(part)] : [part];
    const direct = sources.flatMap(({ columns }) => columns.filter(({ role }) => isDirect(role)));
    return direct.length === 0 ? [] : [[fieldName(part), { inputFields: inputFields(direct) }]];
  });
  return {
    _producer: producer,
    _schemaURL: `${columnFacet}#/$defs/ColumnLineageDatasetFacet`,
    fields: Object.fromEntries(fields),
    ...(indirect.length > 0 && { dataset: inputFields(indirect) }),
  };
}

function fieldName({ kind, name }: Output): string {
  return kind === 'property' || kind === 'key' || kind === 'time' ? name : `${kind} ${name}`;
}

const transformations: Readonly<Record<ColumnRole, { readonly type: string; readonly subtype: string }>> = {
  value: { type: 'DIRECT', subtype: 'IDENTITY' },
  computed: { type: 'DIRECT', subtype: 'TRANSFORMATION' },
  filter: { type: 'INDIRECT', subtype: 'FILTER' },
  join: { type: 'INDIRECT', subtype: 'JOIN' },
  comparison: { type: 'INDIRECT', subtype: 'JOIN' },
};

function isDirect(role: ColumnRole): boolean {
  return transformations[role].type === 'DIRECT';
}

/** Each column once, with all that is done with it. */
function inputFields(uses: readonly ColumnUse[]): readonly object[] {
  const fields = new Map<string, { namespace: string; name: string; field: string; transformations: object[] }>();
  for (const { dataSource, dataObject, column, role } of uses) {
    const key = JSON.stringify([dataSource, dataObject, column]);
    const field = fields.get(key) ?? { namespace: dataSource, name: dataObject, field: column, transformations: [] };
    fields.set(key, field);
    if (!field.transformations.includes(transformations[role])) field.transformations.push(transformations[role]);
  }
  return [...fields.values()];
}
