import type { Log } from '../../../lib/log.ts'

/** Limits the inquiries that pages trigger without waiting for the answer. */
interface InquiryLimit {
  /** Does nothing while an inquiry about the same payment is running, or too many others are. */
  start(paymentId: string, inquire: () => Promise<unknown>): void
}

/** An inquiry to a provider that hangs lasts for seconds, and no payer may cause many of them. */
const inquiriesLimit = 64

export function createInquiryLimit(log: Log): InquiryLimit {
  const open = new Set<string>()
  return {
    start(paymentId, inquire) {
      if (open.has(paymentId) || open.size >= inquiriesLimit) return
      open.add(paymentId)
      inquire()
        .catch((error: unknown) => log.error({ err: error, paymentId }, 'an inquiry for a page failed'))
        .finally(() => open.delete(paymentId))
    },
  }
}
