import { mixedColour } from './mixed-colour.ts';

/** An element or an entry of `entities`, as far as it names entity types. */
interface NamesEntityTypes {
  readonly entityType?: string | undefined;
  /** The entity type where none is given. */
  readonly dataObject?: string | undefined;
  /** False where the events of an element have no entity of their own. */
  readonly ownEntity?: boolean | undefined;
  readonly correlatesWith?: readonly { readonly entityType?: string | undefined }[] | undefined;
}

/**
 * The entity types of a graph in the order of their first appearance: of its elements, of its entries of `entities`, then types that only row
 * correlations name. Colours follow this order, wherever entity types are shown.
 */
export function entityTypesInOrder(
  elements: readonly NamesEntityTypes[],
  entities: readonly NamesEntityTypes[] = [],
): readonly string[] {
  const types = new Set<string>();
  for (const { entityType, dataObject, ownEntity } of [...elements, ...entities]) {
    const type = entityType ?? dataObject;
    if (type !== undefined && ownEntity !== false) types.add(type);
  }
  for (const { entityType } of elements.flatMap(({ correlatesWith = [] }) => correlatesWith)) {
    if (entityType !== undefined) types.add(entityType);
  }
  return [...types];
}

/** Of the chart palette, whose orange is hardly seen on the background of some dark themes. Red comes last: it means errors elsewhere. */
const themeColours = [
  ...['blue', 'green', 'purple', 'yellow'].map((name) => `var(--vscode-charts-${name})`),
  'var(--vscode-symbolIcon-classForeground)',
  'var(--vscode-charts-red)',
];

/** The chart palette of VS Code's light theme, for files. */
const plainColours = ['#1a85ff', '#388a34', '#652d90', '#bf8803', '#d18616', '#e51400'];

/** A CSS colour for each entity type, of the chart palette of the theme. @param types in the order of `entityTypesInOrder` */
export function entityTypeColours(types: readonly string[]): ReadonlyMap<string, string> {
  return coloured(types, themeColours, 'var(--vscode-foreground)');
}

/** The same for drawings that are files: they cannot use variables. */
export function plainEntityTypeColours(types: readonly string[]): ReadonlyMap<string, string> {
  return coloured(types, plainColours, '#1f1f1f');
}

/** The second round of colours is mixed with the colour of texts; further rounds repeat these two. */
function coloured(
  types: readonly string[],
  colours: readonly string[],
  foreground: string,
): ReadonlyMap<string, string> {
  const all = [...colours, ...colours.map((colour) => mixedColour(colour, foreground, 0.55))];
  return new Map(types.map((type, index) => [type, all[index % all.length] ?? foreground]));
}
