const dayMs = 24 * 60 * 60_000

export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * dayMs)

/**
 * Each destroyed key makes the file of the organisation's keys larger by about three kilobytes, and every process reads
 * it again after each erasure. Beyond this many, retention stops and reports it.
 */
export const erasedLimit = 50_000
/** As many as one erasure names. */
export const pageSize = 500
export const pagesLimit = 2_000
