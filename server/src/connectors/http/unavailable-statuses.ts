/**
 * HTTP statuses of servers and gateways that are temporarily unavailable, which are retried for every source kind.
 * Other retryable failures depend on the interface.
 */
export const unavailableStatuses: readonly number[] = [408, 425, 499, 502, 503, 504];
