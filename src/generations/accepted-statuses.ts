/** Statuses that only a create reaches that the gateway has accepted. */
export const acceptedStatuses = ['SUCCEEDED', 'QUEUED'] as const;
