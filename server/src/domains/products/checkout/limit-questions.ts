import type { Log } from '../../../lib/log.ts'

/** Questions to providers on behalf of pages that do not wait for the answer. */
interface Questions {
  /** Does nothing while a question about the same payment is under way, or too many others are. */
  ask(paymentId: string, question: () => Promise<unknown>): void
}

/** A provider that hangs holds a question for seconds, and no payer may hold many. */
const questionsLimit = 64

export function createQuestions(log: Log): Questions {
  const open = new Set<string>()
  return {
    ask(paymentId, question) {
      if (open.has(paymentId) || open.size >= questionsLimit) return
      open.add(paymentId)
      question()
        .catch((error: unknown) => log.error({ err: error, paymentId }, 'asking for a page failed'))
        .finally(() => open.delete(paymentId))
    },
  }
}
