/** What a supervisor ends with when another one holds the lock of the cluster. */
export const lockTaken = 75
