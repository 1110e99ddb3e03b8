import { type AllowedValue, allowedValuesVariable } from '../../../protocol/allowed-values.ts';
import type { ConnectorContext } from '../connectors/connector-context.ts';
import type { ValueUse } from '../connectors/permit-use.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What may be sent, and where, if a person has allowed it in the editor that started this program. */
export function allowedInEditor(
  environment: Environment,
): Pick<ConnectorContext, 'readSecret' | 'permitUses'> | undefined {
  const values = allowedValues(environment);
  if (!values) return undefined;
  const textFor = (use: ValueUse): string | undefined => values.find((value) => isFor(value, use))?.text;
  return {
    async readSecret(_name, uses) {
      const texts = new Set(uses.map(textFor));
      return texts.size === 1 ? [...texts][0] : undefined;
    },
    permitUses: async (uses) => uses.filter((use) => textFor(use) === undefined),
  };
}

/** The values of the editor's variable; undefined without it. */
export function allowedValues(environment: Environment): readonly AllowedValue[] | undefined {
  const text = environment[allowedValuesVariable];
  return text === undefined ? undefined : (JSON.parse(text) as readonly AllowedValue[]);
}

function isFor(value: AllowedValue, { reference, receiver }: ValueUse): boolean {
  const { kind, origin, user, tls } = receiver;
  const isSamePlace = value.kind === kind && value.origin === origin && value.user === user && value.tls === tls;
  return isSamePlace && value.value === reference.kind && value.name === reference.name;
}
