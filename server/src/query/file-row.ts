/**
 * Optional row number column of a file's view. A query selects it (`roles.rowOrder`) when joins or subqueries could
 * lose the row order.
 */
export const fileRowColumn = '__file_row';
