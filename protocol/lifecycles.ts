/** The lifecycles of events, in their order at equal time (docs/semantics.md#71-order-of-events). */
export const lifecycles = ['start', 'change', 'end'] as const;
export type Lifecycle = (typeof lifecycles)[number];
