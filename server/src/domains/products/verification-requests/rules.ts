import type { VerificationType, VerificationRequest } from './record.ts'

export const verificationNames: Readonly<Record<VerificationType, string>> = { bvn: 'BVN', nin: 'NIN' }

/** BVN and NIN both have eleven digits; people type them with spaces and dashes. */
export function readAnswer(text: string): string | undefined {
  const digits = text.replaceAll(/[\s-]/g, '')
  return /^\d{11}$/.test(digits) ? digits : undefined
}

const requestLifetimeMs = 7 * 24 * 60 * 60_000

export const requestExpiryFrom = (now: Date): Date => new Date(now.getTime() + requestLifetimeMs)

type RequestStatus = 'open' | 'answered' | 'expired'

export function requestStatusAt(
  request: Pick<VerificationRequest, 'answeredAt' | 'expiresAt'>,
  now: Date,
): RequestStatus {
  if (request.answeredAt) return 'answered'
  return request.expiresAt <= now ? 'expired' : 'open'
}

export const answerContext = (requestId: string): string => `verification ${requestId}`
