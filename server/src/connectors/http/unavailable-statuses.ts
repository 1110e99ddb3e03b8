/**
 * Statuses with which a server, or a gateway before it, says that it cannot answer now: each may be over when the request is
 * sent again. The same for all HTTP; what else is transient is a matter of the interface.
 */
export const unavailableStatuses: readonly number[] = [408, 425, 499, 502, 503, 504];
