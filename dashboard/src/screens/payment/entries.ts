import type { TimelineEntry } from '@switchyard/sdk'
import { terms } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'

/** An attempt with a provider, as recorded in the timeline. */
export interface Attempt {
  entryId: string
  no: number
  provider: string
  state: string
  /** Each state with the time at which it began. */
  states: readonly { state: string; at: string }[]
  message: string | null
}

export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

export const attemptsOf = (entries: readonly TimelineEntry[]): Attempt[] =>
  entries
    .filter(({ kind }) => kind === 'attempt')
    .map(({ entry_id, attempt_no, data }) => ({
      entryId: entry_id,
      no: attempt_no ?? 0,
      provider: textOf(data['provider']) ?? '',
      state: textOf(data['state']) ?? '',
      states: (data['states'] ?? []) as Attempt['states'], // as the timeline's documentation has it
      message: textOf(data['message']),
    }))

/** The figure that the strategy compared. The client parses fractional numbers as text. */
interface Figures {
  share_percent?: number | string
  success_rate?: number | string
  attempts?: number | string
  cost?: number | string
}

export interface Candidate {
  provider: string
  taken: boolean
  reason: string
  figures?: Figures
}

export interface Decision {
  policy: string | null
  version: number | null
  rule: string | null
  strategy: string
  is_exploration: boolean
  cost_currency: string | null
}

/** The rule and version that decided; undefined if no policy applied. */
export const decisionOf = (entries: readonly TimelineEntry[]): Decision | undefined =>
  entries.find(({ kind }) => kind === 'routing')?.data['decision'] as Decision | undefined // as the timeline's documentation has it

/** Every provider that was considered, with the reason why it was chosen or skipped. */
export const candidatesOf = (entries: readonly TimelineEntry[]): Candidate[] =>
  (entries.find(({ kind }) => kind === 'routing')?.data['considered'] ?? []) as Candidate[] // as the timeline's documentation has it

/** The provider that an entry is about, if it is about one. */
export function providerOf(entry: TimelineEntry, attempts: readonly Attempt[]): string | undefined {
  if (entry.attempt_no !== null) return attempts.find(({ no }) => no === entry.attempt_no)?.provider
  return entry.kind === 'webhook' ? entry.entry_id.split('.')[1] : undefined
}

export const providerName = (provider: string): string => nameOf(terms.provider, provider)
