import type { TimelineEntry } from './schema.ts'

/** An entry before the names of its actors are known. */
export type Draft = Omit<TimelineEntry, 'attempt_no' | 'actors' | 'summary'> & {
  attempt_no?: number | null
  userIds?: readonly string[]
  summary: string | ((people: readonly string[]) => string)
}
