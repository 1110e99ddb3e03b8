/** Larger graphs are searched for findings only when the user asks: that takes a minute or more. */
export const mostSearchedEvents = 2_000_000;
