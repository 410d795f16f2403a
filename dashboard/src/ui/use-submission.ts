import { ApiError, OutcomeUnknown } from '@switchyard/sdk'
import { useState } from 'react'
import { useIdentity } from '../shell/session.tsx'
import {
  storeSubmission,
  findSubmission,
  removeSubmission,
  type PendingSubmission,
  type FormValues,
} from './pending-submissions.ts'

interface SubmissionState {
  /** The submission whose outcome is unknown; a repeat sends it unchanged. */
  doubt: FormValues | undefined
  /**
   * Sends under the form's idempotency key. The key changes only after a definite refusal, so neither a double click, nor
   * closing the form, nor a repeat after a lost connection can move money twice.
   */
  send: <Result>(
    submit: (idempotencyKey: string) => PromiseLike<Result>,
    sent?: FormValues,
  ) => Promise<Result>
  /** For a person who has checked the outcome and wants to send something else. */
  forget: () => void
}

/** The server sends these before it looks up the key, so they reveal nothing about an earlier submission. */
const earlyStatuses: readonly number[] = [401, 403, 429, 500, 503]
const nothing: FormValues = { fields: {}, shown: [] }

/**
 * The idempotency key of a form. With a subject (what the form changes), the key outlives the form: reopening the form
 * of the same subject, even after a reload, repeats the submission instead of making a second one.
 */
export function useSubmission(subject?: string): SubmissionState {
  const { me } = useIdentity()
  const place = subject === undefined ? undefined : `${me.user_id} ${subject}`
  const [{ key, sent: doubt }, setPending] = useState<Partial<PendingSubmission> & { key: string }>(
    () => findSubmission(place) ?? { key: crypto.randomUUID() },
  )
  const renew = (): void => {
    removeSubmission(place)
    setPending({ key: crypto.randomUUID() })
  }
  return {
    doubt,
    forget: renew,
    async send(submit, sent = nothing) {
      // Stored before it is sent, because the person may leave the screen during the request.
      storeSubmission(place, { key, sent })
      try {
        const result = await submit(key)
        removeSubmission(place)
        return result
      } catch (error) {
        if (error instanceof OutcomeUnknown) setPending({ key, sent })
        else if (error instanceof ApiError && !earlyStatuses.includes(error.status)) renew()
        else if (!doubt) removeSubmission(place)
        throw error
      }
    },
  }
}
