import { ApiError, OutcomeUnknown } from '@switchyard/sdk'
import { useState } from 'react'
import { useIdentity } from '../shell/session.tsx'
import { keepSending, keptSending, dropSending, type Kept, type Sent } from './kept-sendings.ts'

interface Sending {
  /** What was sent, while its outcome is unknown: a repeat sends exactly that. */
  doubt: Sent | undefined
  /**
   * Sends under the key of the form. The key changes only after a definite refusal, so neither a double click, nor
   * closing the form, nor a repeat after a broken connection can move money twice.
   */
  send: <Result>(submit: (idempotencyKey: string) => PromiseLike<Result>, sent?: Sent) => Promise<Result>
  /** For a person who has looked, and wants to send something else. */
  forget: () => void
}

/** Answers that come before the key is looked up, so they say nothing about an earlier submission. */
const earlyStatuses: readonly number[] = [401, 403, 429, 500, 503]
const nothing: Sent = { fields: {}, shown: [] }

/**
 * The key of a form. With a subject (what the form changes) it outlives the form: whoever opens the form of the same
 * subject again, even after a reload, repeats the submission instead of making a second one.
 */
export function useSending(subject?: string): Sending {
  const { me } = useIdentity()
  const place = subject === undefined ? undefined : `${me.user_id} ${subject}`
  const [{ key, sent: doubt }, setSending] = useState<Partial<Kept> & { key: string }>(
    () => keptSending(place) ?? { key: crypto.randomUUID() },
  )
  const renew = (): void => {
    dropSending(place)
    setSending({ key: crypto.randomUUID() })
  }
  return {
    doubt,
    forget: renew,
    async send(submit, sent = nothing) {
      // Before it is sent, because the screen may be left while it is under way.
      keepSending(place, { key, sent })
      try {
        const result = await submit(key)
        dropSending(place)
        return result
      } catch (error) {
        if (error instanceof OutcomeUnknown) setSending({ key, sent })
        else if (error instanceof ApiError && !earlyStatuses.includes(error.status)) renew()
        else if (!doubt) dropSending(place)
        throw error
      }
    },
  }
}
