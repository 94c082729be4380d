/**
 * Within this time after the death of a server with PostgreSQL, the others have settled its work: one lease (10 s) and two
 * seconds, and twelve more for a busy machine. A lease that is not shortened, of 30 s, exceeds it.
 */
export const deathBoundMs = 24_000;
