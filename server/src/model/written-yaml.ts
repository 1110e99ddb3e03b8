/** Options for texts that the program writes: words such as `No` and `on`, which YAML 1.1 takes for booleans, are quoted. */
export const writtenSchema = { compat: 'yaml-1.1' } as const;

/** The same, with the style of values. */
export const writtenYaml = { ...writtenSchema, lineWidth: 0, singleQuote: true } as const;
